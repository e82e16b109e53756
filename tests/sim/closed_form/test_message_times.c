/* Durations that processes share: found as they were kept, by whichever process, and never those of another
 * message. */
#include "sim/closed_form/message_times.h"
#include "tests/support.h"

#include <sys/wait.h>
#include <unistd.h>

/* Differs from its neighbours in one member at a time, so that a member that is not compared shows. */
static struct frs_uncontended_flow flow_of(uint32_t i) {
    return (struct frs_uncontended_flow){.bytes = 6e5 + i % 2,
        .bytes_per_s = 2e5 + i / 2 % 2,
        .round_trip_s = .1 + .05 * (i / 4 % 2),
        .queue_s = .05 + .05 * (i / 8 % 2),
        .up = i / 16 % 2,
        .interactive = i / 32 % 2};
}

static double found(uint32_t i) {
    const struct frs_uncontended_flow flow = flow_of(i);
    double duration_s = -1;
    return frs_message_times_find(&flow, &duration_s) ? duration_s : -1;
}

static void keep(uint32_t i) {
    const struct frs_uncontended_flow flow = flow_of(i);
    frs_message_times_keep(&flow, i);
}

START_TEST(each_has_its_own) {
    frs_message_times_open(1024);
    for (uint32_t i = 0; i < 64; i++) {
        ck_assert(found(i) == -1);
        keep(i);
    }
    for (uint32_t i = 0; i < 64; i++)
        ck_assert(found(i) == i);
    frs_message_times_close();
    frs_message_times_open(1024);
    ck_assert(found(3) == -1);
    frs_message_times_close();
}
END_TEST

/* More than there is room for: those that are found are right. */
START_TEST(full) {
    uint32_t n_found = 0;
    frs_message_times_open(16);
    for (int again = 0; again < 2; again++)
        for (uint32_t i = 0; i < 64; i++)
            keep(i);
    for (uint32_t i = 0; i < 64; i++) {
        double duration_s = found(i);
        ck_assert(duration_s == i || duration_s == -1);
        n_found += duration_s == i;
    }
    ck_assert_uint_gt(n_found, 8);
    ck_assert_uint_le(n_found, 16);
    frs_message_times_close();
}
END_TEST

static bool in_child(uint32_t first, bool keeps) {
    int status;
    pid_t pid = fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        bool right = true;
        for (uint32_t i = first; i < first + 32; i++) {
            if (keeps)
                keep(i);
            right &= found(i) == i;
        }
        _exit(!right);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

START_TEST(processes_share_it) {
    frs_message_times_open(1024);
    ck_assert(in_child(0, true));
    ck_assert(in_child(0, false));
    ck_assert(!in_child(32, false));
    for (uint32_t i = 0; i < 64; i++)
        ck_assert(found(i) == (i < 32 ? i : -1.));
    frs_message_times_close();
}
END_TEST

START_TEST(closed) {
    keep(1);
    ck_assert(found(1) == -1);
    frs_message_times_close();
}
END_TEST

int main(void) {
    Suite *suite = suite_create("message times");
    TCase *tests = tcase_create("message times");
    tcase_add_test(tests, each_has_its_own);
    tcase_add_test(tests, full);
    tcase_add_test(tests, processes_share_it);
    tcase_add_test(tests, closed);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
