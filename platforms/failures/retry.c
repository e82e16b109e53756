#include "platforms/failures/retry.h"
#include "sim/base/settings/params.h"

#include <math.h>

/* Systems differ. Google's client on phones ends its session when an upload breaks, and is selected again
 * in a later round (google-parfait/federated-compute, fcp/client/http/http_federated_protocol.cc: one
 * request, then kReportFailedPermanentError and AbortAggregation; the layer below must not repeat
 * requests). FedScale's executor does not repeat an upload either. Flower's node, made for silos, repeats
 * calls without a limit, after 1 s, twice as long every time, up to 20 s
 * (supernode/start_client_internal.py, common/retry_invoker.py). The default is the one that does not
 * flatter: lost clients cost the wait for them and what they learnt. docs/failures.md has the others
 * as values. */
const struct frs_param frs_retry_params[] = {
    {.key = "times",
        .type = FRS_INT,
        .initial = "0",
        .min = 0,
        .max = 100,
        .help =
            "how often a message whose connection broke is tried again before the client is lost; 0: never "
            "(default: Google's client for phones ends its session then, and comes back in a later round; so "
            "do papers that lose clients); 100: as good as without a limit within a round, as Flower"},
    {.key = "after",
        .type = FRS_QUANTITY,
        .dimension = FRS_TIME,
        .initial = "1 s",
        .min = 0,
        .max = 1e9,
        .help = "from the break of a connection until the client, which has noticed by then, connects anew "
                "(default: Flower's and gRPC's first wait)"},
    {.key = "backoff",
        .type = FRS_REAL,
        .initial = "2",
        .min = 1,
        .max = 100,
        .help = "how many times as long it waits after every further break of the same message (default: "
                "Flower and WorkManager; gRPC has 1.6)"},
    {.key = "longest",
        .type = FRS_QUANTITY,
        .dimension = FRS_TIME,
        .initial = "0 s",
        .min = 0,
        .max = 1e9,
        .help = "no wait gets longer than this (Flower: 20 s, gRPC: 2 min, WorkManager: 5 h); 0 s: waits "
                "have no limit"},
    {.key = "resume",
        .type = FRS_BOOL,
        .initial = "false",
        .help =
            "true: the message goes on after the last byte that its receiver holds, as HTTP range requests "
            "and resumable uploads do; false: from its beginning, as gRPC sends messages"},
    {0},
};

/* A 0 that is written down is one point of a series: what matters elsewhere in it may stand here, too. */
struct frs_retry frs_retry_read(const struct frs_values *values, const struct frs_values *of_failures,
    const struct frs_failures *failures, bool links_break) {
    static const char *const hazards[] = {"connection_down", "connection_up", "connection_mtbf"};
    bool breaks = links_break || frs_failures_break_connections(failures);
    struct frs_retry retry = {0};
    for (size_t i = 0; i < sizeof hazards / sizeof *hazards; i++)
        breaks |= frs_values_find(of_failures, hazards[i])->given;
    if (!breaks)
        return retry;
    retry.times = (uint32_t)frs_values_int(values, "times");
    if (retry.times == 0 && !frs_values_find(values, "times")->given)
        return retry;
    retry.after_s = frs_values_real(values, "after");
    retry.resumes = frs_values_bool(values, "resume");
    if (retry.times == 1)
        return retry;
    retry.backoff = frs_values_real(values, "backoff");
    retry.longest_s = frs_values_real(values, "longest");
    return retry;
}
