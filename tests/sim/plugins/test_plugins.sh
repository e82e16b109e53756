#!/bin/sh
# Labels: sanitized
# Plug-ins from outside of the tree: each example of plug-ins/, built against a copy of the public headers alone, is listed, explained,
# checked, run with the same bytes for any number of threads, and keeps to its contract; objects that do not fit are refused in one
# line. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$FRS_SOURCE_DIR/tests/expect.sh"
# shellcheck source=tests/sim/plugins/build.sh
. "$FRS_SOURCE_DIR/tests/sim/plugins/build.sh"

# example NAME KIND FILE [OPTION...]: what it is, and a run with it.
example() {
    name=$1 kind=$2 file=$3
    shift 3
    build "$name"
    expect 0 list "$kind" --plugin "$name.so"
    says out "  $name"
    says out "(from $folder/$name.so)"
    expect 0 explain "$name" --plugin "$name.so"
    says out "\"$name\""
    expect 0 check "$file" --plugin "$name.so" "$@" --patience '10 ms'
    says out "  plug-in      $folder/$name.so (digest "
    expect 0 run "$file" --plugin "$name.so" "$@" --quiet --threads 1 --out "$name-1"
    expect 0 run "$file" --plugin "$name.so" "$@" --quiet --threads 3 --out "$name-3"
    expect 0 selftest --plugin "$name.so"
    cmp "$name-1/rounds.csv" "$name-3/rounds.csv" || fail "another result with three threads"
    says "$name-1/manifest.json" "\"path\": \"$folder/$name.so\""
}
every_example example

# Without it, nothing of it is known.
expect 2 check plain.cfg --set codec.uplink=halves
says err '"halves" is not allowed; allowed: dense | '
says err ', or one that a plug-in brings (--plugin FILE)'
expect 0 check plain.cfg --plugin halves.so --json --patience '10 ms'
says out "\"path\": \"$folder/halves.so\""
expect 0 list codec --plugin halves.so --json
says out "\"plugin\": \"$folder/halves.so\""

# A server whose `aggregate` is the mean of the headers averages, said or not; of another one nothing is known until it is said.
build biases
expect 0 check ratings.cfg --plugin biases.so --set method.aggregation=uniform --set privacy.1=pairwise_masks --patience '10 ms'
build biases 's/^static void score/static void own(void *model, const struct frs_contribution *contributions, size_t n, struct frs_arena *arena,\
    struct frs_rows *update) {\
    frs_model_average(model, contributions, n, arena, update);\
}\
&/;s/aggregate = frs_model_average/aggregate = own/'
expect 2 check ratings.cfg --plugin biases.so --set method.aggregation=uniform --set privacy.1=pairwise_masks
says err "its learner does not say (\`averaging\`) whether its server does more than add uploads; allowed: a learner that says that it averages"

# refused SED MESSAGE: the codec, changed, is refused in this line.
refused() {
    build halves "$1"
    expect 2 list --plugin halves.so
    error "fedrecsim: --plugin halves.so: $2"
}
refused 's/FRS_PLUGIN_HEAD,/FRS_PLUGIN_HEAD,/;s/^const struct frs_plugin_table/#undef FRS_PLUGIN_VERSION\
#define FRS_PLUGIN_VERSION 9u\
&/' \
    'is for version 9 of the plug-in table, and this program has version 1; allowed: the plug-in compiled against the headers of this program'
refused 's/^ *\.decode = decode,//;s/^static bool decode/bool decode(const void *, struct frs_reader *, size_t, size_t, const float *, struct frs_arena *, struct frs_rows *);\
bool decode/' \
    'codec "halves" lacks the slot decode (algorithms/codec.h)'
refused 's/\.name = "halves"/.name = "dense"/' 'there is a codec "dense" already; allowed: another name'
refused 's/\.name = "halves"/.name = "error_feedback"/' 'codec.uplink.error_feedback: the name of a plug-in is also a key or a section'
refused 's/\.name = "halves"/.name = ""/' 'a codec has no name'
refused 's/fedrecsim_plugin = /another = /' \
    "has no fedrecsim_plugin; allowed: a shared object that defines \`const struct frs_plugin_table fedrecsim_plugin\`"
refused 's/\.codecs = .*//' \
    'its table is empty; allowed: at least one entry of learners, codecs, optimisers, corrections, distributions, availabilities, policies, selections or adaptations'

# Compiled against headers of the same version in which a structure is larger.
sed -i 's/^    bool lossless;/    bool lossless;\n    double more;/' headers/algorithms/codec.h
build halves
expect 2 list --plugin halves.so
says err '--plugin halves.so: was compiled against other headers (struct frs_codec has '
[ "$(wc -l <err)" -eq 1 ] || fail "more than one line"
cp "$FRS_SOURCE_DIR/algorithms/codec.h" headers/algorithms/codec.h

expect 2 list --plugin nowhere.so
error 'fedrecsim: --plugin nowhere.so: cannot be read: No such file or directory'
echo nothing >text.so
expect 2 list --plugin text.so
says err '--plugin text.so: cannot be loaded: '
echo 'void frs_no_such_function(void); void f(void) { frs_no_such_function(); }' | cc -shared -fPIC -x c - -o unknown.so
expect 2 list --plugin unknown.so
says err '--plugin unknown.so: cannot be loaded: undefined symbol: frs_no_such_function'

# Twice the same is one; another object with the same names is refused.
build halves
cp halves.so copy.so
expect 0 list codec --plugin halves.so --plugin copy.so
build halves 's/16 bits/sixteen bits/'
expect 2 list codec --plugin copy.so --plugin halves.so
error 'fedrecsim: --plugin halves.so: there is a codec "halves" already; allowed: another name'

# A scenario that names a plug-in runs its code with consent only.
(echo 'plugins = [ "halves.so" ];' && sed '/^method/a codec = { uplink = "halves"; };' plain.cfg) >names.cfg
expect 2 check names.cfg
error 'fedrecsim: names.cfg:1: plugins: loads the code of "halves.so", which needs consent; allowed: with --allow-commands, or with FEDRECSIM_ALLOW_COMMANDS=1 in the environment, or --plugin halves.so'
expect 2 check plain.cfg --set plugins=halves.so
says err '--set plugins=halves.so: plugins: loads the code of "halves.so", which needs consent'
for wrong in 5 '[ 5 ]'; do
    sed "s/^plugins.*/plugins = $wrong;/" names.cfg >wrong.cfg
    expect 2 check wrong.cfg --plugin halves.so
    says err 'fedrecsim: wrong.cfg:1: plugins: '
    [ "$(wc -l <err)" -eq 1 ] || fail "more than one line"
done
# shellcheck disable=SC2016 # the program expands it
sed 's/^plugins.*/plugins = { files = [ "$HERE\/halves.so" ]; };/' names.cfg >wrong.cfg
expect 2 check wrong.cfg --allow-commands
# shellcheck disable=SC2016
says err 'fedrecsim: wrong.cfg:1: plugins: "$HERE/halves.so" needs the environment variable HERE, which is not set'
HERE=$folder && export HERE
expect 0 check wrong.cfg --allow-commands --patience '10 ms'
expect 0 check names.cfg --allow-commands --patience '10 ms'
expect 0 check names.cfg --plugin halves.so --patience '10 ms'
expect 0 run names.cfg --allow-commands --quiet --out named
expect 0 run plain.cfg --plugin halves.so --set codec.uplink=halves --quiet --out given
cmp named/rounds.csv given/rounds.csv || fail "another result when the scenario names it"

[ "$failures" -eq 0 ]
