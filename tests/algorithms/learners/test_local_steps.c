/* Local work in steps and in shares of an epoch, of every learner that has the key: as many steps as whole
 * epochs have are these epochs, to the byte, and operations and samples are counted as they are run. */
#include "sim/base/errors.h"
#include "sim/base/settings/params.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

extern const struct frs_learner frs_learner_fedmf, frs_learner_fedmf_update, frs_learner_colr,
    frs_learner_scolr, frs_learner_fedncf, frs_learner_pfedclr, frs_learner_pfedrec, frs_learner_gpfedrec,
    frs_learner_fedrap, frs_learner_fedmf_ratings;

static const struct frs_learner *const learners[] = {&frs_learner_fedmf, &frs_learner_fedmf_update,
    &frs_learner_colr, &frs_learner_fedncf, &frs_learner_pfedclr, &frs_learner_pfedrec, &frs_learner_gpfedrec,
    &frs_learner_fedrap, &frs_learner_fedmf_ratings};
enum { LEARNERS = sizeof learners / sizeof *learners, N = 10, BATCH = 4, STEPS_A_PASS = 3 };

static const uint32_t items[N] = {0, 2, 3, 5, 6, 7, 8, 9, 12, 14};
static const float ratings[N] = {1, 5, 3, 4, 2, 5, 1, 3, 4, 2};
static const struct frs_client_data clients[] = {{0, items, ratings, N, items, N}};
static const struct frs_population population = {
    .n_clients = 1, .n_items = 20, .clients = clients, .seed = 3, .rating_min = 1, .rating_max = 5};

struct work {
    double flop, processed, post_processed, loss;
    uint32_t epochs;
    float first;
};

/* No negatives: ten samples. */
static struct work work_of(const struct frs_learner *learner, const char *key, const char *value) {
    char batch[8];
    snprintf(batch, sizeof batch, "%d", BATCH);
    const char *by_batch[] = {key, value, "batch", batch, NULL};
    if (learner == &frs_learner_fedmf_ratings)
        by_batch[2] = NULL;
    struct frs_learner_setup setup = {.population = &population};
    struct frs_values values = frs_values_of(learner->plugin.params, by_batch);
    struct frs_errors errors = {0};
    void *model = learner->create(&values, &setup, &errors);
    ck_assert_msg(model, "%s: %s", learner->plugin.name, errors.n ? errors.lines[0] : "");
    struct frs_arena arena = {0};
    struct frs_trained trained = train_client(learner, model, &population, 0, 0, 0, &arena);
    struct work work = {trained.flop, trained.processed, trained.post_processed, trained.loss, trained.epochs,
        trained.upload[0].values[0]};
    frs_arena_fini(&arena);
    frs_model_destroy(model);
    frs_values_fini(&values);
    frs_errors_clear(&errors);
    return work;
}

static double samples_of(const struct work *work) {
    return work->processed - work->post_processed;
}

START_TEST(steps_and_shares) {
    const struct frs_learner *learner = learners[_i];
    bool single = learner == &frs_learner_fedmf_ratings; /* a step is one rating */
    char two_epochs[8], four[8];
    snprintf(two_epochs, sizeof two_epochs, "%d", single ? 2 * N : 2 * STEPS_A_PASS);
    snprintf(four, sizeof four, "%d", STEPS_A_PASS + 1);
    struct work epochs = work_of(learner, "epochs", "2"), steps = work_of(learner, "steps", two_epochs);
    ck_assert(memcmp(&epochs, &steps, sizeof epochs) == 0);
    ck_assert_double_eq(samples_of(&epochs), 2 * N);
    struct work half = work_of(learner, "epochs", "0.5"), more = work_of(learner, "epochs", "1.5"),
                partly = work_of(learner, "steps", four), one = work_of(learner, "epochs", "1");
    ck_assert_double_eq(samples_of(&half), 5);
    ck_assert_uint_eq(half.epochs, 1);
    ck_assert_double_eq(samples_of(&more), 15);
    ck_assert_uint_eq(more.epochs, 2);
    ck_assert_double_eq(samples_of(&partly), single ? 4 : N + BATCH);
    ck_assert(half.flop > 0 && half.flop < one.flop && one.flop < more.flop && more.flop < epochs.flop);
    ck_assert(isfinite(half.loss) && isfinite(partly.loss));
    if (single)
        ck_assert_double_eq(half.flop * 2, one.flop);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("local steps");
    TCase *tests = tcase_create("local steps");
    tcase_add_loop_test(tests, steps_and_shares, 0, LEARNERS);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
