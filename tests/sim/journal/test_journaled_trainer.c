/* What a journal knows is told without training: the groups of a method, and how many there are. */
#include "sim/base/errors.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/setup/compose/compose.h"
#include "sim/journal/journaled_trainer.h"
#include "tests/sim/run/fixture.h"

static const char text[] =
    "seed = 4;\ndata = { synthetic = \"custom\"; feedback = \"explicit\"; users = 20; items = 40;"
    " interactions = 200; activity_ceiling = 0.5; split = \"ratio\"; };\n"
    "method = { name = \"fedfast\"; dim = 4; clusters = 3; };\nrounds = { selection = \"by_group\"; };\n"
    "network = { preset = \"fieldguide\"; };\ndevices = { preset = \"fieldguide\"; };\n";

enum { N_CLIENTS = 20 };

/* A method that ends up with a group less than it starts with. */
static const struct frs_learner *fedfast;
static uint32_t initial[N_CLIENTS];

static const uint32_t *groups(const void *model, uint32_t *n_groups) {
    const uint32_t *now = fedfast->groups(model, n_groups);
    *n_groups -= memcmp(now, initial, sizeof initial) != 0;
    return now;
}

/* Clients 0 to 9 train and arrive. */
static void take_round(struct frs_journaled_trainer *journaled) {
    enum { N = 10 };
    struct frs_member members[N], *list[N];
    size_t handles[N];
    double encode_flop;
    for (uint32_t i = 0; i < N; i++) {
        members[i] = (struct frs_member){.client = i, .trains = true};
        list[i] = &members[i];
    }
    struct frs_cohort cohort = {.n = N, .members = list};
    frs_journaled_trainer_open(journaled, &cohort, &encode_flop);
    for (size_t i = 0; i < N; i++) {
        handles[i] = members[i].handle;
        frs_journaled_trainer_received(journaled, handles[i]);
        frs_journaled_trainer_commit(journaled, handles[i]);
        frs_journaled_trainer_drop(journaled, handles[i]);
    }
    (void)frs_journaled_trainer_close(journaled, &(struct frs_arrivals){.handles = handles, .n = N});
}

static struct frs_scenario *compose(struct frs_setup *setup) {
    struct frs_errors errors = {0};
    struct frs_scenario *scenario;
    write_text("s.cfg", text);
    char *path = frs_format("%s/s.cfg", frs_folder);
    ck_assert_msg(frs_scenario_load(frs_sections, path, NULL, 0, &scenario, &errors) == FRS_OK &&
                      frs_compose(scenario, setup, &errors) == FRS_OK,
        "%s", errors.n ? errors.lines[0] : "");
    free(path);
    return scenario;
}

static uint32_t groups_after_a_round(struct frs_journal *journal, uint32_t *now, bool trains) {
    struct frs_setup setup;
    struct frs_scenario *scenario = compose(&setup);
    uint32_t n_groups;
    memcpy(initial, setup.training.learner->groups(setup.training.model, &n_groups), sizeof initial);
    ck_assert_uint_eq(n_groups, 3);
    fedfast = setup.training.learner;
    struct frs_learner learner = *fedfast;
    learner.groups = groups;
    setup.training.learner = &learner;
    struct frs_pool *pool = frs_pool_create(1);
    struct frs_journaled_trainer *journaled =
        frs_journaled_trainer_create(&setup.training, pool, NULL, journal);
    take_round(journaled);
    n_groups = frs_journaled_trainer_groups(journaled, now);
    ck_assert_int_eq(frs_journaled_trainer_trained(journaled), trains);
    frs_journaled_trainer_destroy(journaled);
    frs_pool_destroy(pool);
    setup.training.learner = fedfast;
    frs_setup_fini(&setup);
    frs_scenario_destroy(scenario);
    return n_groups;
}

START_TEST(groups_are_recalled_as_they_were) {
    uint32_t trained[N_CLIENTS], recalled[N_CLIENTS];
    struct frs_journal *journal = frs_journal_create(&(struct frs_digest){0});
    ck_assert_uint_eq(groups_after_a_round(journal, trained, true), 2);
    ck_assert_mem_ne(trained, initial, sizeof trained);
    ck_assert_uint_eq(groups_after_a_round(journal, recalled, false), 2);
    ck_assert_mem_eq(recalled, trained, sizeof trained);
    frs_journal_destroy(journal);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("learning");
    TCase *tests = tcase_create("recalled");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_add_test(tests, groups_are_recalled_as_they_were);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
