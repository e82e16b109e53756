#!/bin/sh
# Labels: long
# What `solve` states as its chance of error against what happens: twelve questions, each asked with 20 sets of 5 seeds, and
# answered by all settings with all 100 seeds. Six have a figure that no run can miss, six a target that some runs do not reach.
# Prints a table. Takes about ten minutes of one processor. Argument: the build folder. FRS_STUDY names a
# folder in which runs are kept, so that the study can be interrupted.
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../expect.sh"

if [ -n "${FRS_STUDY-}" ]; then
    mkdir -p "$FRS_STUDY" && cd "$FRS_STUDY" || exit 1
fi
sets=${FRS_SETS:-20}
replicates=5

cat >s.cfg <<'EOF'
seed = 1;
data = { synthetic = "small"; };
devices = { compute = "none"; };
method = { name = "fedmf"; dim = 8; learning_rate = 1.0; };
network = { preset = "mixed-mobile"; };
rounds = { count = 15; cohort = 20; };
evaluation = { target = "hr@10 >= 0.2"; };
output = { events = false; report = false; };
EOF
cohorts='rounds.cohort = 4, 8, 12, 16, 20, 30, 40, 60'
rates='method.learning_rate = 0.3, 0.6, 1, 2, 3, 4, 6, 8, 10'
deadlines='rounds.policy.after = 300 ms, 500 ms, 700 ms, 1 s, 1500 ms, 2 s, 4 s, 8 s'

# with_scenario COMMAND GRID ARGUMENT...: the program, with the scenario's options first.
with_scenario() {
    command=$1 grid=$2
    shift 2
    case $grid in
    deadlines)
        set -- --set rounds.policy=deadline --set rounds.count=300 --set 'rounds.stop_time=10 s' "$@"
        ;;
    esac
    "$program" "$command" s.cfg --jobs "${FRS_JOBS:-1}" --resume --quiet "$@" 2>err
}

# answer_of_all GRID AXIS METRIC WANTED BOUND: of all runs, as `solve` counts them: `last` or `first` with its bound, `best`.
answer_of_all() {
    case $3 in
    time_to_target_s) whole=simulated_s ;;
    bytes_to_target) whole=bytes.total ;;
    *) whole=$3 ;;
    esac
    awk -F, -v axis="${2%% =*}" -v values="${2#*= }" -v metric="$3" -v whole="$whole" -v wanted="$4" -v bound="$5" \
        -v runs=$((sets * replicates)) '
        NR == 1 { for (i = 1; i <= NF; i++) column[$i] = i; next }
        $column["status"] == "complete" {
            label = $column[axis]
            missed = $column[metric] == "inf"
            n[label]++
            reached[label] += !missed
            sum[label] += missed ? $column[whole] : $column[metric]
        }
        END {
            answer = "none"
            n_values = split(values, list, ", ")
            for (i = 1; i <= n_values; i++) {
                label = list[i]
                if (n[label] < runs || !reached[label])
                    continue
                mean = sum[label] / reached[label]
                at_least = metric ~ /^hr/
                good = at_least ? mean >= bound : mean <= bound
                if (wanted == "best" ? answer == "none" || (at_least ? mean > top : mean < top) : good && (wanted == "last" || answer == "none")) {
                    answer = label
                    top = mean
                }
            }
            print answer
        }' "all-$1/points.csv"
}

field() { sed -n "s/^  \"$1\": \"\\{0,1\\}\\([^\",]*\\)\"\\{0,1\\},\$/\\1/p" "asked-$question-$i/answer.json"; }

# ask GRID SETTINGS METRIC WANTED BOUND UNIT MISSES
question=0
ask() {
    question=$((question + 1))
    right=$(answer_of_all "$1" "$2" "$3" "$4" "$(echo "$5 $6" | sed 's/ MB$/000000/; s/ .*//')")
    : >answers
    i=0
    while [ "$i" -lt "$sets" ]; do
        case $3 in
        hr@10) until="$3 >= $5" ;;
        *) until="$3 <= $5${6:+ $6}" ;;
        esac
        case $4 in
        best) set -- "$1" "$2" "$3" "$4" "$5" "$6" "$7" --best "$3" ;;
        first) set -- "$1" "$2" "$3" "$4" "$5" "$6" "$7" --until "$until" --smallest ;;
        *) set -- "$1" "$2" "$3" "$4" "$5" "$6" "$7" --until "$until" ;;
        esac
        grid=$1 settings=$2 metric=$3 wanted=$4 bound=$5 unit=$6 misses=$7
        shift 7
        with_scenario solve "$grid" --set seed=$((1 + i * replicates)) --replicates $replicates --vary "$settings" "$@" --out "asked-$question-$i"
        code=$?
        [ "$code" -eq 0 ] || [ "$code" -eq 3 ] || fail "solve ends with $code: $(cat err)"
        answer=$(field answer)
        [ "$answer" != null ] || answer=none
        echo "$answer,$(field chance_of_error)" >>answers
        set -- "$grid" "$settings" "$metric" "$wanted" "$bound" "$unit" "$misses"
        i=$((i + 1))
    done
    case $4 in
    best) asked="best $3" ;;
    *) asked="$until, $4" ;;
    esac
    awk -F, -v right="$right" -v question="${2%% =*}: $asked" -v misses="$7" '
        { n++; wrong += $1 != right; stated += $2; count[$1]++; if ($2 <= 0.05) { n_sure++; sure += $1 != right } }
        END {
            for (label in count)
                if (count[label] > count[often])
                    often = label
            printf "| %s | %s | %s in %d | %.2f | %.2f (%d of %d) | %d of %d |\n", question, right, often, count[often], stated / n, wrong / n, wrong, n, sure, n_sure
            print misses "," n "," wrong "," stated "," n_sure + 0 "," sure + 0 >>"totals"
        }' answers
}

for grid in cohorts rates deadlines; do
    eval "settings=\$$grid"
    with_scenario sweep "$grid" --vary "$settings" --replicates $((sets * replicates)) --out "all-$grid"
    [ -s "all-$grid/points.csv" ] || fail "no results of $grid: $(tail -n 1 err)"
done
: >totals
echo "| question | of all runs | most frequent answer | stated | wrong | wrong where sure |"
echo "|---|---|---|---|---|---|"
ask cohorts "$cohorts" simulated_s last 11.5 s no
ask cohorts "$cohorts" time_to_target_s first 10 s yes
ask cohorts "$cohorts" hr@10 first 0.24 '' no
ask cohorts "$cohorts" time_to_target_s first 20 s yes
ask deadlines "$deadlines" hr@10 last 0.26 '' no
ask deadlines "$deadlines" time_to_target_s last 7 s yes
ask rates "$rates" hr@10 last 0.25 '' no
ask rates "$rates" time_to_target_s last 8 s yes
ask rates "$rates" hr@10 last 0.3 '' no
ask cohorts "$cohorts" bytes_to_target last 5 MB yes
ask rates "$rates" hr@10 best '' '' no
ask cohorts "$cohorts" bytes_to_target best '' '' yes

# What happens is no more than what is stated, give or take what so many answers leave to chance: those with the same seeds go
# wrong together, so that six questions are worth about two.
awk -F, '{ n[$1] += $2; wrong[$1] += $3; stated[$1] += $4; n_sure[$1] += $5; sure[$1] += $6 }
    END {
        for (misses in n) {
            share = wrong[misses] / n[misses]
            chance = stated[misses] / n[misses]
            printf "%s misses: stated %.3f, wrong %.3f (%d of %d); where sure %d of %d wrong\n", misses == "yes" ? "with" : "without", chance, share, wrong[misses], n[misses], sure[misses], n_sure[misses]
            if (share > chance + 2 * sqrt(chance * (1 - chance) / (n[misses] / 3)))
                bad = 1
        }
        exit bad
    }' totals || fail "answers are wrong more often than stated"

[ "$failures" -eq 0 ]
