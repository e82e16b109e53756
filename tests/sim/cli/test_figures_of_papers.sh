#!/bin/sh
# Figures of papers by one command each, from small data in the layout of the real ones: RFRec's table 3 and FedRAS's figure
# 5; every figure's data are those of cells.csv, rounds.csv and clients.csv, to the last digit. Argument: the build folder.
scenarios=$(CDPATH='' cd -- "$(dirname -- "$0")/../../.." && pwd)/scenarios
# shellcheck source=tests/expect.sh
. "$(dirname -- "$0")/../../expect.sh"

command -v gnuplot >/dev/null || {
    echo "SKIPPED test_figures_of_papers: gnuplot is not installed"
    exit 0
}

mkdir -p data/ml-1m data/ml-100k
awk 'BEGIN {
    srand(7)
    for (u = 1; u <= 40; u++)
        for (i = 1; i <= 160; i++)
            if (rand() < 0.15) {
                r = 1 + int(5 * rand())
                printf "%d::%d::%d::%d\n", u, i, r, 978300000 + u * 1000 + i >"data/ml-1m/ratings.dat"
                printf "%d\t%d\t%d\t%d\n", u, i, r, 978300000 + u * 1000 + i >"data/ml-100k/u.data"
            }
}'
FEDRECSIM_DATA=$PWD/data
export FEDRECSIM_DATA

# METRIC CELLS DATA: means, intervals, runs and labels of an axis, which is the last one, are the same texts.
same_cells() {
    awk -F, -v metric="$1" '$(NF - 6) == metric {
        print $(NF - 7), $(NF - 4), $(NF - 2) == "" ? "NaN" : $(NF - 2), $(NF - 1) == "" ? "NaN" : $(NF - 1), $(NF - 5), $NF
    }' "$2" | sort >expected
    awk '!/^#/ && NF { label = $0; sub(/^[^"]*"/, "", label); sub(/"$/, "", label); print label, $2, $3, $4, $5, $6 }' "$3" |
        sort >drawn
    [ -s expected ] || fail "no $1 in $2"
    cmp -s expected drawn || fail "$3 is not what $2 says of $1: $(diff expected drawn | head -4)"
}

# --- RFRec's table 3: RMSE against the share of clients that are absent ---
expect 0 sweep "$scenarios/papers/rfrec-table3-dropout.cfg" --out t3 --quiet --replicates 2
expect 0 figures t3 --metric rmse --against absent
says out "1 figure and 1 table in t3-figures"
same_cells rmse t3/cells.csv t3-figures/rmse-by-absent.dat
says t3-figures/rmse-by-absent.dat "# ; gradient, idle"
says t3-figures/rmse-by-absent.svg "</svg>"
says t3-figures/rmse-by-absent.gp "set xtics norotate autojustify ('0 %%' 0, '50 %%' 50, '90 %%' 90)"
expect 0 figures t3 --list
[ ! -e t3-list ] || fail "--list has drawn"
for name in rmse-by-absent simulated-s-by-absent quality-rounds-1 bytes-by-method-3 winners; do
    says out "$name "
done
expect 0 figures t3 --out all --format pdf --columns 2
says out "$("$program" figures t3 --list | grep -vc '^table') figures and 3 tables in all"
same_cells simulated_s t3/cells.csv all/simulated-s-by-absent.dat
same_cells bytes.sent t3/cells.csv all/bytes-sent-by-absent.dat

# The table for LaTeX: the same figures below it, a row for each step and a column for each share.
awk -F, '$(NF - 6) == "rmse" { print "%", $(NF - 4), $(NF - 2), $(NF - 1), $(NF - 5), $NF "; rmse" }' t3/cells.csv >expected
grep '^% [0-9]' t3-figures/table-rmse.tex | sed 's/; rmse;.*/; rmse/' | cmp -s expected - || fail "table-rmse.tex is not what cells.csv says"
says t3-figures/table-rmse.tex 'absent & 0 \% & 50 \% & 90 \%'
grep -q '^exact\\_local & \$[0-9.]* \\pm [0-9.]*\$ & \$' t3-figures/table-rmse.tex || fail "no row of exact_local"
says t3-figures/table-rmse.tex 'Means of 2 seeds $\pm$ half of the 95\,\% interval (Student).'

# Bars: those of 0 % are the cells 0, 3, 6, 9 and 12.
awk -F, '$1 % 3 == 0 && $(NF - 6) == "bytes.sent" { print ++n, $(NF - 4), $(NF - 2), $(NF - 1), $(NF - 5) }' t3/cells.csv >expected
grep -v '^#' all/bytes-by-method-1.dat | cmp -s expected - || fail "bytes-by-method-1.dat is not what cells.csv says"

# --- FedRAS's figure 5: HR@10 against α; and round by round ---
expect 0 sweep "$scenarios/papers/fedras-figure5.cfg" --out f5 --quiet --set rounds.count=6 --set rounds.cohort=10 \
    --set evaluation.every=2
for format in svg pdf png pgf; do
    expect 0 figures f5 --metric hr@10 --against alpha --format $format --out f5-$format
    same_cells hr@10 f5/cells.csv f5-$format/hr@10-by-alpha.dat
done
says f5-pgf/hr@10-by-alpha.tex '\begin{tikzpicture}'
says f5-pgf/hr@10-by-alpha.tex '{HR@10}'
head -c 4 f5-png/hr@10-by-alpha.png | grep -q PNG || fail "no PNG"
cp -r f5-pgf again
expect 0 figures f5 --metric hr@10 --against alpha --format pgf --out again
diff -r f5-pgf again >/dev/null || fail "equal results give other files"
expect 0 figures f5 --out f5-all
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { bytes += $at["down_bytes"] + $at["up_bytes"] }
    $at["hr@10"] != "" { h = $at["hr@10"]; print $at["round"], $at["end_s"], bytes, h, h, h, 1 }' f5/points/0000/rounds.csv >expected
awk '/^#/ { next } !NF { exit } { print }' f5-all/quality-rounds.dat | cmp -s expected - ||
    fail "quality-rounds.dat is not what rounds.csv says"

# --- distributions of a run, and what its rounds waited for ---
expect 0 figures f5/points/0001 --out run
# FILE: the numbers of one column, as they are to the last digit, from the least to the largest.
in_order() { awk '{ printf "%.17g\n", $1 }' "$1" | sort -g >"$1.sorted"; }
column() { awk -F, -v name="$2" 'NR == 1 { while ($++at != name); next } $at != "" { print $at }' "$1"; }
same_values() {
    in_order expected
    in_order drawn
    [ -s expected ] || fail "nothing to compare $1 with"
    cmp -s expected.sorted drawn.sorted || fail "$1 is not what the run says: $(diff expected.sorted drawn.sorted | head -4)"
}
column f5/points/0001/rounds.csv duration_s >expected
awk '!/^#/ && NF { print $1 }' run/round-times.dat >drawn
same_values round-times.dat
awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    $at["participations"] > 0 {
        s = $at["setup_s"] + $at["retry_s"] + $at["down_s"] + $at["queue_s"] + $at["compute_s"] + $at["up_s"]
        printf "%.17g\n", (s + $at["waited_latency_s"]) / $at["participations"] }' f5/points/0001/clients.csv >expected
awk '!/^#/ && NF { print $1 }' run/client-times.dat >drawn
same_values client-times.dat
column f5/points/0001/clients.csv ndcg@10 >expected
awk '!/^#/ && NF { print $2 }' run/client-quality.dat >drawn
same_values client-quality.dat
sort -cg drawn || fail "clients are not from the worst to the best"
column f5/points/0001/rounds.csv path_up_s >expected
awk '!/^#/ && NF { print $4 }' run/critical-path.dat | cmp -s expected - || fail "critical-path.dat is not what rounds.csv says"

# --- without gnuplot all data and scripts are there, and it is said ---
mkdir bin
ln -s "$program" bin/fedrecsim
PATH=$PWD/bin
expect 1 figures t3 --out none
PATH=$path
says err "gnuplot is not installed (package gnuplot-nox): none has the data and the scripts of "
[ "$(find none -name '*.gp' | wc -l)" = "$(find all -name '*.gp' | wc -l)" ] || fail "not all scripts are there"
for file in all/*.dat; do
    cmp -s "$file" "none/$(basename "$file")" || fail "$(basename "$file") is another one without gnuplot"
done

# --- what is refused ---
expect 2 figures t3 --metric rmsee
says err "--metric rmsee: \"rmsee\" is not a figure; did you mean \"rmse\"?"
expect 2 figures t3 --against absent --scale log
error "fedrecsim: --scale log: not of the axis absent: it has a level that is not above 0; allowed: linear, categories"
expect 2 figures t3 --against step --scale linear
says err "--scale linear: not of the axis step: its levels are not all numbers of one kind; allowed: categories"

[ "$failures" -eq 0 ]
