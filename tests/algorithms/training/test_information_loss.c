/* Information loss: by hand, and that measuring it changes nothing. */
#include "algorithms/training/information_loss.h"
#include "tests/sim/run/fixture.h"

/* Row 1 of a 2 × 2 table was to be (1, 3) and is (2, 2); row 0 was to be (0.5, 0) and was left out:
 * (1 + 1 + 0.25 + 0) / 4, then a round without loss. */
START_TEST(information_loss_is_a_mean_square) {
    static const uint32_t both[] = {0, 1}, second[] = {1};
    static const float meant_values[] = {0.5f, 0, 1, 3}, decoded_values[] = {2, 2};
    struct frs_rows meant = {.n_rows = 2, .dim = 2, .n = 2, .ids = both, .values = meant_values};
    struct frs_rows decoded = {.n_rows = 2, .dim = 2, .n = 1, .ids = second, .values = decoded_values};
    struct frs_information_loss loss = {0};
    frs_information_loss_server(&loss, &meant, &decoded);
    ck_assert_double_eq(frs_information_loss_mean(loss.server, loss.n_server), 0.5625);
    frs_information_loss_server(&loss, &meant, &meant);
    ck_assert_double_eq(frs_information_loss_mean(loss.server, loss.n_server), 0.28125);
    ck_assert(isnan(frs_information_loss_mean(loss.client, loss.n_client)));
}
END_TEST

static const char base[] =
    "data = { synthetic = \"small\"; };\n"
    "method = { name = \"fedmf_update\"; fedmf = { aggregation = \"per_item\"; }; };\n"
    "network = { preset = \"fieldguide\"; };\ndevices = { preset = \"fieldguide\"; };\n"
    "rounds = { count = 6; cohort = 20; };\n";

static const struct {
    const char *options;
    bool up, down; /* something is left out */
} codecs[] = {{"--set codec.uplink=svd --set codec.downlink=topk", true, true},
    {"--set codec.uplink=quantise", true, false}, {"--set codec.downlink=svd", false, true},
    {"--set method=fedmf --set codec.uplink=groups --set codec.uplink.of=values --set codec.downlink=groups",
        true, true}};

/* What is lossless loses nothing, the rest something, and the run is the same. */
START_TEST(measuring_changes_nothing) {
    write_text("s.cfg", base);
    char *options = frs_format("%s --set evaluation.information_loss=true", codecs[_i].options);
    run_scenario("s.cfg", "plain", codecs[_i].options);
    run_scenario("s.cfg", "measured", options);
    ck_assert_int_eq(shell("cmp plain/rounds.csv measured/rounds.csv"), 0);
    ck_assert_int_eq(shell("cmp plain/clients.csv measured/clients.csv"), 0);
    ck_assert_int_ne(shell("grep -q information_loss plain/summary.json"), 0);
    json_t *summary = load_json("measured", "summary.json");
    double up = json_path(summary, "information_loss", "client");
    double down = json_path(summary, "information_loss", "server");
    ck_assert_int_eq(up > 0, codecs[_i].up);
    ck_assert_int_eq(down > 0, codecs[_i].down);
    ck_assert(close_to(json_path(summary, "information_loss", "total"), up + down, 1e-9));
    json_decref(summary);
    free(options);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("information loss");
    TCase *tests = tcase_create("information loss");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, information_loss_is_a_mean_square);
    tcase_add_loop_test(tests, measuring_changes_nothing, 0, sizeof codecs / sizeof *codecs);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
