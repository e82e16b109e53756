#!/bin/sh
# Every plug-in of every registry is chosen by a scenario that comes with the program: by name, in the file or in an axis of its sweep.
# Learner external is not: it runs a command, and no scenario that comes with the program does (tests/sim/external has scenarios of it).
# Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"

# Comments go; what is left are words: names, and values also where an axis says KEY=VALUE & KEY=VALUE.
words() { sed 's/^ *#.*//; s/ #.*//; s,//.*,,' "$@" | tr -cs 'A-Za-z0-9_-' '\n' | sort -u; }

# Lines "registry name" of what fedrecsim list lists (in list) that none of the words (in used) is.
unused() {
    awk 'FILENAME == "used" { used[$1]; next }
        /^[a-z]+: / { sub(/:.*/, ""); registry = $0; next }
        /^  [^ ]+  / && !($1 in used) { print registry, $1 }' used list
}

# This test can fail: one is named in a comment alone, one as a part of another word.
printf '%s\n' 'codec: how rows become bytes' '  topk   a' '  svd    b' '  dense  c' '  chosen by codec.uplink.name' >list
printf '%s\n' '# topk' 'a = "svd_quantised"; # svd' '" | x: codec.uplink=dense & b=c"' >planted.cfg
words planted.cfg >used
what=self-check
[ "$(unused)" = "codec topk
codec svd" ] || fail "found: $(unused)"

expect 0 list
mv out list
find "$FRS_SOURCE_DIR/scenarios" -name '*.cfg' -exec cat {} + >scenarios
words scenarios >used
what='plug-ins that no scenario uses'
unused | grep -vx 'learner external' >found
[ "$(grep -c '^  [^ ]*  ' list)" -ge 80 ] || fail 'the list is short'
[ ! -s found ] || fail "$(cat found)"

[ "$failures" -eq 0 ]
