#!/bin/sh
# The public headers, in a copy without the rest of the tree: each compiles alone as C11; and the program exports the functions and
# lists of names that they declare, and nothing else of its own. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$FRS_SOURCE_DIR/tests/expect.sh"
# shellcheck source=tests/sim/plugins/build.sh
. "$FRS_SOURCE_DIR/tests/sim/plugins/build.sh"

find headers -name '*.h' | sort >list
what='headers alone'
[ "$(wc -l <list)" -ge 30 ] || fail "there are fewer"
# shellcheck disable=SC2046 # a file a word: names here have no spaces
cc -std=c11 -Wall -Wextra -Wpedantic -Wstrict-prototypes -Werror -fsyntax-only -Iheaders -x c $(cat list) >out 2>err || fail "do not compile"

# What they declare and do not define, as a compiler sees it: an object that needs all of it, which the program can load.
what='what headers declare'
xargs cat <list | tr -s ' \n' ' ' | sed 's|/\*[^*]*\*\**\([^/*][^*]*\*\**\)*/||g' |
    grep -oE 'frs_[a-z0-9_]+\([^(){};]*(\([^()]*\)[^(){};]*)*\)[^;{}()]*(__attribute__ *\(\([^;{]*\)\)|FRS_PRINTF\([^)]*\)|FRS_MUST_CHECK)? *[;{]' |
    grep ';$' | grep -oE '^frs_[a-z0-9_]+' | sort -u >declared
[ "$(wc -l <declared)" -ge 150 ] || fail "only $(wc -l <declared) functions were found"
{
    sed 's/.*/#include "&"/;s/"headers\//"/' list
    echo 'void (*const all[])(void) = {'
    sed 's/.*/    (void (*)(void)) &,/' declared
    echo '};'
} >all.c
cc -std=c11 -w -shared -fPIC -Iheaders all.c -o all.so || fail "names of headers are none"
expect 2 list --plugin all.so
error "fedrecsim: --plugin all.so: has no fedrecsim_plugin; allowed: a shared object that defines \`const struct frs_plugin_table fedrecsim_plugin\`"

what='what the program exports'
nm -D --defined-only "$program" | awk '{ print $3 }' | grep '^frs_' | sort -u >exported
echo 'frs_device_link_names
frs_catchup_names
frs_first_contact_names
frs_late_names
frs_staleness_names
frs_weighting_names' | cat - declared | sort -u >known
comm -23 exported known >foreign
silent foreign

[ "$failures" -eq 0 ]
