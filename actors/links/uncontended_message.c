#include "actors/links/uncontended_message.h"
#include "sim/base/errors.h"

#include <math.h>

static double duration_s(const struct frs_uncontended_message *message, const struct frs_step *step) {
    return step->kind == FRS_STEP_WAIT ? step->duration_s : step->bytes / message->bytes_per_s;
}

static double carried(
    const struct frs_uncontended_message *message, const struct frs_step *step, double from_s, double to_s) {
    if (step->kind == FRS_STEP_WAIT)
        return 0;
    return isinf(message->bytes_per_s) ? step->bytes : message->bytes_per_s * (to_s - from_s);
}

struct frs_uncontended_message frs_uncontended_message_begin(
    struct frs_participation *p, double now_s, struct frs_step *step, double bytes_per_s) {
    struct frs_uncontended_message message = {.bytes_per_s = bytes_per_s,
        .start_s = now_s,
        .end_s = now_s,
        .first = *step,
        .progress = frs_lifecycle_progress(p)};
    FRS_INVARIANT(bytes_per_s > 0, "client %u has a link of %g bytes/s", p->client, bytes_per_s);
    do {
        double start_s = message.end_s;
        message.end_s += duration_s(&message, step);
        message.carried += carried(&message, step, start_s, message.end_s);
    } while (frs_lifecycle_sends_on(p, message.end_s, step));
    return message;
}

/* Goes through the same steps again. What ends at now_s has ended. */
double frs_uncontended_message_break(const struct frs_uncontended_message *message,
    struct frs_participation *p, double now_s, double *all_carried) {
    double start_s = message->start_s;
    struct frs_step step = message->first;
    frs_lifecycle_return(p, &message->progress);
    *all_carried = 0;
    for (double end_s; (end_s = start_s + duration_s(message, &step)) <= now_s; start_s = end_s) {
        *all_carried += carried(message, &step, start_s, end_s);
        if (!frs_lifecycle_sends_on(p, end_s, &step))
            return 0;
    }
    double received = now_s > start_s ? carried(message, &step, start_s, now_s) : 0;
    *all_carried += received;
    return received;
}
