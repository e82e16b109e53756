#!/bin/sh
# One system call after the other fails (fail_calls.c): damaged disks, no descriptors, memory or processes left. Or the disk is full
# from a call on, or the program is killed before it. A command then ends with its own code and in words, or with complete results;
# what it leaves is what was there before or what belongs there, never half of a file under its name; foreign files stay; and the next
# attempt gives the undisturbed results. The last lines are a table of what was tried.
#   test_failing_calls.sh BUILD_FOLDER [FAILURES [DISKS [KILLS [COMMAND...]]]]
# So many of each for each command, drawn by their number; "all": every call, and failures with every code, once alone and once with all
# later calls of its name. Without numbers each command has one failure, and by turns a full disk or a kill.
tests=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
# shellcheck source=tests/expect.sh
. "$tests/expect.sh"
# shellcheck source=tests/sim/run/places.sh
. "$tests/sim/run/places.sh"
fail_calls=${program%/*}/tests/fail_calls
most=${2:-1} disks=${3:-1} kills=${4:-1} turn=0
[ $# -gt 1 ] || turn=1
# OpenBLAS ends a process with SIGINT where it cannot start its threads.
export OPENBLAS_NUM_THREADS=1
unset LD_LIBRARY_PATH FEDRECSIM_DATA
export TMPDIR="$folder/scratch"
mkdir scratch
"$fail_calls" report "$folder" 0 0 "$program" --version >/dev/null 2>err ||
    { [ $? -eq 77 ] && echo "SKIPPED test_failing_calls: $(cat err)" && exit 0; }

cat >s.cfg <<'CFG'
data = { synthetic = "custom"; users = 20; items = 60; interactions = 300; };
method = { name = "colr"; dim = 4; rank = 2; };
network = { preset = "mixed-mobile"; };
rounds = { count = 2; cohort = 3; };
evaluation = { negatives = 20; };
output = { checkpoint_rounds = 1; what_if = "none"; };
CFG
sed 's/count = 2/count = 1/' s.cfg >earlier.cfg
awk 'BEGIN { print "client,size_bytes,duration_s"; for (i = 0; i < 24; i++) printf "c%d,%d,%.2f\n", i % 3, 1000 * (i + 1), .1 + i / 20 }' >log.csv
awk 'BEGIN { for (i = 0; i < 300; i++) print 10 * i }' >opportunities
awk 'BEGIN { print "user,item,rating"; for (u = 1; u <= 12; u++) for (k = 0; k < 6; k++) print "u" u ",i" (u * 7 + k * 6) % 40 + 1 ",1" }' >ratings.csv
sed 's/^data = .*/data = { path = "ratings.csv"; min_interactions = 3; };/' s.cfg >own.cfg

# Every case has its name, what is there before, the command, and the command that puts things right.
cases='run force resume sweep solve collect report calibrate import bundle replay'
[ $# -lt 5 ] || { shift 4 && cases=$*; }
command_of() {
    case $1 in
    run) echo run s.cfg --out place --quiet --threads 1 ;;
    force) echo run s.cfg --out place --quiet --threads 1 --force ;;
    resume) echo run s.cfg --out place --quiet --threads 1 --resume ;;
    sweep) echo sweep s.cfg --vary method.rank=1,2 --jobs 1 --out place ;;
    solve) echo solve s.cfg --vary method.rank=1..3 --until bytes.total\<=10GB --jobs 1 --out place ;;
    collect) echo collect place --quiet ;;
    report) echo report place --quiet ;;
    calibrate) echo calibrate log.csv --out place.cfg --table place.csv ;;
    import) echo import mahimahi opportunities --out place.csv ;;
    bundle) echo bundle place --with-data --out place.json ;;
    replay) echo replay bundle.json --out place --threads 1 ;;
    esac
}
again_of() {
    case $1 in
    run | resume | sweep | solve) echo "$(command_of "$1") --resume" | sed 's/--resume --resume/--resume/' ;;
    *) command_of "$1" ;;
    esac
}
# repeat CASE: puts things right. A bundle and a replayed run that are there already are complete, and left alone; the next run into the
# place would remove its lock, which nothing holds.
repeat() {
    case $1 in
    bundle) [ ! -e place.json ] || return 0 ;;
    replay) [ ! -e place ] || { rm -f place.lock && return 0; } ;;
    esac
    # shellcheck disable=SC2046 # the words of a command
    "$program" $(again_of "$1") >"$folder/out" 2>"$folder/err" </dev/null
}
# before CASE: puts what is there into this folder, where no place is.
before() {
    cp "$folder/s.cfg" "$folder/log.csv" "$folder/opportunities" "$folder/ratings.csv" .
    [ ! -d "$folder/before.$1" ] || cp -r "$folder/before.$1/." .
}

# A folder as a list of its files, with what they hold but for the machine and the process that wrote them, and for where replay unpacked
# the data of a bundle.
list() {
    (cd "$1" && find . -type f ! -name lock ! -path '*/cache/*' ! -name summary.json ! -name manifest.json -exec cksum {} + &&
        find . -name summary.json | while read -r file; do echo "$(without_machine "$file" | cksum) $file"; done &&
        find . -name manifest.json | while read -r file; do echo "$(sed 's|"/.*/scratch/[^"]*/|"|' "$file" | cksum) $file"; done) | sort
}

mkdir others before.force before.resume before.collect before.report before.bundle before.replay
expect 0 run earlier.cfg --out before.force/place --quiet --threads 1
expect 0 run s.cfg --out before.report/place --quiet --threads 1 --set output.report=false
expect 0 sweep s.cfg --vary method.rank=1,2 --jobs 1 --out before.collect/place
expect 0 run own.cfg --out before.bundle/place --quiet --threads 1
expect 0 bundle before.bundle/place --with-data --out before.replay/bundle.json
(cd before.collect/place && rm -f sweep.sqlite points.csv cells.csv differences.csv tables.md report.html)
# The checkpoint of the round before the last: a run that cannot write its results leaves it.
(cd before.resume && before none && mkdir place && "$program" run s.cfg --out place/x --quiet --threads 1 >/dev/null 2>&1; rm -rf place)
# Everything happens in one folder: a plan has its name.
for case in $cases; do
    mkdir work
    cd work || exit 1
    before "$case"
    # shellcheck disable=SC2046 # the words of a command
    "$fail_calls" "$folder/report" "$folder/work" 0 0 "$program" $(command_of "$case") >"$folder/out" 2>"$folder/err" </dev/null
    code=$?
    list . >"$folder/list.$case"
    cd "$folder" || exit 1
    what="$case, undisturbed"
    [ "$code" -eq 0 ] || fail "exit code $code"
    sed -n 's/^CALLS //p' report >"calls.$case"
    rm -rf work
done

lacks_points() { grep -q ' runs are finished' place/report.html 2>/dev/null; }

# what_is_there CASE: every file is one that was there before, one of the results, or what says that it is not. The tables of a sweep
# are of the points that have results; a run whose place was taken meanwhile leaves its results beside it.
what_is_there() {
    list . >"$folder/there"
    cat "$folder/list.$1" "$folder/list.before" | grep -vxF -f - "$folder/there" |
        grep -vE ' \./(place\.checkpoint|place\.lock|place/points/[0-9]+\.(log|checkpoint)|.*\.partial-[0-9]+(/[a-z_.]*)?)$' >"$folder/half"
    if [ "$code" -ne 0 ]; then
        case $1 in
        sweep | solve | collect) sed -i -E '/ \.\/place\/(sweep\.sqlite|(points|cells|differences)\.csv|tables\.md|report\.html|answer\.json)$/d' "$folder/half" ;;
        esac
        ! grep -q 'the results are in place.results-1$' "$folder/err" || {
            sed 's/place\.results-1/place/' "$folder/half" | grep -vxF -f "$folder/list.$1" >"$folder/half.results"
            mv "$folder/half.results" "$folder/half"
            rm -rf place.results-1
        }
    fi
    [ "$code" -ne 137 ] || sed -i -E '/ \.\/place\/(points\/[0-9]+\.lock|plan\.json\.partial)$/d' "$folder/half"
    ! lacks_points || sed -i '/ \.\/place\/report\.html$/d' "$folder/half"
    [ ! -s "$folder/half" ] || fail "left $(tr '\n' ';' <"$folder/half")"
}

# try CASE N[+|d|k] VARIANT
try() {
    rm -rf "$folder/work"
    mkdir "$folder/work"
    cd "$folder/work" || exit 1
    before "$1"
    cp -r ../others/. .
    list . >"$folder/list.before"
    # shellcheck disable=SC2046 # the words of a command
    "$fail_calls" "$folder/report" "$folder/work" "$2" "$3" "$program" $(command_of "$1") >"$folder/out" 2>"$folder/err" </dev/null
    code=$?
    call=$(sed -n 2p "$folder/report")
    what="$1, call $2 ($call)"
    tried=$((tried + 1))
    before_it=$failures
    if [ "$code" -eq 137 ] && [ "${2%k}" != "$2" ]; then
        rm -rf "$folder"/scratch/* # a killed process cannot
    elif [ "$code" -gt 2 ]; then
        fail "exit code $code"
    elif [ "$code" -ne 0 ]; then
        grep -q '^fedrecsim: .' "$folder/err" || grep -q '^not repeated: ' "$folder/out" || { ln -sf "$folder/err" err && fail "does not say why" && rm err; }
    fi
    ! grep -q 'internal error\|Sanitizer' "$folder/err" || fail "$(head -n 1 "$folder/err")"
    [ -z "$(ls "$folder/scratch")" ] || { fail "left $(ls "$folder/scratch") in TMPDIR" && rm -rf "$folder"/scratch/*; }
    foreign_is_safe
    what_is_there "$1"
    # A page that could not be renewed is told, and no failure of what it is about; one that lacks a point says so.
    if [ "$code" -ne 0 ] || grep -q 'may not agree\|^fedrecsim: there is no place/report.html: ' "$folder/err" || lacks_points; then
        codes=$((codes + 1))
        repeat "$1" || { cat "$folder/err" && fail "cannot be done again: exit code $?"; }
    elif [ -e place.checkpoint ]; then
        grep -q '^fedrecsim: place.checkpoint is left behind: ' "$folder/err" || fail "leaves place.checkpoint in silence"
    fi
    # The log of a point that could not share what it learnt says so, and stays; so does a checkpoint that cannot be read to see
    # whose it is.
    list . | grep -vE ' \./place(/points/[0-9]+\.log|\.checkpoint)$' >"$folder/there"
    grep -vxF -f "$folder/list.foreign" "$folder/there" | cmp -s - "$folder/list.$1" ||
        fail "other results: $(grep -vxF -f "$folder/list.foreign" "$folder/there" | diff "$folder/list.$1" - | grep '^[<>]' | tr '\n' ';')"
    cd "$folder" || exit 1
    case $2 in *k) kind="kill" ;; *d) kind=disk ;; *) kind=fail ;; esac
    [ -z "$call" ] || echo "$1 $kind ${call%%[ ,]*} $((failures > before_it))" >>tries
}

cd others && make_foreign && list . >"$folder/list.foreign" && cd .. || exit 1
tried=0 codes=0
: >tries
# some CASE HOW MANY SUFFIX
some() {
    if [ "$2" = all ]; then
        for call in $(seq 1 "$(cat "calls.$1")"); do
            try "$1" "$call$3" 0
        done
        return
    fi
    i=0
    while [ $i -lt "$2" ]; do
        call=$(awk -v n="$(cat "calls.$1")" -v seed="$tried" 'BEGIN { srand(seed + 1); rand(); print 1 + int(rand() * n) }')
        [ -n "$3" ] || [ $((tried / 2 % 2)) -eq 0 ] || call=$call+
        try "$1" "$call$3" $((tried % 3))
        i=$((i + 1))
    done
}
for case in $cases; do
    if [ "$most" = all ]; then
        for call in $(seq 1 "$(cat "calls.$case")"); do
            for variant in 0 1 2; do
                try "$case" "$call" $variant
                try "$case" "$call+" $variant
            done
        done
    else
        some "$case" "$most" ''
    fi
    [ "$turn" -eq 2 ] || some "$case" "$disks" d
    [ "$turn" -eq 1 ] || some "$case" "$kills" k
    [ "$turn" -eq 0 ] || turn=$((3 - turn))
done
# Among the last calls of a run are those that read its checkpoint, to see whose it is before it goes: one that has to stay is told.
case " $cases " in
*" run "*)
    told=
    try run 0 0
    n=$(sed -n 's/^CALLS //p' report)
    for back in 1 2 3 4 5 6; do
        [ -n "$told" ] || try run $((n - back)) 0
        ! grep -q '^fedrecsim: place.checkpoint is left behind: ' err || told=yes
    done
    what="a checkpoint that cannot be read"
    [ -n "$told" ] || fail "none of the last calls of a run leaves it"
    ;;
esac
awk -v tried="$tried" -v codes="$codes" '
    function row(name, kills, disks, fails, findings) { printf "%-10s %6d %6d %6d %9d\n", name, kills, disks, fails, findings }
    !($1 in seen) { seen[$1] = 1; order[++n] = $1 }
    { of[$1, $2]++; all[$2]++; found[$1] += $4; bad += $4 }
    $2 == "fail" { if (!named[$3]++) names[++m] = $3 }
    END {
        printf "%-10s %6s %6s %6s %9s\n", "command", "kills", "disks", "calls", "findings"
        for (i = 1; i <= n; i++)
            row(order[i], of[order[i], "kill"], of[order[i], "disk"], of[order[i], "fail"], found[order[i]])
        row("all", all["kill"], all["disk"], all["fail"], bad)
        printf "failed calls:"
        for (i = 1; i <= m; i++)
            printf "%s %s %d", (i > 1 ? "," : ""), names[i], named[names[i]]
        printf "\n%d attempts: %d said so, or were killed, and were repeated; %d had complete results\n", tried, codes, tried - codes
    }' tries
[ "$failures" -eq 0 ]
