/* Recomputes from the folders of finished runs their budgets, the worths of `utility`, or the clients that
 * `by_group` and `by_device` may select, and reports where they differ from the documentation:
 *
 *   budgets RUN... */
#include "budgets.h"

#include <stdio.h>
#include <string.h>

int main(int n, char **arguments) {
    struct report report = {0};
    if (n < 2) {
        fprintf(stderr, "usage: budgets RUN...\n");
        return 2;
    }
    for (int i = 1; i < n; i++) {
        struct run run = run_read(arguments[i]);
        report.name = arguments[i];
        report.lines_of_run = 0;
        if (strncmp(scenario_text(&run.scenario, "rounds.selection.name"), "by_", 3) == 0)
            check_groups(&report, &run);
        else
            check_grants(&report, &run);
        report.runs++;
        run_free(&run);
    }
    printf("%zu runs, %zu participations; greatest deviation of a prediction %.2g; %zu disagreements\n",
        report.runs, report.parts, report.greatest, report.disagreements);
    return report.disagreements > 0;
}
