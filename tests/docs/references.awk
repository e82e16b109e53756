# What docs and comments refer to, and does not exist: a line "file:line: what" for each.
#   awk -v catalogue=FILE -f references.awk pass=1 PAGES… pass=2 FILES…
# The catalogue lists every file and folder, named from the top of the tree, where this runs. The first pass collects the
# headings of the pages. In the second, pages are read whole and other files for their comments:
#   [text](PAGE#ANCHOR)            the file, from the folder of the page, and the heading behind the anchor
#   performance.md, docs/performance.md        a page, from the top, from docs/ or from the folder of the file that names it
#   performance.md, "What is measured"   a heading of that page, or the bold words a paragraph begins with
#   PAGE 10.3; PAGE, section 4     a heading with that number
#   sim/run/run.c, sim/base/memory a path from the top; the ending may be left out
#   kernels/adam.c                 the end of a path
#   memory.h, test_page            a source, or a test or benchmark, wherever it is

BEGIN {
    while ((getline path < catalogue) > 0) {
        exists[path]
        base = path
        sub(/.*\//, "", base)
        named[base]
        sub(/\.[a-z]+$/, "", base)
        stem[base]
        if (base ~ /^fuzz_/) { # a target, and its two tests
            stem["test_" base]
            stem["test_" base "_long"]
        }
        while (sub(/^[^\/]*\//, "", path))
            tail[path]
    }
    # What the program or a build writes, and a key of scenarios that is called like a test.
    named["tables.md"]
    named["commit.h"]
    stem["test_ratio"]
    stem["test_path"]
    stem["test_from"]
}

# ---- headings -------------------------------------------------------------------------------------------------------

function plain(text) {
    gsub(/[`*]/, "", text)
    gsub(/\]\([^)]*\)/, "", text)
    gsub(/\[/, "", text)
    sub(/[. ]+$/, "", text)
    return text
}

# As GitHub does it: lower case, no punctuation, hyphens for spaces; a number behind what was there before.
function anchor_of(text) {
    text = tolower(text)
    gsub(/–|—|…|“|”|·|×|→|≥|≤/, "", text)
    gsub(/[\001-\037!-,.\/:-@\[-^`{-\177]/, "", text)
    gsub(/ /, "-", text)
    return text
}

pass == 1 && FNR == 1 { fenced = 0 }
pass == 1 && /^```/ { fenced = !fenced }
pass == 1 && !fenced && /^#+ / {
    sub(/^#+ +/, "")
    text = plain($0)
    anchor = anchor_of(text)
    count = seen[FILENAME, anchor]++
    anchors[FILENAME, count ? anchor "-" count : anchor]
    headings[FILENAME, text]
    if (match(text, /^[0-9]+(\.[0-9]+)*/))
        headings[FILENAME, substr(text, 1, RLENGTH)]
}
pass == 1 && !fenced && match($0, /^(- )?\*\*[^*]+\*\*/) {
    text = substr($0, 1, RLENGTH)
    sub(/^- /, "", text)
    headings[FILENAME, plain(text)]
}

# ---- the text of a file, a paragraph or a comment at a time -----------------------------------------------------------

function flush() {
    if (text_block != "")
        check(text_block)
    text_block = ""
}

function add(line) {
    if (text_block == "")
        start = FNR
    text_block = text_block " " line
}

pass == 2 && FNR == 1 {
    flush()
    file = FILENAME
    folder = file
    if (!sub(/\/[^\/]*$/, "", folder))
        folder = "."
    in_comment = 0
    kind = file ~ /\.md$/ ? "page" : file ~ /\.(c|h|def)$/ ? "c" : "script"
}
pass == 2 && kind == "page" {
    if ($0 ~ /^[ \t]*$/)
        flush()
    else
        add($0)
}
pass == 2 && kind == "c" {
    line = $0
    while (line != "") {
        if (!in_comment) {
            at = index(line, "/*")
            before = at ? substr(line, 1, at - 1) : line
            if (before ~ /\.md/ && file !~ /^tests\//) {
                flush()
                add(before)
                flush()
            }
            if (!at)
                break
            in_comment = 1
            line = substr(line, at + 2)
        }
        at = index(line, "*/")
        words = at ? substr(line, 1, at - 1) : line
        sub(/^ \*/, "", words)
        add(words)
        if (!at)
            break
        flush()
        in_comment = 0
        line = substr(line, at + 2)
    }
}
pass == 2 && kind == "script" {
    if (match($0, /^[ \t]*(#|\/\/)/) || match($0, /[ \t;](#|\/\/) /)) {
        add(substr($0, RSTART + RLENGTH))
    } else
        flush()
}
END { flush() }

# ---- what it refers to ----------------------------------------------------------------------------------------------

function report(what) {
    print file ":" start ": " what
}

# "docs/methods/../performance.md" is docs/performance.md.
function resolved(path) {
    sub(/^\.\//, "", path)
    while (sub(/[^\/.][^\/]*\/\.\.\//, "", path))
        ;
    sub(/\/$/, "", path)
    return path
}

function is_there(path) {
    return path == "." || path in exists
}

function page_of(name) {
    if (resolved(folder "/" name) in exists)
        return resolved(folder "/" name)
    if (resolved(name) in exists)
        return resolved(name)
    if (resolved("docs/" name) in exists)
        return resolved("docs/" name)
    return ""
}

function check_link(target, page, anchor) {
    if (target ~ /^[a-z]+:/)
        return
    page = anchor = target
    sub(/#.*/, "", page)
    page = page == "" ? file : resolved(folder "/" page)
    if (!is_there(page))
        report("there is no " page)
    else if (sub(/^[^#]*#/, "", anchor) && !((page, anchor) in anchors))
        report(page " has no heading #" anchor)
}

# `rest` is what follows the name of the page.
function check_section(page, rest, words) {
    sub(/^[`)\]]+/, "", rest)
    if (match(rest, /^,? "[^"]+"/)) {
        words = substr(rest, 1, RLENGTH)
        sub(/^,? "/, "", words)
        sub(/"$/, "", words)
        gsub(/  +/, " ", words)
    } else if (match(rest, /^,? +sections? +[0-9.]+/) || match(rest, /^,? +[0-9]+\.[0-9]+/)) {
        words = substr(rest, 1, RLENGTH)
        sub(/^[^0-9]*/, "", words)
    } else
        return
    sub(/\.$/, "", words)
    if (!((page, words) in headings))
        report(page " has no section \"" words "\"")
}

function has_ending(path) {
    return (path ".c" in exists) || (path ".h" in exists) || (path ".sh" in exists) || (path ".md" in exists) ||
        (path ".def" in exists) || (path ".cfg" in exists)
}

function check_word(word, rest, page) {
    if (word ~ /[<>*{}~$%]/ || word ~ /^(-|results\/)/)
        return
    if (word ~ /\.md$/) {
        page = page_of(word)
        if (page != "")
            check_section(page, rest)
        else if (!(word in named) || word ~ /\//)
            report("there is no " word)
    } else if (word ~ /^(sim|algorithms|actors|platforms|analysis|tests|scenarios|docs)\/./) {
        word = resolved(word)
        if (!(word in exists) && !has_ending(word))
            report("there is no " word)
    } else if (word ~ /^build\/tests\//) {
        sub(/^build\/tests\//, "", word)
        if (word !~ /[A-Z]$/ && !((word ".c") in named)) # build/tests/test_NAME stands for any
            report("there is no program " word)
    } else if (word ~ /^[a-z][a-z0-9_]+\.(c|h|def)$/) {
        if (!(word in named))
            report("there is no file " word)
    } else if (word ~ /^[a-z].*\/.*\.(c|h|def|cfg)$/) {
        if (!(word in tail) && !(resolved(word) in exists))
            report("there is no file " word)
    } else if (word ~ /^(test|bench)_[a-z0-9_]+(\.sh)?$/) {
        sub(/\.sh$/, "", word)
        if (!(word in stem))
            report("there is no test " word)
    }
}

function check(text, rest, word, after) {
    rest = text
    while (kind == "page" && match(rest, /\]\([^) ]+\)/)) {
        check_link(substr(rest, RSTART + 2, RLENGTH - 3))
        rest = substr(rest, RSTART + RLENGTH)
    }
    rest = text
    gsub(/[a-z]+:\/\/[^ )>]*/, "", rest)
    while (match(rest, /[A-Za-z0-9_.\/<>*{}~$%-]+/)) {
        word = substr(rest, RSTART, RLENGTH)
        rest = substr(rest, RSTART + RLENGTH)
        sub(/[.\/-]+$/, "", word)
        if (word ~ /[.\/_]/ && substr(rest, 1, 1) != "(")
            check_word(word, rest)
    }
}
