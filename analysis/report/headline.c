#include "analysis/report/headline.h"
#include "analysis/sentence/sentence.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

/* Takes both. */
static char *joined(char *text, char *more) {
    char *both = frs_format("%s%s", text, more);
    free(text);
    free(more);
    return both;
}

static const struct {
    const char *metrics[2];
    const char *name;
} paths[] = {{{"critical_path.down_s"}, "downloads"}, {{"critical_path.up_s"}, "uploads"},
    {{"critical_path.compute_s"}, "computing"},
    {{"critical_path.setup_s", "critical_path.latency_s"}, "connecting and latency"},
    {{"critical_path.edge_down_s", "critical_path.edge_up_s"}, "messages between edges and the server"},
    {{"critical_path.edge_rounds_s"}, "edge rounds before the last"},
    {{"critical_path.exchange_s"}, "messages between clients"},
    {{"critical_path.retry_s"}, "trying again what had broken"}, {{"critical_path.server_s"}, "the server"},
    {{"critical_path.wait_s"},
        "waiting (for a deadline, for clients that were not online, or to notice losses)"},
    {{"idle.scheduled_s"}, "waiting for the times at which rounds open"},
    {{"idle.clients_s"}, "waiting until enough clients were eligible"}};
enum { N_PATHS = sizeof paths / sizeof *paths };

static double path_s(const struct frs_metrics *metrics, size_t path) {
    double sum = 0;
    for (size_t i = 0; i < 2 && paths[path].metrics[i]; i++) {
        double value = frs_metrics_get(metrics, paths[path].metrics[i]);
        sum += isfinite(value) ? value : 0;
    }
    return sum;
}

/* Where the time went, which is no saving. */
static char *binding(const struct frs_metrics *metrics) {
    size_t most = 0;
    double all = 0;
    for (size_t i = 0; i < N_PATHS; i++) {
        all += path_s(metrics, i);
        most = path_s(metrics, i) > path_s(metrics, most) ? i : most;
    }
    if (!(all > 0))
        return frs_strdup("");
    return frs_format(" Of its time %.0f %% went into %s (a share, not a saving).",
        100 * path_s(metrics, most) / all, paths[most].name);
}

char *frs_headline_of_run(
    const struct frs_run_results *run, const struct frs_target *target, const char *what_ifs) {
    char *more = what_ifs ? frs_format(" %s", what_ifs) : binding(&run->metrics);
    return joined(frs_sentence_of_run(run, target), more);
}
