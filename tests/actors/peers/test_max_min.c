/* Max-min over two links a flow: by hand, and random networks against the definition. */
#include "actors/peers/max_min.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "tests/support.h"

#include <stdlib.h>

/* Uplinks of 10 and 4, downlinks of 6 and 100. The downlink of 6 has two flows and is full first, at 3 each;
 * the uplink of 10 has given one of them 3 and leaves 7 to its other flow. */
START_TEST(three_flows_by_hand) {
    const double bytes_per_s[] = {10, 4, 6, 100};
    const uint32_t links[][2] = {{2, 0}, {2, 1}, {3, 0}};
    double rates[3];
    struct frs_max_min *max_min = frs_max_min_create(bytes_per_s, 4);
    for (int again = 0; again < 2; again++) {
        frs_max_min_solve(max_min, links, 3, rates);
        ck_assert_double_eq(rates[0], 3);
        ck_assert_double_eq(rates[1], 3);
        ck_assert_double_eq(rates[2], 7);
        frs_max_min_solve(max_min, links, 1, rates);
        ck_assert_double_eq(rates[0], 6);
        frs_max_min_solve(max_min, links, 0, rates);
    }
    frs_max_min_destroy(max_min);
}
END_TEST

enum { LINKS = 24, FLOWS = 60 };

/* No link carries more than it can, and every flow has one that is full and on which no flow is faster: the
 * definition, which has one solution. */
static void check(const double *bytes_per_s, const uint32_t (*links)[2], uint32_t n, const double *rates) {
    double sum[LINKS] = {0}, most[LINKS] = {0};
    for (uint32_t i = 0; i < n; i++)
        for (int end = 0; end < 2; end++) {
            sum[links[i][end]] += rates[i];
            if (rates[i] > most[links[i][end]])
                most[links[i][end]] = rates[i];
        }
    for (int link = 0; link < LINKS; link++)
        ck_assert(sum[link] <= bytes_per_s[link] * (1 + 1e-12));
    for (uint32_t i = 0; i < n; i++) {
        bool bound = false;
        for (int end = 0; end < 2; end++) {
            uint32_t link = links[i][end];
            bound |= sum[link] >= bytes_per_s[link] * (1 - 1e-12) && rates[i] >= most[link] * (1 - 1e-12);
        }
        ck_assert_msg(bound, "flow %u has a rate of %g", i, rates[i]);
    }
}

START_TEST(random_networks) {
    for (uint32_t i = 0; i < FRS_TEST_CASES(2000); i++) {
        struct frs_rng rng = frs_rng_stream(i, 0, 0, 0, FRS_RNG_TEST);
        double bytes_per_s[LINKS], rates[FLOWS];
        uint32_t links[FLOWS][2], n = 1 + frs_rng_below(&rng, FLOWS);
        for (int link = 0; link < LINKS; link++)
            bytes_per_s[link] = 1 + frs_rng_below(&rng, i % 2 ? 10 : 1000000);
        for (uint32_t flow = 0; flow < n; flow++) {
            links[flow][0] = 2 * frs_rng_below(&rng, LINKS / 2);
            links[flow][1] = 2 * frs_rng_below(&rng, LINKS / 2) + 1;
        }
        struct frs_max_min *max_min = frs_max_min_create(bytes_per_s, LINKS);
        frs_max_min_solve(max_min, (const uint32_t(*)[2])links, n, rates);
        check(bytes_per_s, (const uint32_t(*)[2])links, n, rates);
        frs_max_min_destroy(max_min);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("max-min");
    TCase *tests = tcase_create("max-min");
    tcase_add_test(tests, three_flows_by_hand);
    tcase_add_test(tests, random_networks);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
