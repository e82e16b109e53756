#!/bin/sh
# A method in Python: FedMF in NumPy has every byte, time and outcome of the built-in one, under losses and deadlines, with updates and
# with ratings; with two threads, after kill -9, and in a sweep. FRS_ALL=1 (test_external_python_long.sh): also the quality
# over five seeds, an emulation, and FedNCF in PyTorch.
# Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"
if ! /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    echo "SKIPPED test_external_python: no NumPy for /usr/bin/python3"
    exit 77
fi
export FEDRECSIM_ALLOW_COMMANDS=1
modules=$(dirname "$program")/python

awk 'BEGIN { print "user,item,value,time"; for (u = 0; u < 60; u++) for (k = 0; k < 8 + u % 9; k++) print u "," (u * 7 + k * 13) % 110 "," 1 + (u + k) % 5 "," k }' >data.csv
cat >rest <<'END'
data = { format = "csv"; path = "data.csv"; min_interactions = 3; };
devices = { preset = "phones"; };
rounds = { count = 4; cohort = 20; };
evaluation = { candidates = "full"; };
output = { what_if = "none"; report = false; };
END
{
    echo 'method = { name = "fedmf"; batch = 1000000; init_sd = 0.1; user_init_sd = 0.1; learning_rate = 0.5; };'
    cat rest
} >native.cfg
{
    echo "method = { name = \"external\"; command = \"/usr/bin/python3 '$modules/fedmf.py'\"; batch = 1000000; };"
    cat rest
} >external.cfg

# ---- the same as the built-in method -------------------------------------------------------------

# All columns in front of the quality of recommendations, which differs in the last bits.
books() { awk -F, 'NR == 1 { while ($(n + 1) !~ /^hr@/) n++ } { for (i = 1; i <= n; i++) printf "%s,", $i; print "" }' "$1/rounds.csv"; }

same() {
    name=$1
    shift
    expect 0 run native.cfg --out "native-$name" --quiet "$@"
    expect 0 run external.cfg --out "external-$name" --quiet "$@"
    what="external as native, $name"
    books "native-$name" >native
    books "external-$name" >external
    cmp -s native external || fail "$(diff native external | head -4 | cut -c1-200)"
    cmp -s "native-$name/events.ndjson" "external-$name/events.ndjson" || fail 'other events'
}
same losses --set failures.down=0.1 --set failures.compute=0.1 --set failures.up=0.2
same deadline --set rounds.policy.name=deadline --set 'rounds.policy.after=0.06 s' --set rounds.policy.late=accept \
    --set rounds.stragglers=run_on --set devices.jitter=0.5
if [ "${FRS_ALL:-}" = 1 ]; then
    same plain
    same partial --set rounds.policy.name=partial_work --set 'rounds.policy.after=0.06 s' --set 'rounds.policy.grace=0.01 s' \
        --set devices.jitter=0.5
    same asynchronous --set rounds.policy=buffered_async --set network.preset=4g
    same compressed --set codec.uplink.name=quantise --set privacy.1.name=clip --set privacy.1.bound=1
fi

# ---- threads, and kill -9 ------------------------------------------------------------------------

# Many batches, and what is drawn from the seed of a task.
set -- --set method.batch=8 --set rounds.count=40 --set output.checkpoint_rounds=1
expect 0 run external.cfg --out whole --quiet --threads 1 "$@"
expect 0 run external.cfg --out two --quiet --threads 2 "$@"
what='two threads'
cmp -s whole/rounds.csv two/rounds.csv || fail 'another rounds.csv'
cmp -s whole/clients.csv two/clients.csv || fail 'another clients.csv'

what='kill -9'
"$program" run external.cfg --out killed --quiet --threads 2 "$@" >out 2>err &
process=$!
for _ in $(seq 600); do
    [ ! -s killed.checkpoint ] || break
    sleep 0.05
done
kill -9 "$process" && wait "$process" 2>/dev/null
[ -s killed.checkpoint ] || fail 'there is no checkpoint'
for _ in $(seq 100); do
    left=$(pgrep -f "$modules/fedmf.py" || true)
    [ -n "$left" ] || break
    sleep 0.05
done
[ -z "$left" ] || fail "processes are left: $left"
expect 0 run external.cfg --out killed --quiet --resume "$@"
what='what goes on after kill -9'
cmp -s whole/rounds.csv killed/rounds.csv || fail 'another rounds.csv'
cmp -s whole/clients.csv killed/clients.csv || fail 'another clients.csv'

# ---- a sweep -------------------------------------------------------------------------------------

if [ "${FRS_ALL:-}" = 1 ]; then
    points=12
    set -- --vary 'method.rate = 0.1, 0.5, 1' --vary 'failures.up = 0, 0.3'
else
    points=4
    set -- --vary 'method.rate = 0.5, 1'
fi
expect 0 sweep external.cfg --out sweep --quiet --jobs 2 "$@" --replicates 2
what='sweep'
found=$(find sweep/points -name rounds.csv | wc -l)
[ "$found" -eq $points ] || fail "$found points instead of $points"
says sweep/plan.json 'method.rate'
left=$(pgrep -f "$modules/fedmf.py" || true)
[ -z "$left" ] || fail "processes are left: $left"

# A method that is not chosen keeps its keys in the file.
expect 0 check external.cfg --set method.name=fedmf

# ---- work that is measured -----------------------------------------------------------------------

sed 's/^    limits_epochs = True/&\n    work = "measured"/; s/, flop, changed/, 0, changed/' "$modules/fedmf.py" >measured.py
sed "s,'$modules/fedmf.py',measured.py,; s/\"phones\"/\"plain\"/" external.cfg >measured.cfg
expect 2 check measured.cfg
says err 'the program of method "external" counts no operations ("work measured"); allowed: measured | per_sample | fixed | none'
expect 0 run measured.cfg --out measured --quiet --set devices.compute=measured
what='measured work'
says measured/manifest.json '"deterministic": false'
awk -F, 'NR == 1 { while ($(n + 1) != "path_compute_s") n++ } NR > 1 && !($(n + 1) > 1e-6) { exit 1 }' measured/rounds.csv ||
    fail 'computing takes no time'

# ---- updates, and ratings ------------------------------------------------------------------------

# What goes both ways is the change: fedmf_update.
sed 's/^    limits_epochs = True/&\n    sends = "updates"/; s/^        n, epochs = len/        before = q.copy()\n&/; s/^        return Trained(loss/        q -= before\n&/' \
    "$modules/fedmf.py" >updates.py
sed "s,'$modules/fedmf.py',updates.py," external.cfg >updates.cfg
sed 's/"fedmf"/"fedmf_update"/; s/init_sd = 0.1;/& dim = 16;/' native.cfg >native_updates.cfg
for catchup in replay ${FRS_ALL:+ideal}; do
    expect 0 run native_updates.cfg --out "native-$catchup" --quiet --set "method.catchup=$catchup" --set failures.up=0.2
    expect 0 run updates.cfg --out "external-$catchup" --quiet --set "method.catchup=$catchup" --set failures.up=0.2
    what="updates, $catchup"
    books "native-$catchup" >native
    books "external-$catchup" >external
    cmp -s native external || fail "$(diff native external | head -4 | cut -c1-200)"
done

cat >ratings.py <<'END'
import numpy as np
from fedrecsim import Method, Trained, real, run, shared

class Mean(Method):
    feedback = "explicit"
    keys = {"rate": real(0.5, 0, 1, "step size")}

    def tables(self):
        assert self.scale == (1.0, 5.0), self.scale
        return [shared("mean", self.n_items, 1, given=np.full(self.n_items, 3.0))]

    def train(self, task):
        assert len(task.items) == len(task.ratings) and task.places is None
        error = self.table["mean"][task.items, 0] - task.ratings
        self.table["mean"][task.items, 0] -= self.rate * error
        return Trained(np.mean(error ** 2), 1, len(error), 3 * len(error), changed={"mean": task.items})

    def score(self, client, items):
        return self.table["mean"][items, 0]

run(Mean)
END
{
    echo 'method = { name = "external"; command = "/usr/bin/python3 ratings.py"; };'
    sed 's/min_interactions = 3;/& csv_value = "value"; feedback = "explicit"; split = "ratio";/; s/candidates = "full";/every = 4;/' rest
} >ratings.cfg
expect 0 run ratings.cfg --out ratings --quiet
what='ratings'
awk -F, 'NR == 1 { while ($(n + 1) != "rmse") n++ } NR > 1 && $(n + 1) != "" { v = $(n + 1) } END { exit !(v > 0.5 && v < 2) }' ratings/rounds.csv ||
    fail 'no RMSE'

# ---- the rest takes longer -----------------------------------------------------------------------

# spread NATIVE EXTERNAL: the quality of five seeds; the mean of the external ones is within the extremes of the native ones.
spread() {
    for seed in 1 2 3 4 5; do
        for which in "$1" "$2"; do
            expect 0 run "$which.cfg" --out "$which-$seed" --quiet --force --seed $seed
        done
    done
    what="hr@10 of five seeds, $2"
    for which in "$1" "$2"; do
        for seed in 1 2 3 4 5; do
            awk -F, 'NR == 1 { while ($(n + 1) !~ /^hr@/) n++ } END { print $(n + 1) }' "$which-$seed/rounds.csv"
        done | sort -g | tr '\n' ' '
        echo
    done >qualities
    cat qualities
    awk 'NR == 1 { low = $1; high = $5 } NR == 2 { mean = ($1 + $2 + $3 + $4 + $5) / 5 } END { exit !(mean >= low && mean <= high) }' qualities ||
        fail "native and external: $(tr '\n' ';' <qualities)"
}

if [ "${FRS_ALL:-}" = 1 ]; then
    cat >of_seeds <<'END'
data = { synthetic = "ml-100k"; };
network = { preset = "4g"; };
devices = { preset = "phones"; };
rounds = { count = 40; cohort = "20 %"; };
output = { what_if = "none"; report = false; events = false; };
END
    for method in fedmf fedncf; do
        keys='init_sd = 0.1; user_init_sd = 0.1;'
        { echo "method = { name = \"$method\"; $keys };" && cat of_seeds; } >"native_$method.cfg"
        { echo "method = { name = \"external\"; command = \"/usr/bin/python3 '$modules/$method.py'\"; };" && cat of_seeds; } >"external_$method.cfg"
    done
    spread native_fedmf external_fedmf
    if /usr/bin/python3 -c 'import torch' 2>/dev/null; then
        spread native_fedncf external_fedncf
        sed 's/"fedmf"/"fedncf"/; s/learning_rate = 0.5;//' native.cfg >native_ncf.cfg
        sed 's,fedmf.py,fedncf.py,' external.cfg >external_ncf.cfg
        for options in '' '--set failures.up=0.2 --set failures.compute=0.1'; do
            # shellcheck disable=SC2086 # options are words
            expect 0 run native_ncf.cfg --out native-ncf --quiet --force $options
            # shellcheck disable=SC2086
            expect 0 run external_ncf.cfg --out external-ncf --quiet --force $options
            what="FedNCF in PyTorch $options"
            books native-ncf >native
            books external-ncf >external
            cmp -s native external || fail "$(diff native external | head -4 | cut -c1-200)"
            cmp -s native-ncf/events.ndjson external-ncf/events.ndjson || fail 'other events'
        done
    else
        echo 'SKIPPED test_external_python_long: FedNCF: no PyTorch for /usr/bin/python3 (python3-torch)'
    fi
    "$program" emulate external.cfg --out emulated --quiet --set rounds.cohort=4 >out 2>err
    code=$?
    if [ "$code" -eq 2 ] && grep -q 'rights of root' err; then
        echo "SKIPPED test_external_python_long: emulation: $(cat err)"
    else
        what='an emulation'
        [ "$code" -eq 0 ] || fail "exit code $code"
        expect 0 run external.cfg --out simulated --quiet --set rounds.cohort=4
        for column in down_bytes up_bytes flop; do
            for folder in emulated simulated; do
                awk -F, -v name="$column" 'NR == 1 { while ($(n + 1) != name) n++ } NR > 1 { print $(n + 1) }' "$folder/rounds.csv" >"$folder.$column"
            done
            cmp -s "emulated.$column" "simulated.$column" || fail "another $column"
        done
    fi
fi
[ "$failures" -eq 0 ]
