/* Answers of an external method's program by hand: what is understood, and what is refused with which reason.
 */
#include "sim/external/frames.h"
#include "tests/support.h"

#include <string.h>

static char why[512];

START_TEST(a_hello_by_hand) {
    struct frs_external_traits traits;
    ck_assert(frs_frames_hello("external 2\nfeedback explicit\nsends updates\nwork measured\nlimits_epochs\n"
                               "works_after_upload\nkey epochs int 2 1 9 local epochs\n"
                               "key rate real 0.5 -1 1e3 step size\nkey loss choice bce bce|bpr the loss\n"
                               "key note text - a remark\nkey warm bool true begin warm\n",
        &traits, why, sizeof why));
    ck_assert(traits.predicts_ratings && traits.sends_updates && traits.measured && traits.limits_epochs &&
              traits.works_on);
    ck_assert_str_eq(traits.params[0].key, "epochs");
    ck_assert_int_eq(traits.params[0].type, FRS_INT);
    ck_assert_str_eq(traits.params[0].initial, "2");
    ck_assert_double_eq(traits.params[0].max, 9);
    ck_assert_str_eq(traits.params[0].help, "local epochs");
    ck_assert_double_eq(traits.params[1].min, -1);
    ck_assert_str_eq(traits.params[2].choices[1], "bpr");
    ck_assert_ptr_null(traits.params[2].choices[2]);
    ck_assert_str_eq(traits.params[3].initial, "");
    ck_assert_int_eq(traits.params[4].type, FRS_BOOL);
    ck_assert_ptr_null(traits.params[5].key);
    frs_frames_keys_free(&traits);
}
END_TEST

START_TEST(what_is_not_said_is_as_by_default) {
    struct frs_external_traits traits;
    ck_assert(frs_frames_hello("external 2\n", &traits, why, sizeof why));
    ck_assert(!traits.predicts_ratings && !traits.sends_updates && !traits.measured &&
              !traits.limits_epochs && !traits.works_on);
    ck_assert_ptr_null(traits.params[0].key);
    frs_frames_keys_free(&traits);
}
END_TEST

static const struct {
    const char *lines, *reason;
} wrong_hellos[] = {
    {"", "expected \"external 2\""},
    {"hello\n", "expected \"external 2\""},
    {"external 1\n", "this fedrecsim speaks version 2 of the protocol"},
    {"external 2\nfeedback some\n", "allowed: implicit or explicit"},
    {"external 2\nfeedback implicit now\n", "there are words too many"},
    {"external 2\nsleep\n", "allowed: feedback, sends, work,"},
    {"external 2\nlimits_epochs\n", "it limits epochs, but has no key epochs"},
    {"external 2\nkey Dim int 1 1 2 help\n", "a key's name is a lower-case letter"},
    {"external 2\nkey patience int 1 1 2 help\n", "every external method has a key of this name already"},
    {"external 2\nkey dim int 1 1 2 help\nkey dim int 1 1 2 help\n", "there is a key of this name already"},
    {"external 2\nkey dim int 1 2 1 help\n", "behind the default of a number stand its smallest"},
    {"external 2\nkey dim int 9 1 2 help\n", "out of range"},
    {"external 2\nkey dim int 1 1 2\n", "a key ends with a phrase that says what it sets"},
    {"external 2\nkey dim length 1 1 2 help\n", "the type of a key is int, real, bool, choice or text"},
    {"external 2\nkey loss choice mse bce|bpr help\n", "allowed: bce | bpr"},
    {"external 2\nkey epochs real 1 1 2 help\nlimits_epochs\n", "has to be an integer"},
    {"external 2\ntakes_budgets\n", "it takes budgets, which is for updates"},
};

START_TEST(a_wrong_hello_is_refused) {
    struct frs_external_traits traits;
    ck_assert(!frs_frames_hello(wrong_hellos[_i].lines, &traits, why, sizeof why));
    ck_assert_msg(strstr(why, wrong_hellos[_i].reason), "%s", why);
}
END_TEST

START_TEST(tables_by_hand) {
    struct frs_external_tables tables;
    bool given[FRS_MAX_TABLES];
    ck_assert(
        frs_frames_tables("table items shared 1682 16 normal 0.5\ntable net shared 1 9 given undivided\n"
                          "table users private 1 16 zeros alike\n",
            &(struct frs_external_traits){0}, &tables, given, why, sizeof why));
    ck_assert_uint_eq(tables.n, 3);
    ck_assert_str_eq(tables.table[0].name, "items");
    ck_assert(tables.table[0].shared && tables.table[0].rows == 1682 && tables.table[0].dim == 16);
    ck_assert(tables.table[0].start == FRS_NORMAL && tables.table[0].sd == 0.5 && !given[0]);
    ck_assert(tables.table[1].undivided && given[1]);
    ck_assert(!tables.table[2].shared && tables.table[2].rows == 1 && tables.table[2].alike);
}
END_TEST

static const struct {
    const char *lines, *reason;
} wrong_tables[] = {
    {"", "has no shared table"},
    {"table users private 1 4 zeros\n", "has no shared table"},
    {"items\n", "expected a table, budgets, or end"},
    {"table items shared 4\n", "a table has from 1 to 1e8 columns"},
    {"table items shared 0 4 zeros\n", "a table has from 1 to 2e9 rows"},
    {"table items shared 1.5 4 zeros\n", "a table has from 1 to 2e9 rows"},
    {"table items shared -3 4 zeros\n", "a table has from 1 to 2e9 rows"},
    {"table items shared nan 4 zeros\n", "a table has from 1 to 2e9 rows"},
    {"table items shared 0x10 4 zeros\n", "a table has from 1 to 2e9 rows"},
    {"table items open 4 4 zeros\n", "behind a table's name stands shared or private"},
    {"table items shared 4 4 ones\n", "first values are zeros, normal SD, or those given"},
    {"table items shared 4 4 normal -1\n", "behind normal stands the standard deviation"},
    {"table users private 1 4 given\n", "first values are zeros, normal SD, or those given"},
    {"table a shared 1 1 zeros\ntable a shared 1 1 zeros\n", "there is a table of this name already"},
    {"table a shared 1 1 zeros alike\n", "there are words too many"},
    {"table a shared 1 1 zeros\ntable b shared 1 1 zeros\ntable c shared 1 1 zeros\n"
     "table d shared 1 1 zeros\ntable e shared 1 1 zeros\n",
        "has more than 4 shared tables"},
    {"table a shared 1 1 zeros\ntable u private 3 2 normal 1\n",
        "a private table of several rows begins with zeros"},
    {"table a shared 1 1 zeros\ntable u private 3 2 zeros alike\n",
        "a private table of several rows begins with zeros"},
    {"table a shared 1 1 zeros own own\n", "there are words too many"},
    {"table a shared 1 1 zeros\ntable b private 2 1 zeros\ntable c private 2 1 zeros\n"
     "table d private 2 1 zeros\ntable e private 2 1 zeros\ntable f private 2 1 zeros\n",
        "has more than 4 tables that are own, or private with several rows"},
    {"table a shared 1 4 zeros by_budget\n",
        "has a table by_budget, but its hello does not say takes_budgets"},
    {"table a shared 1 4 zeros\nbudgets 1 4 0\n", "names budgets, but its hello does not say takes_budgets"},
};

/* The same of a program that takes budgets, and so sends updates. */
static const struct {
    const char *lines, *reason;
} wrong_budgets[] = {
    {"table a shared 1 4 zeros by_budget\n", "takes budgets, but does not say which"},
    {"table a shared 1 4 zeros\nbudgets 1 4 0\n", "takes budgets, but has no table by_budget"},
    {"table a shared 1 3 zeros by_budget\nbudgets 1 4 0\n",
        "has a table of fewer columns than the largest budget"},
    {"table a shared 1 4 zeros by_budget own\nbudgets 1 4 0\n", "which is for \"sends states\""},
    {"budgets 0 4 0\n", "behind budgets stand the smallest and the largest"},
    {"budgets 4 1 0\n", "behind budgets stand the smallest and the largest"},
    {"budgets 1 4 1.5\n", "the share of the work that is the same"},
    {"budgets 1 4\n", "the share of the work that is the same"},
    {"budgets 1 4 0\nbudgets 1 4 0\n", "there are budgets already"},
};

START_TEST(wrong_budgets_are_refused) {
    const struct frs_external_traits traits = {.sends_updates = true, .takes_budgets = true};
    struct frs_external_tables tables;
    bool given[FRS_MAX_TABLES];
    ck_assert(!frs_frames_tables(wrong_budgets[_i].lines, &traits, &tables, given, why, sizeof why));
    ck_assert_msg(strstr(why, wrong_budgets[_i].reason), "%s", why);
}
END_TEST

START_TEST(budgets_and_personal_tables_by_hand) {
    const struct frs_external_traits traits = {.sends_updates = true, .takes_budgets = true}, states = {0};
    struct frs_external_tables tables;
    bool given[FRS_MAX_TABLES];
    ck_assert(frs_frames_tables("budgets 2 16 0.25\ntable a shared 9 16 zeros by_budget undivided\n", &traits,
        &tables, given, why, sizeof why));
    ck_assert(tables.budgets.min == 2 && tables.budgets.max == 16 && tables.fixed_work == 0.25);
    ck_assert(tables.table[0].by_budget && tables.table[0].undivided && !tables.table[0].own);
    ck_assert(frs_frames_tables("table a shared 9 16 zeros own\ntable b private 9 2 zeros\n", &states,
        &tables, given, why, sizeof why));
    ck_assert(tables.table[0].own && tables.table[1].rows == 9 && tables.table[1].dim == 2);
}
END_TEST

START_TEST(wrong_tables_are_refused) {
    struct frs_external_tables tables;
    bool given[FRS_MAX_TABLES];
    ck_assert(!frs_frames_tables(
        wrong_tables[_i].lines, &(struct frs_external_traits){0}, &tables, given, why, sizeof why));
    ck_assert_msg(strstr(why, wrong_tables[_i].reason), "%s", why);
}
END_TEST

static const struct frs_external_tables two = {.n = 3,
    .table = {{.name = "items", .shared = true, .rows = 7, .dim = 3}, {.name = "users", .rows = 1, .dim = 5},
        {.name = "network", .shared = true, .rows = 1, .dim = 4}}};

START_TEST(a_training_by_hand) {
    const struct frs_external_traits traits = {.limits_epochs = true, .works_on = true};
    struct frs_frame_trained trained;
    ck_assert(frs_frames_trained(
        "trained -0.5 2 18 1000 100 9 3 all", &two, &traits, 2, &trained, why, sizeof why));
    ck_assert_double_eq(trained.loss, -0.5);
    ck_assert_uint_eq(trained.epochs, 2);
    ck_assert_double_eq(trained.processed, 18);
    ck_assert_double_eq(trained.flop, 1000);
    ck_assert_double_eq(trained.post_flop, 100);
    ck_assert_double_eq(trained.post_processed, 9);
    ck_assert(trained.n[0] == 3 && !trained.all[0] && trained.n[1] == 1 && trained.all[1]);
    ck_assert(trained.n[2] == 1 && trained.all[2]);
}
END_TEST

static const struct {
    const char *line, *reason;
    struct frs_external_traits traits;
} wrong_trainings[] = {
    {"done", "expected \"trained ...\"", {0}},
    {"trained", "behind trained stands the loss", {0}},
    {"trained nan 1 1 1 0 0 1 1", "its loss is not finite", {0}},
    {"trained 0 -1 1 1 0 0 1 1", "behind the loss stand the epochs", {0}},
    {"trained 0 1 1 inf 0 0 1 1", "from 0 to 1e18", {0}},
    {"trained 0 1 1 1 0 0 8 1", "for each table but private ones of one row it says how many", {0}},
    {"trained 0 1 1 1 0 0 1", "for each table but private ones of one row it says how many", {0}},
    {"trained 0 1 1 1 0 0 1 1 1", "there are words too many", {0}},
    {"trained 0 1 1 0 0 0 1 1", "a method that counts none says \"work measured\"", {0}},
    {"trained 0 1 1 5 0 0 1 1", "its hello says \"work measured\"", {.measured = true}},
    {"trained 0 1 1 5 1 0 1 1", "does not say works_after_upload", {0}},
    {"trained 0 1 1 5 6 0 1 1", "more follows the upload than there is in all", {.works_on = true}},
    {"trained 0 3 1 5 0 0 1 1", "more epochs than it was allowed", {.limits_epochs = true}},
};

START_TEST(a_wrong_training_is_refused) {
    struct frs_frame_trained trained;
    ck_assert(!frs_frames_trained(
        wrong_trainings[_i].line, &two, &wrong_trainings[_i].traits, 2, &trained, why, sizeof why));
    ck_assert_msg(strstr(why, wrong_trainings[_i].reason), "%s", why);
}
END_TEST

#define COUNT(of) (int)(sizeof of / sizeof *of)

int main(void) {
    Suite *suite = suite_create("frames");
    TCase *tests = tcase_create("frames");
    tcase_add_test(tests, a_hello_by_hand);
    tcase_add_test(tests, what_is_not_said_is_as_by_default);
    tcase_add_loop_test(tests, a_wrong_hello_is_refused, 0, COUNT(wrong_hellos));
    tcase_add_test(tests, tables_by_hand);
    tcase_add_loop_test(tests, wrong_tables_are_refused, 0, COUNT(wrong_tables));
    tcase_add_loop_test(tests, wrong_budgets_are_refused, 0, COUNT(wrong_budgets));
    tcase_add_test(tests, budgets_and_personal_tables_by_hand);
    tcase_add_test(tests, a_training_by_hand);
    tcase_add_loop_test(tests, a_wrong_training_is_refused, 0, COUNT(wrong_trainings));
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
