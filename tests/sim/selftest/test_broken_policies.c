/* Policies, selections and adaptations that break their contract, one clause each. */
#include "actors/adaptation.h"
#include "actors/policy.h"
#include "actors/round.h"
#include "actors/selection.h"
#include "tests/sim/selftest/broken.h"

#include <math.h>
#include <sys/mman.h>

extern const struct frs_policy frs_policy_wait_all, frs_policy_deadline;
extern const struct frs_selection frs_selection_uniform;
extern const struct frs_adaptation frs_adaptation_fixed;

/* ---- policies --------------------------------------------------------------------------------- */

static void never(struct frs_round *round) {
    for (;;)
        frs_round_wait(round, round->n, INFINITY);
}

/* The first upload, whatever it is that waits for all. */
static void first_upload(struct frs_round *round) {
    frs_round_wait(round, 1, INFINITY);
}

/* Counts simulations, which are processes of their own. */
static unsigned *n_played;

/* A little later in every simulation than in the one before. */
static void ever_later(struct frs_round *round) {
    static double patience_s = 0;
    if (patience_s == 0)
        patience_s = 10 + 0.5 * ++*n_played;
    frs_round_wait(round, round->n, round->started_s + patience_s);
}

static void stop_anyway(struct frs_round *round) {
    if (!frs_round_wait(round, round->n, round->started_s + 10))
        frs_round_finish_epochs(round);
    frs_round_wait(round, round->n, INFINITY);
}

static void needs_nothing(const struct frs_values *values, const struct frs_policy_setup *setup,
    struct frs_policy_settings *settings, struct frs_errors *errors) {
    (void)values, (void)setup, (void)errors;
    settings->n_needed = 0;
}

static struct frs_policy policy_with(const struct frs_policy *of, void (*collect)(struct frs_round *round)) {
    struct frs_policy policy = *of;
    policy.plugin.name = "mine";
    policy.collect = collect;
    return policy;
}

START_TEST(wrong_policies_are_found) {
    struct frs_policy policy = policy_with(&frs_policy_deadline, frs_policy_deadline.collect);
    kept("policy", &policy.plugin);
    policy.leaves_stragglers = false;
    broken(
        "policy", &policy.plugin, "no client is cut or late where the policy leaves no stragglers: client ");
    policy = policy_with(&frs_policy_wait_all, first_upload);
    broken(
        "policy", &policy.plugin, "no client is cut or late where the policy leaves no stragglers: client ");
    n_played = mmap(NULL, sizeof *n_played, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert(n_played != MAP_FAILED);
    policy = policy_with(&frs_policy_wait_all, ever_later);
    policy.leaves_stragglers = true;
    broken("policy", &policy.plugin, "the same clients give the same rounds: ");
    munmap(n_played, sizeof *n_played);
    policy = policy_with(&frs_policy_wait_all, stop_anyway);
    broken("policy", &policy.plugin, "clients stop early only where the policy truncates: they do (");
    policy = policy_with(&frs_policy_wait_all, frs_policy_wait_all.collect);
    policy.read = needs_nothing;
    broken(
        "policy", &policy.plugin, "a round waits for an upload, and for no more than are selected: 0 of 1");
    policy.collect = NULL;
    broken("policy", &policy.plugin, "it lacks the slot collect (actors/policy.h)");
}
END_TEST

/* The simulation ends with the check that has waited for it. */
START_TEST(endless_rounds_are_one_line) {
    struct frs_policy policy = policy_with(&frs_policy_wait_all, never);
    struct frs_selftest_result result = selftest_of("policy", &policy.plugin, 1);
    char *line = frs_selftest_line(&result);
    ck_assert_int_eq(result.outcome, FRS_SELFTEST_ENDLESS);
    ck_assert_str_eq(line, "has not ended after 1 s, while checking: a round never hangs, whatever happens "
                           "(actors/policy.h, collect)");
    free(line);
    frs_selftest_result_fini(&result);
}
END_TEST

/* ---- selections ------------------------------------------------------------------------------- */

static uint32_t select_first(const struct frs_selection_request *request, uint32_t *clients) {
    for (uint32_t i = 0; i < request->n; i++)
        clients[i] = i;
    return request->n;
}

static uint32_t select_twice(const struct frs_selection_request *request, uint32_t *clients) {
    uint32_t n = frs_selection_uniform.select(request, clients);
    if (n > 1)
        clients[1] = clients[0];
    return n;
}

static uint32_t select_too_many(const struct frs_selection_request *request, uint32_t *clients) {
    return frs_selection_uniform.select(request, clients) + 1;
}

static uint32_t select_beyond(const struct frs_selection_request *request, uint32_t *clients) {
    uint32_t n = frs_selection_uniform.select(request, clients);
    if (n > 0)
        clients[0] = request->n_clients;
    return n;
}

static uint32_t select_fewer(const struct frs_selection_request *request, uint32_t *clients) {
    uint32_t n = frs_selection_uniform.select(request, clients);
    return n > 6 ? n - 1 : n;
}

static uint32_t select_by_history(const struct frs_selection_request *request, uint32_t *clients) {
    static uint32_t n_selected;
    struct frs_selection_request other = *request;
    other.attempt += n_selected++;
    return frs_selection_uniform.select(&other, clients);
}

/* Small cohorts are of the upper half of the eligible clients, where there are enough of them. */
static bool is_upper(void *context, uint32_t client) {
    const struct frs_selection_request *request = context;
    return client >= request->n_clients / 2 && frs_selection_eligible(request, client);
}

static uint32_t select_upper(const struct frs_selection_request *request, uint32_t *clients) {
    struct frs_selection_request upper = *request;
    upper.eligible = is_upper;
    upper.context = (void *)(uintptr_t)request;
    uint32_t n = frs_selection_uniform.select(request->n > 5 ? request : &upper, clients);
    return n < request->n ? frs_selection_uniform.select(request, clients) : n;
}

START_TEST(wrong_selections_are_found) {
    static const struct {
        uint32_t (*select)(const struct frs_selection_request *request, uint32_t *clients);
        const char *says;
    } cases[] = {
        {select_first, "only eligible clients are selected: client 0 is not, in round "},
        {select_twice, "no client is selected twice in a cohort: client "},
        {select_too_many, "select never fills in more clients than there is room for: 2 of 1 wanted"},
        {select_beyond, "ids are below n_clients: id 50 of 50 clients"},
        {select_fewer, "as many clients are selected as are wanted and can be: 6 instead of 7 in round 1"},
        {select_by_history, "the same request after the same observations selects the same clients: "},
        {select_upper, "each client gets its turn, unless a rule of its own leaves clients out: client 0 is "
                       "not selected"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct frs_selection selection = frs_selection_uniform;
        selection.plugin.name = "mine";
        selection.select = cases[i].select;
        broken("selection", &selection.plugin, cases[i].says);
    }
}
END_TEST

START_TEST(wrong_flags_of_selections_are_found) {
    struct frs_selection selection = frs_selection_uniform;
    selection.plugin.name = "mine";
    kept("selection", &selection.plugin);
    selection.rests = true;
    broken("selection", &selection.plugin, "no client is selected in two rounds in a row: client ");
    selection = frs_selection_uniform;
    selection.plugin.name = "mine";
    selection.uses_loss = true;
    broken("selection", &selection.plugin,
        "who goes by losses goes by observations: uses_loss without observes");
    selection = frs_selection_uniform;
    selection.plugin.name = "mine";
    selection.varies = true;
    broken("selection", &selection.plugin,
        "it lacks the slot probability, which is required where its number of clients varies "
        "(actors/selection.h)");
    selection = frs_selection_uniform;
    selection.plugin.name = "mine";
    selection.select = NULL;
    broken("selection", &selection.plugin, "it lacks the slot select (actors/selection.h)");
}
END_TEST

/* ---- adaptations ------------------------------------------------------------------------------ */

static void choose_zero(const struct frs_adaptation_request *request, uint32_t *budgets) {
    for (size_t i = 0; i < request->n; i++)
        budgets[i] = 0;
}

static void choose_by_history(const struct frs_adaptation_request *request, uint32_t *budgets) {
    static uint32_t n_chosen;
    for (size_t i = 0; i < request->n; i++)
        budgets[i] = request->range.min + n_chosen++ % (request->range.max - request->range.min + 1);
}

static void *refuse_in_silence(
    const struct frs_values *values, const struct frs_budget_range *range, struct frs_errors *errors) {
    (void)values, (void)range, (void)errors;
    return NULL;
}

START_TEST(wrong_adaptations_are_found) {
    struct frs_adaptation adaptation = frs_adaptation_fixed;
    adaptation.plugin.name = "mine";
    kept("adaptation", &adaptation.plugin);
    adaptation.choose = choose_zero;
    broken("adaptation", &adaptation.plugin,
        "every client is assigned a budget within the range: client 0 is assigned 0 of 2 to 9 in round 0");
    adaptation.choose = choose_by_history;
    broken("adaptation", &adaptation.plugin,
        "the same request after the same observations assigns the same budgets: client ");
    adaptation.choose = NULL;
    broken("adaptation", &adaptation.plugin, "it lacks the slot choose (actors/adaptation.h)");
    adaptation = frs_adaptation_fixed;
    adaptation.plugin.name = "mine";
    adaptation.create = refuse_in_silence;
    broken("adaptation", &adaptation.plugin, "(actors/adaptation.h, create)");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("broken policies");
    TCase *tests = tcase_create("broken policies");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, wrong_policies_are_found);
    tcase_add_test(tests, endless_rounds_are_one_line);
    tcase_add_test(tests, wrong_selections_are_found);
    tcase_add_test(tests, wrong_flags_of_selections_are_found);
    tcase_add_test(tests, wrong_adaptations_are_found);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
