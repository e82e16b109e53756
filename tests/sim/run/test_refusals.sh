#!/bin/sh
# Labels: sanitized
# What the program refuses: the exact message, exit code 2, and nothing written anywhere; runs that fail, exit code 1, and
# nothing left. Argument: the build folder.
program=$1/fedrecsim
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/here" "$folder/tmp"
cd "$folder/here" || exit 1
TMPDIR=$folder/tmp
export TMPDIR
failures=0

fail() {
    echo "FAILED: $what: $1"
    sed 's/^/  stdout: /' ../out
    sed 's/^/  stderr: /' ../err
    failures=$((failures + 1))
}

# AddressSanitizer says once per run that it cannot follow actors to their stacks.
without_sanitizer() {
    sed -i '/^==[0-9]*==WARNING: ASan is ignoring requested/d; /^False positive error reports may/d; /^For details see/d' ../err
}

listing() { find "$folder" ! -path "$folder/out" ! -path "$folder/err" | sort; }

# expect CODE ARGUMENT...: a run of which nothing may be left.
expect() {
    expected=$1
    shift
    what="run $*"
    before=$(listing)
    "$program" run "$@" >../out 2>../err </dev/null
    code=$?
    without_sanitizer
    [ "$code" -eq "$expected" ] || fail "exit code $code instead of $expected"
    [ "$before" = "$(listing)" ] || fail "left something: $(listing)"
}

# The only line of stderr.
error() {
    printf 'fedrecsim: %s\n' "$1" | cmp -s - ../err || fail "stderr is not \"fedrecsim: $1\""
    [ ! -s ../out ] || fail "something on stdout"
}

# broken SED-COMMAND MESSAGE: good.cfg with a change is refused.
broken() {
    sed "$1" good.cfg >bad.cfg
    expect 2 bad.cfg
    error "$2"
}

cat >good.cfg <<'END'
data = { synthetic = "small"; };
method = { name = "fedmf"; };
network = { downlink = "6 Mbit/s"; uplink = "1 Mbit/s"; latency = "40 ms"; };
devices = { preset = "ideal"; };
rounds = { count = 3; cohort = 5; };
END
: >bad.cfg
printf 'user,item\na,1\na\n' >short.csv
printf 'user,item,value\na,1,5\na,2,five\n' >word.csv
: >empty.csv
printf 'user,item\n' >header.csv
echo text >file
mkdir thesis
echo text >thesis/thesis.tex
mkdir page
echo '{ "name": "a web page" }' >page/manifest.json
csv='data = { format = "csv"; path ='

# --- ten broken inputs ---
units='bit/s, kbit/s, Mbit/s, Gbit/s, B/s, kB/s, MB/s, KiB/s, MiB/s'
broken 's,"6 Mbit/s","6",' "bad.cfg:3: network.downlink: \"6\" has no unit; allowed: text with a number and a unit ($units) from 1 to 1e+15 bytes/s"
broken 's,"6 Mbit/s","6 kbit",' "bad.cfg:3: network.downlink: \"6 kbit\" has the wrong unit; allowed: text with a number and a unit ($units) from 1 to 1e+15 bytes/s"
broken 's,network = .*,network = { preset = "moon"; };,' 'bad.cfg:3: network.preset: "moon" is not allowed; allowed: none | ideal | fieldguide | fedscale | flash-wifi | lumos-4g | lumos-wifi | 3g | 4g | 5g | wifi | fibre | mixed-mobile'
broken 's,"ideal",7,' 'bad.cfg:4: devices.preset: 7 is an integer, not text; allowed: none | ideal | fieldguide | fedscale | phone-low | phone-mid | phone-high | tablet | pc | phones | mixed | plain'
broken 's,method = .*,method = { preset = "scolr2"; rank = 4; };,' 'bad.cfg:2: method.preset: "scolr2" is not allowed; did you mean "scolr"?; allowed: none | fedmf_pfedclr | pfedclr | pfedrec | fedncf_pfedclr | fedncf_fedras | fedras_table1 | topk_fedras | svd_fedras | jointrec | colr_table1 | scolr | fedrap | fedrap_published_code | rfrec_published_code | rfrecf_published_code | fcf_published_code | lightfr | ptf_fedrec | cgfedrec | semidfegl | semidfegl_ratings'
broken 's,cohort,cohrot,' 'bad.cfg:5: rounds.cohrot: unknown key; did you mean "cohort"?'
broken 's,count = 3,count = "three",' 'bad.cfg:5: rounds.count: "three" is text, not an integer; allowed: an integer from 1 to 1000000000'
broken 's,count = 3,count = 0,' 'bad.cfg:5: rounds.count: "0" is out of range; allowed: an integer from 1 to 1000000000'
broken "s,data = .*,$csv \"nowhere.csv\"; };," 'bad.cfg:1: data.path: nowhere.csv: cannot be read: No such file or directory'
broken "s,data = .*,$csv \"short.csv\"; };," 'short.csv:3: found 1 field; expected at least 2, separated by , (data.csv_separator)'
broken 's,name = "fedmf";,name = "fedmf"; catchup = "ideal";,' 'bad.cfg:2: method.catchup: is a key of fedmf_update, colr, scolr, fedncf_update and colr_ncf, but method.name is "fedmf"'
broken 's,name = "fedmf";,name = "colr"; }; codec = { uplink = { name = "svd"; error_feedback = true; };,' 'bad.cfg:2: codec.uplink.error_feedback: what method "colr" sends cannot be made up for in a later round; allowed: false, or method "fedmf_update" or "fedncf_update"'
broken 's,name = "fedmf";,name = "fedmf_update"; }; codec = { downlink = { name = "svd"; server_table = "exact"; };,' 'bad.cfg:2: codec.downlink.server_table: "exact" is not possible where some clients replay updates and others load the whole table; allowed: "decoded", or method.catchup = "ideal", "full", or "replay" with method.init = "seed"'
broken 's,name = "fedmf";,name = "fedmf_update"; }; adaptation = { name = "uniform";,' 'bad.cfg:2: adaptation.name: uploads of method "fedmf_update" under codec "dense" have one size; allowed: no section adaptation, or uploads of several sizes (method: scolr; codec: topk, svd, svd_quantised, groups, adaptive_groups, rvq)'
broken 's,name = "fedmf";,name = "scolr"; }; observations = { unmeasured = "smallest";,' 'bad.cfg:2: observations.unmeasured: "smallest" has no effect under adaptation "fixed", which does not go by observations; allowed: optimistic, mean, or an adaptation that does (deadline, proportional)'
broken 's,name = "fedmf";,name = "fedmf"; }; observations = { unmeasured = "mean";,; s,count = 3;,count = 3; selection = "utility";,' 'bad.cfg:2: observations.unmeasured: has no effect here: only the upload sizes that clients are assigned depend on it, and uploads have one size'
broken 's,name = "fedmf";,name = "fedmf"; dim = 8; dim = 16;,' 'bad.cfg:2: method.dim: is given twice; the first is at bad.cfg:2'
expect 2 good.cfg --out file/run
error 'file/run: cannot write results there: file is not a folder'

# --- data ---
broken "s,data = .*,$csv \"empty.csv\"; };," 'empty.csv: is empty; expected one interaction per line'
broken "s,data = .*,$csv \"header.csv\"; };," 'header.csv:1: the file ends without an interaction; expected one per line'
broken "s,data = .*,$csv \".\"; };," 'bad.cfg:1: data.path: .: cannot be read: is a folder'
sed "s,data = .*,$csv \"word.csv\"; csv_value = \"value\"; };," good.cfg >bad.cfg
expect 2 bad.cfg
grep -q '^fedrecsim: word.csv:3: ' ../err || fail "names no line"

# --- parts that do not go together ---
broken 's,synthetic = "small";,synthetic = "small"; feedback = "explicit";,' 'bad.cfg:1: data.feedback: method "fedmf" learns from implicit feedback; allowed: implicit'
broken 's,name = "fedmf";,name = "colr"; server = "adam";,' 'bad.cfg:2: method.server.optimiser: no "adam" for method "colr": its updates of two rounds have no coordinates in common; allowed: none'
broken 's,name = "fedmf";,name = "gpfedrec"; server = "yogi";,' 'bad.cfg:2: method.server.optimiser: no "yogi" for method "gpfedrec": it mixes a table anew for every client, which no change of a common one leads to; allowed: none, without rate'
broken 's,name = "fedmf";,name = "fcf_implicit"; server = { rate = 0.5; };,' 'bad.cfg:2: method.server.rate: has no effect for method "fcf_implicit": it sends gradients, for which the server has an Adam of its own (method.server_learning_rate); allowed: none, without rate'
devices='devices = { classes = "phone-low 50 %, phone-high 50 %"; }; failures = '
broken "s/devices = .*/$devices { up = \"phone-lo 30 %, others 5 %\"; };/" 'bad.cfg:4: failures.up: "phone-lo" is not a class of this scenario; allowed: phone-low | phone-high | others'
broken "s/devices = .*/$devices { up = \"phone-low 30 %\"; };/" 'bad.cfg:4: failures.up: says nothing of class "phone-high"; allowed: a value for every class of devices.classes, or one for "others"'
broken "s/devices = .*/$devices { up = \"phone-low 30 %, phone-low 5 %\"; };/" 'bad.cfg:4: failures.up: class "phone-low" is there twice'
broken "s/devices = .*/$devices { up = \"phone-low 130 %, others 5 %\"; };/" 'bad.cfg:4: failures.up: class "phone-low": "130 %" is out of range; allowed: a number from 0 to 1, or a percentage such as "10 %"'
broken "s/network = .*/network = { classes = \"4g 100 %\"; };/; s/devices = .*/$devices { up = \"phone-low 30 %, 4g 5 %\"; };/" 'bad.cfg:4: failures.up: "phone-low" and "4g" are classes of different sorts; allowed: those of devices.classes, or those of network.classes'
none='clients have no classes here; allowed: one value for everybody, or classes with devices.classes, network.classes or a column class of a table'
broken 's/devices = .*/failures = { up = "pc 30 %, others 5 %"; };/' "bad.cfg:4: failures.up: \"pc\" is not a class, and $none"
broken 's/devices = .*/availability = { model = "markov"; on = "pc 1 h, others 2 h"; };/' "bad.cfg:4: availability.on: \"pc\" is not a class, and $none"
broken 's/devices = .*/failures = { up = "many"; };/' 'bad.cfg:4: failures.up: "many" is not a number; allowed: a number from 0 to 1, or a percentage such as "10 %", or one for each class: "a 30 %, others 5 %"'
broken 's/devices = .*/failures = { up = "130 %"; };/' 'bad.cfg:4: failures.up: "130 %" is out of range; allowed: a number from 0 to 1, or a percentage such as "10 %", or one for each class: "a 30 %, others 5 %"'
broken 's/devices = .*/observations = { weight = "0.5"; };/' 'bad.cfg:4: observations.weight: "0.5" is text, not a number; allowed: a number from 0.001 to 1, or a percentage such as "10 %"'
broken 's/devices = .*/failures = { up = 0.1; follows = "uplink"; };/' 'bad.cfg:4: failures.follows: "uplink" is the same for all clients here, and no client can be lost more often by it; allowed: none, or what differs between clients'
broken 's/devices = .*/failures = { follows = "uplink"; };/' 'bad.cfg:4: failures.follows: has no effect here'
broken 's/devices = .*/failures = { up = 0.1; correlation = 0.5; };/' 'bad.cfg:4: failures.correlation: has no effect here'
broken 's/devices = .*/failures = { per = "1 h"; };/' 'bad.cfg:4: failures.per: has no effect here'
timing='--set training.enabled=false: training.enabled: false is not possible with'
expect 2 good.cfg --set training.enabled=false --set codec.uplink=touched_rows
error "$timing codec.uplink = \"touched_rows\", whose message sizes depend on what was learnt; allowed: true, training.messages = \"whole\", or another codec"
expect 2 good.cfg --set training.enabled=false --set devices.preset=fieldguide
error "$timing devices.compute = \"flops\", because flops are counted while training; allowed: devices.compute = \"per_sample\", \"fixed\" or \"none\""
expect 2 good.cfg --set evaluation.protocol=lookahead --set evaluation.candidates=full
error '--set evaluation.protocol=lookahead: evaluation.protocol: lookahead keeps the sampled negatives out of training; it needs evaluation.candidates = "sampled"'
expect 2 good.cfg --set evaluation.non_federated=item_mean
error '--set evaluation.non_federated=item_mean: evaluation.non_federated: "item_mean" needs explicit feedback'
expect 2 good.cfg --set method.name=colr --set method.rank=65
error '--set method.rank=65: method.rank: 65 is larger than dim (64); allowed: at most dim'
private='--set method.name=fedrap --set method.dp_clip=0.1 --set method.dp_noise=1'
presupposes='the noise of method "fedrap" presupposes that no client takes part in two rounds in a row; allowed:'
# shellcheck disable=SC2086
expect 2 good.cfg $private --set rounds.cohort=101 --set rounds.selection=no_repeat
error '--set rounds.cohort=101: rounds.cohort: 101 clients are too many for selection "no_repeat"; allowed: at most 100 (50 % of all)'
# shellcheck disable=SC2086
expect 2 good.cfg $private
error "rounds.selection.name: $presupposes no_repeat"
# shellcheck disable=SC2086
expect 2 good.cfg $private --set rounds.cohort=101
printf 'fedrecsim: %s\n' '--set rounds.cohort=101: rounds.cohort: 101 clients are too many for the noise of method "fedrap", which presupposes that no client takes part in two rounds in a row; allowed: at most 100 (50 % of all)' "rounds.selection.name: $presupposes no_repeat" | cmp -s - ../err || fail "cohort and selection"
# shellcheck disable=SC2086
expect 2 good.cfg $private --set rounds.selection=no_repeat --set rounds.policy=buffered_async
error "--set rounds.policy=buffered_async: rounds.policy.name: $presupposes wait_all | deadline | over_select | quantile | quorum_then_wait | partial_work"
# shellcheck disable=SC2086
expect 2 good.cfg $private --set rounds.selection=no_repeat --set codec.uplink=quantise
error '--set codec.uplink=quantise: codec.uplink.name: a lossy codec may enlarge what method "fedrap" has clipped for its noise; allowed: a lossless one'
expect 2 good.cfg --set rounds.policy=quorum_then_wait --set rounds.policy.uploads=21 --set rounds.cohort=20
error '--set rounds.policy.uploads=21: rounds.policy.uploads: 21 are more than the clients of a round; allowed: at most rounds.cohort (20)'
least='--set rounds.policy=deadline --set rounds.policy.after=9s --set rounds.cohort=20 --set rounds.policy.min_uploads='
# shellcheck disable=SC2086
expect 2 good.cfg ${least}21
error '--set rounds.policy.min_uploads=21: rounds.policy.min_uploads: 21 are more than the clients of a round; allowed: at most rounds.cohort (20)'
# shellcheck disable=SC2086
expect 2 good.cfg ${least}5 --set rounds.policy.quorum=0.5
error '--set rounds.policy.min_uploads=5: rounds.policy.min_uploads: a round that waits for its uploads is not repeated for want of them; allowed: 0, or quorum = 0'
# shellcheck disable=SC2086
expect 2 good.cfg ${least}5 --set rounds.policy.late_rounds=2
error '--set rounds.policy.late_rounds=2: rounds.policy.late_rounds: has no effect here'
expect 2 good.cfg --set rounds.cohort=300
error '--set rounds.cohort=300: rounds.cohort: 300 clients are more than the data has; allowed: at most 200'

expect 2 good.cfg --set codec.downlink=topk
error '--set codec.downlink=topk: codec.downlink.name: "topk" is made for changes, and method "fedmf" sends its clients whole tables, of which it would leave too little; allowed: a method that sends updates (fedmf_update), or another codec'
expect 2 good.cfg --set method.name=fedmf_update --set codec.uplink=groups --set codec.uplink.of=values
error '--set codec.uplink.of=values: codec.uplink.of: has no effect here: it is about uploads of rows that replace others (method fedmf)'

# --- tables of a client's own ---
for method in gpfedrec pfedgraph; do
    expect 2 good.cfg --set method.name=$method --set codec.downlink=touched_rows
    error "--set codec.downlink=touched_rows: codec.downlink.name: method \"$method\" sends every client a table of its own, whose message has to have one size; allowed: dense"
    expect 2 good.cfg --set method.name=$method --set codec.downlink=topk
    error "--set codec.downlink=topk: codec.downlink.name: \"topk\" is made for changes, and method \"$method\" sends its clients whole tables, of which it would leave too little; allowed: a method that sends updates (fedmf_update), or another codec"
    expect 2 good.cfg --set method.name=$method --set evaluation.view=server
    error "--set evaluation.view=server: evaluation.view: clients of method \"$method\" predict with tables of their own, which the server's view leaves out; allowed: device"
done

# --- nothing to measure ---
printf 'user,item,value\na,1,5\na,2,3\nb,1,4\nb,2,1\n' >two.csv
two='--set data.format=csv --set data.path=two.csv --set data.csv_value=value --set data.min_interactions=1 --set data.feedback=explicit --set data.split=ratio --set method.name=rfrec --set rounds.cohort=2'
few="of a user's interactions is not a single one for anybody; allowed: a larger share, or users with more interactions (data.min_interactions)"
sed 's,synthetic = "small";,,' good.cfg >bad.cfg
# shellcheck disable=SC2086
expect 2 bad.cfg $two
error "data.test_ratio: 0.2 $few"
# shellcheck disable=SC2086
expect 2 bad.cfg $two --set data.test_ratio=0.5 --set data.validation_ratio=0.3
error "--set data.validation_ratio=0.3: data.validation_ratio: 0.3 $few"

# --- keys that would change nothing ---
for set in 'devices.slowdown=2' 'devices.speed=2 Gflop/s' 'data.users=3' 'data.csv_user=2' 'data.test_ratio=0.3'; do
    key=${set%%=*} where=
    case $key in
    devices.speed) key=devices.speed.value ;;
    data.users) where=': it is read where data.synthetic is custom' ;;
    data.csv_user) where=': it is read where data.format is csv or json, or auto and the file is taken for one of them' ;;
    esac
    expect 2 good.cfg --set "$set"
    error "--set $set: $key: has no effect here$where"
done

expect 2 good.cfg --set data.feedback=explicit --set data.split=ratio --set method.name=rfrec --set evaluation.k=5
error '--set evaluation.k=5: evaluation.k: has no effect here'

# Local work in steps and in shares of an epoch.
expect 2 good.cfg --set method.steps=20 --set method.epochs=3
error '--set method.epochs=3: method.epochs: has no effect here: method.steps says how far a client trains'
for extent in epochs=1.5 steps=20; do
    expect 2 good.cfg --set method.$extent --set rounds.policy=partial_work --set 'rounds.policy.after=2 s' --set 'rounds.policy.grace=1 s'
    error "--set method.$extent: method.${extent%%=*}: policy \"partial_work\" ends local work after whole epochs; allowed: a whole number of epochs, or wait_all | deadline | over_select | quantile | quorum_then_wait"
done
expect 2 good.cfg --set method=fcf_implicit --set method.steps=20
error '--set method.steps=20: method.steps: is a key of fedmf, fedmf_update, colr, scolr, fedrap, fedncf, fedncf_update, colr_ncf, pfedclr, pfedrec, gpfedrec, pfedgraph, fedmf_ratings, fedfast, ptf_fedrec and cgfedrec, but method.name is "fcf_implicit"'
expect 2 good.cfg --set method.epochs=0
error '--set method.epochs=0: method.epochs: "0" is out of range; allowed: a number from 0.001 to 100000'

# --- places ---
for force in '' --force; do
    for place in file thesis page .; do
        expect 2 good.cfg --out $place $force
        error "$place exists and is no run directory; choose another place with --out DIR"
    done
done

# --- runs that fail ---
for method in fedmf colr 'fedmf_update --set codec.uplink=svd --set codec.downlink=topk'; do
    # shellcheck disable=SC2086 # a method with its codecs is several words
    expect 1 good.cfg --quiet --set method.name=$method --set method.optimiser=sgd --set method.learning_rate=1e6 \
        --set rounds.count=100 --out new/folder/run
    [ "$(wc -l <../err)" -eq 1 ] || fail "more than one line"
    grep -q '^fedrecsim: round [0-9]*: the loss of client [0-9]* is not a number: training has diverged' ../err ||
        fail "says something else"
done
# A run needs no place for temporary files.
what="no TMPDIR"
TMPDIR=$folder/nowhere "$program" run good.cfg --quiet --out "$folder/kept" >../out 2>../err </dev/null || fail "exit code $?"
rm -rf "$folder/kept"

# With progress: whole lines, the reason last.
expect 1 good.cfg --set method.name=colr --set method.learning_rate=1e6 --set rounds.count=100
if sed '$d' ../err | grep -vq '^round [0-9]*/100  simulated [0-9.]* m*s  \(HR@10 0\.[0-9]*  \)*[0-9.]* m*s to go$'; then
    fail "progress"
fi
tail -n 1 ../err | grep -q 'training has diverged' || fail "the reason is not last"

# A full disk, played by a limit on the size of files (512 bytes a block); nothing may be left in its place.
limited() (
    trap '' XFSZ
    ulimit -f "$1"
    shift
    expect "$@"
    exit "$failures"
)
for blocks in 1 16 64; do
    limited "$blocks" 1 good.cfg --quiet --set rounds.count=300 || failures=$?
    grep -q '^fedrecsim: ' ../err || fail "a full disk after $blocks blocks: no message"
    grep -q 'File too large\|No space left' ../err || fail "a full disk after $blocks blocks: no reason"
done

# --- what works ---
ran() {
    what="run $*"
    "$program" run "$@" --quiet >../out 2>../err </dev/null || fail "exit code $?"
    without_sanitizer
    if [ -s ../out ] || [ -s ../err ]; then fail "--quiet is not"; fi
}
ran good.cfg
[ "$(ls results)" = good-seed1 ] || fail "no results/good-seed1"
expect 2 good.cfg
error 'results/good-seed1 holds an earlier run; replace it with --force or choose another place with --out DIR'
echo old >results/good-seed1/rounds.csv
ran good.cfg --force
[ "$(head -c 5 results/good-seed1/rounds.csv)" = round ] || fail "--force did not replace the earlier run"
ran good.cfg --out 'a folder/with spaces'
[ -e 'a folder/with spaces/summary.json' ] || fail "no results in a folder with spaces"
ran good.cfg --out slash/
[ -e slash/summary.json ] || fail "no results in slash/"
ran good.cfg --set output.directory=chosen --seed 3
[ -e chosen/summary.json ] || fail "output.directory"
ran ./good.cfg --seed 3
[ -e results/good-seed3/summary.json ] || fail "no results/good-seed3"
[ -z "$(ls "$TMPDIR")" ] || fail "something is left in TMPDIR"

[ "$failures" -eq 0 ] || echo "$failures failures"
[ "$failures" -eq 0 ]
