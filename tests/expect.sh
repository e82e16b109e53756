# What tests of the command line share. POSIX sh, to be sourced with the build folder as the first argument; the working
# directory is then a new folder of the test's own, and the last line of a test is [ "$failures" -eq 0 ].
#   expect CODE ARGUMENT...  runs the program; its streams are left in out and err, its command line in $what
#   says FILE TEXT           the file holds the text
#   silent FILE              the file is empty
#   error LINES              these are all of stderr, and nothing is on stdout
#   fail WHY                 counts a failure of $what
# shellcheck shell=sh

program=$(CDPATH='' cd -- "$1" && pwd)/fedrecsim
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
path=$PATH # a test may take the program's away
what=start
failures=0

fail() {
    echo "FAILED: $what: $1"
    [ ! -s out ] || sed 's/^/  stdout: /; 20q' out
    [ ! -s err ] || sed 's/^/  stderr: /; 20q' err
    failures=$((failures + 1))
}

# AddressSanitizer says once per run that it cannot follow actors to their stacks.
expect() {
    expected=$1
    shift
    what="fedrecsim $*"
    "$program" "$@" >out 2>err </dev/null
    code=$?
    PATH=$path sed -i '/^==[0-9]*==WARNING: ASan is ignoring requested/d; /^False positive error reports may/d; /^For details see/d' err
    [ "$code" -eq "$expected" ] || fail "exit code $code instead of $expected"
}

says() { grep -qF -e "$2" "$1" || fail "\"$2\" is not in $1"; }
silent() { [ ! -s "$1" ] || fail "something on $1"; }
error() {
    printf '%s\n' "$1" | cmp -s - err || fail "stderr is not \"$1\""
    silent out
}
