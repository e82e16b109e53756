#!/bin/sh
# fedrecsim new: every template is sound as it is written, runs, and suggests what can be typed; no file is ever replaced.
# Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$FRS_SOURCE_DIR/tests/expect.sh"

expect 0 new
silent err
cp out kinds
[ "$(sed 's/ .*//' kinds | tr '\n' ' ')" = 'minimal planner researcher ' ] || fail "kinds: $(cat kinds)"
while read -r kind summary; do
    [ -n "$summary" ] || fail "$kind has no summary"
    expect 0 new "$kind"
    says out "$kind.cfg is written."
    cmp -s "$kind.cfg" "$FRS_SOURCE_DIR/scenarios/templates/$kind.cfg" || fail "is not the template"
    expect 0 check "$kind.cfg" --patience '10 ms'
    # Half of its lines explain the others.
    [ "$(grep -c '#' "$kind.cfg")" -ge 5 ] || fail "few comments"
done <kinds
expect 0 run minimal.cfg --set rounds.count=2 --set output.what_if=none --quiet --out minimal
expect 0 run planner.cfg --set rounds.count=2 --set output.what_if=none --quiet --out planner
expect 0 sweep researcher.cfg --set rounds.count=1 --set output.report=false --replicates 1 --quiet --out researcher
[ -s researcher/tables.md ] || fail "no tables"

# The commands in their comments are sound; what takes long is only checked.
for kind in minimal planner researcher; do
    sed -n 's/^#   fedrecsim //p' "$kind.cfg" | sed 's/    *[^ -].*//' >hints
    [ -s hints ] || fail "$kind suggests nothing"
    while read -r hint; do
        eval "set -- $hint"
        case $1 in
        check) expect 0 "$@" --patience '10 ms' ;;
        run) shift && expect 0 check "$@" --patience '10 ms' ;;
        explain) expect 0 "$@" ;;
        esac
    done <hints
done

# --- another name, standard output ---
expect 0 new minimal mine.cfg
cmp -s mine.cfg minimal.cfg || fail "another file"
expect 0 new minimal -
cmp -s out minimal.cfg || fail "another text"

# --- what is there stays ---
echo mine >taken.cfg
ln -s nowhere link.cfg
for file in taken.cfg link.cfg minimal; do
    expect 2 new minimal "$file"
    error "fedrecsim: $file: is there already, and is left alone; allowed: another name, fedrecsim new minimal FILE"
done
[ "$(cat taken.cfg)" = mine ] || fail "replaced"
[ ! -e nowhere ] || fail "follows a link"
expect 2 new minimal missing/a.cfg
error 'fedrecsim: missing/a.cfg: No such file or directory'
expect 2 new maximal
error 'fedrecsim: new: there is no "maximal"; allowed: minimal, planner, researcher'
expect 2 new minimal a b
says err 'one file at a time, found a and b'

[ "$failures" -eq 0 ]
