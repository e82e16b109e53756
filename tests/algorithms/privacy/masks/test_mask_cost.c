/* What the counted work of pairwise masks costs, by hand. */
#include "algorithms/privacy/masks/mask_cost.h"
#include "tests/support.h"

/* At 0.25 ns an operation: 38 µs an agreement (150,000), 2.8 ns a masked number (11), 48 ns a step of a share
 * (190), 23 ns a step of a weight (90), 0.4 µs a box (1,600). */
START_TEST(each_kind_of_work_has_its_price) {
    const struct {
        struct frs_mask_tally tally;
        double flop;
    } priced[] = {{{.agreements = 2}, 300000}, {{.masked_numbers = 10}, 110}, {{.share_steps = 3}, 570},
        {{.weight_steps = 5}, 450}, {{.boxes = 7}, 11200}, {{2, 10, 3, 5, 7}, 312330}};
    for (size_t i = 0; i < sizeof priced / sizeof *priced; i++)
        ck_assert_double_eq(frs_mask_flop(&priced[i].tally), priced[i].flop);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("mask_cost");
    TCase *tests = tcase_create("mask_cost");
    tcase_add_test(tests, each_kind_of_work_has_its_price);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
