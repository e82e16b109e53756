#include "platforms/failures/retry.h"

#include <math.h>

/* Flower and TensorFlow Federated talk gRPC, whose connections come back 1 s after they broke, 1.6 times as late after
 * every further time (its Connection Backoff Protocol, without the jitter of 20 %), and whose calls are tried
 * five times at most (gRPC proposal A6, retryPolicy.maxAttempts), each with the whole message. Others, for
 * comparison: Android's DownloadManager tries 5 times again and resumes (HTTP range requests); WorkManager waits
 * 30 s, twice as long each time, without an end. */
const struct frs_param frs_retry_params[] = {
    {.key = "times",
        .type = FRS_INT,
        .initial = "4",
        .min = 0,
        .max = 100,
        .help =
            "how often a message whose connection broke is tried again before the client is lost; 0: never, "
            "as papers assume (default: gRPC, on which Flower and TensorFlow Federated run, makes at most "
            "5 attempts)"},
    {.key = "after",
        .type = FRS_QUANTITY,
        .dimension = FRS_TIME,
        .initial = "1 s",
        .min = 0,
        .max = 1e9,
        .help = "from the break of a connection until the client, which has noticed by then, connects anew "
                "(default: gRPC's initial back-off)"},
    {.key = "backoff",
        .type = FRS_REAL,
        .initial = "1.6",
        .min = 1,
        .max = 100,
        .help =
            "how many times as long it waits after every further break of the same message (default: gRPC's "
            "multiplier; WorkManager has 2)"},
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
    const struct frs_failures *failures) {
    static const char *const hazards[] = {"connection_down", "connection_up", "connection_mtbf"};
    bool breaks = frs_failures_break_connections(failures);
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
    if (retry.times != 1)
        retry.backoff = frs_values_real(values, "backoff");
    return retry;
}
