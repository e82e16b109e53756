/* Privacy mechanisms and non-federated baselines that break their contract, one clause each. */
#include "algorithms/non_federated.h"
#include "algorithms/privacy_mechanism.h"
#include "tests/sim/selftest/broken.h"

#include <math.h>

extern const struct frs_privacy_mechanism frs_privacy_clip, frs_privacy_gaussian, frs_privacy_ckks;
extern const struct frs_non_federated_model frs_non_federated_model_popularity;

/* ---- mechanisms ------------------------------------------------------------------------------- */

static void leave_alone(const void *settings, const struct frs_protected_update *protected) {
    (void)settings;
    (void)protected;
}

static struct frs_guarantee claim_nothing(const void *settings) {
    struct frs_guarantee guarantee = frs_privacy_gaussian.guarantee(settings);
    guarantee.local = !guarantee.local;
    return guarantee;
}

static uint64_t two_bytes_each(const void *settings, size_t n_values) {
    (void)settings;
    return 2 * n_values;
}

static double fewer_units(const void *settings, double message_bytes) {
    (void)settings;
    return 1e9 - message_bytes;
}

static double noise_falls(const void *settings, double weight) {
    (void)settings;
    return 1 / weight;
}

static struct frs_privacy_mechanism copy_of(const struct frs_privacy_mechanism *of) {
    struct frs_privacy_mechanism mechanism = *of;
    mechanism.plugin.name = "mine";
    return mechanism;
}

START_TEST(wrong_mechanisms_are_found) {
    struct frs_privacy_mechanism mechanism = copy_of(&frs_privacy_gaussian);
    kept("mechanism", &mechanism.plugin);
    mechanism.guarantee = claim_nothing;
    broken("mechanism", &mechanism.plugin,
        "a guarantee is local where noise is the client's, and there alone: local is ");
    mechanism = copy_of(&frs_privacy_gaussian);
    mechanism.noise_sd = noise_falls;
    broken("mechanism", &mechanism.plugin,
        "noise on a sum is finite, and no less where an upload weighs more: 10 at a weight of 0.1, 2 at 0.5");
    mechanism = copy_of(&frs_privacy_gaussian);
    mechanism.values = NULL;
    broken("mechanism", &mechanism.plugin,
        "the mechanism has what the place that it stands in needs: it has not, in place 0");
    mechanism = copy_of(&frs_privacy_ckks);
    mechanism.sealed_bytes = two_bytes_each;
    broken("mechanism", &mechanism.plugin,
        "a sealed size is at least four bytes for each value, and never falls: 2 bytes for 1 values, 0 "
        "before");
    mechanism = copy_of(&frs_privacy_ckks);
    mechanism.units = fewer_units;
    broken("mechanism", &mechanism.plugin, "a longer message has no fewer units: ");
    mechanism.place = NULL;
    broken("mechanism", &mechanism.plugin, "it lacks the slot place (algorithms/privacy_mechanism.h)");
}
END_TEST

/* Behind the clip that every other mechanism stands behind, one that says it bounds to less, and does
 * nothing. */
static struct frs_bound tiny_bound(const void *settings) {
    (void)settings;
    return (struct frs_bound){FRS_BOUND_L2, 1e-3};
}

START_TEST(empty_bounds_are_found) {
    struct frs_privacy_mechanism mechanism = copy_of(&frs_privacy_clip);
    mechanism.values = leave_alone;
    mechanism.bound = tiny_bound;
    broken("mechanism", &mechanism.plugin,
        "updates are within the bound that the mechanism states: the norm is ");
}
END_TEST

/* ---- baselines -------------------------------------------------------------------------------- */

static void score_evenly(const void *model, uint32_t client, const uint32_t *items, size_t n, float *scores) {
    (void)model, (void)client, (void)items;
    for (size_t i = 0; i < n; i++)
        scores[i] = 1;
}

static void score_to_nan(const void *model, uint32_t client, const uint32_t *items, size_t n, float *scores) {
    frs_non_federated_model_popularity.score(model, client, items, n, scores);
    for (size_t i = 0; i < n; i++)
        scores[i] = items[i] == 7 ? NAN : scores[i];
}

static void score_by_place(
    const void *model, uint32_t client, const uint32_t *items, size_t n, float *scores) {
    (void)model, (void)client, (void)items;
    for (size_t i = 0; i < n; i++)
        scores[i] = (float)i;
}

START_TEST(wrong_baselines_are_found) {
    struct frs_non_federated_model baseline = frs_non_federated_model_popularity;
    baseline.plugin.name = "mine";
    kept("non_federated", &baseline.plugin);
    baseline.score = score_evenly;
    broken("non_federated", &baseline.plugin, "items score differently: every item scores the same");
    baseline.score = score_to_nan;
    broken("non_federated", &baseline.plugin, "scores are finite: that of item 7 for client 0 is nan");
    baseline.score = score_by_place;
    broken("non_federated", &baseline.plugin,
        "an item scores the same alone and among others: 0 and 30 for client 0");
    baseline.fit = NULL;
    broken("non_federated", &baseline.plugin, "it lacks the slot fit (algorithms/non_federated.h)");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("broken mechanisms");
    TCase *tests = tcase_create("broken mechanisms");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, wrong_mechanisms_are_found);
    tcase_add_test(tests, empty_bounds_are_found);
    tcase_add_test(tests, wrong_baselines_are_found);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
