#!/bin/sh
# Scenarios that come with the program go by their name, from any folder; a file of that name is never passed over.
# Argument: the build folder.
# shellcheck source=tests/expect.sh
. "$FRS_SOURCE_DIR/tests/expect.sh"

# The build tree's own, then those that the variable names.
for scenarios in '' "$FRS_SOURCE_DIR/scenarios"; do
    export FEDRECSIM_SCENARIOS="$scenarios"
    expect 0 list scenarios
    silent err
    grep -q '^  quickstart  *A first look: 200 clients of a small built-in data set; ' out || fail "no quickstart"
    find "$FRS_SOURCE_DIR/scenarios" -name '*.cfg' | sed "s,^$FRS_SOURCE_DIR/scenarios/,,; s,\.cfg\$,," | LC_ALL=C sort >files
    sed -n 's/^  \([^ ]*\)  .*/\1/p' out >names
    cmp -s files names || fail "not all files of scenarios: $(diff files names)"
    ! grep -q '.\{155\}' out || fail "a summary is too long"
done
expect 0 list scenario
expect 0 list scenarios --json
says out '"format": "fedrecsim-list-1"'
says out '"name": "quickstart"'

# A name is its file: the same results but for nothing, and the same usual folder.
short="--set rounds.count=2 --set output.what_if=none --quiet"
# shellcheck disable=SC2086 # words
expect 0 run quickstart $short
# shellcheck disable=SC2086
expect 0 run "$FRS_SOURCE_DIR/scenarios/quickstart.cfg" $short --out other
for file in rounds.csv clients.csv events.ndjson; do
    cmp -s "results/quickstart-seed1/$file" "other/$file" || fail "$file differs"
done
# Its own files are found from anywhere.
expect 0 check own-data --patience '10 ms'
expect 0 check what-if/own-measurements --patience '10 ms'

# As pages call it, from a folder without such a file; a file that is there is itself.
expect 0 check scenarios/what-if/dropout.cfg --patience '10 ms'
says out "$FRS_SOURCE_DIR/scenarios/what-if/dropout.cfg: no problems found"
mkdir scenarios
cp "$FRS_SOURCE_DIR/scenarios/quickstart.cfg" scenarios/mine.cfg
expect 0 check scenarios/mine.cfg --patience '10 ms'
says out 'scenarios/mine.cfg: no problems found'
expect 2 check scenarios/nothing.cfg
error 'fedrecsim: scenarios/nothing.cfg: cannot be read: No such file or directory'
rm -r scenarios

# --- a file of the same name ---
mkdir -p papers
cp "$FRS_SOURCE_DIR/scenarios/quickstart.cfg" quickstart
expect 2 check quickstart
error "fedrecsim: quickstart: is a file here and the name of a scenario that comes with the program; allowed: ./quickstart for the file, or $FRS_SOURCE_DIR/scenarios/quickstart.cfg for the scenario"
expect 0 check ./quickstart --patience '10 ms'
says out './quickstart: no problems found'
printf '#!/bin/sh\n' >quickstart # a program is not meant, nor a folder
expect 0 check quickstart --patience '10 ms'
rm quickstart
mkdir quickstart
expect 0 check quickstart --patience '10 ms'
says out "$FRS_SOURCE_DIR/scenarios/quickstart.cfg: no problems found"

# --- neither ---
expect 2 check quickstrat
error 'fedrecsim: quickstrat: cannot be read: No such file or directory; nor is there a scenario of that name; did you mean "quickstart"? (fedrecsim list scenarios)'
expect 2 check colr-table2
says err 'did you mean "papers/colr-table2"?'
expect 2 check quickstart.cfg
error 'fedrecsim: quickstart.cfg: cannot be read: No such file or directory'
expect 2 check ../scenarios/quickstart
error 'fedrecsim: ../scenarios/quickstart: cannot be read: No such file or directory'
export FEDRECSIM_SCENARIOS="$folder/nowhere"
expect 2 list scenarios
error 'fedrecsim: list: the scenarios that come with the program are not where they are installed; FEDRECSIM_SCENARIOS can name their folder'

[ "$failures" -eq 0 ]
