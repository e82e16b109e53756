/* Distributions and availability models that break their contract, one clause each. */
#include "platforms/availability/availability.h"
#include "platforms/distributions/distribution.h"
#include "sim/base/settings/params.h"
#include "tests/sim/selftest/broken.h"

#include <math.h>

extern const struct frs_distribution_kind frs_distribution_uniform[];
extern const struct frs_availability_model frs_availability_markov, frs_availability_bernoulli,
    frs_availability_states;

/* ---- distributions ---------------------------------------------------------------------------- */

static double falls(const struct frs_distribution *distribution, double u) {
    (void)distribution;
    return 2 - u;
}

static double is_no_number(const struct frs_distribution *distribution, double u) {
    (void)distribution;
    return u > 0.5 ? NAN : u;
}

static double wavers(const struct frs_distribution *distribution, double u) {
    static double drift;
    (void)distribution;
    (void)u;
    return drift += 1;
}

static bool read_nothing(
    const struct frs_values *values, struct frs_distribution *distribution, struct frs_errors *errors) {
    (void)values;
    (void)distribution;
    (void)errors;
    return true;
}

static bool refuse_in_silence(
    const struct frs_values *values, struct frs_distribution *distribution, struct frs_errors *errors) {
    (void)read_nothing(values, distribution, errors);
    return false;
}

static struct frs_distribution_kind distribution_with(
    double (*quantile)(const struct frs_distribution *distribution, double u)) {
    struct frs_distribution_kind kind = frs_distribution_uniform[0];
    kind.plugin.name = "mine";
    kind.quantile = quantile;
    return kind;
}

START_TEST(wrong_distributions_are_found) {
    struct frs_distribution_kind kind = distribution_with(frs_distribution_uniform[0].quantile);
    kept("distribution", &kind.plugin);
    kind = distribution_with(falls);
    broken("distribution", &kind.plugin, "values never fall as u rises: 1.");
    kind = distribution_with(is_no_number);
    broken("distribution", &kind.plugin, "a quantile is a number from 0: nan at u = 0.5");
    kind = distribution_with(wavers);
    broken("distribution", &kind.plugin,
        "a quantile is the same when it is asked for again: another value than ");
    kind = distribution_with(frs_distribution_uniform[0].quantile);
    kind.is_constant = true;
    broken("distribution", &kind.plugin, "a constant has one value at every quantile: ");
    kind = distribution_with(frs_distribution_uniform[0].quantile);
    kind.read = read_nothing;
    broken("distribution", &kind.plugin, "every key is read, under some setting of the others: low is not");
    kind.read = refuse_in_silence;
    broken("distribution", &kind.plugin, "read is true, or adds errors: it is false after 0 errors");
    kind.read = NULL;
    broken("distribution", &kind.plugin, "it lacks the slot read (platforms/distributions/distribution.h)");
}
END_TEST

/* ---- availability ----------------------------------------------------------------------------- */

/* Never leaves. */
static bool until_now(
    const void *state, uint32_t client, uint32_t round, uint32_t attempt, double t_s, double *until_s) {
    (void)state, (void)client, (void)round, (void)attempt;
    *until_s = t_s;
    return true;
}

/* Says that it changes every hour, and does not. */
static bool every_hour(
    const void *state, uint32_t client, uint32_t round, uint32_t attempt, double t_s, double *until_s) {
    (void)state, (void)client, (void)round, (void)attempt;
    *until_s = (floor(t_s / 3600) + 1) * 3600;
    return true;
}

/* Changes every hour, another way round after a question about a client above 8. */
static bool as_last_asked(
    const void *state, uint32_t client, uint32_t round, uint32_t attempt, double t_s, double *until_s) {
    static uint32_t last;
    (void)state, (void)round, (void)attempt;
    bool odd = fmod(floor(t_s / 3600), 2) == 1, online = last > 8 ? !odd : odd;
    last = client;
    *until_s = (floor(t_s / 3600) + 1) * 3600;
    return online;
}

static bool by_round(
    const void *state, uint32_t client, uint32_t round, uint32_t attempt, double t_s, double *until_s) {
    (void)attempt;
    return frs_availability_markov.at(state, client, 0, 0, t_s, until_s) != (round == 5);
}

static double no_retry(const void *state) {
    (void)state;
    return 0;
}

static double before_midnight(const void *state, uint32_t client) {
    (void)state, (void)client;
    return -1;
}

static bool always_never(const void *state, uint32_t client, uint32_t round) {
    (void)state, (void)client, (void)round;
    return true;
}

static double a_tenth(const void *state, uint32_t client, uint32_t round) {
    (void)state, (void)client, (void)round;
    return 0.1;
}

static double above_1(const void *state, uint32_t client, uint32_t round) {
    (void)state, (void)client, (void)round;
    return 1.5;
}

/* The first is online most. */
static void follow_backwards(void *state, const uint32_t *place, uint32_t n) {
    static uint32_t reverse[16];
    for (uint32_t client = 0; client < n; client++)
        reverse[client] = n - 1 - place[client];
    frs_availability_markov.follow(state, reverse, n);
}

static void require_nothing(void *state, const struct frs_eligible *eligible) {
    (void)state, (void)eligible;
}

static struct frs_availability_model model_with(const struct frs_availability_model *of,
    bool (*at)(const void *, uint32_t, uint32_t, uint32_t, double, double *)) {
    struct frs_availability_model model = *of;
    model.plugin.name = "mine";
    model.at = at;
    return model;
}

START_TEST(wrong_models_are_found) {
    struct frs_availability_model model = model_with(&frs_availability_markov, frs_availability_markov.at);
    kept("availability", &model.plugin);
    model.at = until_now;
    broken("availability", &model.plugin,
        "the time of the next change is later than the time asked for: client 0 at 0 s: 0 s");
    model.at = every_hour;
    broken("availability", &model.plugin,
        "at the time of the next change the answer is the other one: client 0 is online before and after "
        "3600 s");
    model.at = as_last_asked;
    broken("availability", &model.plugin, "the answer follows from seed, client and time alone");
    model.at = by_round;
    broken("availability", &model.plugin, "the answer follows from seed, client and time alone");
    model = model_with(&frs_availability_bernoulli, frs_availability_bernoulli.at);
    model.retry_s = no_retry;
    broken("availability", &model.plugin, "the next attempt comes later: after 0 s");
    model = model_with(&frs_availability_markov, frs_availability_markov.at);
    model.follow = follow_backwards;
    broken("availability", &model.plugin, "the client at place 0 is online least: it is online for 0.");
    model = model_with(&frs_availability_bernoulli, frs_availability_bernoulli.at);
    model.probability = NULL;
    model.never = always_never;
    broken("availability", &model.plugin,
        "a client that never answers in a round is offline in it: client 0 is online");
    model.never = NULL;
    model.probability = above_1;
    broken("availability", &model.plugin, "it is between 0 and 1, or not known: 1.5 of client 0 in round 0");
    model.probability = a_tenth;
    broken("availability", &model.plugin, "clients answer with it: client 0 answers in ");
    model = model_with(&frs_availability_markov, frs_availability_markov.at);
    model.clock_s = before_midnight;
    broken("availability", &model.plugin, "a clock shows a time after a midnight: -1 s of client 0");
    model = model_with(&frs_availability_states, frs_availability_states.at);
    model.require = require_nothing;
    broken("availability", &model.plugin,
        "a client is online in the states that are required, and in no others: ");
    model.device = NULL;
    broken("availability", &model.plugin,
        "it lacks the slot device, which is required where devices have states (require)");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("broken models");
    TCase *tests = tcase_create("broken models");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, wrong_distributions_are_found);
    tcase_add_test(tests, wrong_models_are_found);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
