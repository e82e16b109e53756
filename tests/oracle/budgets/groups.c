/* The selections `by_group` and `by_device` select equally many clients of each group, except of groups that
 * have no more.
 */
#include "budgets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t *new_counts(size_t n) {
    size_t *counts = calloc(n + 1, sizeof *counts);
    if (!counts)
        abort();
    return counts;
}

/* All clients can be selected, and the sizes of groups are those of this row: clients.csv has the groups
 * of the last selection, and rows of a table of devices do not change. */
static bool knows_sizes(const struct run *run, size_t row) {
    const struct scenario *s = &run->scenario;
    bool stays = strcmp(scenario_text(s, "rounds.selection.name"), "by_device") == 0;
    return !s->asynchronous && !s->runs_on && s->n_restarts == 0 &&
           strcmp(scenario_text(s, "availability.model"), "always") == 0 &&
           (stays || row + 1 == run->rounds.n_rows);
}

static void check_row(struct report *report, const struct run *run, size_t row, const size_t *sizes,
    size_t *asked, size_t n_groups) {
    size_t most = 0;
    memset(asked, 0, n_groups * sizeof *asked);
    for (size_t i = run->first_part[row]; i < run->first_part[row + 1]; i++) {
        const struct part *part = run->parts + i;
        size_t group = (size_t)part->group;
        if (!(part->group >= 0) || group >= n_groups) {
            must(report, part, false, "has no group, or one that no client has");
            return;
        }
        asked[group]++;
        most = asked[group] > most ? asked[group] : most;
    }
    for (size_t g = 0; g < n_groups; g++)
        must(report, NULL, asked[g] + 1 >= most || asked[g] == sizes[g],
            "row %zu asks %zu clients of group %zu, which has %zu, and %zu of another one", row + 1, asked[g],
            g, sizes[g], most);
    report->parts += run->first_part[row + 1] - run->first_part[row];
}

void check_groups(struct report *report, const struct run *run) {
    size_t n_groups = 0;
    for (size_t i = 0; i < run->clients.n_rows; i++)
        n_groups = fmax((double)n_groups, field(&run->clients, i, "group") + 1);
    size_t *sizes = new_counts(n_groups), *asked = new_counts(n_groups);
    for (size_t i = 0; i < run->clients.n_rows; i++)
        sizes[(size_t)field(&run->clients, i, "group")]++;
    for (size_t row = 0; row < run->rounds.n_rows; row++)
        if (knows_sizes(run, row))
            check_row(report, run, row, sizes, asked, n_groups);
    free(sizes);
    free(asked);
}
