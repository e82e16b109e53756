/* Replays finished runs from their folders alone, and reports where they differ from the documentation.
 *
 *   replay RUN...
 *   replay --random FIRST COUNT PROGRAM KEEP    draws scenarios, has PROGRAM run them, and replays the
 *   runs;
 *                                               those that disagree stay under KEEP/NUMBER, to be run
 *                                               again */
#include "checks.h"
#include "draw.h"
#include "states.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

static void replay(struct report *report, const char *folder) {
    struct run run = run_read(folder);
    if (strcmp(scenario_text(&run.scenario, "network.model"), "packets") == 0) {
        fprintf(stderr, "replay: %s/manifest.json: runs under network.model = \"packets\" are not replayed\n",
            folder);
        exit(2);
    }
    const char *wrong = states_read(&run, folder);
    if (wrong) {
        fprintf(stderr, "replay: %s/manifest.json: %s\n", folder, wrong);
        exit(2);
    }
    size_t before = report->disagreements;
    report->name = folder;
    report->lines_of_run = 0;
    report->last_s = field(&run.rounds, run.rounds.n_rows - 1, "end_s");
    check_states(report, &run);
    if (has_states(&run) && !knows_states(&run))
        check_curves(report, &run, folder);
    check_transfers(report, &run);
    check_traces(report, &run, folder);
    check_phases(report, &run);
    if (run.scenario.tcp)
        check_connections(report, &run);
    check_rounds(report, &run);
    if (run.scenario.asynchronous)
        check_buffer(report, &run);
    check_openings(report, &run, folder);
    check_dynamics(report, &run, folder);
    check_paths(report, &run);
    check_periods(report, &run);
    check_caps(report, &run);
    check_load(report, &run, folder);
    check_sums(report, &run);
    report->runs++;
    report->disagreeing_runs += report->disagreements > before;
    states_free(&run);
    run_free(&run);
}

enum { COMMAND = 16384 };

/* Exit 1 ends a run that cannot go on; what it closed until then is kept, if it is anything. */
static bool run_program(struct report *report, const char *program, const char *folder) {
    char command[COMMAND], run[COMMAND];
    struct stat is;
    snprintf(run, sizeof run, "%s/run", folder);
    snprintf(command, sizeof command,
        "cd '%s' && timeout -s KILL 60 '%s' run s.cfg --quiet --threads=1 --set output.what_if=none --out "
        "run "
        "</dev/null >said 2>&1",
        folder, program);
    int status = system(command), code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    report->name = folder;
    report->lines_of_run = 0;
    must(report, NULL, code == 0 || code == 1, "exit code %d", code);
    return (code == 0 || code == 1) && stat(run, &is) == 0;
}

static void replay_random(
    struct report *report, unsigned long long number, const char *program, const char *keep) {
    char folder[COMMAND / 4], run[COMMAND / 2], command[COMMAND];
    size_t before = report->disagreements;
    snprintf(folder, sizeof folder, "%s/%llu", keep, number);
    snprintf(run, sizeof run, "%s/run", folder);
    snprintf(command, sizeof command, "rm -rf '%s' && mkdir -p '%s'", folder, folder);
    if (system(command) != 0)
        exit(2);
    draw_scenario(number, folder);
    if (run_program(report, program, folder))
        replay(report, run);
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (report->disagreements == before && system(command) != 0)
        exit(2);
}

int main(int n, char **arguments) {
    struct report report = {0};
    if (n < 2 || (strcmp(arguments[1], "--random") == 0 && n != 6)) {
        fprintf(stderr, "usage: replay RUN... | replay --random FIRST COUNT PROGRAM KEEP\n");
        return 2;
    }
    if (strcmp(arguments[1], "--random") == 0) {
        unsigned long long first = strtoull(arguments[2], NULL, 10), count = strtoull(arguments[3], NULL, 10);
        for (unsigned long long i = first; i < first + count; i++)
            replay_random(&report, i, arguments[4], arguments[5]);
    } else {
        for (int i = 1; i < n; i++)
            replay(&report, arguments[i]);
    }
    printf("%zu runs, %zu rows, %zu participations, %zu phases; %zu times, %zu amounts; %zu caps, "
           "%zu exceeded; greatest deviation %.2g; %zu disagreements in %zu runs\n",
        report.runs, report.rows, report.parts, report.phases, report.times, report.amounts, report.capped,
        report.above, report.greatest, report.disagreements, report.disagreeing_runs);
    return report.disagreements > 0;
}
