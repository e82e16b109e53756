/* Quality figures of runs on data so small that every rank is worked out by hand: popularity, the server's
 * view against the devices' own, the share of participants, and the figures of participants. */
#include "tests/sim/run/fixture.h"

static const char rest[] = "network = { preset = \"fieldguide\"; };\ndevices = { preset = \"ideal\"; };\n";

static void write_scenario(const char *text) {
    char *scenario = frs_format("%s%s", text, rest);
    write_text("s.cfg", scenario);
    free(scenario);
}

static double figure(const char *out, const char *first, const char *second, const char *third) {
    json_t *summary = load_json(out, "summary.json"), *object = json_object_get(summary, first);
    double value = json_of(third ? json_object_get(object, second) : object, third ? third : second);
    json_decref(summary);
    return value;
}

/* The last row of every user is held out. How often items are trained on: 1 six times, 2 four times, 3, 5 and
 * 7 twice, 4 and 6 once. Ties go against the held-out item.
 *
 *   a: 4 among 5 6 7: all as popular or more, rank 4
 *   b: 3 among 5 6 7: 5 and 7 as popular, rank 3
 *   c: 2 among 4 6 7: rank 1
 *   d: 5 among 3 4 7: 3 and 7 as popular, rank 3
 *   e: 6 among 3 4 5: all, rank 4
 *   f: 3 among 2 4 6: 2 is ahead, rank 2 */
static const char popular[] = "a,1\na,2\na,3\na,4\nb,1\nb,2\nb,4\nb,3\nc,1\nc,3\nc,5\nc,2\n"
                              "d,1\nd,2\nd,6\nd,5\ne,2\ne,1\ne,7\ne,6\nf,5\nf,7\nf,1\nf,3\n";

/* With the last but one held out for validation, items are trained on: 1 five times, 2 four times, 3, 5 and 7
 * once, 4 and 6 never. Who is validated on an item is not tested against it: the ranks stay what they were.
 *
 *   a: 4 among 5 6 7 (not 3): rank 4       d: 5 among 3 4 7 (not 6): 3 and 7 as popular, rank 3
 *   b: 3 among 5 6 7 (not 4): rank 3       e: 6 among 3 4 5 (not 7): rank 4
 *   c: 2 among 4 6 7 (not 5): rank 1       f: 3 among 2 4 6 (not 1): rank 2 */
START_TEST(popularity_ranks_by_training_counts) {
    static const char *const validation[] = {"train", "hold_out"};
    /* 1/log2(rank + 1): 1, 0.63093, 0.5, 0.43068 for ranks 1 to 4. */
    static const struct {
        int k;
        double hr, ndcg;
    } hand[] = {{1, 1 / 6.0, 1 / 6.0}, {2, 2 / 6.0, 1.6309297535714573 / 6},
        {3, 4 / 6.0, 2.6309297535714573 / 6}, {4, 1, 3.4922828697182434 / 6},
        {100, 1, 3.4922828697182434 / 6}};
    write_text("data.csv", popular);
    write_scenario("data = { format = \"csv\"; path = \"data.csv\"; csv_header = false; order = \"file\";\n"
                   "  min_interactions = 4; };\n"
                   "evaluation = { candidates = \"full\"; };\nrounds = { count = 1; };\n");
    for (size_t i = 0; i < sizeof hand / sizeof *hand; i++) {
        char *options =
            frs_format("--force --set evaluation.k=%d --set data.validation=%s", hand[i].k, validation[_i]);
        char *hr = frs_format("hr@%d", hand[i].k), *ndcg = frs_format("ndcg@%d", hand[i].k);
        run_scenario("s.cfg", "out", options);
        ck_assert_double_eq_tol(figure("out", "non_federated", "popularity", hr), hand[i].hr, 1e-12);
        ck_assert_double_eq_tol(figure("out", "non_federated", "popularity", ndcg), hand[i].ndcg, 1e-12);
        free(options);
        free(hr);
        free(ndcg);
    }
}
END_TEST

/* Groups by class and by availability tell how well the run serves them,
 * not how well its baselines would. */
START_TEST(test_groups_make_up_the_whole) {
    static const char *const by[] = {"network_class", "device_class"};
    write_text("g.cfg", "data = { synthetic = \"small\"; };\nnetwork = { preset = \"mixed-mobile\"; };\n"
                        "devices = { preset = \"mixed\"; };\nrounds = { count = 5; cohort = \"50 %\"; };\n"
                        "evaluation = { non_federated = [\"popularity\", \"item_knn\"]; };\n");
    run_scenario("g.cfg", "groups", "");
    json_t *summary = load_json("groups", "summary.json"), *groups = json_object_get(summary, "groups");
    for (size_t i = 0; i < 2; i++) {
        double hits = 0, clients = 0;
        const char *name;
        json_t *group;
        json_object_foreach(json_object_get(groups, by[i]), name, group) {
            hits += json_of(group, "hr@10") * json_of(group, "clients");
            clients += json_of(group, "clients");
        }
        ck_assert_double_gt(clients, 0);
        ck_assert_double_eq_tol(hits / clients, json_of(json_object_get(summary, "metrics"), "hr@10"), 1e-12);
    }
    json_decref(summary);
}
END_TEST

/* The row of rounds.csv that reaches the threshold, and the bytes sent up to it; a threshold that is never
 * reached is censored. */
START_TEST(target_row_and_its_bytes_are_found) {
    write_text("t.cfg", "data = { synthetic = \"small\"; };\nnetwork = { preset = \"4g\"; };\n"
                        "rounds = { count = 12; cohort = \"50 %\"; };\nevaluation = { every = 3; };\n");
    run_scenario("t.cfg", "target", "--set 'evaluation.target=hr@10 >= 0.2'");
    json_t *summary = load_json("target", "summary.json"), *target = json_object_get(summary, "target");
    struct table rounds = table_load("target", "rounds.csv");
    double bytes = 0;
    size_t row = 0;
    for (;; row++) {
        bytes += cell(&rounds, row, "down_bytes") + cell(&rounds, row, "up_bytes");
        if (cell(&rounds, row, "validation_hr@10") >= 0.2)
            break;
    }
    ck_assert(json_is_true(json_object_get(target, "reached")));
    ck_assert_double_eq(json_of(target, "round"), cell(&rounds, row, "round"));
    ck_assert_double_eq_tol(json_of(target, "time_s"), cell(&rounds, row, "end_s"), 1e-9);
    ck_assert_double_eq(json_of(target, "bytes"), bytes);
    json_decref(summary);
    run_scenario("t.cfg", "far", "--set 'evaluation.target=hr@10 >= popularity + 0.5'");
    summary = load_json("far", "summary.json");
    target = json_object_get(summary, "target");
    ck_assert(json_is_false(json_object_get(target, "reached")));
    ck_assert_ptr_null(json_object_get(target, "time_s"));
    json_decref(summary);
    table_fini(&rounds);
}
END_TEST

/* All three candidates without interaction are drawn: the sampled evaluation is the full one. */
START_TEST(test_sampled_is_full_when_all_are_drawn) {
    write_text("data.csv", popular);
    write_scenario("data = { format = \"csv\"; path = \"data.csv\"; csv_header = false; order = \"file\";\n"
                   "  validation = \"train\"; min_interactions = 4; };\n"
                   "evaluation = { k = 3; };\nrounds = { count = 3; cohort = 4; };\n");
    run_scenario("s.cfg", "sampled", "--set evaluation.negatives=3");
    run_scenario("s.cfg", "full", "--set evaluation.candidates=full");
    ck_assert_int_eq(
        shell("cmp sampled/rounds.csv full/rounds.csv && cmp sampled/clients.csv full/clients.csv"), 0);
}
END_TEST

/* Four users, four items; the last item of each is held out, and exactly one is free to be its negative. With
 * tables of zeros, one epoch in one batch under summed gradients and equal weights, a client moves an item's
 * score by +1 for a positive and by −1 for each of its two negatives, in units that are the same for all.
 * Held-out items are never negatives (leaky).
 *
 *   client  trains on  held out  free   moves item 1  2  3  4
 *   a       1 2        3         4                +1 +1  0 −2
 *   b       1 3        2         4                +1  0 +1 −2
 *   c       1 4        2         3                +1  0 −2 +1
 *   d       2 4        3         1                −2 +1  0 +1
 *   all four together:                            +1 +2 −1 −2
 *
 * so a: 3 (−1) before 4 (−2), b: 2 before 4, c: 2 before 3, d: 3 (−1) behind 1 (+1): ranks 1 1 1 2. */
static const char views[] = "a,1\na,2\na,3\nb,1\nb,3\nb,2\nc,1\nc,4\nc,2\nd,2\nd,4\nd,3\n";
static const int moves[4][4] = {{1, 1, 0, -2}, {1, 0, 1, -2}, {1, 0, -2, 1}, {-2, 1, 0, 1}};
static const size_t held_out[4] = {2, 1, 1, 2}, free_item[4] = {3, 3, 2, 0};

static const char view_scenario[] =
    "data = { format = \"csv\"; path = \"data.csv\"; csv_header = false; order = \"file\"; validation = "
    "\"train\";\n"
    "  min_interactions = 3; negatives_per_positive = 1; };\n"
    "method = { dim = 2; epochs = 1; optimiser = \"sgd\"; sgd_scaling = \"sum\"; learning_rate = 0.5;\n"
    "  user_learning_rate = 0.0; aggregation = \"uniform\"; user_init = \"shared\"; user_init_sd = 1.0;\n"
    "  init_sd = 1e-60; };\n" /* as a float: 0 */
    "evaluation = { candidates = \"full\"; protocol = \"leaky\"; k = 1; };\n"
    "rounds = { count = 1; cohort = 4; };\n";

static void setup_views(void) {
    folder_setup();
    write_text("data.csv", views);
    write_scenario(view_scenario);
}

/* Ranks at the end of a run, and what the last row of rounds.csv says of them. `trained` has a bit per
 * client. */
static void check_ranks(const char *out, const size_t ranks[4], unsigned trained) {
    struct table clients = table_load(out, "clients.csv"), rounds = table_load(out, "rounds.csv");
    double hits = 0, participants = 0, n = 0;
    for (size_t u = 0; u < 4; u++) {
        ck_assert_msg(cell(&clients, u, "rank") == (double)ranks[u],
            "%s: client %zu has rank %g instead of %zu", out, u, cell(&clients, u, "rank"), ranks[u]);
        hits += ranks[u] == 1;
        participants += ranks[u] == 1 && trained >> u & 1;
        n += trained >> u & 1;
    }
    size_t last = rounds.n_rows - 1;
    ck_assert_double_eq_tol(cell(&rounds, last, "hr@1"), hits / 4, 1e-14);
    ck_assert_double_eq_tol(cell(&rounds, last, "ndcg@1"), hits / 4, 1e-14);
    ck_assert_double_eq_tol(cell(&rounds, last, "participants_hr@1"), participants / n, 1e-14);
    ck_assert_double_eq_tol(cell(&rounds, last, "participants_share"), n / 4, 1e-14);
    ck_assert(isnan(cell(&rounds, last, "validation_hr@1")));
    ck_assert_double_eq_tol(figure(out, "metrics", "hr@1", NULL), hits / 4, 1e-14);
    ck_assert_double_eq_tol(figure(out, "metrics", "participants_hr@1", NULL), participants / n, 1e-14);
    ck_assert_double_eq_tol(figure(out, "metrics", "participants_share", NULL), n / 4, 1e-14);
    /* Before training all scores are 0, ties go against the held-out item, no client has trained. */
    ck_assert_double_eq(figure(out, "initial_metrics", "hr@1", NULL), 0);
    ck_assert_double_eq(figure(out, "initial_metrics", "participants_share", NULL), 0);
    table_fini(&clients);
    table_fini(&rounds);
}

START_TEST(server_view_ranks_by_the_new_table) {
    run_scenario("s.cfg", "out", "");
    check_ranks("out", (const size_t[]){1, 1, 1, 2}, 15);
}
END_TEST

/* A device evaluates the table that it downloaded: after round 1 that of round 0, all zeros; after round 2
 * that of round 1. */
START_TEST(device_view_ranks_by_the_downloaded_table) {
    run_scenario("s.cfg", "one", "--set evaluation.view=device");
    check_ranks("one", (const size_t[]){2, 2, 2, 2}, 15);
    run_scenario("s.cfg", "two", "--set evaluation.view=device --set rounds.count=2");
    check_ranks("two", (const size_t[]){1, 1, 1, 2}, 15);
}
END_TEST

/* Clients whose participation in the round ended so, of an outcome's name. */
static unsigned ended(const char *out, uint32_t round, const char *outcome) {
    char *path = frs_format("%s/events.ndjson", out);
    FILE *file = folder_open(path, "r");
    unsigned members = 0;
    for (json_t *line; (line = next_line(file)); json_decref(line)) {
        json_t *of = json_object_get(line, "outcome");
        if (of && strcmp(json_string_value(of), outcome) == 0 && json_of(line, "round") == (double)round)
            members |= 1u << (unsigned)json_of(line, "client");
    }
    fclose(file);
    free(path);
    return members;
}

static unsigned cohort(const char *out, uint32_t round) {
    char *path = frs_format("%s/events.ndjson", out);
    FILE *file = folder_open(path, "r");
    struct event event;
    unsigned members = 0;
    while (next_event(file, &event))
        if (event.round == round)
            members |= 1u << event.client;
    fclose(file);
    free(path);
    return members;
}

/* Rank of u's held-out item after the members of a first cohort have moved the scores. */
static size_t rank_after(unsigned members, size_t u) {
    int own = 0, other = 0;
    for (size_t v = 0; v < 4; v++)
        if (members >> v & 1) {
            own += moves[v][held_out[u]];
            other += moves[v][free_item[u]];
        }
    return own > other ? 1 : 2;
}

/* Every client downloads in both rounds, and some die while they compute: their devices have the new table
 * nevertheless, as catching up assumes. After round 2 all of them predict with the table made by the
 * clients that survived round 1. */
START_TEST(test_device_view_of_the_dead) {
    char *options = frs_format(
        "--seed %d --set rounds.count=2 --set evaluation.view=device --set failures.compute=0.5", _i);
    run_scenario("s.cfg", "dead", options);
    unsigned first = ended("dead", 1, "delivered"), second = ended("dead", 2, "delivered"),
             dead = ended("dead", 2, "dropped_compute");
    ck_assert_uint_eq(second | dead, 15);
    size_t ranks[4];
    for (size_t u = 0; u < 4; u++)
        ranks[u] = rank_after(first, u);
    if (first | second)
        check_ranks("dead", ranks, first | second);
    free(options);
}
END_TEST

START_TEST(test_some_take_part) {
    char *one = frs_format("--seed %d --set rounds.cohort=2", _i);
    char *two =
        frs_format("--seed %d --set rounds.cohort=2 --set rounds.count=2 --set evaluation.view=device", _i);
    size_t ranks[4];
    run_scenario("s.cfg", "server", one);
    unsigned first = cohort("server", 1);
    for (size_t u = 0; u < 4; u++)
        ranks[u] = rank_after(first, u);
    check_ranks("server", ranks, first);
    run_scenario("s.cfg", "device", two);
    unsigned second = cohort("device", 2);
    ck_assert_uint_eq(cohort("device", 1), first);
    for (size_t u = 0; u < 4; u++)
        ranks[u] = second >> u & 1 ? rank_after(first, u) : 2;
    check_ranks("device", ranks, first | second);
    free(one);
    free(two);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("quality by hand");
    TCase *popularity = tcase_create("popularity");
    tcase_add_checked_fixture(popularity, folder_setup, folder_teardown);
    tcase_add_loop_test(popularity, popularity_ranks_by_training_counts, 0, 2);
    tcase_add_test(popularity, test_groups_make_up_the_whole);
    tcase_add_test(popularity, target_row_and_its_bytes_are_found);
    tcase_add_test(popularity, test_sampled_is_full_when_all_are_drawn);
    suite_add_tcase(suite, popularity);
    TCase *view = tcase_create("views");
    tcase_add_checked_fixture(view, setup_views, folder_teardown);
    tcase_add_test(view, server_view_ranks_by_the_new_table);
    tcase_add_test(view, device_view_ranks_by_the_downloaded_table);
    tcase_add_loop_test(view, test_device_view_of_the_dead, 1, 7);
    tcase_add_loop_test(view, test_some_take_part, 1, 9);
    suite_add_tcase(suite, view);
    return frs_test_run(suite);
}
