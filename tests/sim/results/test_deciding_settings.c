/* Deciding settings: defaults that account for more than a tenth of the time or the bytes are named with
 * their share, and settings that were chosen are not. Waiting for offline clients is reported as such.
 *
 * Labels: slow */
#include "tests/sim/run/fixture.h"

static void setup(void) {
    folder_setup();
    write_text("s.cfg", "data = { synthetic = \"small\"; };\nnetwork = { preset = \"4g\"; };\n"
                        "devices = { preset = \"phones\"; };\n"
                        "method = { name = \"fedmf\"; dim = 8; epochs = 2; init_sd = 0.1; };\n"
                        "rounds = { count = 8; cohort = 30; };\n");
    write_text("bare.cfg", "data = { synthetic = \"small\"; };\n"
                           "method = { name = \"colr\"; dim = 8; rank = 2; };\n"
                           "rounds = { count = 12; cohort = 10; };\n");
}

/* The one with this key, of which a text says so much; NULL: there is none. Borrowed from the summary. */
static json_t *find(json_t *summary, const char *key, const char *part) {
    size_t i;
    json_t *one;
    json_array_foreach(json_object_get(summary, "decided_by"), i, one) {
        if (strcmp(json_string_value(json_object_get(one, "key")), key) == 0 &&
            strstr(json_string_value(json_object_get(one, "text")), part))
            return one;
    }
    return NULL;
}

static json_t *summary_of(const char *scenario, const char *options) {
    char *all = frs_format("--force %s", options);
    int code = run_program("run %s --out run %s", scenario, all);
    ck_assert_msg(code == 0, "%s: %s", options, frs_said);
    free(all);
    return load_json("run", "summary.json");
}

static const char *text_of(json_t *one) {
    ck_assert_ptr_nonnull(one);
    return json_string_value(json_object_get(one, "text"));
}

/* All of the waiting is for losses that have not been noticed. */
START_TEST(noticing_losses_by_default_is_named) {
    json_t *summary = summary_of("s.cfg", "--set failures.up=0.3"),
           *one = find(summary, "failures.detect", "");
    double share = json_path(summary, "waiting", "noticing_s") / json_of(summary, "simulated_s");
    ck_assert_double_eq(
        json_path(summary, "waiting", "noticing_s"), json_path(summary, "critical_path", "wait_s"));
    ck_assert_double_gt(share, 0.9);
    ck_assert_double_eq_tol(json_of(one, "time_share"), share, 1e-12);
    char *text = frs_format("%.0f %% of the time is the server noticing lost clients, 30 s by default "
                            "(failures.detect)",
        100 * share);
    ck_assert_str_eq(json_string_value(json_object_get(one, "what")), strstr(text, "is the server"));
    ck_assert_str_eq(text_of(one), text);
    ck_assert_ptr_nonnull(strstr(frs_said, text));
    ck_assert_ptr_nonnull(strstr(frs_said, "(noticing losses)"));
    free(text);
    json_decref(summary);
    ck_assert_int_eq(run_program("replay run"), 0);
    summary = summary_of("s.cfg", "--set failures.up=0.3 --set 'failures.detect=31 s'");
    ck_assert_ptr_null(find(summary, "failures.detect", ""));
    json_decref(summary);
}
END_TEST

/* Chosen or not: calls in vain are no connecting. */
START_TEST(calls_in_vain_are_counted) {
    static const char in_vain[] = "--set availability.model=bernoulli --set availability.p=0.3 --set "
                                  "rounds.selection.sees_availability=false";
    char *chosen = frs_format("%s --set 'rounds.selection.contact_timeout=60 s'", in_vain);
    json_t *summary = summary_of("s.cfg", in_vain),
           *one = find(summary, "rounds.selection.contact_timeout", "10 s each");
    ck_assert_ptr_nonnull(strstr(text_of(one), "(rounds.selection.contact_timeout, the default)"));
    json_decref(summary);
    summary = summary_of("s.cfg", chosen);
    double n = json_path(summary, "outcomes", "unavailable"), waited_s = 8 * 60.0;
    char *text = frs_format(
        "is waiting for clients that were not online: %.0f of 240 calls reached no client, 60 s each "
        "(rounds.selection.contact_timeout)",
        n);
    one = find(summary, "rounds.selection.contact_timeout", text);
    ck_assert_double_eq_tol(json_path(summary, "waiting", "unreachable_s"), waited_s, 1e-6);
    ck_assert_double_eq_tol(json_of(one, "time_share"), waited_s / json_of(summary, "simulated_s"), 1e-12);
    ck_assert_ptr_nonnull(strstr(frs_said, text));
    ck_assert_ptr_nonnull(strstr(frs_said, "(not online)"));
    free(text);
    free(chosen);
    json_decref(summary);
}
END_TEST

/* Most hours without a client that is online. */
START_TEST(idle_time_is_called_idle) {
    json_t *summary = summary_of("s.cfg",
        "--set availability.model=diurnal --set rounds.count=20 --set rounds.selection.at_least=1 --set "
        "availability.curve='0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0.5,0.5'");
    json_t *one = find(summary, "availability", "is idle: the server waits until a client is online");
    ck_assert_ptr_nonnull(one);
    ck_assert_double_eq_tol(
        json_of(one, "time_share"), json_of(summary, "idle_s") / json_of(summary, "simulated_s"), 1e-12);
    json_t *idle = json_object_get(summary, "idle");
    ck_assert_double_eq(json_of(idle, "scheduled_s"), 0);
    ck_assert_double_eq(json_of(idle, "clients_s"), json_of(summary, "idle_s"));
    ck_assert(json_array_get(json_object_get(summary, "decided_by"), 0) == one); /* the largest is first */
    json_decref(summary);
    static const struct {
        const char *options, *key, *text;
    } others[] = {
        {"availability.model=diurnal --set rounds.selection.at_least=3 --set "
         "availability.curve='0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0.5,0.5'",
            "availability",
            "is idle: the server waits until 3 clients are eligible (availability, "
            "rounds.selection.at_least)"},
        {"'rounds.every=1 h'", "rounds.every", "is idle: rounds open at their times (rounds.every)"},
        {"rounds.window=3:00-4:00", "rounds.window", "is idle: rounds open in their part of the day"},
        {"'rounds.cool_down=1 d'", "rounds.cool_down",
            "is idle: the server waits for clients that rest (rounds.cool_down)"},
        {"'rounds.cool_down=1 d' --set availability=markov --set 'availability.on=20 h' --set "
         "'availability.off=1 h'",
            "rounds.cool_down",
            "is idle: the server waits for clients that rest, or are offline (rounds.cool_down, "
            "availability)"},
        {"rounds.per_day=1 --set availability=states --set rounds.eligible=wifi --set 'caps.bytes=1 GB'",
            "rounds.per_day",
            "is idle: the server waits for clients that rest, or are not eligible, or have reached their "
            "caps "
            "(rounds.per_day, rounds.eligible, caps)"},
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        char *options = frs_format("--set rounds.count=20 --set %s", others[i].options);
        summary = summary_of("s.cfg", options);
        if (!find(summary, others[i].key, others[i].text))
            ck_abort_msg("%s: not idle for it: %s", options, frs_said);
        json_decref(summary);
        free(options);
    }
}
END_TEST

/* All clients rest after a round: for the rest of its hour the server waits for them, and for 23 h its window
 * is shut. */
START_TEST(shut_windows_are_no_lack_of_clients) {
    json_t *summary = summary_of("s.cfg",
        "--set rounds.count=5 --set rounds.cohort=100% --set rounds.window=0:00-1:00 --set "
        "'rounds.cool_down=2 h'");
    json_t *idle = json_object_get(summary, "idle");
    ck_assert_double_ge(json_of(idle, "scheduled_s"), 4 * 23 * 3600.0);
    ck_assert_double_gt(json_of(idle, "clients_s"), 0);
    ck_assert_double_le(json_of(idle, "clients_s"), 4 * 3600.0);
    json_decref(summary);
}
END_TEST

/* Links, connections and catching up of a scenario that says nothing of them, and of one that does. */
START_TEST(defaults_have_their_shares) {
    json_t *summary = summary_of("bare.cfg", "");
    double time_s = json_of(summary, "simulated_s"), all = 0;
    static const char *const parts[] = {"down", "up", "setup_down", "setup_up"};
    for (size_t i = 0; i < 4; i++)
        all += json_path(summary, "bytes", parts[i]);
    ck_assert_double_eq_tol(
        json_of(find(summary, "network.preset", "downloads over the downlinks of preset fieldguide"),
            "time_share"),
        json_path(summary, "critical_path", "down_s") / time_s, 1e-12);
    ck_assert_double_eq_tol(
        json_of(find(summary, "network.preset", "uploads over the uplinks"), "time_share"),
        json_path(summary, "critical_path", "up_s") / time_s, 1e-12);
    ck_assert_double_eq_tol(json_of(find(summary, "network.connection", ""), "bytes_share"),
        (json_path(summary, "bytes", "setup_down") + json_path(summary, "bytes", "setup_up")) / all, 1e-12);
    ck_assert_double_eq_tol(json_of(find(summary, "method.catchup", ""), "bytes_share"),
        json_path(summary, "bytes", "catchup_down") / all, 1e-12);
    json_decref(summary);
    summary = summary_of("bare.cfg",
        "--set 'network.uplink=2 Mbit/s' --set network.connection=kept --set method.catchup=full");
    ck_assert_ptr_nonnull(find(summary, "network.preset", "downloads over"));
    ck_assert_ptr_null(find(summary, "network.preset", "uploads over"));
    ck_assert_ptr_null(find(summary, "network.connection", ""));
    ck_assert_ptr_null(find(summary, "method.catchup", ""));
    json_decref(summary);

    /* Clients of classes, or of a table, have nothing of the default preset. */
    write_text("fleet.csv", "down_Mbit_s,up_Mbit_s,latency_ms\n4,1,50\n");
    static const char *const others[] = {"--set 'network.classes=4g 40 %, wifi 60 %'",
        "--set network.fleet=fleet.csv --set network.fleet_assignment=sample"};
    for (size_t i = 0; i < 2; i++) {
        summary = summary_of("bare.cfg", others[i]);
        ck_assert_ptr_null(find(summary, "network.preset", ""));
        json_decref(summary);
    }
}
END_TEST

/* Who is missing has no share of the time. What the scenario gives is not told, although it is as by default.
 */
START_TEST(who_is_missing_by_default_is_named) {
    json_t *summary = summary_of("s.cfg", "--set availability=bernoulli --set availability.follows=taste");
    static const char both[] =
        "lients with rare tastes are online least, with correlation 1 and concentration 2, the "
        "defaults (availability.correlation, availability.concentration)";
    json_t *one = find(summary, "availability.concentration", both);
    ck_assert_ptr_nonnull(one);
    ck_assert(text_of(one)[0] == 'C' && json_string_value(json_object_get(one, "what"))[0] == 'c');
    ck_assert(!json_object_get(one, "time_share") && !json_object_get(one, "bytes_share"));
    ck_assert_ptr_nonnull(strstr(frs_said, both));
    json_decref(summary);
    summary = summary_of(
        "s.cfg", "--set failures.up=0.3 --set failures.follows=uplink --set failures.concentration=2");
    ck_assert_ptr_nonnull(find(summary, "failures.correlation",
        "Clients with slow uplinks are lost most, with correlation 1, the default (failures.correlation)"));
    json_decref(summary);
    summary = summary_of("s.cfg", "--set availability=bernoulli --set availability.follows=taste --set "
                                  "availability.correlation=1 --set "
                                  "availability.concentration=2");
    ck_assert_ptr_null(find(summary, "availability.concentration", ""));
    json_decref(summary);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("deciding settings");
    TCase *tests = tcase_create("deciding settings");
    tcase_add_checked_fixture(tests, setup, folder_teardown);
    tcase_add_test(tests, noticing_losses_by_default_is_named);
    tcase_add_test(tests, calls_in_vain_are_counted);
    tcase_add_test(tests, idle_time_is_called_idle);
    tcase_add_test(tests, shut_windows_are_no_lack_of_clients);
    tcase_add_test(tests, defaults_have_their_shares);
    tcase_add_test(tests, who_is_missing_by_default_is_named);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
