/* Outages: who is in them, when they begin and end, and what is refused with which words. */
#include "tests/platforms/availability_fixture.h"

static struct frs_outages outages_of(const char *text, uint64_t seed) {
    struct frs_values values = frs_values_of(frs_availability_params, SETTINGS("outages", text));
    struct frs_outages outages;
    struct frs_errors errors = {0};
    bool good = frs_outages_read(&outages, &values, seed, &errors);
    frs_errors_print(&errors, stdout);
    ck_assert(good);
    frs_values_fini(&values);
    return outages;
}

static void expect(const struct frs_outages *o, uint32_t client, double t_s, bool online, double until_s) {
    double said_s;
    ck_assert_msg(frs_outages_at(o, client, t_s, &said_s) == online, "client %u at %g", client, t_s);
    ck_assert_msg(said_s == until_s, "client %u at %g: until %g, not %g", client, t_s, said_s, until_s);
}

START_TEST(empty_text_is_no_outage) {
    static const char *const texts[] = {"", "  "};
    for (int i = 0; i < 2; i++) {
        struct frs_outages o = outages_of(texts[i], 1);
        ck_assert_uint_eq(o.n, 0);
        expect(&o, 3, 5, true, INFINITY);
        frs_outages_fini(&o);
    }
}
END_TEST

/* Not in order, overlapping, touching; regions count from 1. */
START_TEST(outages_are_found_in_any_order) {
    struct frs_outages o =
        outages_of("region 2 of 3 from 30 min to 40 min; all from 2 h to 3 h;"
                   "region 2 of 3 from 10 min to 15 min ;region 1 of 1 from 2.5 h to 200 min\n; "
                   "region 2 of 3 from 40 min to 50 min",
            1);
    ck_assert_uint_eq(o.n, 5);
    for (uint32_t client = 1; client < 20; client += 3) {
        expect(&o, client, 0, true, 600);
        expect(&o, client, nextafter(600, 0), true, 600);
        expect(&o, client, 600, false, 900);
        expect(&o, client, 900, true, 1800);
        expect(&o, client, 1800, false, 3000);
        expect(&o, client, 2400, false, 3000);
        expect(&o, client, 3000, true, 7200);
        expect(&o, client, 7200, false, 12000);
        expect(&o, client, 12000, true, INFINITY);
        expect(&o, client - 1, 0, true, 7200);
        expect(&o, client + 1, 2000, true, 7200);
        expect(&o, client + 1, 11000, false, 12000);
    }
    frs_outages_fini(&o);
}
END_TEST

START_TEST(regions_divide_the_clients) {
    struct frs_outages o = outages_of("region 1 of 2 from 0 s to 1 s; region 2 of 2 from 1 s to 2 s", 1);
    for (uint32_t client = 0; client < 10; client++) {
        expect(&o, client, 0.5, client % 2 == 1, 1);
        expect(&o, client, 1.5, client % 2 == 0, client % 2 ? 2 : INFINITY);
    }
    frs_outages_fini(&o);
}
END_TEST

START_TEST(an_outage_of_nobody) {
    struct frs_outages o = outages_of("0 % from 0 s to 10 s", 9);
    for (uint32_t client = 0; client < 1000; client++)
        expect(&o, client, 5, true, INFINITY);
    frs_outages_fini(&o);
}
END_TEST

/* Shares: the stated part of the clients, independent between outages, the same and more when the share
 * grows. */
START_TEST(shares_strike_independently) {
    enum { CLIENTS = 20000 };
    struct frs_outages small = outages_of("20 % from 1 s to 2 s; 50% from 3 s to 4 s", 9);
    struct frs_outages large =
        outages_of("60 % from 1 s to 2 s; 100 % from 3 s to 4 s; 0.5 % from 5 s to 6 s", 9);
    double first = 0, both = 0, in_large = 0, few = 0, until_s;
    for (uint32_t client = 0; client < CLIENTS; client++) {
        bool in = !frs_outages_at(&small, client, 1, &until_s);
        bool more = !frs_outages_at(&large, client, 1, &until_s);
        ck_assert(!in || more);
        first += in;
        in_large += more;
        both += in && !frs_outages_at(&small, client, 3, &until_s);
        few += !frs_outages_at(&large, client, 5, &until_s);
        ck_assert(!frs_outages_at(&large, client, 3.5, &until_s));
    }
    ck_share(first / CLIENTS, 0.2, CLIENTS);
    ck_share(both / CLIENTS, 0.1, CLIENTS);
    ck_share(in_large / CLIENTS, 0.6, CLIENTS);
    ck_share(few / CLIENTS, 0.005, CLIENTS);
    frs_outages_fini(&small);
    frs_outages_fini(&large);
}
END_TEST

/* Random lists on whole seconds against a table of every second. */
START_TEST(by_brute_force) {
    enum { SECONDS = 80, REGIONS = 3 };
    struct frs_rng rng = frs_rng_stream(4, 0, 0, 0, FRS_RNG_TEST);
    for (int round = 0; round < 500; round++) {
        bool off[REGIONS][SECONDS] = {{false}};
        char text[1024] = "";
        for (uint32_t i = frs_rng_below(&rng, 8) + 1; i > 0; i--) {
            uint32_t region = frs_rng_below(&rng, REGIONS), from = frs_rng_below(&rng, 50);
            uint32_t to = from + 1 + frs_rng_below(&rng, 20);
            snprintf(text + strlen(text), sizeof text - strlen(text), "%sregion %u of 3 from %u s to %u s",
                *text ? ";" : "", region + 1, from, to);
            for (uint32_t second = from; second < to; second++)
                off[region][second] = true;
        }
        struct frs_outages o = outages_of(text, 1);
        for (uint32_t client = 0; client < REGIONS; client++)
            for (uint32_t t = 0; t < SECONDS; t++) {
                uint32_t until = t;
                while (until < SECONDS && off[client][until] == off[client][t])
                    until++;
                expect(&o, client + 30, t, !off[client][t], until == SECONDS ? INFINITY : until);
            }
        frs_outages_fini(&o);
    }
}
END_TEST

START_TEST(malformed_outages_are_refused) {
#define REFUSES(text, message) refuses_availability("always", NULL, text, message)
    REFUSES("25 % from 2 h",
        "test.outages: \"25 % from 2 h\" is not an outage; allowed: \"25 % from 2 h to 3 h\"");
    REFUSES("25 from 2 h to 3 h", "is not an outage");
    REFUSES("101 % from 2 h to 3 h", "is not an outage");
    REFUSES("nan % from 2 h to 3 h", "is not an outage");
    REFUSES("-5 % from 2 h to 3 h", "is not an outage");
    REFUSES("% from 2 h to 3 h", "is not an outage");
    REFUSES("region 0 of 4 from 2 h to 3 h", "is not an outage");
    REFUSES("region 5 of 4 from 2 h to 3 h", "is not an outage");
    REFUSES("region 1 from 2 h to 3 h", "is not an outage");
    REFUSES("region 1 of 0 from 2 h to 3 h", "is not an outage");
    REFUSES("everybody from 2 h to 3 h", "is not an outage");
    REFUSES("all from 2 h to 3 h;", "\"\" is not an outage");
    REFUSES("all from 2 to 3 h", "has an entry that is not a time with its unit");
    REFUSES("all from 2 h to 3", "has an entry that is not a time");
    REFUSES("all from 3 h to 3 h", "does not end after it starts");
    REFUSES("all from 3 h to 2 h", "does not end after it starts");
    REFUSES("all from -1 h to 2 h", "starts before 0 s");
    struct frs_reachability r;
    struct frs_errors errors = {0};
    ck_assert(!reachability_try(&r, "always", NULL, "x; y; all from 1 h to 2 h", NULL, 10, 1, &errors));
    ck_assert_uint_eq(errors.n, 2); /* all of them are named */
    frs_errors_clear(&errors);
}
END_TEST

START_TEST(damaged_outages_are_read_or_refused) {
    static const char good[] =
        "25 % from 2 h to 3 h; region 1 of 4 from 30 min to 40 min; all from 1 d to 2 d";
    static const char alphabet[] = "0123456789%;;  fromtregion.-e\n\t\"";
    struct frs_rng rng = frs_rng_stream(5, 0, 0, 0, FRS_RNG_TEST);
    for (int round = 0; round < 3000; round++) {
        char text[sizeof good];
        memcpy(text, good, sizeof good);
        text[frs_rng_below(&rng, sizeof good)] = '\0';
        for (uint32_t i = frs_rng_below(&rng, 4); i > 0 && *text; i--)
            text[frs_rng_below(&rng, (uint32_t)strlen(text))] =
                alphabet[frs_rng_below(&rng, sizeof alphabet - 1)];
        struct frs_values values = frs_values_of(frs_availability_params, SETTINGS("outages", text));
        struct frs_outages o;
        struct frs_errors errors = {0};
        ck_assert(frs_outages_read(&o, &values, 1, &errors) ? errors.n == 0 : errors.n > 0 && !o.list);
        for (size_t i = 0; i < o.n; i++)
            ck_assert(o.list[i].from_s >= 0 && o.list[i].to_s > o.list[i].from_s &&
                      (o.list[i].regions ? o.list[i].region < o.list[i].regions
                                         : o.list[i].share > 0 && o.list[i].share <= 1));
        frs_outages_fini(&o);
        frs_errors_clear(&errors);
        frs_values_fini(&values);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("outages");
    TCase *tests = tcase_create("outages");
    tcase_add_test(tests, empty_text_is_no_outage);
    tcase_add_test(tests, outages_are_found_in_any_order);
    tcase_add_test(tests, regions_divide_the_clients);
    tcase_add_test(tests, an_outage_of_nobody);
    tcase_add_test(tests, shares_strike_independently);
    tcase_add_test(tests, by_brute_force);
    tcase_add_test(tests, malformed_outages_are_refused);
    tcase_add_test(tests, damaged_outages_are_read_or_refused);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
