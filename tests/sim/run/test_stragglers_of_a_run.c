/* Clients that are too slow for their rounds in whole runs: their next budgets, the next selection, and
 * that the server uses nothing that it could not know.
 *
 * Labels: slow */
#include "tests/sim/run/fixture.h"

enum { CLIENTS = 200, HEADER = 24, ROW = 4 * 300 };

/* Everything that the server decides in a run: which clients it selects in which round, with which
 * budgets, and on which basis. */
struct decision {
    uint32_t client, round, budget;
    bool delivered;
    bool uploaded; /* something of the upload arrived */
};

struct decisions {
    struct decision *of;
    size_t n, capacity;
};

static struct decisions decisions_of_run(const char *options) {
    char *again = frs_format("%s --force", options);
    run_scenario("s.cfg", "out", again);
    free(again);
    struct decisions list = {0};
    uint32_t budgets[CLIENTS] = {0};
    bool uploaded[CLIENTS] = {false};
    FILE *file = folder_open("out/events.ndjson", "r");
    for (json_t *line; (line = next_line(file)); json_decref(line)) {
        uint32_t client = (uint32_t)json_of(line, "client");
        const json_t *budget = json_object_get(line, "budget"), *outcome = json_object_get(line, "outcome");
        if (budget)
            budgets[client] = (uint32_t)json_integer_value(budget);
        if (strcmp(json_string_value(json_object_get(line, "phase")), "up") == 0)
            uploaded[client] = json_of(line, "bytes") > 0;
        if (!outcome)
            continue;
        list.of = frs_grow(list.of, list.n + 1, &list.capacity, sizeof *list.of);
        list.of[list.n++] = (struct decision){.client = client,
            .round = (uint32_t)json_of(line, "round"),
            .budget = budgets[client],
            .delivered = strcmp(json_string_value(outcome), "delivered") == 0,
            .uploaded = uploaded[client]};
        uploaded[client] = false;
    }
    fclose(file);
    return list;
}

/* The first round in which whom the server asks or what it grants differs; UINT32_MAX: none. */
static uint32_t first_difference(const struct decisions *a, const struct decisions *b) {
    for (size_t i = 0; i < a->n && i < b->n; i++) {
        const struct decision *x = &a->of[i], *y = &b->of[i];
        if (x->client != y->client || x->round != y->round || x->budget != y->budget)
            return x->round < y->round ? x->round : y->round;
    }
    ck_assert_uint_eq(a->n, b->n);
    return UINT32_MAX;
}

/* Every fourth client is one of the last row. */
static void write_fleet(const char *last_row) {
    char *text = frs_format(
        "class,down_bytes_per_s,up_bytes_per_s,latency_s,speed_flop_per_s,memory_bytes,overhead_s\n"
        "fast,20000,8000,0.01,1e9,unlimited,0.1\nmiddle,15000,4000,0.02,1e9,unlimited,0.2\n"
        "slow,9000,2000,0.1,1e9,unlimited,0.3\n%s\n",
        last_row);
    write_text("fleet.csv", text);
    free(text);
}

static struct decisions decide(const char *last_row, const char *options) {
    write_fleet(last_row);
    write_text("s.cfg",
        "data = { synthetic = \"small\"; };\n"
        "method = { name = \"scolr\"; rank = 8; dim = 16; catchup = \"full\"; };\n"
        "training = { enabled = false; };\n"
        "network = { model = \"exact\"; fleet = \"fleet.csv\"; fleet_assignment = \"in_turn\"; };\n"
        "devices = { compute = \"fixed\"; fleet = \"fleet.csv\"; fleet_assignment = \"in_turn\"; };\n"
        "rounds = { count = 60; cohort = 40; policy = { name = \"deadline\"; after = \"5 s\"; }; };\n"
        "adaptation = { name = \"deadline\"; target = \"5 s\"; };\n");
    return decisions_of_run(options);
}

/* A client that is at work on its update when the server stops waiting has not sent any of it. How long it
 * would have gone on has no effect: 10 s or 1,000 s, or uploading at any rate. */
START_TEST(test_what_comes_after_the_cut) {
    static const char *const rows
        [] = {"last,20000,8000,0.01,1e9,unlimited,10", "last,20000,8000,0.01,1e9,unlimited,1000",
            "last,20000,50,0.01,1e9,unlimited,10"},
    *const options[] = {"", "--set adaptation.name=proportional", "--set rounds.selection.name=fastest_first",
        "--set rounds.selection.name=utility --set training.enabled=true --set observations.unmeasured=mean"};
    for (size_t i = 0; i < 4; i++) {
        struct decisions first = decide(rows[0], options[i]);
        for (size_t row = 1; row < 3; row++) {
            struct decisions other = decide(rows[row], options[i]);
            ck_assert_uint_eq(first_difference(&first, &other), UINT32_MAX);
            free(other.of);
        }
        ck_assert_uint_eq(first.n, 60 * 40);
        free(first.of);
    }
}
END_TEST

/* Their uplinks differ. The server cannot know this before the round after the one in which the first
 * bytes of one of them have arrived. Then it does: both were aborted, and they are assigned different
 * budgets. */
START_TEST(test_what_becomes_visible) {
    struct decisions a = decide("last,20000,1000,0.01,1e9,unlimited,0.1", ""),
                     b = decide("last,20000,700,0.01,1e9,unlimited,0.1", "");
    uint32_t seen = UINT32_MAX, differs = first_difference(&a, &b);
    for (size_t i = 0; i < a.n && seen == UINT32_MAX; i++)
        if (a.of[i].client % 4 == 3 && a.of[i].uploaded) {
            seen = a.of[i].round;
            ck_assert(!a.of[i].delivered);
        }
    ck_assert_uint_gt(differs, seen);
    ck_assert_uint_le(differs, seen + 3);
    free(a.of);
    free(b.of);
}
END_TEST

/* A download takes 19,224/10,000 s and b columns (24 + 1200 b)/2,000 s: within 4 s there is time for 3 of
 * them. The prior knows nothing of that and grants all 8. Cut off in the upload, a client is assigned 3 from
 * then on, and one that is new is, too: it is taken for the mean. Under `mean` it counts that 20 clients were
 * waited for in vain as long as none of those cut off has been selected again, and a new client is assigned
 * less; under `smallest` 1. */
START_TEST(new_clients_get_less_after_waits_in_vain) {
    static const char *const names[] = {"optimistic", "mean", "smallest"};
    write_text("s.cfg",
        "data = { synthetic = \"small\"; };\n"
        "method = { name = \"scolr\"; rank = 8; dim = 16; catchup = \"full\"; };\n"
        "training = { enabled = false; };\ndevices = { compute = \"none\"; };\n"
        "network = { model = \"exact\"; downlink = \"10 kB/s\"; uplink = \"2 kB/s\"; latency = \"0 s\"; };\n"
        "rounds = { count = 40; cohort = 20; policy = { name = \"deadline\"; after = \"4 s\"; }; };\n"
        "observations = { prior_downlink = \"10 kB/s\"; prior_uplink = \"1 MB/s\"; prior_compute = \"0 s\"; "
        "};\n"
        "adaptation = { name = \"deadline\"; target = \"4 s\"; };\n");
    for (size_t how = 0; how < 3; how++) {
        bool asked[CLIENTS] = {false}, less = false;
        char *options = frs_format("--set observations.unmeasured=%s", names[how]);
        struct decisions list = decisions_of_run(options);
        for (size_t i = 0; i < list.n; i++) {
            const struct decision *d = &list.of[i];
            bool is_new = !asked[d->client], is_first = d->round == 1;
            asked[d->client] = true;
            if (how == 2 && is_new) {
                ck_assert_uint_eq(d->budget, 1);
            } else if (is_first) {
                ck_assert_uint_eq(d->budget, 8);
                ck_assert(!d->delivered);
            } else if (is_new && how == 1) {
                ck_assert_uint_le(d->budget, 3);
                less |= d->budget < 3;
            } else {
                ck_assert_uint_eq(d->budget, 3);
            }
            ck_assert(d->delivered == (d->budget <= 3));
        }
        ck_assert(less == (how == 1));
        free(list.of);
        free(options);
    }
}
END_TEST

static const char phones[] =
    "data = { synthetic = \"small\"; };\n"
    "method = { name = \"scolr\"; rank = 16; dim = 16; optimiser = \"sgd\"; };\n"
    "network = { preset = \"mixed-mobile\"; jitter = 0; latency_jitter = 0; };\n"
    "devices = { preset = \"phones\"; };\n"
    "rounds = { count = 150; cohort = 20; policy = { name = \"deadline\"; after = \"400 ms\"; }; };\n"
    "evaluation = { every = 150; };\n";

static size_t count_delivered(const struct decisions *list, uint32_t from_round) {
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++)
        n += list->of[i].delivered && list->of[i].round >= from_round;
    return n;
}

static size_t count_columns(const struct decisions *list) {
    size_t n = 0;
    for (size_t i = 0; i < list->n; i++)
        n += list->of[i].delivered ? list->of[i].budget : 0;
    return n;
}

static struct decisions run_phones(const char *options) {
    write_text("s.cfg", phones);
    return decisions_of_run(options);
}

/* A client that delivers in `able`, which differs only in the assigned budgets, delivers after at most
 * this many failures in a row. */
static void check_none_starves(const struct decisions *list, const struct decisions *able, uint32_t most) {
    uint32_t failed[CLIENTS] = {0}, longest[CLIENTS] = {0};
    for (size_t i = 0; i < list->n; i++) {
        uint32_t client = list->of[i].client;
        failed[client] = list->of[i].delivered ? 0 : failed[client] + 1;
        longest[client] = failed[client] > longest[client] ? failed[client] : longest[client];
    }
    for (size_t i = 0; i < able->n; i++)
        if (able->of[i].delivered)
            ck_assert_msg(longest[able->of[i].client] <= most, "client %u: %u failures in a row",
                able->of[i].client, longest[able->of[i].client]);
}

/* Slow start and links that do not change. A client that can deliver the smallest upload in time delivers at
 * the latest at its third participation in a row, nearly as many uploads arrive as of the smallest size for
 * all, and more columns than of any size. By shares, which know no time, it takes as often as 16 columns can
 * be halved, and the participation in which it is seen that they are too many. */
START_TEST(test_who_can_deliver_does) {
    static const char *const grid[] = {"1", "4", "8", "12", "16"};
    struct decisions adapted = run_phones("--set adaptation.name=deadline --set adaptation.target=400ms"),
                     shares = run_phones("--set adaptation.name=proportional --set adaptation.at_mean=1");
    size_t columns = count_columns(&adapted), delivered = count_delivered(&adapted, 0);
    for (size_t size = 0; size < 5; size++) {
        char *options = frs_format("--set adaptation.budget=%s", grid[size]);
        struct decisions same = run_phones(options);
        ck_assert_uint_gt(columns, count_columns(&same));
        if (size == 0) {
            ck_assert_double_gt((double)delivered, 0.98 * (double)count_delivered(&same, 0));
            check_none_starves(&adapted, &same, 2);
            check_none_starves(&shares, &same, 5);
        }
        free(same.of);
        free(options);
    }
    free(adapted.of);
    free(shares.of);
}
END_TEST

/* However much more than 16 columns an adaptation would grant a client, and whatever its cohort needs: if
 * it is aborted again and again, it has the smallest upload after five aborts, because 16 can be halved
 * four times after the first. */
START_TEST(test_cut_off_again_and_again) {
    static const char *const options[] = {
        "--set adaptation.name=deadline --set adaptation.target=10s",
        "--set adaptation.name=deadline --set adaptation.target=0s --set adaptation.quantile=0.8",
        "--set adaptation.name=deadline --set adaptation.target=0s --set adaptation.quantile=1",
        "--set adaptation.name=proportional --set adaptation.at_mean=8",
    };
    struct decisions smallest = run_phones("--set adaptation.budget=1");
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        struct decisions list = run_phones(options[i]);
        check_none_starves(&list, &smallest, 5);
        free(list.of);
    }
    free(smallest.of);
}
END_TEST

/* Times are step functions, and so are predictions: no client goes back and forth between budgets. From
 * the third participation on its budget changes at most once, where the download, which varies, moves it
 * across a step. */
START_TEST(test_budgets_come_to_rest) {
    struct decisions list = run_phones("--set rounds.policy.name=wait_all --set adaptation.name=deadline "
                                       "--set adaptation.target=400ms --set rounds.count=300");
    uint32_t times[CLIENTS] = {0}, last[CLIENTS] = {0}, changes[CLIENTS] = {0};
    for (size_t i = 0; i < list.n; i++) {
        const struct decision *d = &list.of[i];
        times[d->client]++;
        changes[d->client] += times[d->client] > 3 && d->budget != last[d->client];
        last[d->client] = d->budget;
    }
    for (uint32_t client = 0; client < CLIENTS; client++)
        ck_assert_msg(changes[client] <= times[client] / 4, "client %u: %u changes in %u participations",
            client, changes[client], times[client]);
    free(list.of);
}
END_TEST

/* Selections by speed waste almost nothing on clients that never deliver once they have seen them, whereas
 * one in four uploads of a random cohort is wasted; and no client is explored again and again. */
START_TEST(test_selections_by_speed) {
    static const char *const names[] = {"fastest_first", "utility"};
    struct decisions uniform = run_phones("");
    for (size_t i = 0; i < 2; i++) {
        uint32_t in_vain[CLIENTS] = {0};
        char *options = frs_format("--set rounds.selection.name=%s", names[i]);
        struct decisions list = run_phones(options);
        ck_assert_uint_gt(count_delivered(&list, 0), count_delivered(&uniform, 0));
        ck_assert_uint_gt(count_delivered(&list, 101), count_delivered(&uniform, 101));
        for (size_t j = 0; j < list.n; j++)
            in_vain[list.of[j].client] += !list.of[j].delivered;
        for (uint32_t client = 0; client < CLIENTS; client++)
            ck_assert_uint_le(in_vain[client], 4);
        free(list.of);
        free(options);
    }
    free(uniform.of);
}
END_TEST

/* Of 200 clients about one in eleven is online, fewer than the server would ask, and so it asks all of them,
 * one by one: none more than twice, since no more than 50 of 60 that may be on the list can be. It waits for
 * others to come while all that are online are on it. */
START_TEST(test_blacklist_of_those_online) {
    write_text("s.cfg",
        "data = { synthetic = \"small\"; };\nmethod = { name = \"fedmf\"; dim = 4; epochs = 1; };\n"
        "devices = { compute = \"fixed\"; overhead = \"1 s\"; };\n"
        "availability = { model = \"markov\"; on = \"20 s\"; off = \"200 s\"; };\n"
        "rounds = { count = 5; cohort = 40; policy = { name = \"buffered_async\"; arrivals = 20; };\n"
        "  selection = { name = \"utility\"; blacklist = 2; }; };\n");
    uint32_t times[CLIENTS] = {0};
    struct decisions list = decisions_of_run("");
    for (size_t i = 0; i < list.n; i++)
        ck_assert_msg(++times[list.of[i].client] <= 2, "client %u is selected again", list.of[i].client);
    ck_assert_uint_ge(list.n, 100);
    free(list.of);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("stragglers of a run");
    TCase *tests = tcase_create("stragglers of a run");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 240);
    tcase_add_test(tests, test_what_comes_after_the_cut);
    tcase_add_test(tests, test_what_becomes_visible);
    tcase_add_test(tests, new_clients_get_less_after_waits_in_vain);
    tcase_add_test(tests, test_who_can_deliver_does);
    tcase_add_test(tests, test_cut_off_again_and_again);
    tcase_add_test(tests, test_budgets_come_to_rest);
    tcase_add_test(tests, test_selections_by_speed);
    tcase_add_test(tests, test_blacklist_of_those_online);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
