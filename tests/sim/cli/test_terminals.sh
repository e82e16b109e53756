#!/bin/sh
# Terminals that are narrow, dumb, or show no UTF-8. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

if ! script -qec true /dev/null >/dev/null 2>&1; then
    echo "SKIPPED terminals: there is no script(1) to make one"
    exit 0
fi
utf8=$(locale -a 2>/dev/null | grep -i -m 1 -E '^(C|en_US)\.utf-?8$')
: "${utf8:=C.UTF-8}"

# on TERM COLUMNS LOCALE ARGUMENT...: what the program shows on such a terminal is left in seen.
on() {
    kind=$1 columns=$2 locale=$3
    shift 3
    what="fedrecsim $* on a terminal ($kind, $columns columns, $locale)"
    line=\'$program\'
    for argument in "$@"; do line="$line '$argument'"; done
    TERM=$kind COLUMNS=$columns LC_ALL=$locale script -qec "$line" /dev/null </dev/null >seen 2>&1
    tr -d '\r' <seen >plain
    : >out
    : >err
}
controls() { LC_ALL=C grep -q "$(printf '\033')" seen; }
ascii() { ! LC_ALL=C grep -q '[^ -~[:space:]]' plain; }

cat >small.cfg <<'END'
data = { synthetic = "small"; };
rounds = { count = 20; cohort = 20; };
END

# --- a line in place, or lines ---
on xterm 80 "$utf8" run small.cfg --out one
controls || fail "draws no line in place"
for kind in dumb ''; do
    rm -rf one
    on "$kind" 80 "$utf8" run small.cfg --out one
    ! controls || fail "steers a terminal that cannot be steered"
    says plain 'round 20/20  simulated '
    rm -rf swept
    on "$kind" 80 "$utf8" sweep small.cfg --vary 'rounds.cohort = 10, 20' --out swept
    ! controls || fail "steers a terminal that cannot be steered"
    says plain 'points done'
done
rm -rf one
on xterm 40 "$utf8" run small.cfg --out one
awk -v RS='\r' '/^\033/ { sub(/\033\[K/, ""); sub(/\n.*/, ""); if (length($0) > 39) exit 1 }' seen || fail "a line in place is too long"

# --- tables ---
rm -rf swept
on xterm 200 "$utf8" sweep small.cfg --vary 'rounds.cohort = 10, 20' --replicates 2 --out swept
says plain '| rounds.cohort |'
on xterm 40 "$utf8" collect swept --all
! grep '^|' plain | LC_ALL=$utf8 awk 'length($0) > 42 { print }' | grep -q . || fail "a broken table"
says plain '- rounds.cohort: 10'
grep -q '^    .*: .* ± ' plain || fail "no figures behind their names"
"$program" collect swept >piped
COLUMNS=40 "$program" collect swept >narrow
cmp -s piped narrow || fail "what is no terminal has a width"

# --- letters ---
on xterm 200 C collect swept
ascii || fail "not ASCII"
grep -q '[0-9] +-[0-9]' plain || fail "no +-"
[ "$(grep '^|' plain | awk '{ print length($0) }' | head -n 2 | uniq | wc -l)" -eq 1 ] || fail "columns do not stand under each other"
on xterm 200 "$utf8" collect swept
says plain '±'
on xterm 80 POSIX explain devices.compute
ascii || fail "not ASCII"
says plain 'overhead + slowdown x counted flops / speed'
rm -rf one
on xterm 80 C run small.cfg --out one
says plain 'hr@10 >=popularity + 0.03'
what="a pipe in the locale C"
LC_ALL=C "$program" explain devices.compute >piped
says piped '×'
grep -q '±' swept/tables.md || fail "files are UTF-8 whatever the terminal"
if [ -e /dev/full ]; then
    what="a full disk in the locale C"
    LC_ALL=C "$program" explain >/dev/full 2>err
    [ $? -eq 1 ] || fail "exit code"
fi

[ "$failures" -eq 0 ] || echo "$failures failures"
[ "$failures" -eq 0 ]
