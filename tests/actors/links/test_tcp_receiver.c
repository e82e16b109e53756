/* Which packets are acknowledged at once: by hand. */
#include "actors/links/tcp_receiver.h"
#include "tests/support.h"

#include <stddef.h>

/* Packets arrive 1 ms apart, in order, and none of them twice. */
static bool next(struct frs_tcp_receiver *receiver) {
    uint32_t packet = receiver->n_arrived;
    return frs_tcp_receiver_arrived(receiver, 0.001 * packet, packet, true);
}

START_TEST(every_second_after_sixteen) {
    struct frs_tcp_receiver receiver;
    frs_tcp_receiver_init(&receiver, false);
    for (size_t i = 0; i < 16; i++)
        ck_assert(next(&receiver));
    for (size_t i = 0; i < 10; i++)
        ck_assert_int_eq(next(&receiver), i % 2);
    frs_tcp_receiver_init(&receiver, true);
    for (size_t i = 0; i < 10; i++)
        ck_assert_int_eq(next(&receiver), i % 2);
}
END_TEST

/* At 0 a packet waits, and at 0.039 it is acknowledged with the next one. That of 1 is acknowledged alone,
 * at 1.04, so that the one of 1.041 waits again, for that of 1.05. */
START_TEST(none_waits_for_long) {
    struct frs_tcp_receiver receiver;
    frs_tcp_receiver_init(&receiver, true);
    ck_assert(!frs_tcp_receiver_arrived(&receiver, 0, 0, true));
    ck_assert(frs_tcp_receiver_arrived(&receiver, 0.039, 1, true));
    ck_assert(!frs_tcp_receiver_arrived(&receiver, 1, 2, true));
    ck_assert(!frs_tcp_receiver_arrived(&receiver, 1.041, 3, true));
    ck_assert(frs_tcp_receiver_arrived(&receiver, 1.05, 4, true));
}
END_TEST

/* Packet 1 is missing until 3 have come in its place; then one comes that had been there. */
START_TEST(gaps_are_told_at_once) {
    struct frs_tcp_receiver receiver;
    frs_tcp_receiver_init(&receiver, true);
    ck_assert(!frs_tcp_receiver_arrived(&receiver, 0, 0, true));
    ck_assert(frs_tcp_receiver_arrived(&receiver, 0.001, 2, true));
    ck_assert(frs_tcp_receiver_arrived(&receiver, 0.002, 3, true));
    ck_assert(frs_tcp_receiver_arrived(&receiver, 0.003, 4, true));
    ck_assert(frs_tcp_receiver_arrived(&receiver, 0.004, 1, true));
    ck_assert(!frs_tcp_receiver_arrived(&receiver, 0.005, 5, true));
    ck_assert(frs_tcp_receiver_arrived(&receiver, 0.006, 6, true));
    ck_assert(frs_tcp_receiver_arrived(&receiver, 0.007, 3, false));
    ck_assert(!frs_tcp_receiver_arrived(&receiver, 0.008, 7, true));
}
END_TEST

int main(void) {
    Suite *suite = suite_create("tcp receiver");
    TCase *tests = tcase_create("acknowledgements");
    tcase_add_test(tests, every_second_after_sixteen);
    tcase_add_test(tests, none_waits_for_long);
    tcase_add_test(tests, gaps_are_told_at_once);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
