#!/bin/sh
# The plane (docs/plane.md): what its tables name exists, the page is what they give, settings are chosen and figures made as by hand, and
# the command searches, runs and goes on. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"
root=$(CDPATH='' cd -- "${FRS_SOURCE_DIR:-.}" && pwd)
plane=$root/docs/plane
line() { printf '%s\n' "$*" | tr ';' '\t'; }

# --- The page ------------------------------------------------------------------------------------------------------------------

what="the tables"
awk -F'\t' 'FNR == 1 { next } NR == FNR { if (NF != 4) print FILENAME ": " $0; tried[$1] = $4; next }
    FILENAME ~ /search/ { if (NF != 4 || !index(tried[$1], $2)) print FILENAME ": " $0; if ($3 < 101) print "a search on a seed of the runs: " $0; next }
    $1 != "baselines" && (NF != 15 || !($1 in tried) || (tried[$1] !~ /^as / && !index(tried[$1], $3)) || $2 > 100) { print FILENAME ": " $0 }' \
    "$plane/methods.tsv" "$plane/search.tsv" "$plane/results.tsv" >wrong
[ ! -s wrong ] || fail "$(head -n 3 wrong)"
what="the page"
mkdir again
cp "$plane"/*.tsv again
cp "$root/docs/plane.md" again/page.md
PLANE=again PAGE=again/page.md "$plane/plane.sh" --pages || fail "--pages fails"
cmp -s again/page.md "$root/docs/plane.md" || fail "docs/plane.md is not what the tables give; docs/plane/plane.sh --pages writes it"
[ ! -e again/plane.svg ] || cmp -s again/plane.svg "$plane/plane.svg" || fail "plane.svg is not what the tables give"

# --- By hand -------------------------------------------------------------------------------------------------------------------

mkdir hand
{
    line "method;messages;settings;tried"
    line "FedMF;whole tables;method.name=fedmf;slow | fast: method.learning_rate=1"
    line "small;rank 4;method.name=colr;slow | fast: method.learning_rate=1"
    line "other;nothing;method.name=scolr;slow"
} >hand/methods.tsv
# Seed 102 has one of FedMF's two settings alone, and does not count.
{
    line "method;settings;seed;validation_hr"
    line "FedMF;slow;101;.5"
    line "FedMF;fast;101;.6"
    line "FedMF;slow;102;.9"
    line "small;slow;101;.5"
    line "small;fast;101;.4"
    line "small;slow;102;.3"
    line "small;fast;102;.6"
} >hand/search.tsv
# FedMF takes twice as long on 3g, once 2.2 times; on fibre one seed of the other one never gets to the second target.
run() { # METHOD SEED SETTINGS NETWORK HR UP DOWN SECONDS1 SECONDS2
    line "$1;$2;$3;$4;none;$5;.3;.5;$6;$7;80;$8;160;$9;9999"
}
{
    awk -f "$plane/results.awk" </dev/null
    for network in 3g 4g fibre; do
        run FedMF 1 fast $network .60 200000 200000 1200 2400
        run FedMF 2 fast $network .62 200000 200000 1200 2400
        run FedMF 3 fast $network .61 200000 200000 1320 2400
        run small 1 fast $network .58 20000 150000 600 1200
        run small 2 fast $network .61 20000 150000 600 1200
        run small 3 fast $network .60 20000 150000 600 "$([ $network = fibre ] && echo inf || echo 1200)"
    done
} >hand/results.tsv
printf 'before\n<!-- sentences of plane -->\nold\n<!-- end of sentences -->\n<!-- tables of plane -->\nold\n<!-- end of tables -->\nafter\n' >hand/page.md
awk -v list=1 -f "$plane/chosen.awk" hand/methods.tsv hand/search.tsv >chosen
what="the choice by hand"
says chosen "$(line 'FedMF;fast;fast: method.learning_rate=1;0.6000;1')"
says chosen "$(line 'small;fast;fast: method.learning_rate=1;0.5000;2')"
says chosen "$(line 'other;slow;slow;0.0000;0')"
PLANE=hand PAGE=hand/page.md "$plane/plane.sh" --pages || fail "--pages fails by hand"
what="the page by hand"
page=hand/page.md
grep -q '^old$' $page && fail "the old tables are still there"
says $page '2 methods of 3, 3 seeds; means over seeds, ± half of the 95 % interval'
says $page 'Not run: other.'
# .02, .01, .01: the mean is .0133, and 4.303 · .00577/√3 = .014.
says $page '| small | rank 4 | fast, of 2 | 20.0 | 150 | 0.597 ± 0.038 | −0.013 ± 0.014 | – |'
says $page '| FedMF | 20.7 ± 2.9 | 20.7 ± 2.9 | – | 20.7 ± 2.9 | – |'
says $page '| small | 20.0 ± 0.0 | 20.0 ± 0.0 | – | 2 of 3 seeds | – |'
# The mean of ln .5, ln .5 and ln .4545 is -.725: e^-.725 = .48; 4.303 · .055/√3 = .137.
# t is 22.8, p .0019, and there are six ratios.
says $page '| none | 3g | popularity + .03 | small | 10.0 ± 0.0 | **0.48 (0.42 to 0.56)** |  |'
says $page '| none | fibre | 95 % of centralised MF | FedMF | 40.0 ± 0.0 | – |  |'
says $page 'Smallest mean time to popularity + .03, none lost: small (on every network), in 0.48 of FedMF'"'"'s time. To'
says $page '0 of 1 methods are behind FedMF in HR@10 by more than their interval, 0 ahead, where intervals have up to ± 0.014 and hide smaller differences; of those not behind small sends least, 170 kB a participation both ways in place of FedMF'"'"'s 400.'
says hand/plane.svg '>FedMF 0.610</text>'

# --- The command ---------------------------------------------------------------------------------------------------------------

mkdir small
{
    line "method;messages;settings;tried"
    line "FedMF;whole tables;method.name=fedmf;slow | fast: method.learning_rate=1"
} >small/methods.tsv
cp hand/page.md small/page.md
command() {
    PLANE=small PAGE=small/page.md FEDRECSIM="$program" DATA='data.synthetic=small rounds.count=2 rounds.cohort=5 evaluation.every=2' \
        "$plane/plane.sh" --out runs --seeds 1 "$@" >out 2>err
}
what="the command"
command --search || fail "the search fails: $(cat err)"
[ "$(cut -f1-3 small/search.tsv | tr '\t\n' '; ')" = "method;settings;seed FedMF;slow;101 FedMF;fast;101 " ] || fail "search.tsv has other lines"
command --list && says out 'FedMF, seed 1'
command || fail "it fails: $(cat err)"
[ "$(grep -c '^FedMF' small/results.tsv)" -eq 10 ] || fail "results.tsv does not have ten environments"
says small/page.md '1 seed; means over seeds, without intervals: nothing here is a finding yet'
cp small/results.tsv results
rm -r runs
command || fail "it fails the second time: $(cat err)"
[ ! -e runs/seed1 ] || fail "it repeats a part"
command none && fail "it takes a method that does not exist"
says err 'none: no method of methods.tsv'

[ "$failures" -eq 0 ]
