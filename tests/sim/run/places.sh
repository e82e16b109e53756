# What tests of run directories under hostile conditions share; to be sourced after tests/expect.sh.
#   make_foreign         files of somebody else's: beside `place`, named like what the program leaves there
#   foreign_is_safe      they are all as they were
#   same A B             two run directories hold the same, but for the machine in summary.json
#   left TEXT            the names in this folder that begin with "place", foreign ones excepted
#   wait_until COMMAND   succeeds as soon as the command does; gives up after 90 s
# Their own notes are in the test's folder, so that they may be called on a full disk.
# shellcheck shell=sh disable=SC2154

make_foreign() {
    mkdir -p place.partial-77 place.partial-x place.replaced-1 place2.partial-1
    for file in place.notes place.lock.txt place.partial-77/figure.svg place.partial-77/rounds.csv place.partial-x/rounds.csv \
        place.replaced-1/thesis.tex place.checkpoint.partial-9 place.checkpoint.old place2.partial-1/rounds.csv place.partial-5; do
        echo "somebody's $file" >"$file"
    done
    find . -path './place[.2]*' -type f | sort >"$folder/foreign"
    xargs sha256sum <"$folder/foreign" >"$folder/foreign.sums"
}

foreign_is_safe() {
    sha256sum --quiet --check "$folder/foreign.sums" >"$folder/foreign.said" 2>&1 || fail "foreign files were touched: $(cat "$folder/foreign.said")"
}

without_machine() { sed '/^  "machine": {/,/^  }/d' "$1"; }

same() {
    for file in manifest.json rounds.csv clients.csv events.ndjson report.html; do
        [ -e "$1/$file" ] || [ -e "$2/$file" ] || continue # a sweep's points have no page
        cmp -s "$1/$file" "$2/$file" || { fail "$file differs" && return 1; }
    done
    without_machine "$1/summary.json" >"$folder/same.a"
    without_machine "$2/summary.json" >"$folder/same.b"
    cmp -s "$folder/same.a" "$folder/same.b" || fail "summary.json differs"
    [ "$(ls "$2")" = "$(ls "$1")" ] || fail "there are other files in $2"
}

left() {
    find . -mindepth 1 -maxdepth 1 -name 'place*' >"$folder/left.all"
    sed 's,^\(\./[^/]*\).*,\1,' "$folder/foreign" | sort -u >"$folder/left.foreign"
    found=$(sort "$folder/left.all" | comm -23 - "$folder/left.foreign" | tr '\n' ' ')
    [ "$found" = "$1" ] || fail "left \"$found\" instead of \"$1\""
}

wait_until() {
    tries=4500
    until "$@"; do
        tries=$((tries - 1))
        [ "$tries" -gt 0 ] || return 1
        sleep 0.02
    done
}
