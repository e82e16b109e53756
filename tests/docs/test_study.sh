#!/bin/sh
# The study of five papers (docs/study): every cell names a part, and what it selects there; the pages are those that its tables give; its
# verdicts by hand; and its command runs a part once, goes on where it was, and leaves out what lacks data. Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"
root=$(CDPATH='' cd -- "${FRS_SOURCE_DIR:-.}" && pwd)
study=$root/docs/study
tab=$(printf '\t')

# --- The tables ----------------------------------------------------------------------------------------------------------------

what="parts.tsv"
sed 1d "$study/parts.tsv" | while IFS=$tab read -r part scenario seeds minutes _ group options; do
    [ -e "$root/scenarios/papers/$scenario.cfg" ] || echo "$part: no scenario $scenario"
    case $seeds$minutes in *[!0-9]*) echo "$part: seeds and minutes are no numbers" ;; esac
    [ "$minutes" -le 40 ] || echo "$part: takes more than 40 minutes"
    case $group in default | ml1m) ;; *) echo "$part: group $group" ;; esac
    # What a label of an axis could be: the text of the scenario and of the options that replace its axes.
    { cat "$root/scenarios/papers/$scenario.cfg" && printf '%s\n' "$options"; } >"text-$part"
done >wrong
cut -f1 "$study/parts.tsv" | sort | uniq -d >>wrong
[ ! -s wrong ] || fail "$(cat wrong)"
awk -F'\t' 'NR > 1 && $6 == "default" { sum += $4 } END { exit sum > 2 * 180 }' "$study/parts.tsv" || fail "more than three hours on two processors"

what="cells.tsv"
awk -F'\t' '
    FILENAME ~ /text-/ { part = FILENAME; sub(/.*text-/, "", part); text[part] = text[part] "\n" $0; next }
    FNR == 1 { next }
    NF != 13 { print "line " FNR ": " NF " fields"; next }
    $7 == "-" { if ($13 == "-") print "line " FNR ": neither a part nor a reason"; next }
    !($7 in text) { print "line " FNR ": no part " $7; next }
    $5 != "-" && $6 == "-" { print "line " FNR ": a published figure without a tolerance" }
    {
        ratio = $9 ~ /\// ? substr($9, index($9, "/") + 1) : "-"
        list[1] = $8; list[2] = $11; list[3] = ratio
        for (i = 1; i <= 3; i++) {
            n = list[i] == "-" ? 0 : split(list[i], axes, " & ")
            for (j = 1; j <= n; j++) {
                axis = label = axes[j]
                sub(/=.*/, "", axis)
                sub(/^[^=]*=/, "", label)
                if (!index(text[$7], label) || !index(text[$7], axis)) print "line " FNR ": " $7 " has no " axes[j]
            }
        }
    }' text-* "$study/cells.tsv" >wrong
[ ! -s wrong ] || fail "$(head -n 5 wrong)"
awk -F'\t' 'NR == FNR { part[$1]; next } !($1 in part) || NF != 7' "$study/parts.tsv" "$study/results.tsv" >wrong
[ ! -s wrong ] || fail "results.tsv: $(head -n 3 wrong)"

# --- The pages -----------------------------------------------------------------------------------------------------------------

what="the pages"
mkdir again
cp "$study"/*.tsv again
STUDY=again "$study/study.sh" --pages || fail "--pages fails"
for page in README rfrec fedras fedrap colr pfedclr networks; do
    cmp -s "again/$page.md" "$study/$page.md" || fail "$page.md is not what the tables give; docs/study/study.sh --pages writes it"
done

# --- Verdicts by hand ------------------------------------------------------------------------------------------------------------

mkdir hand
line() { printf '%s\n' "$*" | tr '|' '\t'; }
{
    line "part|scenario|seeds|minutes|data|group|options"
    line "p|presets|3|7|-|default|-"
    line "q|presets|1|9|ml-1m|ml1m|-"
} >hand/parts.tsv
{
    line "paper|item|row|column|published|tolerance|part|select|metric|protocol|other|reading|note"
    line "rfrec|table 1|a|x|0.50|0.02|p|m=1 & n=2|hr|leaky|m=2 & n=2|as printed|-"
    line "rfrec|table 1|b|x|0.50|0.02|p|m=3 & n=2|hr|-|-|as printed|-"
    line "rfrec|table 1|c|x|0.50|0.02|p|m=2 & n=2|hr|-|-|as printed|far off"
    line "rfrec|table 1|d|x|0.50|0.02|p|m=2 & n=2|hr|-|-|first|-"
    line "rfrec|table 1|d|x|0.50|0.02|p|m=1 & n=2|hr|-|-|second|-"
    line "rfrec|table 1|d|y|0.31|0.02|p|m=2 & n=2|hr|-|-|first|-"
    line "rfrec|table 1|d|y|0.31|0.02|p|m=1 & n=2|hr|-|-|second|-"
    line "rfrec|table 1|e|x|0.50|0.02|q|m=1|hr|-|-|as printed|-"
    line "rfrec|table 1|f|x|0.50|-|-|-|-|-|-|-|the data are not at hand"
    line "rfrec|table 1|g|x|-|-|p|m=1 & n=2|hr|-|-|as printed|-"
    line "rfrec|table 1|k|x|0.50|none|p|m=1 & n=2|hr|-|-|operations|theirs are seconds"
    line "rfrec|table 1|h|x|3.00|1 %|p|m=1 & n=2|up*2+down*0.5|-|-|as printed|-"
    line "rfrec|table 1|i|x|0.60|0.01|p|m=2 & n=2|hr/m=1 & n=2|-|-|as printed|-"
} >hand/cells.tsv
{
    line "p|m=1 & n=2|hr|3|0.515|0.505|0.525"
    line "p|m=2 & n=2|hr|3|0.309|0.299|0.319"
    line "p|m=3 & n=2|hr|3|0.53|0.51|0.55"
    line "p|m=1 & n=2|up|1|1|-|-"
    line "p|m=1 & n=2|down|1|2.05|-|-"
} >hand/results.tsv
STUDY=hand "$study/study.sh" --pages || fail "--pages fails by hand"
what="verdicts by hand"
page=hand/rfrec.md
says $page '| a | x | 0.50 | as printed | 0.52 ± 0.01, leaky | 0.31 ± 0.01, honest | reproduced |'
says $page '| b | x | 0.50 | as printed | 0.53 ± 0.02 |  | undecided |'
says $page '| c | x | 0.50 | as printed; far off | 0.31 ± 0.01 |  | contradicted |'
# Each reading meets one cell of the row.
says $page '| d | y | 0.31 | first | 0.31 ± 0.01 |  | reproduced under “first”, of 2 tried; near in 1 of 2 cells of the row |'
says $page '| d | x | 0.50 | first | 0.31 ± 0.01 |  | reproduced under “second”, of 2 tried; near in 1 of 2 cells of the row |'
says $page '|  |  |  | second | 0.52 ± 0.01 |  |  |'
# shellcheck disable=SC2016 # backticks of Markdown
says $page '| e | x | 0.50 | as printed | – |  | not run yet, part `q`, about 9 min |'
says $page '| f | x | 0.50 |  |  |  | not to be had: the data are not at hand |'
says $page '| g | x | – | as printed | 0.515 ± 0.01 |  | no number is printed |'
# 2 · 1 + .5 · 2.05 = 3.025, and 1 % of 3 is .03; .309/.515 = .6.
says $page '| h | x | 3.00 | as printed | 3.02 |  | reproduced |'
says $page '| i | x | 0.60 | as printed | 0.60 |  | reproduced |'
says $page '| k | x | 0.50 | operations; theirs are seconds | 0.52 ± 0.01 |  | another quantity |'
says hand/README.md '| [RFRec and RFRecF](rfrec.md) | 11 | 3 | 2 | 1 | 1 | 1 | 1 | 1 | 1 |'
# shellcheck disable=SC2016
says hand/networks.md 'Not run yet: part `networks`'

# 944 tables of 1,682 items of d 16 in floats are 96.9121 MiB, which six digits of the bytes would make 96.9124.
what="sizes to the last byte"
line "rfrec|table 1|j|x|96.9121|0.0002|p|m=1|size|-|-|as printed|-" >cells
printf 'cell,m,metric,n,mean,sd,ci_low,ci_high\n0,1,size,1,101619712,,,\n' >csv
awk -v part=p -f "$study/results.awk" cells csv >out
line "p|m=1|size|1|101619712|-|-" | cmp -s - out || fail "the table does not keep it"
# A mean of 75.5361 s is no whole number, though its first digit is above that of a million.
printf 'cell,m,metric,n,mean,sd,ci_low,ci_high\n0,1,size,3,75.5360921223959,,74.1,9\n' >csv
awk -v part=p -f "$study/results.awk" cells csv >out
line "p|m=1|size|3|75.5361|74.1|9" | cmp -s - out || fail "it rounds seconds: $(cat out)"

# --- The command -----------------------------------------------------------------------------------------------------------------

# CKKS as published: any upload of up to 32,768 values is one ciphertext of 3,073 KiB.
mkdir small
{
    line "part|scenario|seeds|minutes|data|group|options"
    printf "sizes\tcolr-table3\t2\t1\t-\tdefault\t--set data.synthetic=small --set rounds.count=1 --set rounds.cohort=10 --vary 'method | CoLR@1, as it is' --vary 'sum | without mask'\n"
    line "absent|colr-table3|1|1|no-such-data|default|-"
    line "larger|colr-table3|1|1|-|ml1m|-"
} >small/parts.tsv
{
    line "paper|item|row|column|published|tolerance|part|select|metric|protocol|other|reading|note"
    line "colr|table 3|CoLR@1|KiB|3073|1|sizes|sum=without mask & method=CoLR@1, as it is|bytes.up*0.00009765625|-|-|as printed|-"
} >small/cells.tsv
command() { STUDY=small FEDRECSIM="$program" FEDRECSIM_DATA=$PWD "$study/study.sh" --out runs --jobs 1 "$@" >out 2>err; }
what="the command"
command || fail "it fails: $(cat err)"
says out 'sizes: finished after 0 min'
says err 'absent: left out, no-such-data is not in FEDRECSIM_DATA'
says small/colr.md '| CoLR@1 | KiB | 3073 | as printed | 3073 ± 0 |  | reproduced |'
[ ! -e runs/larger ] || fail "a part on MovieLens-1M was run"
cp small/results.tsv results
command || fail "it fails the second time: $(cat err)"
[ ! -s out ] || fail "it repeats a part: $(cat out)"
rm runs/sizes.finished runs/sizes/cells.csv
: >small/results.tsv
command sizes || fail "it does not go on: $(cat err)"
cmp -s small/results.tsv results || fail "going on gives other results"
command none && fail "it takes a part that does not exist"
says err 'none: no part; --list names them'
command --list || fail "--list fails"
says out 'absent: colr-table3.cfg, seeds: 1, about 1 min on one processor; needs no-such-data in FEDRECSIM_DATA'

[ "$failures" -eq 0 ]
