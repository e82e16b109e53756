/* Answers of an external method's program by hand: what is understood, and what is refused with which reason.
 */
#include "sim/external/frames.h"
#include "tests/support.h"

#include <string.h>

static char why[512];

START_TEST(a_hello_by_hand) {
    struct frs_external_traits traits;
    ck_assert(frs_frames_hello("external 1\nfeedback explicit\nsends updates\nwork measured\nlimits_epochs\n"
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
    ck_assert(frs_frames_hello("external 1\n", &traits, why, sizeof why));
    ck_assert(!traits.predicts_ratings && !traits.sends_updates && !traits.measured &&
              !traits.limits_epochs && !traits.works_on);
    ck_assert_ptr_null(traits.params[0].key);
    frs_frames_keys_free(&traits);
}
END_TEST

static const struct {
    const char *lines, *reason;
} wrong_hellos[] = {
    {"", "expected \"external 1\""},
    {"hello\n", "expected \"external 1\""},
    {"external 2\n", "this program speaks version 1 of the protocol"},
    {"external 1\nfeedback some\n", "allowed: implicit or explicit"},
    {"external 1\nfeedback implicit now\n", "there are words too many"},
    {"external 1\nsleep\n", "allowed: feedback, sends, work,"},
    {"external 1\nlimits_epochs\n", "it limits epochs, but has no key epochs"},
    {"external 1\nkey Dim int 1 1 2 help\n", "a key's name is a lower-case letter"},
    {"external 1\nkey patience int 1 1 2 help\n", "every external method has a key of this name already"},
    {"external 1\nkey dim int 1 1 2 help\nkey dim int 1 1 2 help\n", "there is a key of this name already"},
    {"external 1\nkey dim int 1 2 1 help\n", "behind the default of a number stand its smallest"},
    {"external 1\nkey dim int 9 1 2 help\n", "out of range"},
    {"external 1\nkey dim int 1 1 2\n", "a key ends with a phrase that says what it sets"},
    {"external 1\nkey dim length 1 1 2 help\n", "the type of a key is int, real, bool, choice or text"},
    {"external 1\nkey loss choice mse bce|bpr help\n", "allowed: bce | bpr"},
    {"external 1\nkey epochs real 1 1 2 help\nlimits_epochs\n", "has to be an integer"},
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
                          "table users private 16 zeros alike\n",
            &tables, given, why, sizeof why));
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
    {"table users private 4 zeros\n", "has no shared table"},
    {"items\n", "expected a table, or end"},
    {"table items shared 4\n", "a table has from 1 to 1e8 columns"},
    {"table items shared 0 4 zeros\n", "a shared table has from 1 to 2e9 rows"},
    {"table items shared 1.5 4 zeros\n", "a shared table has from 1 to 2e9 rows"},
    {"table items shared -3 4 zeros\n", "a shared table has from 1 to 2e9 rows"},
    {"table items shared nan 4 zeros\n", "a shared table has from 1 to 2e9 rows"},
    {"table items shared 0x10 4 zeros\n", "a shared table has from 1 to 2e9 rows"},
    {"table items open 4 4 zeros\n", "behind a table's name stands shared or private"},
    {"table items shared 4 4 ones\n", "first values are zeros, normal SD, or those given"},
    {"table items shared 4 4 normal -1\n", "behind normal stands the standard deviation"},
    {"table users private 4 given\n", "first values are zeros, normal SD, or those given"},
    {"table a shared 1 1 zeros\ntable a shared 1 1 zeros\n", "there is a table of this name already"},
    {"table a shared 1 1 zeros alike\n", "there are words too many"},
    {"table a shared 1 1 zeros\ntable b shared 1 1 zeros\ntable c shared 1 1 zeros\n"
     "table d shared 1 1 zeros\ntable e shared 1 1 zeros\n",
        "there are more than 4 shared tables"},
};

START_TEST(wrong_tables_are_refused) {
    struct frs_external_tables tables;
    bool given[FRS_MAX_TABLES];
    ck_assert(!frs_frames_tables(wrong_tables[_i].lines, &tables, given, why, sizeof why));
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
    {"trained 0 1 1 1 0 0 8 1", "for each shared table it says how many", {0}},
    {"trained 0 1 1 1 0 0 1", "for each shared table it says how many", {0}},
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
    tcase_add_test(tests, a_training_by_hand);
    tcase_add_loop_test(tests, a_wrong_training_is_refused, 0, COUNT(wrong_trainings));
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
