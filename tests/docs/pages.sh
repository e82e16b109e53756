# What tests of pages share: a page is read as a reader would who types all of it. To be sourced after tests/expect.sh.
#   play PAGE     writes the files that the page shows, runs its commands one after the other in a folder of the page's own, and
#                 compares what they print with what the page shows (tests/docs/pages.awk has the marks)
# A command ends with 0, or with N where the line has "# exit code N". A shown line is in the output, blanks squeezed; "…" in it
# stands for any text, and a line that is only "…" for any number of lines.
# shellcheck shell=sh disable=SC2034,SC2154

PATH=${program%/*}:$PATH
FEDRECSIM_CACHE=
export PATH FEDRECSIM_CACHE
unset FEDRECSIM_ALLOW_COMMANDS FEDRECSIM_SCENARIOS

squeezed() { sed 's/[[:blank:]][[:blank:]]*/ /g; s/^ //; s/ $//' "$1"; }

# type_lines FILE: the commands of a block; their output is in the file printed.
type_lines() {
    : >printed
    while IFS= read -r line; do
        case $line in '' | '#'*) continue ;; esac
        what="$page: $line"
        wanted=0
        case $line in *'# exit code '*) wanted=${line##*'# exit code '} ;; esac
        code=0
        (cd played && sh -c "$line") >out 2>err </dev/null || code=$?
        [ "$code" -eq "$wanted" ] || fail "exit code $code instead of $wanted"
        cat out err >>printed
        commands=$((commands + 1))
    done <"$1"
}

# shown FILE: every line of it was printed.
shown() {
    what=$page
    squeezed printed >lines.printed
    squeezed "$1" >lines.shown
    lines=$((lines + $(awk '$0 != "" && $0 != "…"' lines.shown | wc -l)))
    awk '
        # Whether the parts of a shown line, between its "…", follow each other in the printed line.
        function follows(text, n, part,   i, at) {
            if (part[1] != "" && index(text, part[1]) != 1)
                return 0
            for (i = 1; i <= n; i++) {
                at = index(text, part[i])
                if (part[i] != "" && !at)
                    return 0
                text = substr(text, at + length(part[i]))
            }
            return part[n] == "" || text == ""
        }
        FNR == NR { printed[++lines] = $0; next }
        $0 == "" || $0 == "…" { next }
        {
            n = split($0, part, "…")
            for (i = 1; i <= lines && !follows(printed[i], n, part); i++) {}
            if (i > lines)
                print
        }' lines.printed lines.shown >lines.missing
    while IFS= read -r line; do
        fail "is shown and not printed: $line"
    done <lines.missing
}

play() {
    page=${1##*/docs/}
    commands=0
    lines=0
    rm -rf played pieces
    mkdir played pieces
    awk -v folder=pieces -f "$FRS_SOURCE_DIR/tests/docs/pages.awk" "$1"
    for piece in pieces/*; do
        case $piece in
        *.file)
            IFS= read -r name <"${piece%.file}.name"
            cp "$piece" "played/$name"
            ;;
        *.sh) type_lines "$piece" ;;
        *.text) shown "$piece" ;;
        esac
    done
    what=$page
    [ "$commands" -gt 0 ] || fail "no commands"
    echo "$page: $commands commands, $lines lines of output"
}
