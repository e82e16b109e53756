#include "sim/results/report/adaptation_report.h"
#include "sim/base/memory.h"
#include "sim/base/settings/units.h"
#include "sim/results/json_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_BUDGETS_LISTED 32u

/* ---- summary.json ---- */

/* Grants of some clients. */
struct group {
    uint64_t clients, never_delivered;
    struct frs_assigned_budget_sums sums;
};

static void add_client(struct group *group, const struct frs_outputs *outputs, uint32_t client) {
    const struct frs_client_row *row = frs_ledger_client(outputs->ledger, client);
    const struct frs_assigned_budget_sums *sums =
        frs_assigned_budgets_client(frs_coordinator_grants(outputs->coordinator), client);
    group->clients++;
    group->never_delivered += frs_client_never_delivered(row);
    group->sums.n += sums->n;
    group->sums.budget += sums->budget;
    group->sums.in_time += sums->in_time;
}

static void set_group(json_t *object, const struct group *group) {
    double n = group->sums.n > 0 ? (double)group->sums.n : NAN;
    frs_json_set_count(object, "clients", group->clients);
    frs_json_set_count(object, "assigned", group->sums.n);
    frs_json_set_real(object, "mean", group->sums.budget / n);
    frs_json_set_count(object, "in_time", group->sums.in_time);
    frs_json_set_real(object, "in_time_share", (double)group->sums.in_time / n);
    frs_json_set_count(object, "never_delivered", group->never_delivered);
}

static const char *device_class(const struct frs_setup *setup, uint32_t client) {
    return frs_devices_class(&setup->devices, setup->training.seed, client);
}

static const char *network_class(const struct frs_setup *setup, uint32_t client) {
    return setup->platform.file ? "none" : frs_network_class(&setup->network, setup->training.seed, client);
}

/* Each class in the order in which its first client comes; "none" is the class of clients that have none. */
static void set_classes(json_t *object, const char *by, const struct frs_outputs *outputs,
    const char *(*class_of)(const struct frs_setup *setup, uint32_t client)) {
    uint32_t n = outputs->setup->training.data->population.n_clients;
    const char **names = frs_alloc(n, sizeof *names);
    struct group *groups = frs_alloc(n, sizeof *groups);
    size_t n_classes = 0;
    for (uint32_t u = 0; u < n; u++) {
        const char *name = class_of(outputs->setup, u);
        size_t i = 0;
        while (i < n_classes && strcmp(names[i], name) != 0)
            i++;
        if (i == n_classes)
            names[n_classes++] = name;
        add_client(&groups[i], outputs, u);
    }
    json_t *family = n_classes > 1 || strcmp(names[0], "none") != 0 ? frs_json_add_object(object, by) : NULL;
    for (size_t i = 0; family && i < n_classes; i++)
        if (strcmp(names[i], "none") != 0)
            set_group(frs_json_add_object(family, names[i]), &groups[i]);
    free(groups);
    free(names);
}

struct link {
    double up_bytes_per_s;
    uint32_t client;
};

static int by_uplink(const void *a, const void *b) {
    const struct link *x = a, *y = b;
    if (x->up_bytes_per_s != y->up_bytes_per_s)
        return (x->up_bytes_per_s > y->up_bytes_per_s) - (x->up_bytes_per_s < y->up_bytes_per_s);
    return (x->client > y->client) - (x->client < y->client);
}

/* Quarter "1" has the slowest uplinks, as drawn. Writes nothing where all uplinks are alike, or on a
 * platform of the user's own. */
static void set_quartiles(json_t *object, const struct frs_outputs *outputs) {
    static const char *const names[] = {"1", "2", "3", "4"};
    const struct frs_setup *setup = outputs->setup;
    uint32_t n = setup->training.data->population.n_clients;
    if (setup->platform.file)
        return;
    struct link *links = frs_alloc(n, sizeof *links);
    for (uint32_t u = 0; u < n; u++)
        links[u] =
            (struct link){frs_network_client(&setup->network, setup->training.seed, u).up_bytes_per_s, u};
    qsort(links, n, sizeof *links, by_uplink);
    struct group groups[4] = {0};
    for (uint32_t i = 0; i < n; i++)
        add_client(&groups[(uint64_t)i * 4 / n], outputs, links[i].client);
    json_t *family = links[0].up_bytes_per_s < links[n - 1].up_bytes_per_s
                         ? frs_json_add_object(object, "uplink_quartile")
                         : NULL;
    for (size_t i = 0; family && i < 4; i++)
        if (groups[i].clients > 0)
            set_group(frs_json_add_object(family, names[i]), &groups[i]);
    free(links);
}

static struct frs_assigned_budget_predictions together(const struct frs_assigned_budget_totals *t) {
    return (struct frs_assigned_budget_predictions){.n = t->arrived.n + t->cut.n,
        .predicted_s = t->arrived.predicted_s + t->cut.predicted_s,
        .actual_s = t->arrived.actual_s + t->cut.actual_s,
        .error_s = t->arrived.error_s + t->cut.error_s};
}

static void set_predictions(
    json_t *object, const struct frs_assigned_budget_predictions *predictions, const char *actual) {
    double n = predictions->n > 0 ? (double)predictions->n : NAN;
    frs_json_set_real(object, "mean_predicted_s", predictions->predicted_s / n);
    frs_json_set_real(object, actual, predictions->actual_s / n);
    frs_json_set_real(object, "mean_error_s", predictions->error_s / n);
}

static void set_part(json_t *object, const char *name,
    const struct frs_assigned_budget_predictions *predictions, const char *actual) {
    json_t *part = frs_json_add_object(object, name);
    frs_json_set_count(part, "participations", predictions->n);
    set_predictions(part, predictions, actual);
}

void frs_adaptation_set(json_t *root, const struct frs_outputs *outputs) {
    const struct frs_assigned_budgets *assigned_budgets = frs_coordinator_grants(outputs->coordinator);
    if (!assigned_budgets)
        return;
    const struct frs_assigned_budget_totals *t = frs_assigned_budgets_totals(assigned_budgets);
    json_t *object = frs_json_add_object(root, "adaptation"), *times = json_object();
    double n = t->sums.n > 0 ? (double)t->sums.n : NAN;
    frs_json_set_text(object, "name", outputs->setup->adaptation->plugin.name);
    frs_json_set_count(object, "largest_possible", t->range_max);
    frs_json_set_count(object, "min", t->min);
    frs_json_set_count(object, "max", t->max);
    frs_json_set_real(object, "mean", t->sums.budget / n);
    for (uint32_t budget = 0; budget <= t->range_max; budget++) {
        char key[16];
        snprintf(key, sizeof key, "%" PRIu32, budget);
        if (t->times[budget] > 0)
            frs_json_set_count(times, key, t->times[budget]);
    }
    if (json_object_size(times) <= MAX_BUDGETS_LISTED)
        json_object_set(object, "participations", times);
    json_decref(times);
    frs_json_set_count(object, "assigned", t->sums.n);
    for (size_t end = 0; end < FRS_N_ASSIGNED_BUDGET_ENDS; end++)
        frs_json_set_count(object, frs_assigned_budget_end_names[end], t->ends[end]);
    frs_json_set_real(object, "in_time_share", (double)t->ends[FRS_ASSIGNED_IN_TIME] / n);
    frs_json_set_real(object, "up_bytes_saved", t->saved_bytes);
    struct frs_assigned_budget_predictions all = together(t);
    set_predictions(object, &all, "mean_actual_s");
    set_part(object, "of_arrived", &t->arrived, "mean_actual_s");
    set_part(object, "of_cut", &t->cut, "mean_waited_s");
    set_classes(object, "device_class", outputs, device_class);
    set_classes(object, "network_class", outputs, network_class);
    set_quartiles(object, outputs);
}

/* ---- the terminal ---- */

char *frs_adaptation_grants_line(const struct frs_outputs *outputs) {
    const struct frs_assigned_budgets *assigned_budgets = frs_coordinator_grants(outputs->coordinator);
    const struct frs_assigned_budget_totals *t =
        assigned_budgets ? frs_assigned_budgets_totals(assigned_budgets) : NULL;
    if (!t || t->sums.n == 0)
        return NULL;
    double n = (double)t->sums.n;
    char *line = frs_format("%u to %u of %u, %.3g on average; in time %" PRIu64 " of %" PRIu64 " (%.1f %%)",
        t->min, t->max, t->range_max, t->sums.budget / n, t->ends[FRS_ASSIGNED_IN_TIME], t->sums.n,
        100 * (double)t->ends[FRS_ASSIGNED_IN_TIME] / n);
    for (size_t end = FRS_ASSIGNED_IN_TIME + 1; end < FRS_N_ASSIGNED_BUDGET_ENDS; end++) {
        if (t->ends[end] == 0)
            continue;
        char *longer = frs_format("%s, %s %" PRIu64, line, frs_assigned_budget_end_names[end], t->ends[end]);
        free(line);
        line = longer;
    }
    return line;
}

char *frs_adaptation_predictions_line(const struct frs_outputs *outputs) {
    const struct frs_assigned_budgets *assigned_budgets = frs_coordinator_grants(outputs->coordinator);
    struct frs_assigned_budget_predictions all = {0};
    uint64_t n_cut = 0;
    if (assigned_budgets) {
        all = together(frs_assigned_budgets_totals(assigned_budgets));
        n_cut = frs_assigned_budgets_totals(assigned_budgets)->cut.n;
    }
    if (all.n == 0)
        return NULL;
    char predicted[64], actual[64], error[64];
    double n = (double)all.n;
    const char *least = n_cut > 0 ? "at least " : "";
    return frs_format("%s on average, took %s%s, the error %s%s",
        frs_units_format(all.predicted_s / n, FRS_TIME, predicted, sizeof predicted), least,
        frs_units_format(all.actual_s / n, FRS_TIME, actual, sizeof actual), least,
        frs_units_format(all.error_s / n, FRS_TIME, error, sizeof error));
}
