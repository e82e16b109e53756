/* LightGCN, NCF and CentRAP beside an independent program (tests/oracle/baselines.py), which checks the
 * samples that each epoch has drawn, and takes every step of every batch with gradients of its own: scores of
 * all users for all items, before the first epoch and after each. */
#include "algorithms/non_federated.h"
#include "algorithms/non_federated/epoch_samples.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"
#include "tests/folder.h"

#include <math.h>
#include <stdio.h>

enum { USERS = 7, ITEMS = 11, EPOCHS = 3, MOST_SETTINGS = 24 };

/* Items are excluded that are not the user's own; user 3 has one free item, fewer than negatives are wanted,
 * and user 4 no item of its own. Item 10 has no user. */
static const uint32_t own[USERS][5] = {{0, 1, 3, 8}, {1, 2}, {0, 4, 5, 9}, {5}, {0}, {0, 2, 6, 7, 8},
    {1, 3, 4, 9}},
                      excluded[USERS][ITEMS] = {{0, 1, 3, 8}, {1, 2, 6}, {0, 4, 5, 9, 10},
                          {0, 1, 2, 3, 4, 5, 7, 8, 9, 10}, {2}, {0, 2, 3, 6, 7, 8}, {1, 3, 4, 5, 9}};
static const size_t n_own[USERS] = {4, 2, 4, 1, 0, 5, 4}, n_excluded[USERS] = {4, 3, 5, 10, 1, 6, 5};
static const float ones[] = {1, 1, 1, 1, 1};

/* Epochs have 20 pairs, or 78 samples of three negatives: batches end within them, and the 64 samples that
 * NCF passes at once within a batch. baselines.py has no defaults. */
static const struct {
    const char *name, *settings[MOST_SETTINGS];
} cases[] = {
    {"lightgcn", {"dim", "3", "layers", "3", "loss", "bpr", "negatives", "0", "batch", "4", "learning_rate",
                     "0.02", "l2", "0.1", "init", "0.5"}},
    {"lightgcn", {"dim", "2", "layers", "2", "loss", "bce", "negatives", "2", "batch", "5", "learning_rate",
                     "0.02", "l2", "0.05", "init", "0.5"}},
    {"lightgcn", {"dim", "3", "layers", "0", "loss", "bpr", "negatives", "0", "batch", "100", "learning_rate",
                     "0.02", "l2", "0", "init", "0.5"}},
    {"ncf", {"dim", "3", "layers", "5,4,2", "negatives", "2", "batch", "4", "learning_rate", "0.02", "init",
                "0.5"}},
    {"ncf", {"dim", "2", "layers", "3", "negatives", "3", "batch", "100", "learning_rate", "0.05", "init",
                "0.5"}},
    {"centrap", {"dim", "3", "negatives", "2", "batch", "6", "learning_rate", "0.1", "user_learning_rate",
                    "0.05", "lambda", "0.3", "mu", "0.5", "init", "0.3", "user_init", "0.4"}},
    {"centrap", {"dim", "2", "negatives", "4", "batch", "100", "learning_rate", "0.2", "user_learning_rate",
                    "0.01", "lambda", "0", "mu", "0.1", "init", "0.2", "user_init", "0.3"}},
};
enum { CASES = sizeof cases / sizeof *cases };

static void write_list(FILE *file, const uint32_t *list, size_t n) {
    fprintf(file, "%zu", n);
    for (size_t i = 0; i < n; i++)
        fprintf(file, " %u", list[i]);
    fputc('\n', file);
}

static void write_normal(FILE *file, struct frs_rng *rng, size_t n, double sd) {
    float drawn[128];
    ck_assert_uint_le(n, 128);
    frs_rng_fill_normal(rng, drawn, n, sd);
    for (size_t i = 0; i < n; i++)
        fprintf(file, "%.9g%c", (double)drawn[i], i + 1 < n ? ' ' : '\n');
}

/* Weights of a layer within ±√(6/(inputs + outputs)), then its biases, 0. */
static void write_layer(FILE *file, struct frs_rng *rng, size_t n_in, size_t n_out, size_t n_biases) {
    for (size_t i = 0; i < n_in * n_out; i++)
        fprintf(file, "%.9g ", sqrt(6.0 / (double)(n_in + n_out)) * (2 * frs_rng_unit(rng) - 1));
    for (size_t o = 0; o < n_biases; o++)
        fputs("0 ", file);
    fputc('\n', file);
}

static void write_initial(FILE *file, const char *name, const struct frs_values *values, uint64_t seed) {
    struct frs_rng rng = frs_rng_stream(seed, FRS_RNG_SERVER, 0, 0, FRS_RNG_NON_FEDERATED);
    size_t dim = (size_t)frs_values_int(values, "dim"), n_in = 2 * dim;
    double sd = frs_values_real(values, "init");
    if (strcmp(name, "lightgcn") == 0)
        for (size_t node = 0; node < USERS + ITEMS; node++)
            write_normal(file, &rng, dim, sd);
    if (strcmp(name, "ncf") == 0) {
        write_normal(file, &rng, USERS * 2 * dim, sd);
        write_normal(file, &rng, ITEMS * 2 * dim, sd);
        for (const char *at = frs_values_text(values, "layers"); at; at = strchr(at, ',')) {
            at += *at == ',';
            size_t n_out = strtoul(at, NULL, 10);
            write_layer(file, &rng, n_in, n_out, n_out);
            n_in = n_out;
        }
        write_layer(file, &rng, n_in, 1, 1);
        write_layer(file, &rng, dim, 1, 0);
    }
    if (strcmp(name, "centrap") == 0) {
        write_normal(file, &rng, ITEMS * dim, sd);
        write_normal(file, &rng, USERS * dim, frs_values_real(values, "user_init"));
        for (uint32_t user = 0; user < USERS; user++) {
            rng = frs_rng_stream(seed, user, 0, 3, FRS_RNG_NON_FEDERATED);
            write_normal(file, &rng, ITEMS * dim, sd);
        }
    }
}

/* Each with its label; a pair has its negative behind it, which is drawn as it is met. */
static void write_samples(FILE *file, struct frs_epoch_samples *drawn, uint32_t epoch, bool pairs) {
    const struct frs_population *population = drawn->population;
    struct frs_rng rng = frs_rng_stream(population->seed, FRS_RNG_SERVER, epoch, 2, FRS_RNG_NON_FEDERATED);
    frs_epoch_samples_draw(drawn, epoch);
    fprintf(file, "%zu\n", drawn->n);
    for (size_t i = 0; i < drawn->n; i++) {
        const struct frs_client_data *user = &population->clients[drawn->samples[i].user];
        bool taken = pairs;
        uint32_t negative = 0;
        while (taken) {
            negative = frs_rng_below(&rng, ITEMS);
            taken = false;
            for (size_t k = 0; k < user->n_excluded; k++)
                taken = taken || user->excluded[k] == negative;
        }
        fprintf(file, "%u %u %u %u\n", user->client, drawn->samples[i].item >> 1, drawn->samples[i].item & 1,
            negative);
    }
}

static void write_case(FILE *file, int c, const struct frs_population *population) {
    const struct frs_non_federated_model *baseline = frs_non_federated_model_find(cases[c].name);
    struct frs_values values = frs_values_of(baseline->plugin.params, cases[c].settings);
    struct frs_epoch_samples drawn = {
        .population = population, .negatives = (size_t)frs_values_int(&values, "negatives")};
    size_t n_settings = 0;
    while (cases[c].settings[n_settings])
        n_settings++;
    fprintf(file, "%s %d %d %d %zu\n", cases[c].name, ITEMS, USERS, EPOCHS, n_settings / 2);
    for (size_t i = 0; i < n_settings; i++)
        fprintf(file, "%s\n", cases[c].settings[i]);
    for (uint32_t u = 0; u < USERS; u++)
        write_list(file, own[u], n_own[u]);
    for (uint32_t u = 0; u < USERS; u++)
        write_list(file, excluded[u], n_excluded[u]);
    write_initial(file, cases[c].name, &values, population->seed);
    for (uint32_t epoch = 0; epoch < EPOCHS; epoch++)
        write_samples(file, &drawn, epoch,
            strcmp(cases[c].name, "lightgcn") == 0 && strcmp(frs_values_text(&values, "loss"), "bpr") == 0);
    frs_epoch_samples_fini(&drawn);
    frs_values_fini(&values);
}

/* The scores of a model of so many epochs, beside their next ones. */
static double compare(FILE *theirs, int c, const struct frs_population *population, int epochs) {
    const struct frs_non_federated_model *baseline = frs_non_federated_model_find(cases[c].name);
    const char *settings[MOST_SETTINGS + 3] = {"epochs", (const char *[]){"0", "1", "2", "3"}[epochs]};
    memcpy(settings + 2, cases[c].settings, sizeof cases[c].settings);
    struct frs_values values = frs_values_of(baseline->plugin.params, settings);
    void *model = baseline->fit(&values, population, NULL);
    double worst = 0;
    for (uint32_t u = 0; u < USERS; u++)
        for (uint32_t i = 0; i < ITEMS; i++) {
            float ours;
            double score;
            baseline->score(model, u, &i, 1, &ours);
            ck_assert_int_eq(fscanf(theirs, "%lf", &score), 1);
            worst = fmax(worst, fabs((double)ours - score));
        }
    baseline->destroy(model);
    frs_values_fini(&values);
    return worst;
}

START_TEST(agree_with_an_independent_program) {
    struct frs_client_data clients[USERS];
    if (system("command -v python3 >/dev/null") != 0)
        return;
    for (uint32_t u = 0; u < USERS; u++)
        clients[u] = (struct frs_client_data){u, own[u], ones, n_own[u], excluded[u], n_excluded[u]};
    struct frs_population population = {.n_clients = USERS, .n_items = ITEMS, .clients = clients, .seed = 5};
    FILE *file = fopen("in.txt", "w");
    fprintf(file, "%d\n", CASES);
    for (int c = 0; c < CASES; c++)
        write_case(file, c, &population);
    fclose(file);
    char *command =
        frs_format("cd '%s' && python3 '%s/tests/oracle/baselines.py' <'%s/in.txt' >'%s/theirs.txt'",
            frs_before, frs_test_source_dir(), frs_folder, frs_folder);
    ck_assert_int_eq(system(command), 0);
    free(command);
    FILE *theirs = fopen("theirs.txt", "r");
    for (int c = 0; c < CASES; c++)
        for (int epochs = 0; epochs <= EPOCHS; epochs++) {
            double worst = compare(theirs, c, &population, epochs);
            printf(
                "%s, case %d, %d epochs: scores differ by %.2g at most\n", cases[c].name, c, epochs, worst);
            ck_assert_double_lt(worst, 1e-5);
        }
    ck_assert_int_eq(fgetc(theirs), '\n');
    ck_assert_int_eq(fgetc(theirs), EOF);
    fclose(theirs);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("baselines step by step");
    TCase *tests = tcase_create("baselines");
    tcase_add_checked_fixture(tests, fixture_setup, fixture_teardown);
    tcase_add_test(tests, agree_with_an_independent_program);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
