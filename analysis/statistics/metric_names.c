#include "analysis/statistics/metric_names.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define USUAL_K 10u

/* As analysis/read/run_reader.c finds them in summary.json and derives them. "@": K follows; "*": anything,
 * where names of groups, causes or privacy mechanisms are part of the name. */
static const char *const names[] = {
    "hr@",
    "ndcg@",
    "mae",
    "rmse",
    "time_to_target_s",
    "validation_hr@",
    "validation_ndcg@",
    "validation_mae",
    "validation_rmse",
    "participants_hr@",
    "participants_ndcg@",
    "participants_mae",
    "participants_rmse",
    "participants_share",
    "simulated_s",
    "idle_s",
    "restart_s",
    "round_s",
    "rounds",
    "participations",
    "clients_selected",
    "clients_never_delivered",
    "clients_refused",
    "rounds_without_upload",
    "cohort.requested",
    "cohort.mean",
    "cohort.least",
    "cohort.most",
    "rounds_to_target",
    "bytes.total",
    "bytes_to_target",
    "bytes.down",
    "bytes.catchup_down",
    "bytes.up",
    "bytes.setup_down",
    "bytes.setup_up",
    "bytes.resent_down",
    "bytes.resent_up",
    "bytes.wasted",
    "bytes.setup_wasted",
    "bytes.wasted_share",
    "bytes.per_delivered",
    "nominal_bytes.down",
    "nominal_bytes.up",
    "flop",
    "wasted_flop",
    "server_flop",
    "modelled.energy_j",
    "mean_staleness",
    "steady.round_s",
    "steady.longest_s",
    "steady.down_bytes",
    "steady.up_bytes",
    "steady.down_share",
    "steady.compute_share",
    "steady.up_share",
    "steady.latency_share",
    "steady.wait_share",
    "steady.server_link_share",
    "communications.in_rounds",
    "communications.for_evaluation",
    "alone.steps",
    "alone.flop",
    "information_loss.client",
    "information_loss.server",
    "information_loss.total",
    "compression_rate.paper_down",
    "compression_rate.paper_up",
    "compression_rate.down",
    "compression_rate.up",
    "parameter_space.client_bytes",
    "parameter_space.server_bytes",
    "retry.retries",
    "retry.participations",
    "retry.used",
    "retry.times",
    "retry.after_s",
    "bottleneck.change_percent",
    "detection.lost",
    "detection.detect_s",
    "stop.round",
    "stop.change",
    "stop.time_s",
    "critical_path.*",
    "waiting.*",
    "outcomes.*",
    "post.*",
    "closed_form.*",
    "adaptation.*",
    "exchanges.*",
    "server_sees.*",
    "privacy_guarantee.*",
    "waste_by_cause.*",
    "non_federated.*",
    "groups.*",
    "initial_metrics.*",
    "best_by_validation.*",
    NULL,
};

static bool is_of(const char *name, const char *known, size_t k) {
    size_t length = strlen(known), digits = strspn(name + strnlen(name, length), "0123456789");
    if (known[length - 1] == '*')
        return strncmp(name, known, length - 1) == 0 && name[length - 1];
    if (known[length - 1] != '@' || strncmp(name, known, length) != 0)
        return strcmp(name, known) == 0;
    return digits > 0 && name[length] != '0' && !name[length + digits] &&
           (k == 0 || strtoul(name + length, NULL, 10) == k);
}

bool frs_metric_is_known(const char *name, size_t k) {
    for (size_t i = 0; names[i]; i++)
        if (is_of(name, names[i], k))
            return true;
    return false;
}

/* Names that figures had before, and have no letters in common with those of today. */
static const char *renamed(const char *name) {
    static const struct { const char *before, *now; } all[] = {{"coverage", "participants_share"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strcmp(name, all[i].before) == 0)
            return all[i].now;
    return NULL;
}

/* "bytes" of "bytes.total", "hr" of "hr@10", "energy_j" of "modelled.energy_j". */
static bool begins(const char *known, const char *name) {
    const char *dot = strrchr(known, '.');
    size_t length = strlen(name);
    return length > 1 &&
           (strncasecmp(known, name, length) == 0 || (dot && strncasecmp(dot + 1, name, length) == 0));
}

char *frs_metric_nearest(const char *name, size_t k) {
    char *whole[sizeof names / sizeof *names] = {0};
    const char *candidates[sizeof names / sizeof *names] = {0};
    size_t n = 0;
    for (size_t i = 0; names[i]; i++) {
        char last = names[i][strlen(names[i]) - 1];
        if (last == '*')
            continue;
        whole[n] = last == '@' ? frs_format("%s%zu", names[i], k ? k : USUAL_K) : frs_strdup(names[i]);
        candidates[n] = whole[n];
        n++;
    }
    const char *now = renamed(name), *nearest = now ? now : frs_text_nearest(name, candidates);
    for (size_t i = 0; i < n && !nearest; i++)
        if (begins(candidates[i], name))
            nearest = candidates[i];
    char *copy = nearest ? frs_strdup(nearest) : NULL;
    for (size_t i = 0; i < n; i++)
        free(whole[i]);
    return copy;
}

char *frs_metric_complaint(const char *name, size_t k) {
    if (frs_metric_is_known(name, k))
        return NULL;
    char *nearest = frs_metric_nearest(name, k), line[64];
    char *text =
        frs_format("\"%s\" is not a figure%s%s%s; allowed: names as in summary.json, such as hr@%zu, "
                   "simulated_s or bytes.down",
            frs_text_line(name, line, sizeof line), nearest ? "; did you mean \"" : "",
            nearest ? nearest : "", nearest ? "\"?" : "", k ? k : USUAL_K);
    free(nearest);
    return text;
}
