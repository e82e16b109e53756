#!/bin/sh
# A method in Python: FedMF in NumPy has every byte, time and outcome of the built-in one, under losses and deadlines, with updates and
# with ratings; with two threads, after kill -9, and in a sweep.
# Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"
# shellcheck source=tests/same_rounds.sh
. "${FRS_SOURCE_DIR:-.}/tests/same_rounds.sh"
if ! /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    echo "SKIPPED test_external_python: no NumPy for /usr/bin/python3"
    exit 77
fi
export FEDRECSIM_ALLOW_COMMANDS=1
modules=$folder/programs # of this test alone, so that it finds what it has left
cp -r "$(dirname "$program")/python" "$modules"

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

# python_of_page N: the Nth program on the page.
python_of_page() { awk -v n="$1" '/^```python$/ { k++; on = k == n; next } /^```$/ { on = 0 } on' "$FRS_SOURCE_DIR/docs/external.md"; }

# ---- the same as the built-in method -------------------------------------------------------------

same_rounds losses native external --threads 1 --set failures.down=0.1 --set failures.compute=0.1 --set failures.up=0.2
same_rounds deadline native external --threads 1 --set rounds.policy.name=deadline --set 'rounds.policy.after=0.06 s' --set rounds.policy.late=accept \
    --set rounds.stragglers=run_on --set devices.jitter=0.5

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

expect 0 sweep external.cfg --out sweep --quiet --jobs 2 --vary 'method.rate = 0.5, 1' --replicates 2
what='sweep'
found=$(find sweep/points -name rounds.csv | wc -l)
[ "$found" -eq 4 ] || fail "$found points instead of 4"
says sweep/plan.json 'method.rate'
left=$(pgrep -f "$modules/fedmf.py" || true)
[ -z "$left" ] || fail "processes are left: $left"

# A method that is not chosen keeps its keys in the file.
expect 0 check external.cfg --set method.name=fedmf

# ---- what the page shows -------------------------------------------------------------------------

python_of_page 1 >popular.py
{ echo 'method = { name = "external"; command = "/usr/bin/python3 popular.py"; rate = 0.2; };' && cat rest; } >page.cfg
expect 0 run page.cfg --out popular --quiet --threads 1
sed 's/^    def train(self, task):/&\n        raise ValueError("not yet")/' popular.py >broken.py
expect 2 check page.cfg --set 'method.command=/usr/bin/python3 broken.py'
says err 'trains in round 1: the program says: broken.py, line '
says err 'ValueError: not yet'

# fault SED MESSAGE: popular.py with this change is refused in one line that says what to do.
fault() {
    sed "$1" popular.py >fault.py
    expect 1 run page.cfg --out fault --force --quiet --set "method.command=/usr/bin/python3 fault.py" --set rounds.count=2
    says err "the program says: $2"
}
fault 's/^        loss = .*/&\n        self.table["bias"] = b[:, None]/' "fault.py, line 18, in train: TypeError: self.table['bias'] = … puts another array into its place, which is not kept: write self.table['bias'][:] = …"
fault 's/^        return Trained(.*/        pass/' 'train: TypeError: train returns NoneType; allowed: a Trained'
fault 's/changed={"bias"/changed={"biases"/' "train: ValueError: changed has 'biases', which is no table; tables: bias"
fault 's/changed={"bias": task.items}/changed={"bias": np.isin(np.arange(self.n_items), task.items)}/' "train: ValueError: changed['bias'] is a mask; allowed: the ids of the rows, as numpy.flatnonzero(mask) gives them"
fault 's/Trained(loss/Trained(np.nan/' 'train: ValueError: the loss is nan: training has diverged (a smaller step?)'
fault 's/return self.table\["bias"\]\[items, 0\]/return 1.0/' 'score: ValueError: score returns numbers of shape () for '

# ---- work that is measured -----------------------------------------------------------------------

sed 's/^    limits_epochs = True/&\n    work = "measured"/; s/, flop, changed/, 0, changed/' "$modules/fedmf.py" >measured.py
sed "s,'$modules/fedmf.py',measured.py,; s/\"phones\"/\"plain\"/" external.cfg >measured.cfg
expect 2 check measured.cfg
says err 'the program of method "external" counts no operations ("work measured"); allowed: measured | per_sample | fixed | none'
expect 0 run measured.cfg --out measured --quiet --threads 1 --set devices.compute=measured
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
same_rounds updates native_updates updates --threads 1 --set method.catchup=replay --set failures.up=0.2

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
expect 0 run ratings.cfg --out ratings --quiet --threads 1
what='ratings'
awk -F, 'NR == 1 { while ($(n + 1) != "rmse") n++ } NR > 1 && $(n + 1) != "" { v = $(n + 1) } END { exit !(v > 0.5 && v < 2) }' ratings/rounds.csv ||
    fail 'no RMSE'
[ "$failures" -eq 0 ]
