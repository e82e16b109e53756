/* A message alone on its link: its end, and where it stands before, worked out by hand in the comments.
 *
 * A window of 14,480 bytes leaves a link of 144,800 bytes/s in 0.1 s. Latency is 0.1 s each way, so that
 * windows start 0.21 s apart at least. The first byte of a download of five windows, asked for at 0,
 * leaves at 0.1:
 *   one window from 0.1 to 0.2, two from 0.31 to 0.51, the other two from 0.52 to 0.72. */
#include "actors/links/uncontended_message.h"
#include "tests/support.h"

#include <math.h>

enum { WINDOW = FRS_INITIAL_WINDOW * FRS_SEGMENT_BYTES };

#define RATE (100.0 * FRS_SEGMENT_BYTES)
#define SLACK 1e-9

static const struct frs_step latency = {.kind = FRS_STEP_WAIT, .duration_s = 0.1, .dies_s = INFINITY};

static struct frs_participation asked(void) {
    struct frs_participation p = frs_participation_new(3);
    p.plan.down_bytes_per_s = p.plan.up_bytes_per_s = RATE;
    p.plan.down_latency_s = p.plan.up_latency_s = 0.1;
    p.plan.down_slow_start = true;
    p.usage.down_bytes = 5 * WINDOW;
    p.result.phase = FRS_PHASE_DOWN_LATENCY;
    return p;
}

static struct frs_uncontended_message begin(struct frs_participation *p) {
    struct frs_step step = latency;
    return frs_uncontended_message_begin(p, 0, &step, RATE);
}

START_TEST(message_alone_ends_when_it_should) {
    struct frs_participation p = asked();
    struct frs_uncontended_message message = begin(&p);
    ck_assert_double_eq_tol(message.end_s, 0.72, SLACK);
    ck_assert_double_eq_tol(message.carried, 5 * WINDOW, SLACK * WINDOW);
    ck_assert_double_eq(p.times.down_start_s, 0.1);
    ck_assert_int_eq(p.result.phase, FRS_PHASE_DOWN);
}
END_TEST

/* Broken off: time, whether its first byte has left, bytes of windows that are over, and of the running one.
 */
static const struct {
    double at_s;
    bool begun;
    double before, running;
} breaks[] = {
    {0.05, false, 0, 0},  /* paying its latency */
    {0.15, true, 0, 0.5}, /* half of the first window */
    {0.25, true, 1, 0},   /* waiting for the second one */
    {0.41, true, 1, 1},   /* half of that */
    {0.515, true, 3, 0},  /* waiting for the last one */
    {0.67, true, 3, 1.5}, /* three quarters of that */
};

START_TEST(broken_message_has_carried_its_windows) {
    struct frs_participation p = asked();
    struct frs_uncontended_message message = begin(&p);
    double carried, before = breaks[_i].before * WINDOW, running = breaks[_i].running * WINDOW;
    double received = frs_uncontended_message_break(&message, &p, breaks[_i].at_s, &carried);
    ck_assert_double_eq_tol(received, running, SLACK * WINDOW);
    ck_assert_double_eq_tol(carried, before + running, SLACK * WINDOW);
    ck_assert_double_eq((double)p.sending.sent_bytes, before);
    ck_assert_int_eq(p.result.phase, breaks[_i].begun ? FRS_PHASE_DOWN : FRS_PHASE_DOWN_LATENCY);
    ck_assert_int_eq(isfinite(p.times.down_start_s), breaks[_i].begun);
}
END_TEST

/* A loss that is planned before the first whole byte ends the participation when the latency is over, not
 * before. */
START_TEST(test_nothing_to_send) {
    struct frs_participation p = asked();
    p.plan.down_loss = (struct frs_loss){.planned = true, .at_share = 0, .after_s = INFINITY};
    struct frs_uncontended_message message = begin(&p);
    ck_assert_double_eq(message.end_s, 0.1);
    ck_assert_double_eq(message.carried, 0);
    ck_assert_int_eq(p.result.phase, FRS_PHASE_DOWN_LATENCY);
    ck_assert_int_eq(p.result.outcome, FRS_PENDING);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("lone message");
    TCase *tests = tcase_create("by hand");
    tcase_add_test(tests, message_alone_ends_when_it_should);
    tcase_add_loop_test(
        tests, broken_message_has_carried_its_windows, 0, (int)(sizeof breaks / sizeof *breaks));
    tcase_add_test(tests, test_nothing_to_send);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
