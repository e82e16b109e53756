/* Privacy mechanisms of a whole run: how a scenario lists them, what it is refused, what they cost on the
 * network and in time, and what they leave a curious server.
 *
 * Labels: slow */
#include "tests/sim/run/privacy_fixture.h"

/* A list of groups and names, in its order; from the command line by places. */
START_TEST(mechanisms_apply_in_the_order_listed) {
    check_runs("fedmf", "aggregation = \"uniform\";", CENTRAL, "");
    json_t *summary = load_json("out", "summary.json"), *list = json_object_get(summary, "privacy");
    ck_assert_uint_eq(json_array_size(list), 2);
    ck_assert_str_eq(json_string_value(json_object_get(json_array_get(list, 1), "name")), "gaussian");
    json_decref(summary);
    check_runs("fedmf", "", "\"clip\"", "--set privacy.2.name=gaussian --set privacy.2.noise=2");
    check_runs("fedmf", "", CLIP, "--set privacy.1.name=none");
    check_refused(
        "fedmf", "", "{ name = \"clip\"; bonud = 1.0; }", "", "s.cfg:7: privacy.1.bonud: unknown key");
    check_refused("fedmf", "", "{ name = \"clap\"; }", "", "s.cfg:7: privacy.1.name:");
    check_refused("fedmf", "", "7", "", "s.cfg:7: privacy.1: 7 is an integer");
    check_refused("fedmf", "", "\"clip\", \"none\", \"none\", \"none\", \"none\"", "", "s.cfg:7: privacy.5");
    check_refused("fedmf", "", "{ name = \"clip\"; bound = -1; }", "", "s.cfg:7: privacy.1.bound:");
}
END_TEST

/* What does not go together, and why. */
START_TEST(misfits_are_refused_with_reasons) {
    check_refused("fedmf", "aggregation = \"uniform\";", "{ name = \"gaussian\"; noise = 1.0; }", "",
        "privacy.1.name: nothing bounds what the noise has to hide");
    check_refused("fedmf", "", CENTRAL, "",
        "method.aggregation: does not go together with privacy mechanism \"gaussian\"");
    check_refused(
        "fedmf", "aggregation = \"uniform\";", CENTRAL ", \"laplace\"", "", "one noise is what is counted");
    check_refused("scolr", "rank = 2;", CENTRAL, "", "its server makes more of uploads than their mean");
    check_refused("fedmf_update", "aggregation = \"uniform\";", CENTRAL, "--set codec.uplink=topk",
        "codec.uplink.name: does not go together with privacy mechanism \"gaussian\"");
    check_refused("fedmf", "aggregation = \"uniform\";", CENTRAL, "--set rounds.policy=buffered_async",
        "rounds.policy.name: does not go together with privacy mechanism \"gaussian\"");
    check_refused("fedmf", "aggregation = \"uniform\";", CENTRAL,
        "--set rounds.policy=deadline --set rounds.policy.after=1s --set rounds.policy.late=accept --set "
        "rounds.stragglers=run_on",
        "rounds.policy.late: does not go together with privacy mechanism \"gaussian\"");
    check_refused("gpfedrec", "", LOCAL, "", "its uploads hold more than changes of tables");
    check_refused(
        "fedmf", "", LOCAL, "--set rounds.selection=utility", "uploads then report training losses");
    check_refused(
        "fedmf", "", CLIP, "--set devices.efficiency=\"nobody 2, others 1\"", "devices.efficiency:");
    check_refused("pfedclr", "laplace = 0.5;", CLIP, "", "has privacy mechanisms by its own keys already");
    check_refused(
        "pfedclr", "", LOCAL, "--set codec.uplink=rank_one", "codec.uplink.name: does not go together");
    check_refused("fedmf", "", "\"ckks\"", "",
        "method.aggregation: does not go together with privacy mechanism \"ckks\"");
    check_refused("fedrap", "", "\"ckks\"", "", "its server does more than add uploads");
    check_refused("fedmf", "aggregation = \"uniform\";", "\"ckks\"", "--set codec.uplink=touched_rows",
        "does not add up place by place; allowed: dense");
    check_refused("fedmf", "aggregation = \"uniform\";", "\"paillier\"", "--set codec.uplink=svd",
        "codec.uplink.name: does not go together with privacy mechanism \"paillier\"");
    check_refused("colr", "rank = 2; aggregation = \"uniform\";", "\"ckks\"", "--set method.catchup=full",
        "method.catchup: does not go together with privacy mechanism \"ckks\"");
    check_refused("fedmf", "aggregation = \"uniform\";", "\"ckks\"", "--set method.server=momentum",
        "method.server.optimiser: does not go together with privacy mechanism \"ckks\"");
    check_refused("fedmf", "aggregation = \"uniform\";", "\"ckks\", \"clip\"", "",
        "privacy.2.name: does not go together with privacy mechanism \"clip\": values that are sealed");
    check_refused("fedmf", "aggregation = \"uniform\";", CENTRAL ", \"ckks\"", "",
        "privacy.3.name: does not go together with privacy mechanism \"ckks\": a server that adds noise has "
        "to read");
    check_refused(
        "fedmf", "aggregation = \"uniform\";", "\"ckks\", \"paillier\"", "", "values are sealed once");
    check_refused("fedmf", "", CLIP ", { name = \"gaussian\"; noise = 1.0; epsilon = 1.0; }", "",
        "the noise is given already by noise");
    check_refused("fedmf_update", "aggregation = \"uniform\";", CENTRAL ", \"pairwise_masks\"", "",
        "numbers in fixed point may be larger than what was clipped");
}
END_TEST

/* 300 items, 8 columns: 2,400 values, in one ciphertext of 262,257 bytes; 24 bytes of header and 8 of length.
 * The state has no header of its own. Devices of 2 Gflop/s take five times what the measured machine of 10
 * takes. */
START_TEST(ciphertexts_cost_bytes_and_time) {
    write_scenario("fedmf", "aggregation = \"uniform\";", "");
    run_scenario("s.cfg", "plain", "--set server.speed=10Gflop/s");
    write_scenario("fedmf", "aggregation = \"uniform\";", "{ name = \"ckks\"; costs = \"seal_8192\"; }");
    run_scenario("s.cfg", "sealed", "--set server.speed=10Gflop/s");
    struct table plain = table_load("plain", "rounds.csv"), sealed = table_load("sealed", "rounds.csv");
    for (size_t i = 0; i < plain.n_rows; i++) {
        ck_assert_double_eq(cell(&sealed, i, "up_bytes"), 20 * (24.0 + 8 + 262257));
        ck_assert_double_eq(cell(&sealed, i, "down_bytes"), 20 * (24.0 + 8 + 262257));
        ck_assert_double_eq_tol(
            cell(&sealed, i, "flop") - cell(&plain, i, "flop"), 20 * (3.6e-3 + 0.76e-3) * 1e10, 1);
        ck_assert_double_eq_tol(
            cell(&sealed, i, "server_flop") - cell(&plain, i, "server_flop"), 20 * 0.07e-3 * 1e10, 1);
        ck_assert_double_eq_tol(
            cell(&sealed, i, "path_server_s") - cell(&plain, i, "path_server_s"), 1.4e-3, 1e-9);
        ck_assert_double_eq_tol(
            cell(&sealed, i, "path_compute_s") - cell(&plain, i, "path_compute_s"), 5 * 4.36e-3, 1e-3);
        ck_assert_double_eq(cell(&sealed, i, "hr@10"), cell(&plain, i, "hr@10"));
    }
    ck_assert_double_eq(summary_of("sealed", "server_sees", "interactions_found"), 0);
    ck_assert_double_gt(summary_of("plain", "server_sees", "interactions_found"), 0.5);
    table_fini(&plain);
    table_fini(&sealed);
}
END_TEST

/* Averages by item: the server cannot see which of 300 items an upload has changed, so that 300 marks are
 * sealed beside 300 · 6 values, and come back. 1,800 values fit one ciphertext of 2,048, 2,100 take two. What
 * is learnt is what is learnt without. */
START_TEST(marks_are_sealed_beside_updates) {
    static const char keys[] = "rank = 6; catchup = \"ideal\"; aggregation = \"%s\";",
                      seal[] = "{ name = \"ckks\"; costs = \"seal_4096\"; }";
    static const char *const weightings[] = {"uniform", "per_item"};
    for (size_t w = 0; w < 2; w++) {
        char *settings = frs_format(keys, weightings[w]);
        write_scenario("colr", settings, "");
        run_scenario("s.cfg", "plain", "--force");
        write_scenario("colr", settings, seal);
        run_scenario("s.cfg", "sealed", "--force");
        struct table plain = table_load("plain", "rounds.csv"), sealed = table_load("sealed", "rounds.csv");
        for (size_t i = 0; i < plain.n_rows; i++) {
            double ciphertexts = 1 + (double)w;
            ck_assert_double_eq(cell(&sealed, i, "up_bytes"), 20 * (24 + 8 + ciphertexts * 131185));
            ck_assert_double_eq(cell(&sealed, i, "down_bytes"), 20 * (24 + 12 + 8 + ciphertexts * 131185));
            ck_assert_double_eq_tol(cell(&sealed, i, "flop") - cell(&plain, i, "flop"),
                20 * ciphertexts * (2.2e-3 + 0.54e-3) * 1e10, 1);
            ck_assert_double_eq(cell(&sealed, i, "hr@10"), cell(&plain, i, "hr@10"));
        }
        table_fini(&plain);
        table_fini(&sealed);
        free(settings);
    }
}
END_TEST

/* TopK under Paillier: places in the clear, a ciphertext of 512 bytes for each value. The server knows the
 * rows. */
START_TEST(places_stay_in_the_clear) {
    static const char topk[] = "--set codec.uplink=topk --set method.catchup=ideal";
    write_scenario("fedmf_update", "", "");
    run_scenario("s.cfg", "plain", topk);
    write_scenario("fedmf_update", "", "{ name = \"paillier\"; costs = \"gmp\"; }");
    run_scenario("s.cfg", "sealed", topk);
    struct table plain = table_load("plain", "rounds.csv"), sealed = table_load("sealed", "rounds.csv");
    for (size_t i = 0; i < plain.n_rows; i++) {
        double more = cell(&sealed, i, "up_bytes") - cell(&plain, i, "up_bytes") - 20 * 8;
        ck_assert_double_gt(more, 0);
        ck_assert_double_eq(fmod(more, 508), 0);
        ck_assert_double_le(more / 508, (cell(&plain, i, "up_bytes") - 20 * 24) / 8);
    }
    ck_assert_double_gt(summary_of("sealed", "server_sees", "items_of_an_upload"), 10);
    double found = summary_of("sealed", "server_sees", "interactions_found");
    ck_assert(found > 0 && found < summary_of("plain", "server_sees", "interactions_found"));
    table_fini(&plain);
    table_fini(&sealed);
}
END_TEST

/* Server optimisers, error feedback, late and lost clients, retries: what is not refused runs, and gives the
 * same again. */
START_TEST(beside_everything_else) {
    static const struct {
        const char *method, *keys, *mechanisms, *options;
    } cases[] = {
        {"fedmf", "aggregation = \"uniform\";", CENTRAL,
            "--set method.server=adam --set method.server.rate=0.1"},
        {"fedmf_update", "aggregation = \"uniform\";", CENTRAL, "--set method.server=momentum"},
        {"fedmf_update", "", LOCAL, "--set codec.uplink=topk --set codec.uplink.error_feedback=true"},
        {"fedmf_update", "", "\"paillier\"",
            "--set codec.uplink=topk --set codec.uplink.error_feedback=true --set method.catchup=ideal"},
        {"fedncf", "aggregation = \"uniform\";", CENTRAL, "--set failures.up=0.3"},
        {"colr", "rank = 2; aggregation = \"uniform\"; catchup = \"ideal\";",
            CLIP ", { name = \"gaussian\"; at = \"server\"; noise = 1.0; }",
            "--set rounds.policy=deadline --set rounds.policy.after=1s"},
        {"colr_ncf", "rank = 2; aggregation = \"uniform\"; catchup = \"ideal\";", "\"ckks\"",
            "--set failures.connection_up=0.3 --set failures.retry.times=3"},
        {"colr_ncf", "rank = 2; catchup = \"ideal\";", "\"ckks\"", "--set failures.up=0.3"},
        {"fedmf_update", "init = \"seed\"; catchup = \"replay\";", "\"paillier\"",
            "--set codec.uplink=dense"},
        {"fedncf", "aggregation = \"per_item\";", "{ name = \"pairwise_masks\"; range = 4.0; }", ""},
        {"pfedrec", "", LOCAL, "--set rounds.policy=buffered_async"},
        {"pfedgraph", "", LOCAL, ""},
        {"fedmf", "aggregation = \"data_size\";", LOCAL ", \"ckks\"", "--set codec.downlink=dense"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_scenario(cases[i].method, cases[i].keys, cases[i].mechanisms);
        for (int run = 0; run < 2; run++)
            ck_assert_msg(run_program("run s.cfg --force --out run%d --threads %d %s", run, 1 + run,
                              cases[i].options) == 0,
                "%s %s: %s", cases[i].method, cases[i].options, frs_said);
        ck_assert_int_eq(
            shell("cmp run0/rounds.csv run1/rounds.csv && cmp run0/clients.csv run1/clients.csv"), 0);
    }
}
END_TEST

#define DECODED "{ name = \"clip\"; bound = 0.5; at = \"server\"; }"
#define DECODED_CENTRAL DECODED ", { name = \"gaussian\"; at = \"server\"; noise = 1.0; }"

/* Where codecs lose nothing it makes no difference to what is learnt who clips; the work is the server's
 * then, 3 operations for each of 2,400 values of 20 uploads. Behind a lossy codec only the server's clip is a
 * bound. */
START_TEST(clipped_by_the_server) {
    write_scenario("fedmf", "aggregation = \"uniform\";", CENTRAL);
    run_scenario("s.cfg", "clients", "");
    write_scenario("fedmf", "aggregation = \"uniform\";", DECODED_CENTRAL);
    run_scenario("s.cfg", "server", "");
    struct table clients = table_load("clients", "rounds.csv"), server = table_load("server", "rounds.csv");
    for (size_t i = 0; i < clients.n_rows; i++) {
        ck_assert_double_eq(cell(&clients, i, "hr@10"), cell(&server, i, "hr@10"));
        ck_assert_double_eq(cell(&clients, i, "ndcg@10"), cell(&server, i, "ndcg@10"));
        ck_assert_double_lt(cell(&server, i, "flop"), cell(&clients, i, "flop"));
    }
    ck_assert_double_eq(cell(&server, 0, "server_flop") - cell(&clients, 0, "server_flop"), 3.0 * 2400 * 20);
    table_fini(&clients);
    table_fini(&server);
    check_runs("fedmf_update", "aggregation = \"uniform\";", DECODED_CENTRAL,
        "--set codec.uplink=groups --set codec.downlink=adaptive_groups");
    ck_assert_double_eq(summary_of("out", "privacy_guarantee", "noise_scale"), 1);
    check_refused("fedmf", "", DECODED ", { name = \"gaussian\"; noise = 1.0; }", "",
        "privacy.2.name: does not go together with privacy mechanism \"gaussian\": clients come before the "
        "server");
    check_refused("fedmf", "aggregation = \"uniform\";", DECODED ", \"ckks\"", "",
        "a server that clips uploads has to read each of them");
    check_refused("fedmf", "aggregation = \"uniform\";", DECODED ", \"pairwise_masks\"", "",
        "a server that clips uploads has to read each of them");
}
END_TEST

/* Under noise every row is sent, and of n interactions as many are among n of 300 places as chance puts
 * there: n²/300. */
START_TEST(places_are_guesses) {
    check_runs("fedmf_update", "", LOCAL ", \"paillier\"",
        "--set codec.uplink=touched_rows --set method.catchup=ideal");
    struct table clients = table_load("out", "clients.csv");
    double found = 0, all = 0;
    for (size_t i = 0; i < clients.n_rows; i++) {
        double n = cell(&clients, i, "train_items"), times = cell(&clients, i, "delivered");
        found += times * n * n / 300;
        all += times * n;
    }
    ck_assert_double_eq_tol(summary_of("out", "server_sees", "interactions_found"), found / all, 1e-12);
    table_fini(&clients);
}
END_TEST

/* What is known of PFedCLR: without a privacy mechanism all of a client's interactions, with noise few of
 * them. */
START_TEST(what_a_curious_server_finds) {
    check_runs("pfedclr", "", "", "");
    ck_assert_double_gt(summary_of("out", "server_sees", "interactions_found"), 0.995);
    ck_assert_ptr_nonnull(strstr(frs_said, "of a client's interactions"));
    check_runs("pfedclr", "", CLIP ", { name = \"gaussian\"; epsilon = 5.0; }", "");
    ck_assert_double_lt(summary_of("out", "server_sees", "interactions_found"), 0.3);
    ck_assert_double_eq(summary_of("out", "server_sees", "items_of_an_upload"), 300);
}
END_TEST

/* An upload that is made again when it is aggregated is read as one that was kept. 280 participations are
 * more than the 128 of which many are read at once. */
START_TEST(uploads_made_again_are_read) {
    static const char *const uploads[] = {"kept", "again"};
    double found[2], items[2];
    for (size_t i = 0; i < 2; i++) {
        write_text("r.cfg",
            "data = { synthetic = \"small\"; feedback = \"explicit\"; split = \"ratio\"; };\n"
            "method = { name = \"rfrec\"; };\nnetwork = { preset = \"fieldguide\"; };\n"
            "devices = { preset = \"fieldguide\"; };\nrounds = { count = 4; cohort = 70; };\n");
        ck_assert_msg(run_program("run r.cfg --force --out out --set training.uploads=%s", uploads[i]) == 0,
            "%s", frs_said);
        found[i] = summary_of("out", "server_sees", "interactions_found");
        items[i] = summary_of("out", "server_sees", "items_of_an_upload");
    }
    ck_assert_double_eq(found[0], 1);
    ck_assert_double_eq(found[1], found[0]);
    ck_assert_double_eq(items[1], items[0]);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("privacy mechanisms of a run");
    TCase *tests = tcase_create("privacy mechanisms of a run");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, mechanisms_apply_in_the_order_listed);
    tcase_add_test(tests, misfits_are_refused_with_reasons);
    tcase_add_test(tests, ciphertexts_cost_bytes_and_time);
    tcase_add_test(tests, marks_are_sealed_beside_updates);
    tcase_add_test(tests, places_stay_in_the_clear);
    tcase_add_test(tests, beside_everything_else);
    tcase_add_test(tests, clipped_by_the_server);
    tcase_add_test(tests, places_are_guesses);
    tcase_add_test(tests, what_a_curious_server_finds);
    tcase_add_test(tests, uploads_made_again_are_read);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
