/* States of devices: by hand from a file, against their curves, and what is refused with which words. */
#include "platforms/availability/sessions.h"
#include "tests/platforms/availability_fixture.h"

static struct frs_reachability traced(const char *text, const char *period, struct frs_eligible eligible) {
    char *path = write_file(text);
    struct frs_reachability r =
        reachability_of("states", SETTINGS("file", path, "period", period), NULL, NULL, 100, 1);
    frs_reachability_require(&r, &eligible);
    unlink(path);
    free(path);
    return r;
}

static void expect(
    const struct frs_reachability *r, uint32_t client, double t_s, bool eligible, double until_s) {
    double said_s;
    ck_assert_msg(frs_reachable(r, client, 0, 0, t_s, &said_s) == eligible, "client %u at %g", client, t_s);
    ck_assert_msg(said_s == until_s, "client %u at %g: until %g, not %g", client, t_s, said_s, until_s);
}

static void expect_state(const struct frs_reachability *r, uint32_t client, double t_s,
    enum frs_device_link link, bool charging, bool in_use, double until_s) {
    struct frs_device_state state = frs_reachability_device(r, client, t_s);
    double said_s = fmin(state.link_until_s, fmin(state.charging_until_s, state.in_use_until_s));
    ck_assert_int_eq(state.link, link);
    ck_assert(state.charging == charging && state.in_use == in_use);
    ck_assert_msg(said_s == until_s, "client %u at %g: until %g, not %g", client, t_s, said_s, until_s);
    ck_assert(frs_reachability_online(r, client, 0, 0, t_s) == (link != FRS_LINK_OFF));
}

/* Client 3 comes home, charges, takes the phone up and leaves, on lines in disorder; two lines of one state
 * are one. */
static const char day[] = "client,start_s,end_s,link,charging,in_use\n"
                          "3,30,40,wifi,1,0\n3,40,50,wifi,1,1\n 3 , 10 , 20 , metered , 0 , 1\n"
                          "# made up\n3,20,30,wifi,0,0\n3,50,60,wifi,1,0\n3,60,70,wifi,1,0\n"
                          "3,80,90,off,1,0\n3,90,95,wifi,1,0\n7,0,5,metered,0,0\n";

START_TEST(states_by_hand) {
    struct frs_reachability r = traced(day, "0 s", (struct frs_eligible){0});
    ck_assert(frs_reachability_has_states(&r));
    expect_state(&r, 3, 0, FRS_LINK_OFF, false, false, 10);
    expect_state(&r, 3, 10, FRS_LINK_METERED, false, true, 20);
    expect_state(&r, 3, 20, FRS_LINK_WIFI, false, false, 30);
    expect_state(&r, 3, 30, FRS_LINK_WIFI, true, false, 40);
    expect_state(&r, 3, 40, FRS_LINK_WIFI, true, true, 50);
    expect_state(&r, 3, 50, FRS_LINK_WIFI, true, false, 70);
    expect_state(&r, 3, 65, FRS_LINK_WIFI, true, false, 70);
    expect_state(&r, 3, 70, FRS_LINK_OFF, false, false, 80);
    expect_state(&r, 3, 80, FRS_LINK_OFF, true, false, 90);
    expect_state(&r, 3, 95, FRS_LINK_OFF, false, false, INFINITY);
    struct frs_device_state charging = frs_reachability_device(&r, 3, 35);
    ck_assert(
        charging.link_until_s == 70 && charging.charging_until_s == 70 && charging.in_use_until_s == 40);
    expect_state(&r, 8, 95, FRS_LINK_OFF, false, false, INFINITY);
    expect(&r, 3, 0, false, 10);
    expect(&r, 3, 15, true, 70);
    expect(&r, 3, 70, false, 90);
    expect(&r, 3, 95, false, INFINITY);
    expect(&r, 7, 0, true, 5);
    frs_reachability_fini(&r);
}
END_TEST

START_TEST(eligibility_by_hand) {
    struct frs_reachability r =
        traced(day, "0 s", (struct frs_eligible){.wifi = true, .charging = true, .idle = true});
    expect(&r, 3, 0, false, 30);
    expect(&r, 3, 30, true, 40);
    expect(&r, 3, 40, false, 50);
    expect(&r, 3, 50, true, 70);
    expect(&r, 3, 75, false, 90);
    expect(&r, 7, 1, false, INFINITY);
    ck_assert(frs_reachability_online(&r, 3, 0, 0, 15)); /* not eligible all the same */
    frs_reachability_fini(&r);
    r = traced(day, "0 s", (struct frs_eligible){.idle = true});
    expect(&r, 3, 0, false, 20);
    expect(&r, 3, 20, true, 40);
    expect(&r, 7, 1, true, 5);
    frs_reachability_fini(&r);
    r = traced(day, "0 s", (struct frs_eligible){.wifi = true});
    expect(&r, 3, 12, false, 20);
    expect(&r, 3, 25, true, 70);
    frs_reachability_fini(&r);
}
END_TEST

/* Period 100: what ends with it goes on at the start of the next if the state is the same. */
START_TEST(states_repeat) {
    const char *text = "0,0,10,wifi,1,0\n0,10,20,metered,0,0\n0,90,100,wifi,1,0\n1,0,100,wifi,0,0\n";
    struct frs_reachability r = traced(text, "100 s", (struct frs_eligible){.wifi = true});
    expect(&r, 0, 5, true, 10);
    expect(&r, 0, 10, false, 90);
    expect(&r, 0, 95, true, 110);
    expect_state(&r, 0, 195, FRS_LINK_WIFI, true, false, 210);
    expect(&r, 1, 5, true, INFINITY);
    ck_assert_double_eq(frs_reachability_most_online(&r), 2);
    frs_reachability_fini(&r);
}
END_TEST

static const struct frs_eligible all_three = {.wifi = true, .charging = true, .idle = true};

/* Of many clients the share in each state is that of its curve, at every time, and they are independent. */
START_TEST(devices_are_on_their_curves) {
    enum { CLIENTS = 20000 };
    struct frs_reachability r = reachability_of("states",
        SETTINGS("wifi", ".8,.8,.8,.8,.8,.8,.6,.4,.4,.4,.4,.4,.4,.4,.4,.4,.4,.4,.6,.7,.7,.8,.8,.8",
            "wifi_session", "20 min"),
        NULL, NULL, CLIENTS, 5);
    static const struct {
        double hour, wifi, charging, in_use;
    } times[] = {{3, .8, .64, .05}, {6.5, .5, .4, .16}, {15, .4, .14, .27}, {30.5, .5, .4, .16}};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        double n[5] = {0}, t_s = times[i].hour * HOUR_S;
        for (uint32_t client = 0; client < CLIENTS; client++) {
            struct frs_device_state state = frs_reachability_device(&r, client, t_s);
            n[0] += state.link != FRS_LINK_OFF;
            n[1] += state.link == FRS_LINK_WIFI;
            n[2] += state.charging;
            n[3] += state.in_use;
            n[4] += frs_is_eligible(&state, &all_three);
        }
        ck_share(n[0] / CLIENTS, .97, CLIENTS);
        ck_share(n[1] / CLIENTS, .97 * times[i].wifi, CLIENTS);
        ck_share(n[2] / CLIENTS, times[i].charging, CLIENTS);
        ck_share(n[3] / CLIENTS, times[i].in_use, CLIENTS);
        ck_share(n[4] / CLIENTS, .97 * times[i].wifi * times[i].charging * (1 - times[i].in_use), CLIENTS);
    }
    frs_reachability_fini(&r);
}
END_TEST

/* Whether a client is eligible follows from the state of its device, at all times. Every reported time is
 * one at which the answer changes, and nothing changes before. */
START_TEST(times_of_changes_are_exact) {
    struct frs_reachability r =
        reachability_of("states", SETTINGS("time_zones", "9 h", "start", "20 h"), NULL, NULL, 40, 5);
    frs_reachability_require(&r, &all_three);
    for (uint32_t client = 0; client < 40; client++) {
        double t_s = 0, until_s, later_s;
        for (int changes = 0; changes < 30; changes++, t_s = until_s) {
            bool in = frs_reachable(&r, client, 0, 0, t_s, &until_s);
            ck_assert(until_s > t_s);
            ck_assert(frs_reachable(&r, client, 0, 0, until_s, &later_s) != in);
            ck_assert(frs_reachable_now(&r, client, 0, 0, t_s) == in);
            ck_assert(frs_reachable_now(&r, client, 0, 0, until_s) != in);
            for (double at_s = t_s; at_s < until_s; at_s = later_s) {
                struct frs_device_state state = frs_reachability_device(&r, client, at_s);
                later_s = fmin(state.link_until_s, fmin(state.charging_until_s, state.in_use_until_s));
                ck_assert(later_s > at_s && frs_is_eligible(&state, &all_three) == in);
            }
            double middle_s = t_s + (until_s - t_s) / 2;
            ck_assert(frs_reachable(&r, client, 0, 0, middle_s, &later_s) == in && later_s == until_s);
        }
    }
    frs_reachability_fini(&r);
}
END_TEST

/* The maximum of an average day is that of the product of the assumed curves, at 3:00. Over nine time
 * zones it is lower. */
START_TEST(eligible_devices_of_an_average_day) {
    struct frs_reachability r = reachability_of("states", NULL, NULL, NULL, 1000, 5);
    ck_assert_double_eq_tol(frs_reachability_most_online(&r), 970, 1e-6);
    frs_reachability_require(&r, &all_three);
    ck_assert_double_eq_tol(frs_reachability_most_online(&r), 1000 * .97 * .82 * .64 * .95, 1e-6);
    frs_reachability_fini(&r);
    r = reachability_of("states", SETTINGS("time_zones", "9 h"), NULL, NULL, 1000, 5);
    frs_reachability_require(&r, &all_three);
    ck_assert_double_lt(frs_reachability_most_online(&r), 430);
    ck_assert_double_gt(frs_reachability_most_online(&r), 300);
    frs_reachability_fini(&r);
}
END_TEST

/* A state that is never reached ends the search. */
START_TEST(what_is_never_reached_is_said) {
    struct frs_reachability r = reachability_of("states",
        SETTINGS("charging", "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0", "wifi",
            "0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0"),
        NULL, NULL, 10, 5);
    double until_s;
    frs_reachability_require(&r, &all_three);
    ck_assert(!frs_reachable(&r, 0, 0, 0, 5, &until_s) && isinf(until_s));
    frs_reachability_fini(&r);
}
END_TEST

static void refuses(const char *text, const char *message) {
    char *path = write_file(text), *line = frs_format("%s%s", path, message);
    refuses_availability("states", SETTINGS("file", path, "period", "100 s"), NULL, line);
    unlink(path);
    free(path);
    free(line);
}

START_TEST(malformed_states_are_refused) {
    refuses("", ": is empty");
    refuses("# none\nclient,start_s,end_s,link,charging,in_use\n",
        ": holds no session; expected lines client,start_s,end_s,link,charging,in_use");
    refuses("1,2,3\n", ":1: has 3 fields; allowed: client,start_s,end_s,link,charging,in_use");
    refuses("1,2,3,lan,0,0\n", ":1: link \"lan\" is not known; allowed: wifi, metered or off");
    refuses("1,2,3,wif,0,0\n", ":1: link \"wif\" is not known; allowed: wifi, metered or off");
    refuses("\n1,2,3,wifi,yes,0\n", ":2: charging \"yes\" is not known; allowed: 0 or 1");
    refuses("1,2,3,wifi,0\n", ":1: has 5 fields; allowed: client,start_s,end_s,link,charging,in_use");
    refuses("1,2,3,wifi,0,1,1\n", ":1: has 7 fields");
    refuses("1,2,3,wifi,0,1\n1,2.5,4,wifi,0,1\n",
        ":2: client 1 has a state from 2.5 s on, when that of line 1 has not ended");
    refuses("1,2,300,wifi,0,1\n", ":1: ends after the period");
    refuses_availability("states", SETTINGS("wifi", "0.5"), NULL,
        "test.wifi: has 1 number; allowed: \"assumed\", or 24 numbers from 0 to 1");
    refuses_availability("states", SETTINGS("in_use", "fedscale"), NULL, "at position 1 is not a share");
}
END_TEST

static bool reads(const char *text, struct frs_eligible *eligible, struct frs_errors *errors) {
    static const struct frs_param params[] = {FRS_ELIGIBLE_PARAM, {0}};
    struct frs_values values = frs_values_of(params, SETTINGS("eligible", text));
    bool good = frs_eligible_read(&values, "eligible", eligible, errors);
    frs_values_fini(&values);
    return good;
}

START_TEST(rules_are_read) {
    struct frs_eligible eligible;
    struct frs_errors errors = {0};
    ck_assert(reads("any", &eligible, &errors) && frs_eligible_is_any(&eligible));
    ck_assert(reads(" charging ,wifi", &eligible, &errors));
    ck_assert(eligible.wifi && eligible.charging && !eligible.idle);
    ck_assert(!reads("wifi, plugged", &eligible, &errors));
    ck_assert(
        strstr(errors.lines[0], "\"plugged\" is no state of a device; allowed: \"any\", or some of wifi, "
                                "charging, idle separated by commas"));
    frs_errors_clear(&errors);
    ck_assert(!reads("wifi,", &eligible, &errors));
    frs_errors_clear(&errors);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("availability_states");
    TCase *tests = tcase_create("availability_states");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, states_by_hand);
    tcase_add_test(tests, eligibility_by_hand);
    tcase_add_test(tests, states_repeat);
    tcase_add_test(tests, devices_are_on_their_curves);
    tcase_add_test(tests, times_of_changes_are_exact);
    tcase_add_test(tests, eligible_devices_of_an_average_day);
    tcase_add_test(tests, what_is_never_reached_is_said);
    tcase_add_test(tests, malformed_states_are_refused);
    tcase_add_test(tests, rules_are_read);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
