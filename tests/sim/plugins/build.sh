# What tests of plug-ins share, to be sourced behind tests/expect.sh: a copy of the public headers, and nothing else of this tree, in
# headers/, and examples built against it.
#   build NAME [SED]   the example NAME, after a change by sed, as NAME.so in the folder of the test
# shellcheck shell=sh

mkdir headers
grep -v '^#' "$FRS_SOURCE_DIR/sim/plugins/public_headers.txt" | grep . | while read -r header; do
    mkdir -p "headers/${header%/*}"
    cp "$FRS_SOURCE_DIR/$header" "headers/$header"
done

# Without optimisation it takes a third of the time.
build() {
    sed "${2-}" "$FRS_SOURCE_DIR/plug-ins/$1.c" >"$1.c"
    cc -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Werror -shared -fPIC -Iheaders "$1.c" -o "$1.so" || {
        # shellcheck disable=SC2034 # fail prints it
        what="cc $1.c"
        fail "does not compile"
    }
}
