/* Where corrections lead on quadratics: the mean of x over 10^5 rounds, the first 10^4 left out, clients
 * arriving independently with probabilities p_i; and how small the steps of FedAU are where few arrive. */
#include "tests/algorithms/corrections/driver.h"

#define ROUNDS 100000u
#define LEFT_OUT 10000u
#define BATCHES 90u

/* The mean of x over the rounds that count, and its standard error by batches. */
struct where {
    double mean, error, last, most;
};

static struct where run(const char *name, const char *const *settings, uint32_t n, const double *c,
    const double *p, double rate, uint32_t stream) {
    struct driver d;
    struct frs_rng rng = test_rng(stream);
    double batch[BATCHES] = {0}, squares = 0;
    struct where where = {0};
    driver_begin(&d, name, settings, n, c, p, rate);
    for (uint32_t round = 0; round < ROUNDS; round++) {
        uint32_t clients[MAX_CLIENTS];
        size_t arrived = 0;
        for (uint32_t i = 0; i < n; i++)
            if (frs_rng_unit(&rng) < p[i])
                clients[arrived++] = i;
        driver_round(&d, clients, arrived);
        where.most = fmax(where.most, fabs(d.x));
        if (round >= LEFT_OUT)
            batch[(round - LEFT_OUT) / ((ROUNDS - LEFT_OUT) / BATCHES)] +=
                d.x / ((ROUNDS - LEFT_OUT) / BATCHES);
    }
    for (size_t i = 0; i < BATCHES; i++)
        where.mean += batch[i] / BATCHES;
    for (size_t i = 0; i < BATCHES; i++)
        squares += (batch[i] - where.mean) * (batch[i] - where.mean);
    where.error = sqrt(squares / (BATCHES - 1) / BATCHES);
    where.last = d.x;
    driver_end(&d);
    return where;
}

/* E[(1/|A|) Σ_A c_i | A ≠ ∅], over all 2^n sets. */
static double mean_over_those_who_arrive(uint32_t n, const double *c, const double *p) {
    double sum = 0, any = 0;
    for (uint32_t set = 1; set < 1u << n; set++) {
        double chance = 1, total = 0, size = 0;
        for (uint32_t i = 0; i < n; i++) {
            bool in = set >> i & 1;
            chance *= in ? p[i] : 1 - p[i];
            total += in ? c[i] : 0;
            size += in;
        }
        sum += chance * total / size;
        any += chance;
    }
    return sum / any;
}

static void expect_near(const char *name, struct where where, double expected) {
    ck_assert_msg(fabs(where.mean - expected) <= 4 * where.error && where.error < 4e-3,
        "%s: %.6f with standard error %.6f, expected %.6f", name, where.mean, where.error, expected);
}

static const double c2[] = {0, 1}, p2[] = {0.9, 0.5};

/* By hand (p₁ (1 − p₂/2) c₁ + p₂ (1 − p₁/2) c₂)/(p₁ + p₂ − p₁ p₂) = .5 · .55/.95. */
START_TEST(the_mean_is_biased) {
    ck_assert_double_eq_tol(mean_over_those_who_arrive(2, c2, p2), 0.275 / 0.95, 1e-12);
    ck_assert_double_eq_tol(0.275 / 0.95, 0.2895, 5e-5);
    expect_near("none", run("none", NO_SETTINGS, 2, c2, p2, 0.1, 1), 0.275 / 0.95);
}
END_TEST

START_TEST(corrections_are_not) {
    static const char *const names[] = {"inverse_probability", "fedau"};
    for (size_t i = 0; i < 2; i++)
        expect_near(names[i], run(names[i], NO_SETTINGS, 2, c2, p2, 0.1, 2), 0.5);
}
END_TEST

/* They converge. */
START_TEST(remembered_updates_converge) {
    static const char *const names[] = {"mifa", "fedvarp"};
    for (size_t i = 0; i < 2; i++) {
        struct where where = run(names[i], NO_SETTINGS, 2, c2, p2, 0.1, 3);
        ck_assert_msg(fabs(where.mean - 0.5) <= 1e-9 && fabs(where.last - 0.5) <= 1e-9,
            "%s: %.12f, at the end %.12f", names[i], where.mean, where.last);
    }
}
END_TEST

/* FedAWE as a rule is biased by about .24 η, and wild at η 1; not so with the clipping and the falling rates
 * of its code. */
START_TEST(own_models_are_biased_by_their_rate) {
    static const char *const rule[] = {"clip", "0", "falling_rate", "false", NULL};
    static const struct {
        double rate, ends_at, within;
    } of[] = {{1, 0.351, 0.04}, {0.1, 0.477, 0.003}, {0.01, 0.4976, 0.001}, {0.001, 0.4998, 5e-4}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        struct where where = run("fedawe", rule, 2, c2, p2, of[i].rate, 10);
        ck_assert_msg(fabs(where.mean - of[i].ends_at) <= of[i].within,
            "eta %g: %.6f with standard error %.6f, expected %.4f", of[i].rate, where.mean, where.error,
            of[i].ends_at);
        ck_assert_msg(i == 0 ? where.most > 20 : where.most < 3, "eta %g: up to %g", of[i].rate, where.most);
    }
    struct where where = run("fedawe", NO_SETTINGS, 2, c2, p2, 1, 10);
    ck_assert_msg(fabs(where.mean - 0.4963) <= 0.001, "as in its code: %.6f with standard error %.6f",
        where.mean, where.error);
}
END_TEST

/* c_i = i/9, p_i from .95 down to .05: the mean of c is .5. FedAU's cutoff of 50 would count the last one by
 * 18.5 where 20 is due. */
START_TEST(ten_clients) {
    double c[10], p[10], product = 0, sum = 0;
    for (uint32_t i = 0; i < 10; i++) {
        c[i] = i / 9.0;
        p[i] = 0.95 - 0.1 * i;
        product += p[i] * c[i];
        sum += p[i];
    }
    double of_those = mean_over_those_who_arrive(10, c, p);
    ck_assert_double_lt(of_those, product / sum); /* than a fixed divisor has it */
    expect_near("none", run("none", NO_SETTINGS, 10, c, p, 0.1, 4), of_those);
    expect_near("fedau", run("fedau", SETTINGS("cutoff", "1000"), 10, c, p, 0.1, 5), 0.5);
    expect_near("inverse_probability", run("inverse_probability", NO_SETTINGS, 10, c, p, 0.1, 6), 0.5);
    struct where mifa = run("mifa", NO_SETTINGS, 10, c, p, 0.1, 7),
                 fedvarp = run("fedvarp", NO_SETTINGS, 10, c, p, 0.1, 8);
    ck_assert_double_eq_tol(mifa.mean, 0.5, 1e-9);
    ck_assert_double_eq_tol(fedvarp.mean, 0.5, 1e-9);
}
END_TEST

/* ---- FedAU where few arrive -------------------------------------------------------------------- */

/* The mean of p E ω_t over the first 30 rounds. */
static double share_of_first_rounds(const struct frs_correction *fedau, const void *state, double p) {
    double share = 0;
    for (uint32_t round = 0; round < 30; round++)
        share += p * fedau->expected(state, p, round) / 30;
    return share;
}

/* The same by counting: 20,000 clients that upload with probability p. */
static double counted_share(const struct frs_correction *fedau, void *state, double p, uint32_t rounds,
    uint32_t from, double *mean_weight) {
    struct frs_rng rng = test_rng(9);
    double sum = 0, n = 0, weights = 0;
    for (uint32_t client = 0; client < 20000; client++)
        for (uint32_t round = 0; round < rounds; round++) {
            double weight;
            if (frs_rng_unit(&rng) >= p)
                continue;
            fedau->weigh(
                state, &(struct frs_correction_request){.round = round, .clients = &client, .n = 1}, &weight);
            if (round >= from) {
                sum += weight;
                n++;
            }
        }
    weights = n > 0 ? sum / n : 0;
    *mean_weight = weights;
    return sum / (20000.0 * (rounds - from));
}

START_TEST(steps_where_few_arrive) {
    const struct frs_correction *fedau = find_correction("fedau");
    struct frs_values values = frs_values_of(fedau->plugin.params, NO_SETTINGS);
    const double cohorts[] = {60, 566};
    for (size_t i = 0; i < 2; i++) {
        double p = cohorts[i] / 943 * 0.1, weight;
        void *state = fedau->create(&values, 20000);
        double expected = share_of_first_rounds(fedau, state, p),
               counted = counted_share(fedau, state, p, 30, 0, &weight);
        ck_assert_msg(fabs(counted - expected) <= 0.06 * expected, "%g of 943: %.4f, counted %.4f",
            cohorts[i], expected, counted);
        ck_assert_double_eq_tol(expected, i == 0 ? 0.011 : 0.28, i == 0 ? 5e-4 : 5e-3);
        fedau->destroy(state);
    }
    /* With K 50 the mean ω is (1 − (1 − p)^50)/p = 43 where 1/p = 157 is due. */
    double p = 6.0 / 943, weight;
    void *state = fedau->create(&values, 20000);
    (void)counted_share(fedau, state, p, 1500, 1000, &weight);
    ck_assert_double_eq_tol(fedau->expected(state, p, 1000), 43, 0.5);
    ck_assert_double_eq_tol(weight, 43, 0.7);
    ck_assert_double_eq_tol(1 / p, 157, 0.5);
    fedau->destroy(state);
    frs_values_fini(&values);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("quadratic");
    TCase *tests = tcase_create("quadratic");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, the_mean_is_biased);
    tcase_add_test(tests, corrections_are_not);
    tcase_add_test(tests, remembered_updates_converge);
    tcase_add_test(tests, own_models_are_biased_by_their_rate);
    tcase_add_test(tests, ten_clients);
    tcase_add_test(tests, steps_where_few_arrive);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
