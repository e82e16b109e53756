#!/bin/sh
# docs/limits.md says what sim/base/limits.h says, and what is larger is refused in one line, with nothing written.
# Argument: the build folder.
# shellcheck source=tests/expect.sh
. "${FRS_SOURCE_DIR:-.}/tests/expect.sh"

source=${FRS_SOURCE_DIR:-.}
limit() { awk -v name="FRS_LIMIT_$1" '$2 == name { print $3 }' "$source/sim/base/limits.h"; }

# --- the page ---
what='the page'
sed '1,/^<!-- tables: /d' "$source/docs/limits.md" >page
awk -f "$source/tests/docs/limits.awk" "$source/sim/base/limits.h" >table
cmp -s page table || fail 'docs/limits.md is not what tests/docs/limits.awk makes of sim/base/limits.h'
[ "$(grep -c '^#define FRS_LIMIT_[A-Z_]* [0-9]' "$source/sim/base/limits.h")" -eq "$(grep -c '^| [A-Z]' page)" ] ||
    fail 'a limit has no row'

# refused TEXT ARGUMENT...: one line on stderr that has the text, exit code 2, no results.
refused() {
    text=$1
    shift
    expect 2 "$@"
    silent out
    says err "$text"
    [ "$(wc -l <err)" -eq 1 ] || fail 'more than one line'
    [ ! -e results ] || fail 'results are left behind'
}
repeated() { # repeated N TEXT
    awk -v n="$1" -v text="$2" 'BEGIN { for (i = 0; i < n; i++) printf "%s", text }'
}
small='data = { synthetic = "custom"; users = 12; items = 300; interactions = 600; };'

# --- files ---
n=$(limit NESTING)
{ repeated "$n" '( '; } >open
{ repeated "$n" ') '; } >close
printf 'x = ( %s %s );\n' "$(cat open)" "$(cat close)" >deep.cfg
refused "deep.cfg:1: groups and lists are nested too deeply; allowed: $n levels" check deep.cfg

n=$(limit INCLUDE_DEPTH)
echo "$small" >"level$((n + 1)).cfg"
for i in $(seq 0 "$n"); do
    echo "@include \"level$((i + 1)).cfg\"" >"level$i.cfg"
done
expect 0 check level1.cfg
refused "files include each other too deeply; allowed: $n levels" check level0.cfg

n=$(limit INCLUDED_FILES)
: >empty.cfg
awk -v n="$n" 'BEGIN { for (i = 0; i < n; i++) print "@include \"empty.cfg\"" }' >many.cfg
echo "$small" >>many.cfg
expect 0 check many.cfg
echo '@include "empty.cfg"' >>many.cfg
refused "is too much: at most $n files" check many.cfg

n=$(limit SCENARIO_MIB)
{ echo "$small"; head -c $((n << 20)) /dev/zero | tr '\0' ' '; } >large.cfg
refused "large.cfg: cannot be read: is larger than $n MiB" check large.cfg

n=$(limit LINE_MIB)
{ echo 'user,item,rating'; head -c $(((n << 20) + 1)) /dev/zero | tr '\0' '1'; } >long.csv
refused "long.csv:2: the file has a line longer than $n MiB" check --set data.path=long.csv --set data.format=csv quickstart

n=$(limit CELLS)
{
    printf 'user,item'
    awk -v n="$n" 'BEGIN { for (i = 3; i <= n; i++) printf ",c%d", i; print ",late" }'
    awk -v n="$n" 'BEGIN { for (u = 1; u <= 4; u++) for (i = 1; i <= 3; i++) { printf "%d,%d", u, i; for (k = 3; k <= n; k++) printf ","; print ",1" } }'
} >wide.csv
refused 'late' check --set data.path=wide.csv --set data.format=csv --set data.csv_value=late quickstart

n=$(limit FAULTS)
awk -v n="$n" 'BEGIN { for (i = 0; i <= n; i++) print "1,2,many" }' >faults.csv
expect 2 check --set data.path=faults.csv --set data.format=csv --set data.csv_header=false --set data.csv_value=3 quickstart
[ "$(wc -l <err)" -eq $((n + 1)) ] || fail "not $n faults and a line about the rest"

# --- clients ---
n=$(limit CLASSES)
{
    echo 'down_Mbit_s,up_Mbit_s,latency_ms,class'
    for i in $(seq 0 "$n"); do echo "10,1,20,c$i"; done
} >fleet.csv
refused "is the $((n + 1))th class" check --set network.fleet=fleet.csv quickstart

# --- runs and sweeps ---
refused "an integer from 1 to $(limit ROUNDS)" check --set "rounds.count=$(($(limit ROUNDS) + 1))" quickstart
refused "an integer from 0 to $(limit ACTORS)" check --set "engine.actors_limit=$(($(limit ACTORS) + 1))" quickstart
refused "an integer from 1 to $(limit REPLICATES)" sweep quickstart --set "sweep.replicates=$(($(limit REPLICATES) + 1))" --vary 'method.dim = 4, 8' --out results
n=$(limit POINTS)
list() { seq -s ', ' 1 "$1"; }
refused "more than $n points" sweep quickstart --vary "rounds.count = $(list 1000)" --vary "rounds.cohort = $(list $((n / 1000 + 1)))" --out results

# --- programs of one's own ---
n=$(limit COMMAND_WORDS)
refused "has more than $n words" check --allow-commands --set method.name=external --set "method.external.command=true$(repeated "$n" ' x')" quickstart

# --- paths ---
refused 'File name too long' check "$(repeated 5000 x).cfg"
refused 'File name too long' run quickstart --out "$(repeated 5000 x)"

[ "$failures" -eq 0 ]
