/* Quarters of the clients in summary.json: by activity and by loss, from what clients.csv says of each. */
#include "tests/sim/run/fixture.h"

static const char scenario[] =
    "seed = 5;\n"
    "data = { synthetic = \"custom\"; users = 43; items = 120; interactions = 1500; };\n"
    "evaluation = { negatives = 40; };\n"
    "method = { name = \"fedmf\"; dim = 4; };\n"
    "network = { model = \"exact\"; classes = \"3g 50 %, wifi 50 %\"; };\n"
    "devices = { compute = \"fixed\"; overhead = \"1 s\"; };\n"
    "rounds = { count = 30; cohort = 20; };\n";

enum { MOST = 64 };

/* Sums over a quarter of the clients, in the order given. */
static void check_quarter(json_t *family, size_t quarter, const struct table *clients, const size_t *order) {
    static const char *const names[] = {"1", "2", "3", "4"};
    json_t *group = json_object_get(family, names[quarter]);
    double n = 0, hits = 0, participations = 0, delivered = 0;
    for (size_t i = 0; i < clients->n_rows; i++) {
        if (i * 4 / clients->n_rows != quarter)
            continue;
        n++;
        hits += cell(clients, order[i], "rank") <= 10;
        participations += cell(clients, order[i], "participations");
        delivered += cell(clients, order[i], "delivered");
    }
    ck_assert_double_eq(json_of(group, "clients"), n);
    ck_assert_double_eq(json_of(group, "participations"), participations);
    ck_assert_double_eq(json_of(group, "delivered"), delivered);
    ck_assert_double_eq_tol(json_of(group, "hr@10"), hits / n, 1e-12);
}

/* Ascending by a column, equal ones by id. */
static void sort(const struct table *clients, const char *column, size_t *order) {
    for (size_t i = 0; i < clients->n_rows; i++) {
        size_t at = i;
        for (; at > 0 && cell(clients, order[at - 1], column) > cell(clients, i, column); at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

static void check_family(const char *by, const char *column) {
    struct table clients = table_load("out", "clients.csv");
    json_t *summary = load_json("out", "summary.json");
    json_t *family = json_object_get(json_object_get(summary, "groups"), by);
    size_t order[MOST];
    ck_assert_uint_le(clients.n_rows, MOST);
    ck_assert_ptr_nonnull(family);
    sort(&clients, column, order);
    for (size_t quarter = 0; quarter < 4; quarter++)
        check_quarter(family, quarter, &clients, order);
    json_decref(summary);
    table_fini(&clients);
}

START_TEST(losses_follow_activity) {
    write_text("s.cfg", scenario);
    run_scenario("s.cfg", "out", "--set failures.up=0.3 --set failures.follows=activity");
    check_family("activity_quartile", "train_items");
    /* Where no group is lost more often than others nothing is printed about it. */
    run_scenario("s.cfg", "out", "--force --set failures.up=0.3");
    json_t *summary = load_json("out", "summary.json");
    ck_assert_ptr_null(json_object_get(json_object_get(summary, "groups"), "activity_quartile"));
    ck_assert_ptr_null(json_object_get(json_object_get(summary, "groups"), "loss_quartile"));
    json_decref(summary);
}
END_TEST

/* The slowest uplinks first, and the same quarter where no client is lost. */
START_TEST(losses_of_uplinks_are_told) {
    static const char *const losses[] = {"0.4", "0"};
    for (int i = 0; i < 2; i++) {
        write_text("s.cfg", scenario);
        char *options = frs_format("--force --set failures.up=%s --set failures.follows=uplink", losses[i]);
        run_scenario("s.cfg", "out", options);
        free(options);
        check_family("loss_quartile", "up_bytes_per_s");
        json_t *summary = load_json("out", "summary.json");
        json_t *family = json_object_get(json_object_get(summary, "groups"), "loss_quartile");
        double sum = 0;
        for (const char *name = "1"; name; name = *name == '1'   ? "2"
                                                  : *name == '2' ? "3"
                                                  : *name == '3' ? "4"
                                                                 : NULL) {
            json_t *group = json_object_get(family, name);
            sum += json_of(group, "loss") * json_of(group, "clients");
        }
        ck_assert_double_eq_tol(sum / 43, atof(losses[i]), 1e-12);
        json_decref(summary);
    }
}
END_TEST

/* Every group has an interval around its figure, Wilson's; every grouping says how likely its differences are
 * by chance, and claims one only below 5 % over all of them. */
static void check_differences(json_t *summary) {
    json_t *differences = json_object_get(summary, "group_differences"), *difference, *group;
    const char *by, *name;
    ck_assert_uint_gt(json_object_size(differences), 0);
    json_object_foreach(differences, by, difference) {
        double chance = json_of(difference, "chance");
        ck_assert(chance > 0 && chance <= 1);
        ck_assert_int_eq(json_is_true(json_object_get(difference, "beyond_chance")),
            chance <= 0.05 / (double)json_object_size(differences));
        json_t *groups = json_object_get(json_object_get(summary, "groups"), by);
        json_object_foreach(groups, name, group) {
            double hr = json_of(group, "hr@10"), n = json_of(group, "evaluated");
            double low = json_of(json_object_get(group, "hr_interval"), "low"),
                   high = json_of(json_object_get(group, "hr_interval"), "high");
            ck_assert(n > 0 && low <= hr && hr <= high && low < high);
            /* Its ends are as far from the share as 1.96 of their own standard errors. */
            ck_assert(low == 0 || fabs(hr - low - 1.959964 * sqrt(low * (1 - low) / n)) < 1e-6);
            ck_assert(high == 1 || fabs(high - hr - 1.959964 * sqrt(high * (1 - high) / n)) < 1e-6);
        }
    }
}

/* Classes by hand: no client of a class that is never lost is lost, and no client of one that never answers
 * takes part. */
START_TEST(classes_fail_as_they_are_told) {
    write_text("s.cfg", scenario);
    run_scenario("s.cfg", "out",
        "--set 'failures.up=3g 100 %, wifi 0' --set availability.model=bernoulli "
        "--set 'availability.p=wifi 50 %, others 100 %'");
    json_t *summary = load_json("out", "summary.json");
    json_t *family = json_object_get(json_object_get(summary, "groups"), "network_class");
    json_t *lost = json_object_get(family, "3g"), *kept = json_object_get(family, "wifi");
    ck_assert_double_eq(json_of(lost, "delivered"), 0);
    ck_assert_double_gt(json_of(lost, "participations"), 0);
    ck_assert_double_eq(json_of(kept, "delivered"), json_of(kept, "participations"));
    /* Half as many of those that answer half of the time. */
    double ratio = json_of(kept, "participations") / json_of(kept, "clients") /
                   (json_of(lost, "participations") / json_of(lost, "clients"));
    ck_assert_double_eq_tol(ratio, 0.5, 0.1);
    check_differences(summary);
    json_decref(summary);
    run_scenario(
        "s.cfg", "none", "--set availability.model=bernoulli --set 'availability.p=wifi 0, others 0.7'");
    summary = load_json("none", "summary.json");
    family = json_object_get(json_object_get(summary, "groups"), "network_class");
    ck_assert_double_eq(json_of(json_object_get(family, "wifi"), "participations"), 0);
    json_decref(summary);
}
END_TEST

/* Wilson's interval of a share. */
static void wilson(double share, double n, double *low, double *high) {
    double z = 1.959963984540054, middle = (share + z * z / (2 * n)) / (1 + z * z / n),
           half = z / (1 + z * z / n) * sqrt(share * (1 - share) / n + z * z / (4 * n * n));
    *low = fmax(middle - half, 0);
    *high = fmin(middle + half, 1);
}

/* Deciles of the clients by the uploads that were used, and those without one; how far they are apart. */
START_TEST(who_is_heard_by_hand) {
    static const char *const names[] = {"never", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10"};
    double n[11] = {0}, hits[11] = {0}, all = 0, mean = 0, spread = 0;
    size_t order[MOST], never = 0, worst = 0, best = 0;
    write_text("s.cfg", scenario);
    run_scenario(
        "s.cfg", "out", "--set rounds.count=6 --set failures.up=0.5 --set failures.absent_share=0.2");
    struct table clients = table_load("out", "clients.csv");
    json_t *summary = load_json("out", "summary.json");
    json_t *family = json_object_get(json_object_get(summary, "groups"), "heard_decile"),
           *gap = json_object_get(json_object_get(summary, "group_gaps"), "heard_decile"),
           *interval = json_object_get(gap, "gap_interval");
    sort(&clients, "delivered", order);
    for (size_t i = 0; i < clients.n_rows; i++)
        never += cell(&clients, i, "delivered") == 0;
    ck_assert(never > 0 && never < clients.n_rows / 2);
    for (size_t i = 0; i < clients.n_rows; i++) {
        size_t name = i < never ? 0 : 1 + (i - never) * 10 / (clients.n_rows - never);
        n[name]++;
        hits[name] += cell(&clients, order[i], "rank") <= 10;
    }
    for (size_t name = 0; name < 11; name++) {
        json_t *group = json_object_get(family, names[name]);
        ck_assert_double_eq(json_of(group, "clients"), n[name]);
        ck_assert_double_eq_tol(json_of(group, "hr@10"), hits[name] / n[name], 1e-12);
        worst = hits[name] / n[name] < hits[worst] / n[worst] ? name : worst;
        best = hits[name] / n[name] > hits[best] / n[best] ? name : best;
        all += n[name];
        mean += hits[name];
    }
    for (size_t name = 0; name < 11; name++)
        spread += n[name] * pow(hits[name] / n[name] - mean / all, 2) / all;
    double low[2], high[2], bad = hits[worst] / n[worst], good = hits[best] / n[best];
    wilson(bad, n[worst], &low[0], &high[0]);
    wilson(good, n[best], &low[1], &high[1]);
    ck_assert_double_eq_tol(json_of(gap, "worst_quality"), bad, 1e-12);
    ck_assert_double_eq_tol(json_of(gap, "gap"), good - bad, 1e-12);
    ck_assert_double_eq_tol(json_of(gap, "spread"), sqrt(spread), 1e-12);
    ck_assert_double_eq_tol(json_of(interval, "low"), good - bad - hypot(good - low[1], high[0] - bad), 1e-9);
    ck_assert_double_eq_tol(
        json_of(interval, "high"), good - bad + hypot(high[1] - good, bad - low[0]), 1e-9);
    ck_assert_uint_eq(
        json_object_size(json_object_get(json_object_get(summary, "groups"), "taste_quartile")), 4);
    check_differences(summary);
    json_decref(summary);
    table_fini(&clients);
    run_scenario("s.cfg", "all", "");
    summary = load_json("all", "summary.json");
    ck_assert_ptr_null(json_object_get(json_object_get(summary, "groups"), "heard_decile"));
    json_decref(summary);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("groups of a run");
    TCase *tests = tcase_create("groups of a run");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, losses_follow_activity);
    tcase_add_test(tests, losses_of_uplinks_are_told);
    tcase_add_test(tests, classes_fail_as_they_are_told);
    tcase_add_test(tests, who_is_heard_by_hand);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
