/* Server optimisers: three steps of each, worked by hand. */
#include "algorithms/optimiser.h"
#include "sim/base/settings/params.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

#define STEPS 3

struct example {
    const char *optimiser;
    const char *settings[9]; /* pairs ended by NULL */
    float changes[STEPS];
    double expected[STEPS];
};

static const struct example examples[] = {
    /* 1/2 · Δ */
    {"none", {"rate", "0.5"}, {1, -2, 0}, {0.5, -1, 0}},
    /* m: 1, −3/2, −3/4 */
    {"momentum", {"rate", "2", "beta", "0.5"}, {1, -2, 0}, {2, -3, -1.5}},
    /* as the paper has it: m .5, .2, .18 */
    {"momentum", {NULL}, {0.5F, -0.25F, 0}, {0.5, 0.2, 0.18}},
    /* m: 1/2, −3/4, −3/8; v from τ² = 1/4: 7/16, 85/64, 255/256; m / (√v + 1/2) */
    {"adam", {"rate", "1", "beta1", "0.5", "beta2", "0.75", "tau", "0.5"}, {1, -2, 0},
        {0.4305009, -0.4538734, -0.2503262}},
    /* m: .01, .009, .0081; v from 1e-6: 1.0099e-4, 9.99801e-5, 9.8980299e-5; .01 m / (√v + .001) */
    {"adam", {NULL}, {0.1F, 0, 0}, {0.00905028, 0.00818256, 0.00739801}},
    /* m: 1/2, −3/4, −1/8; v from 1/4: 1/4 + 1/4 · 1, + 1/4 · 4, − 1/4 · 1/4 */
    {"yogi", {"rate", "1", "beta1", "0.5", "beta2", "0.75", "tau", "0.5"}, {1, -2, 0.5F},
        {0.4142136, -0.4348469, -0.0735745}},
    /* m: .01, .009, .0081; v from 1e-6: 1.01e-4, and stays: it changes by a share of Δ², which is 0 */
    {"yogi", {NULL}, {0.1F, 0, 0}, {0.00904987, 0.00814489, 0.00733040}},
};

static const struct frs_optimiser *find(const char *name) {
    for (size_t i = 0; frs_optimisers[i]; i++)
        if (strcmp(frs_optimisers[i]->plugin.name, name) == 0)
            return frs_optimisers[i];
    ck_abort_msg("no optimiser %s", name);
    return NULL;
}

START_TEST(steps_by_hand) {
    const struct example *example = &examples[_i];
    const struct frs_optimiser *optimiser = find(example->optimiser);
    struct frs_values values = frs_values_of(optimiser->plugin.params, example->settings);
    struct frs_optimiser_settings settings = {0};
    float start[FRS_MAX_MOMENTS] = {0};
    optimiser->init(&values, &settings, start);
    struct frs_moments moments = {{&start[0], &start[1]}};
    for (size_t i = 0; i < STEPS; i++) {
        float change = example->changes[i];
        optimiser->apply(&settings, moments, &change, 1);
        ck_assert_msg(fabs((double)change - example->expected[i]) <= 2e-7,
            "%s, step %zu: %.9g instead of %.9g", example->optimiser, i, (double)change,
            example->expected[i]);
    }
    frs_values_fini(&values);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("optimisers");
    TCase *tests = tcase_create("optimisers");
    tcase_add_loop_test(tests, steps_by_hand, 0, sizeof examples / sizeof *examples);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
