#!/bin/sh
# Labels: long
# Seven methods under common settings and each at its best, one seed of docs/what-if/methods.md: all of them above popularity, on the built-in
# set and on MovieLens-100K, and there within 0.035 of the HR@10 on the page, which has means of five seeds.
. "$FRS_SOURCE_DIR/tests/expect.sh"

page=$FRS_SOURCE_DIR/docs/what-if/methods.md

# compare SCENARIO COLUMN OPTION...: COLUMN of the page's table of HR@10, or 0
compare() {
    scenario=$1
    column=$2
    out=$scenario-$column
    shift 2
    expect 0 sweep "$FRS_SOURCE_DIR/scenarios/what-if/$scenario.cfg" --out "$out" --replicates 1 --quiet "$@"
    head -1 "$out/points.csv" | tr ',' '\n' >names
    value=$(grep -nx 'hr@10' names | cut -d: -f1)
    bar=$(grep -nx 'non_federated.popularity.hr@10' names | cut -d: -f1)
    label=$(grep -nx 'method' names | cut -d: -f1)
    sed 1d "$out/points.csv" | cut -d, -f"$label" >methods
    [ "$(wc -l <methods)" -eq 7 ] || fail "not seven methods"
    while read -r method; do
        figures=$(awk -F, -v m="$method" -v l="$label" -v v="$value" -v b="$bar" '$l == m { print $v, $b }' "$out/points.csv")
        published=0
        [ "$column" -eq 0 ] || published=$(awk -F'|' -v m="$method" -v c="$column" '
            /^\*\*/ { on = $0 == "**HR@10**" } on && $2 == " " m " " { print $c + 0; exit }' "$page")
        echo "$scenario $method: $figures, on the page $published"
        echo "$figures $published" | awk '{ exit !($1 > $2 && ($3 == 0 || ($1 - $3 < 0.035 && $3 - $1 < 0.035))) }' ||
            fail "$method: HR@10 and popularity $figures, on the page $published"
    done <methods
}

compare methods-common 0
compare methods-best 0
if [ -f "${FEDRECSIM_DATA-}/ml-100k/u.data" ]; then
    file=$FEDRECSIM_DATA/ml-100k/u.data
    compare methods-common 3 --set data.format=movielens-100k --set "data.path=$file"
    compare methods-best 4 --set data.format=movielens-100k --set "data.path=$file"
else
    echo "SKIPPED: FEDRECSIM_DATA has no ml-100k/u.data"
fi

[ "$failures" -eq 0 ] || echo "$failures failures"
[ "$failures" -eq 0 ]
