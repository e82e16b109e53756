/* Labels: slow
 *
 * The same run gives the same files, byte for byte, on any number of threads; what must not change a result
 * does not. */
#include "tests/sim/run/fixture.h"

#include <jansson.h>
#include <math.h>

static const char scenario[] =
    "data = { synthetic = \"small\"; };\n"
    "network = { latency = \"40 ms\"; downlink = { distribution = \"lognormal\"; median = \"1 MB/s\"; };\n"
    "  uplink = { distribution = \"uniform\"; low = \"50 kB/s\"; high = \"500 kB/s\"; }; };\n"
    "devices = { preset = \"fieldguide\"; };\n"
    "evaluation = { non_federated = [\"popularity\", \"item_knn\"]; };\n"
    "rounds = { count = 6; cohort = \"40 %\"; };\n";

static const char *const variants[] = {
    "",
    "--set method.optimiser=sgd --set codec.uplink=touched_rows",
    "--set method.name=colr --set method.dim=8",
    "--set method.name=colr --set method.variant=paper --set evaluation.view=device --set "
    "codec.downlink=touched_rows",
    "--set evaluation.view=device --set evaluation.candidates=full",
    "--set network.model=lv08 --set method.aggregation=per_item "
    "--set evaluation.non_federated=centralised_mf,local_only",
    "--set data.split=ratio --set evaluation.protocol=leaky",
    "--set method.name=fedrap --set method.dim=8 --set codec.uplink=sparse --set codec.downlink=sparse "
    "--set method.dp_clip=0.1 --set method.dp_noise=1 --set rounds.selection=no_repeat "
    "--set evaluation.view=device",
    "--set method.name=fedrap --set method.variant=published_code --set method.dim=8",
    "--set method.name=fedncf --set method.layers=8 --set codec.uplink=touched_rows",
    "--set method.name=colr_ncf --set method.dim=8 --set method.layers=8 --set evaluation.view=device",
    "--set method.name=gpfedrec --set method.dim=8 --set method.layers=8 --set server.speed=1Gflop/s",
    /* corrections of the aggregate, of rounds that are empty now and then, too */
    "--set method.server.correction=mifa --set rounds.cohort=4 --set failures.up=0.6 --set "
    "server.speed=1Mflop/s",
    "--set method.name=fedmf_update --set method.dim=8 --set method.server.correction=fedvarp --set "
    "failures.up=0.3 "
    "--set method.server.optimiser=momentum",
    "--set method.name=colr --set method.dim=8 --set method.server.correction=fedau --set failures.up=0.3",
    "--set method.server.correction=fedawe --set failures.up=0.3 --set failures.down=0.3 --set "
    "evaluation.view=device",
    /* caps that clients reach, and uploads that follow from them */
    "--set caps.bytes=100kB --set caps.energy=60J --set caps.period=2min --set rounds.count=12",
    "--set method.name=scolr --set method.dim=8 --set method.rank=4 --set adaptation=cap "
    "--set caps.bytes=40kB --set caps.period=2min --set rounds.count=12",
};

static void setup(void) {
    folder_setup();
    frs_keeps_what_ifs = true;
    write_text("s.cfg", scenario);
}

/* summary.json without its member `machine`, which holds everything that may vary. */
static char *summary_without_machine(const char *out) {
    json_t *summary = load_json(out, "summary.json");
    ck_assert_int_eq(json_object_del(summary, "machine"), 0);
    char *text = json_dumps(summary, JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
    json_decref(summary);
    return text;
}

static bool same_files(const char *a, const char *b, const char *names) {
    return shell("for f in %s; do cmp -s %s/$f %s/$f || exit 1; done", names, a, b) == 0;
}

static void same_runs(const char *a, const char *b, const char *what) {
    ck_assert_msg(shell("[ \"$(ls %s)\" = \"$(ls %s)\" ]", a, b) == 0, "other files: %s", what);
    static const char *const names[] = {"rounds.csv", "clients.csv", "events.ndjson", "manifest.json"};
    for (size_t i = 0; i < 4; i++)
        ck_assert_msg(same_files(a, b, names[i]), "%s differs: %s", names[i], what);
    char *left = summary_without_machine(a), *right = summary_without_machine(b);
    ck_assert_msg(strcmp(left, right) == 0, "summary.json differs: %s", what);
    free(left);
    free(right);
}

START_TEST(threads_change_nothing) {
    /* Two threads and three in turn. */
    char *one = frs_format("--threads 1 %s", variants[_i]),
         *more = frs_format("--threads %d %s", 2 + _i % 2, variants[_i]);
    run_scenario("s.cfg", "one", one);
    run_scenario("s.cfg", "more", more);
    same_runs("one", "more", more);
    free(one);
    free(more);
}
END_TEST

START_TEST(a_second_run_is_the_same) {
    run_scenario("s.cfg", "one", "");
    run_scenario("s.cfg", "two", "");
    same_runs("one", "two", "run twice");
}
END_TEST

START_TEST(seeds_from_anywhere_are_the_same) {
    run_scenario("s.cfg", "one", "");
    run_scenario("s.cfg", "option", "--seed 7");
    run_scenario("s.cfg", "set", "--set seed=7");
    shell("{ echo 'seed = 7;'; cat s.cfg; } >sub.cfg && mv sub.cfg s.cfg");
    run_scenario("s.cfg", "file", "");
    same_runs("option", "set", "--seed 7 and --set seed=7");
    same_runs("option", "file", "--seed 7 and seed = 7 in the file");
    ck_assert(!same_files("one", "option", "rounds.csv"));
    ck_assert(!same_files("one", "option", "clients.csv"));
    ck_assert(!same_files("one", "option", "events.ndjson"));
    ck_assert(!same_files("one", "option", "manifest.json"));
}
END_TEST

START_TEST(test_events_change_nothing_else) {
    run_scenario("s.cfg", "one", "");
    run_scenario("s.cfg", "two", "--set output.events=false");
    ck_assert_int_eq(shell("[ -e one/events.ndjson ] && [ ! -e two/events.ndjson ]"), 0);
    ck_assert(same_files("one", "two", "rounds.csv clients.csv"));
    char *left = summary_without_machine("one"), *right = summary_without_machine("two");
    ck_assert_str_eq(left, right);
    free(left);
    free(right);
    json_t *manifests[] = {load_json("one", "manifest.json"), load_json("two", "manifest.json")};
    ck_assert_str_eq(json_string_value(json_object_get(manifests[0], "scenario_hash")),
        json_string_value(json_object_get(manifests[1], "scenario_hash")));
    json_decref(manifests[0]);
    json_decref(manifests[1]);
}
END_TEST

/* What is measured does not change what is learnt, nor when. Columns 1 to 21 of rounds.csv are time and
 * bytes. */
START_TEST(test_measuring_changes_nothing) {
    run_scenario("s.cfg", "one", "");
    run_scenario("s.cfg", "seldom", "--set evaluation.every=4");
    run_scenario("s.cfg", "few", "--set evaluation.k=3 --set evaluation.non_federated=popularity");
    ck_assert(same_files("one", "seldom", "events.ndjson clients.csv"));
    ck_assert(same_files("one", "few", "events.ndjson"));
    /* Figures of quality stand before the last three columns of clients.csv. */
    ck_assert_int_eq(shell("for d in one few; do cut -d, -f1-33 $d/clients.csv >$d.clients; done; "
                           "head -n 1 one.clients | grep -q ',rank$' && cmp one.clients few.clients"),
        0);
    ck_assert_int_eq(shell("for d in one seldom few; do cut -d, -f1-21 $d/rounds.csv >$d.cut; done; "
                           "cmp one.cut seldom.cut && cmp one.cut few.cut"),
        0);
    /* every = 4 of 6 rounds: figures in rounds 4 and 6 only, the same ones. */
    ck_assert_int_eq(
        shell(
            "[ \"$(awk -F, 'NR == 1 { while ($++c != \"hr@10\"); next } $c != \"\" { print $1 }' "
            "seldom/rounds.csv | tr '\\n' ' ')\" = "
            "'4 6 ' ] && [ \"$(sed -n '5p;7p' one/rounds.csv)\" = \"$(sed -n '5p;7p' seldom/rounds.csv)\" ]"),
        0);
}
END_TEST

/* A server that restarts long after the run, which until then leaves every arrival uncertain: uploads and
 * private state wait for the end of the round, and what is learnt is the same. */
START_TEST(test_gathering_changes_nothing) {
    static const char *const of[] = {"fedrap", "fedrap --set method.variant=published_code",
        "fedrap --set evaluation.view=device", "gpfedrec --set method.layers=8",
        "gpfedrec --set method.layers=8 --set evaluation.view=device", "pfedgraph",
        "pfedgraph --set evaluation.view=device --set codec.uplink=touched_rows"};
    char *gathers = frs_format("--threads 2 --set method.dim=8 --set method.name=%s", of[_i]);
    char *keeps = frs_format("%s --set 'failures.server_restarts=90000 h'", gathers);
    run_scenario("s.cfg", "gathers", gathers);
    run_scenario("s.cfg", "keeps", keeps);
    ck_assert(same_files("gathers", "keeps", "rounds.csv clients.csv events.ndjson"));
    free(gathers);
    free(keeps);
}
END_TEST

/* Common random numbers: another method, cohort size or network leaves the data and devices of every client
 * as they are. */
START_TEST(test_variants_are_paired) {
    run_scenario("s.cfg", "one", "");
    run_scenario("s.cfg", "method", "--set method.name=colr");
    run_scenario("s.cfg", "rounds", "--set rounds.count=2 --set rounds.cohort=3");
    run_scenario("s.cfg", "latency", "--set network.latency=1s");
    ck_assert_int_eq(
        shell("for d in one method rounds latency; do cut -d, -f1-4,6 $d/clients.csv >$d.cut; done; "
              "cmp one.cut method.cut && cmp one.cut rounds.cut && cmp one.cut latency.cut"),
        0);
    /* The same cohorts, too. */
    ck_assert_int_eq(
        shell("for d in one method latency; do sed 's/\"phase.*//' $d/events.ndjson >$d.cut; done; "
              "cmp one.cut method.cut && cmp one.cut latency.cut"),
        0);
}
END_TEST

/* Wall time during which clients were trained and awaited. */
static double training_s(const char *out, const char *threads) {
    char *options = frs_format("--threads %s --set data.synthetic=ml-100k --set rounds.cohort=60%% "
                               "--set rounds.count=2 --set evaluation.non_federated=",
        threads);
    run_scenario("s.cfg", out, options);
    free(options);
    json_t *summary = load_json(out, "summary.json");
    double wall_s = json_path(summary, "machine", "training_wall_s");
    json_decref(summary);
    return wall_s;
}

/* The same files; the speed-up is printed, not judged: machines are busy with other things. */
START_TEST(files_are_the_same_with_all_threads) {
    double one_s = training_s("one", "1"), two_s = training_s("two", "2");
    printf("training on two threads is %.2f times as fast as on one (%.2f s, %.2f s)\n", one_s / two_s, one_s,
        two_s);
    ck_assert_int_eq(
        shell("for f in manifest.json rounds.csv clients.csv events.ndjson; do cmp one/$f two/$f || "
              "exit 1; done"),
        0);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("determinism");
    TCase *tests = tcase_create("determinism");
    tcase_add_checked_fixture(tests, setup, folder_teardown);
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, threads_change_nothing, 0, sizeof variants / sizeof *variants);
    tcase_add_test(tests, a_second_run_is_the_same);
    tcase_add_test(tests, seeds_from_anywhere_are_the_same);
    tcase_add_test(tests, test_events_change_nothing_else);
    tcase_add_test(tests, test_measuring_changes_nothing);
    tcase_add_loop_test(tests, test_gathering_changes_nothing, 0, 7);
    tcase_add_test(tests, test_variants_are_paired);
    tcase_add_test(tests, files_are_the_same_with_all_threads);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
