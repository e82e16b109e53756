#!/bin/sh
# What versions from 1.0.0 on have written (tests/data) is read: runs, sweeps, bundles, scenarios; and what is written today has every
# column and field of then (docs/citing.md, "What stays the same"). Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"

# columns_stay FILE-OF-THEN FILE-OF-NOW [names]: every column of the first file is in the second, with the same values, or by its name alone.
columns_stay() {
    awk -F, -v names="${3:-}" '
        FNR == NR && FNR == 1 { for (i = 1; i <= NF; i++) then_at[$i] = i; n = NF; split($0, name, ",") }
        FNR == NR { for (i = 1; i <= NF; i++) value[FNR, i] = $i; next }
        FNR == 1 { for (i = 1; i <= NF; i++) now_at[$i] = i; for (i = 1; i <= n; i++) if (!(name[i] in now_at)) print "has no column " name[i] }
        FNR > 1 && names == "" {
            for (i = 1; i <= n; i++)
                if (name[i] in now_at && $now_at[name[i]] != value[FNR, i])
                    print "line " FNR ": " name[i] " is " $now_at[name[i]] ", was " value[FNR, i]
        }
        END { if (NR == FNR) print "is not there" }' "$1" "$2" >differences
    what=$2
    [ ! -s differences ] || fail "$(head -n 3 differences)"
}

# fields_stay FILE-OF-THEN FILE-OF-NOW: every name of a field of the first one is a name of the second one.
fields_stay() {
    grep -oE '"[A-Za-z0-9_.@]+":' "$1" | sort -u >fields_of_then
    grep -oE '"[A-Za-z0-9_.@]+":' "$2" | sort -u | comm -23 fields_of_then - >differences
    what=$2
    [ ! -s differences ] || fail "has no field $(head -n 3 differences | tr '\n' ' ')"
}

found=0
for kept in "$FRS_SOURCE_DIR"/tests/data/*/; do
    version=$(basename "$kept")
    found=$((found + 1))
    rm -rf now
    cp -r "$kept" now
    cd now || exit 1

    # A run: its page, its place beside others, its rounds.
    expect 0 report run
    silent err
    [ -s run/report.html ] || fail "the page of version $version is not there"
    expect 0 compare run sweep
    for entry in run method.name=fedmf method.name=fedncf; do says out "| $entry "; done
    expect 0 timeline run --rounds 2
    expect 0 figures run --list
    expect 0 compare run sweep/points/0001 --csv compared.csv
    grep -q ',hr@10,2,' compared.csv || fail 'the quality of the run is not there'

    # A sweep: collected to the figures of then.
    expect 0 collect sweep --quiet
    columns_stay points.csv sweep/points.csv
    expect 0 report sweep
    expect 0 point sweep/plan.json --index 0-3 # all of them are finished

    # A bundle: read, found and run; a figure may have changed since.
    code=0
    "$program" replay run.bundle.json >out 2>err || code=$?
    what="replay run.bundle.json of $version"
    [ "$code" -le 1 ] || fail "exit code $code"
    says out 'repeated: '
    silent err

    # Its scenario, and what is written today.
    expect 0 check scenario.cfg
    expect 0 run scenario.cfg --quiet --out again
    for file in rounds.csv clients.csv hours.csv; do columns_stay run/$file again/$file names; done
    for file in manifest.json summary.json events.ndjson what_if.json; do fields_stay run/$file again/$file; done
    cd "$folder" || exit 1
done
[ "$found" -gt 0 ] || fail 'no version is kept'

# --- this test can fail ---
cd now || exit 1
printf 'a,b\n1,2\n' >then.csv
printf 'b,c\n3,4\n' >now.csv
failures_before=$failures
columns_stay then.csv now.csv >/dev/null
grep -q '^has no column a$' differences && grep -q '^line 2: b is 3, was 2$' differences || failures_before=-1
failures=$((failures - 1))
[ "$failures" -eq "$failures_before" ] || fail 'a column that is gone is not noticed'

[ "$failures" -eq 0 ]
