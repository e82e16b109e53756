#!/bin/sh
# Standard streams that are closed at the start never become the files of a run; too few descriptors are one line and exit code 1.
# shellcheck source=tests/expect.sh
. "${0%/*}/../../expect.sh"

cat >s.cfg <<'TEXT'
data = { synthetic = "small"; };
rounds = { count = 3; cohort = 5; };
TEXT
expect 0 run s.cfg --out whole
for closed in '<&-' '>&-' '2>&-' '<&- >&-' '>&- 2>&-' '<&- >&- 2>&-'; do
    what="run $closed"
    : >out
    : >err
    rm -rf out.d
    (eval "exec \"\$program\" run s.cfg --out out.d $closed") >out 2>err
    code=$? expected=1 # the summary cannot be printed
    case $closed in '<&-' | '2>&-') expected=0 ;; esac
    for file in rounds.csv clients.csv events.ndjson; do
        cmp -s whole/$file out.d/$file || fail "$file is another one"
    done
    [ "$code" -eq $expected ] || fail "exit code $code"
    what="sweep $closed"
    rm -rf out.s
    (eval "exec \"\$program\" sweep s.cfg --vary 'rounds.count = 3, 4' --out out.s $closed") >out 2>err
    code=$?
    [ "$code" -eq $expected ] || fail "exit code $code"
    cmp -s whole/rounds.csv out.s/points/0000/rounds.csv || fail "rounds.csv of a point is another one"
done

# Of the few descriptors the program itself, its libraries and the files of a run take some.
enough=0
for n in 5 6 7 8 9 10 11 12 13; do
    for backend in calendar simgrid; do
        what="ulimit -n $n, $backend"
        rm -rf few
        # shellcheck disable=SC3045 # dash and bash have it
        (exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&- && ulimit -n $n && exec "$program" run s.cfg --out few --quiet --set engine.backend=$backend) >out 2>err
        code=$?
        [ "$code" -ne 0 ] || enough=$((enough + 1))
        case $code in
        0) silent err ;;
        1)
            [ "$(wc -l <err)" -eq 1 ] || fail "is not one line"
            says err 'Too many open files'
            ;;
        *) fail "exit code $code" ;;
        esac
    done
done
[ "$enough" -ge 8 ] || fail "only $enough runs"

[ "$failures" -eq 0 ]
