# Counts what docs/style.md forbids in comments and help texts of C sources and in pages: a table per 10,000 words.
#   awk -f .ci/english.awk [-v list=1] FILES…        list: first a line "file:line: what" for every place
# Exit 1 above a limit. mawk and gawk both run it, in the C locale.

BEGIN {
    # How often in 10,000 words of comments, of help texts and of pages.
    most = 3
    # How many lines of comments are longer than that, in 10,000 words of comments. 
    columns = 110
    most_long = 3

    add("somebody, nobody, …", "(somebody|nobody|everybody|whoever)")
    add("sentences with Of", "Of [a-zA-Z]+")
    add("comes to", "(come|comes|came|coming) to")
    add("looked at", "looked at")
    # What comes to an end or to a client is no amount.
    no_amount = "^ (an|its|their|the) end|^ (the|a) (server|client|clients)[^a-z]|^ clients[^a-z]"
}

function add(name, regex) {
    names[++n_patterns] = name
    regexes[n_patterns] = regex
}

FNR == 1 {
    finish()
    kind = FILENAME ~ /\.md$/ ? "pages" : "comments"
    in_comment = in_help = fenced = 0
}

kind == "pages" {
    line = $0
    if (line ~ /^ *(```|~~~)/) {
        finish()
        fenced = !fenced
        next
    }
    if (fenced)
        next
    # A paragraph, an item, a heading or a row of a table ends a sentence.
    if (line ~ /^ *$/ || line ~ /^ *([-*#|]|[0-9]+\.) ?/)
        finish()
    gsub(/`[^`]*`/, "X", line)
    gsub(/\]\([^)]*\)/, "]", line)
    gsub(/<[^>]*>/, "", line)
    gsub(/[*|_#\[\]]+/, " ", line)
    say("pages", line)
    next
}

# A C source: a line is cut at what begins a string, a character, a comment.
{
    rest = $0
    held = 0
    while (rest != "") {
        if (in_comment) {
            end = index(rest, "*/")
            held = 1
            if (!end) {
                say("comments", cleaned(rest))
                break
            }
            say("comments", cleaned(substr(rest, 1, end - 1)))
            rest = substr(rest, end + 2)
            in_comment = 0
            if (rest !~ /^ *$/)
                finish()
            continue
        }
        if (!match(rest, /["'\/]/)) {
            in_help = in_help && rest !~ /[,}]/
            break
        }
        code = substr(rest, 1, RSTART - 1)
        mark = substr(rest, RSTART, 1)
        rest = substr(rest, RSTART)
        if (code ~ /\.(help|summary) = *$/ || (code ~ /^ *$/ && opened)) {
            finish()
            in_help = 1
        } else if (code ~ /[,}]/)
            in_help = 0
        opened = 0
        if (mark == "/") {
            if (substr(rest, 2, 1) == "*") {
                # Consecutive comments are sentences of their own.
                finish()
                in_comment = 1
            }
            rest = substr(rest, in_comment ? 3 : 2)
            continue
        }
        if (!match(rest, mark == "\"" ? "^\"([^\"\\\\]|\\\\.)*\"" : "^'([^'\\\\]|\\\\.)*'"))
            break
        if (in_help)
            say("help texts", substr(rest, 2, RLENGTH - 2))
        rest = substr(rest, RLENGTH + 1)
    }
    opened = $0 ~ /\.(help|summary) =$/
    if (held || $0 ~ /\/\*/) {
        wide = $0
        gsub(/[\200-\277]/, "", wide)
        if (length(wide) > columns) {
            n_long++
            if (list)
                print FILENAME ":" FNR ": a comment of " length(wide) " columns"
        }
    }
}

function cleaned(text) {
    sub(/^ *\*+/, "", text)
    gsub(/`[^`]*`/, "X", text)
    return text
}

# Collects what may be one sentence; marks where lines begin, for the list.
function say(what, text) {
    if (what != speaking)
        finish()
    speaking = what
    speaking_file = FILENAME
    # A line ends like a word; the parts of a help text are joined as C joins them.
    if (what != "help texts")
        gsub(/^ +| +$/, "", text)
    pieces[++n_pieces] = text
    places[n_pieces] = FNR
}

# Counts in what was collected.
function finish(    i, p, whole, at, from, before, rest, found, words_here) {
    if (!n_pieces)
        return
    whole = ""
    for (i = 1; i <= n_pieces; i++) {
        starts[i] = length(whole) + 1
        whole = whole (speaking == "help texts" ? "" : " ") pieces[i]
    }
    words[speaking] += split(whole, words_here, /[^A-Za-z0-9'\200-\377-]+/)
    for (p = 1; p <= n_patterns; p++) {
        rest = whole
        from = 0
        while (match(tolower_but_of(p, rest), regexes[p])) {
            at = from + RSTART
            found = substr(rest, RSTART, RLENGTH)
            before = substr(whole, 1, at - 1)
            from += RSTART + RLENGTH - 1
            rest = substr(rest, RSTART + RLENGTH)
            if (before ~ /[A-Za-z0-9_]$/ || rest ~ /^[A-Za-z0-9_]/)
                continue
            # Behind a full stop, or where a text begins.
            if (p == 2 && before !~ /([.!?:][)"]? +|^[^A-Za-z0-9]*)$/)
                continue
            if (p == 3 && rest ~ no_amount)
                continue
            counts[speaking, p]++
            if (list) {
                for (i = n_pieces; i > 1 && starts[i] > at; i--)
                    ;
                print speaking_file ":" places[i] ": " found " …"
            }
        }
    }
    n_pieces = 0
    speaking = ""
}

function tolower_but_of(p, text) {
    return p == 2 ? text : tolower(text)
}

END {
    finish()
    split("comments,help texts,pages", kinds, ",")
    printf "%-12s %9s", "", "words"
    for (p = 1; p <= n_patterns; p++)
        printf "  %s", names[p]
    print "  in 10,000 words"
    for (k = 1; k <= 3; k++) {
        sum = 0
        printf "%-12s %9d", kinds[k], words[kinds[k]]
        for (p = 1; p <= n_patterns; p++) {
            printf "  %*d", length(names[p]), counts[kinds[k], p]
            sum += counts[kinds[k], p]
        }
        share = words[kinds[k]] ? sum * 10000 / words[kinds[k]] : 0
        printf "  %.1f (at most %d)\n", share, most
        failed = failed || share > most
    }
    share = words["comments"] ? n_long * 10000 / words["comments"] : 0
    printf "%d lines of comments have more than %d columns: %.1f in 10,000 words (at most %d)\n", n_long, columns, share, most_long
    failed = failed || share > most_long
    exit failed
}
