#!/bin/sh
# The comparison of two commits accepts what is the same, and finds what is not: one number changed in one file, a scenario that
# one of the two refuses. The program under test stands for the commits.
#   test_compare_commits.sh BUILD_FOLDER [all]     all: every shipped scenario, and as many that are drawn; otherwise 4 of these
source=${FRS_SOURCE_DIR:-$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)}
# shellcheck source=tests/expect.sh
. "$source/tests/expect.sh"

# compares CODE ARGUMENT...: its streams are left in out and err.
compares() {
    expected=$1
    shift
    what="compare_commits $*"
    code=0
    "$source/tests/oracle/compare_commits.sh" "$@" >out 2>err || code=$?
    [ "$code" -eq "$expected" ] || fail "exit code $code instead of $expected"
}

# other NAME COMMAND: a program like the one under test, whose runs the shell command changes afterwards.
other() {
    cat >"$1" <<END
#!/bin/sh
'$program' "\$@" || exit
while [ "\$1" != --out ]; do shift; done
cd "\$2" || exit 3
$2
END
    chmod +x "$1"
}

n=4
if [ "${2-}" = all ]; then
    n=$((2 * $(sed -n '/^    cat <<END$/,/^END$/p' "$source/tests/oracle/compare_commits.sh" | grep -c '\.cfg')))
    [ "$n" -ge 50 ] || fail "only $n scenarios"
fi
compares 0 "$program" "$program" "$n"
says out "$n scenarios: $n the same, 0 different, 0 that only one accepts, 0 that neither accepts"
silent err

# shellcheck disable=SC2016 # $ is for sed
other digit "sed -i '\$s/\\([0-9]\\)\\([^0-9]*\\)\$/7\\1\\2/' clients.csv"
compares 1 --keep kept "$program" ./digit 4
says out '1-quickstart: clients.csv differs: '
says out 'random-2: clients.csv differs: '
says out '4 scenarios: 0 the same, 4 different'
[ "$(grep -c differs out)" -eq 4 ] || fail "not a line for each"
cmp -s kept/differing/random-1/a/run/rounds.csv kept/differing/random-1/b/run/rounds.csv || fail "what differs is not kept"

other summary "sed -i 's,\"status\",\"state\",' summary.json"
compares 0 "$program" ./summary 2
compares 1 --summary "$program" ./summary 2
says out 'random-1: summary.json differs: '

other model "sed -i 's/\"client\": \([0-9]\)/\"client\": 9\\1/' summary.json"
compares 1 "$program" ./model 4
says out '2-stragglers: information_loss differs: '

other lacking "rm events.ndjson"
compares 1 ./lacking "$program" 2
says out 'random-1: events.ndjson: '

printf '#!/bin/sh\necho "s.cfg:1: no such key"\nexit 2\n' >refusing
chmod +x refusing
compares 1 "$program" ./refusing 2
says out 'random-1: only A accepts it: s.cfg:1: no such key'
compares 1 ./refusing ./refusing 2
says out '2 scenarios: 0 the same, 0 different, 0 that only one accepts, 2 that neither accepts'

for arguments in '' "$program" "$program $program 0" "$program $program x" '--kept . .' 'no-such-commit .'; do
    # shellcheck disable=SC2086 # several words
    compares 2 $arguments
    silent out
done
[ "$failures" -eq 0 ]
