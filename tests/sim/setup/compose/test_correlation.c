/* What availability follows, in a scenario: the rank correlation with the taste of each client is what was
 * asked for, and what nothing differs by is refused. */
#include "algorithms/data/tastes.h"
#include "sim/base/errors.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/setup/compose/compose.h"
#include "tests/sim/run/fixture.h"

enum { CLIENTS = 943 };

static bool compose(
    const char *text, struct frs_scenario **scenario, struct frs_setup *setup, struct frs_errors *errors) {
    write_text("s.cfg", text);
    char *path = frs_format("%s/s.cfg", frs_folder);
    bool good = frs_scenario_load(frs_sections, path, NULL, 0, scenario, errors) == FRS_OK &&
                frs_compose(*scenario, setup, errors) == FRS_OK;
    frs_errors_print(errors, stdout);
    free(path);
    return good;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Mean ranks of the values, from 0. */
static void rank(const double *values, double *ranks) {
    double sorted[CLIENTS];
    memcpy(sorted, values, sizeof sorted);
    qsort(sorted, CLIENTS, sizeof *sorted, ascending);
    for (size_t i = 0; i < CLIENTS; i++) {
        double below = 0, equal = 0;
        for (size_t k = 0; k < CLIENTS; k++) {
            below += sorted[k] < values[i];
            equal += sorted[k] == values[i];
        }
        ranks[i] = below + (equal - 1) / 2;
    }
}

static double correlation(const double *a, const double *b) {
    double ra[CLIENTS], rb[CLIENTS], mean = (CLIENTS - 1) / 2.0, ab = 0, aa = 0, bb = 0;
    rank(a, ra);
    rank(b, rb);
    for (size_t i = 0; i < CLIENTS; i++) {
        ab += (ra[i] - mean) * (rb[i] - mean);
        aa += (ra[i] - mean) * (ra[i] - mean);
        bb += (rb[i] - mean) * (rb[i] - mean);
    }
    return ab / sqrt(aa * bb);
}

START_TEST(taste_correlates_as_asked) {
    static const char *const asked[] = {"1", "0.8", "0.4", "0", "-0.6"};
    for (size_t i = 0; i < 5; i++) {
        struct frs_scenario *scenario;
        struct frs_setup setup;
        struct frs_errors errors = {0};
        char *text =
            frs_format("training = { enabled = false; }; devices = { compute = \"none\"; };\n"
                       "availability = { model = \"bernoulli\"; follows = \"taste\"; correlation = %s; };\n",
                asked[i]);
        double place[CLIENTS];
        ck_assert(compose(text, &scenario, &setup, &errors));
        ck_assert_uint_eq(setup.training.data->population.n_clients, CLIENTS);
        struct frs_tastes tastes =
            frs_tastes_of(setup.training.data, frs_scenario_section(scenario, "data"), setup.training.seed);
        for (uint32_t client = 0; client < CLIENTS; client++)
            place[client] = setup.reachability.place[client];
        double rho = strtod(asked[i], NULL);
        ck_assert_double_eq_tol(
            correlation(place, tastes.usual), rho, i == 0 ? 1e-3 : 4 * (1 - rho * rho / 2) / sqrt(CLIENTS));
        frs_tastes_fini(&tastes);
        frs_setup_fini(&setup);
        frs_scenario_destroy(scenario);
        free(text);
    }
}
END_TEST

START_TEST(what_does_not_differ_is_refused) {
    static const char *const texts[][2] = {
        {"availability = { model = \"bernoulli\"; follows = \"uplink\"; };",
            "is the same for all clients here"},
        {"method = { name = \"declared\"; down = \"1 MB\"; up = \"1 MB\"; work = \"1 Gflop\"; }; "
         "availability = { model = \"markov\"; follows = \"taste\"; };",
            "there are none"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct frs_scenario *scenario = NULL;
        struct frs_setup setup;
        struct frs_errors errors = {0};
        ck_assert(!compose(texts[i][0], &scenario, &setup, &errors));
        ck_assert_msg(strstr(errors.lines[0], texts[i][1]), "%s", errors.lines[0]);
        frs_scenario_destroy(scenario);
        frs_errors_clear(&errors);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("correlation");
    TCase *tests = tcase_create("correlation");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_add_test(tests, taste_correlates_as_asked);
    tcase_add_test(tests, what_does_not_differ_is_refused);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
