#include "actors/links/lone_message.h"
#include "sim/base/errors.h"

struct frs_lone_message frs_lone_message_begin(
    struct frs_participation *p, double now_s, double bytes, double bytes_per_s) {
    FRS_INVARIANT(
        bytes_per_s > 0 && bytes > 0, "client %u: %g bytes at %g bytes/s", p->client, bytes, bytes_per_s);
    struct frs_lone_message message = {
        .bytes_per_s = bytes_per_s, .start_s = now_s, .end_s = now_s, .bytes = bytes, .sending = p->sending};
    struct frs_step step = {.kind = FRS_STEP_DOWN, .bytes = bytes};
    do {
        double start_s = message.end_s;
        message.end_s += step.kind == FRS_STEP_WAIT ? step.duration_s : step.bytes / bytes_per_s;
        if (step.kind != FRS_STEP_WAIT)
            message.carried += bytes_per_s * (message.end_s - start_s);
    } while (frs_play_sends_on(p, message.end_s, &step));
    return message;
}

/* Goes through the same steps again. What ends at now_s has ended. */
double frs_lone_message_break(
    const struct frs_lone_message *message, struct frs_participation *p, double now_s, double *carried) {
    double start_s = message->start_s;
    struct frs_step step = {.kind = FRS_STEP_DOWN, .bytes = message->bytes};
    p->sending = message->sending;
    *carried = 0;
    for (;;) {
        bool waits = step.kind == FRS_STEP_WAIT;
        double end_s = start_s + (waits ? step.duration_s : step.bytes / message->bytes_per_s);
        bool over = end_s <= now_s;
        double received =
            waits || now_s <= start_s ? 0 : message->bytes_per_s * ((over ? end_s : now_s) - start_s);
        *carried += received;
        if (!over)
            return received < step.bytes ? received : step.bytes;
        if (!frs_play_sends_on(p, end_s, &step))
            return 0;
        start_s = end_s;
    }
}
