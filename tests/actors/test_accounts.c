/* Accounts of clients with caps: worked out by hand, and at most the stated excess whatever happens. */
#include "actors/accounts.h"
#include "sim/base/numbers/rng.h"
#include "tests/support.h"

#include <math.h>

static const struct frs_spending nothing;

/* A client is selected at a time and learnt to have ended: what it took, and whether it ran to its end. */
static void take_part(struct frs_accounts *accounts, uint32_t client, double selected_s,
    struct frs_spending spent, bool whole) {
    struct frs_participation p = frs_participation_new(client);
    p.times.selected_s = selected_s;
    p.plan.grant.predicted_bytes = 100;
    frs_accounts_selected(accounts, client, 100, false, selected_s);
    frs_accounts_count(accounts, &p, &spent, &nothing, whole);
    frs_participation_fini(&p);
}

#define BYTES(down, up) ((struct frs_spending){.down_bytes = down, .up_bytes = up})

/* 1000 bytes in 100 s, and at first 300 are expected. Client 0 takes 300 at 10 and 400 at 30: its mean is
 * 350, and 700 + 350 do not fit before 100. Client 1 has taken nothing, so its expectation is the mean of
 * the others. Participations that ended early count as spent, but do not change expectations. */
START_TEST(a_cap_is_reached_in_the_middle_of_a_period) {
    const struct frs_caps caps = {
        .period_s = 100, .bytes = 1000, .energy_j = INFINITY, .metered_bytes = INFINITY};
    struct frs_accounts *accounts = frs_accounts_create(&caps, &BYTES(200, 100), 4);
    ck_assert_double_eq(frs_accounts_until_s(accounts, 0, 5), 5);
    take_part(accounts, 0, 10, BYTES(200, 100), true);
    ck_assert_double_eq(frs_accounts_until_s(accounts, 0, 20), 20);
    take_part(accounts, 0, 30, BYTES(250, 150), true);
    ck_assert_double_eq(frs_accounts_until_s(accounts, 0, 40), 100);
    ck_assert_double_eq(frs_accounts_until_s(accounts, 1, 40), 40);
    ck_assert_uint_eq(frs_accounts_held_back(accounts, 40), 1);
    ck_assert_uint_eq(frs_accounts_held_back(accounts, 100), 0);
    ck_assert_double_eq(frs_accounts_until_s(accounts, 0, 100), 100);
    take_part(accounts, 1, 50, BYTES(660, 0), false);
    ck_assert_double_eq(frs_accounts_until_s(accounts, 1, 60), 100);
    /* 310 of 340, or 660 of 350: expected was the mean of all. */
    const struct frs_accounts_report report = frs_accounts_report(accounts);
    ck_assert_double_eq(report.most_error_bytes, 310);
    ck_assert_uint_eq(report.clients_held_back, 2);
    frs_accounts_destroy(accounts);
}
END_TEST

/* 700 bytes are spent and 300 expected: 1000 fit, be they metered or not. One on Wi-Fi spends none of those
 * that are. */
START_TEST(a_cap_may_be_reached_exactly) {
    for (int metered = 0; metered < 3; metered++) {
        const struct frs_caps caps = {.period_s = 100,
            .bytes = metered ? INFINITY : 1000,
            .energy_j = INFINITY,
            .metered_bytes = metered ? 1000 : INFINITY};
        struct frs_accounts *accounts = frs_accounts_create(&caps, &BYTES(200, 100), 2);
        struct frs_spending spent = {.down_bytes = 600, .up_bytes = metered < 2 ? 100 : 200};
        spent.metered_bytes = metered == 1 ? 700 : 0;
        take_part(accounts, 0, 10, spent, false);
        ck_assert_double_eq(frs_accounts_until_s(accounts, 0, 20), 20);
        ck_assert_double_eq(frs_accounts_metered_until_s(accounts, 0, 20), 20);
        ck_assert_uint_eq(frs_accounts_report(accounts).clients_held_back, 0);
        frs_accounts_destroy(accounts);
    }
}
END_TEST

/* Of 500 bytes 300 were known before: with 300 more they are 800 of 1000. In two periods 800 are spent, and
 * one client is held back, twice. */
START_TEST(what_comes_to_light_counts_once) {
    const struct frs_caps caps = {
        .period_s = 100, .bytes = 1000, .energy_j = INFINITY, .metered_bytes = INFINITY};
    struct frs_accounts *accounts = frs_accounts_create(&caps, &BYTES(200, 100), 2);
    struct frs_participation p = frs_participation_new(0);
    p.times.selected_s = 10;
    frs_accounts_selected(accounts, 0, 0, false, 10);
    frs_accounts_count(accounts, &p, &BYTES(300, 0), &nothing, false);
    frs_accounts_count(accounts, &p, &BYTES(300, 200), &BYTES(300, 0), false);
    ck_assert_double_eq(frs_accounts_until_s(accounts, 0, 20), 20);
    frs_participation_fini(&p);
    for (int period = 1; period < 3; period++) {
        take_part(accounts, 0, 100 * period + 10, BYTES(800, 0), false);
        ck_assert_uint_eq(frs_accounts_held_back(accounts, 100 * period + 20), 1);
        ck_assert_uint_eq(frs_accounts_report(accounts).clients_held_back, 1);
    }
    frs_accounts_destroy(accounts);
}
END_TEST

/* Bytes of the previous period do not count for the next one, not even when some are reported later. A
 * client whose participation exceeds the cap of a whole period is never selected again. */
START_TEST(periods_are_apart) {
    const struct frs_caps caps = {
        .period_s = 100, .bytes = 1000, .energy_j = INFINITY, .metered_bytes = INFINITY};
    struct frs_accounts *accounts = frs_accounts_create(&caps, &BYTES(200, 100), 2);
    struct frs_participation p = frs_participation_new(0);
    p.times.selected_s = 90;
    frs_accounts_selected(accounts, 0, 0, false, 90);
    frs_accounts_count(accounts, &p, &BYTES(600, 0), &nothing, false);
    ck_assert_double_eq(frs_accounts_until_s(accounts, 0, 95), 95);
    frs_accounts_count(accounts, &p, &BYTES(900, 0), &BYTES(600, 0), false);
    ck_assert_double_eq(frs_accounts_until_s(accounts, 0, 95), 100);
    frs_accounts_selected(accounts, 0, 0, false, 130);
    frs_accounts_count(accounts, &p, &BYTES(1200, 0), &BYTES(900, 0), false);
    frs_participation_fini(&p);
    take_part(accounts, 0, 130, BYTES(500, 100), true);
    ck_assert_double_eq(frs_accounts_until_s(accounts, 0, 140), 200);
    take_part(accounts, 1, 10, BYTES(2000, 100), true);
    ck_assert(isinf(frs_accounts_until_s(accounts, 1, 20)));
    frs_accounts_destroy(accounts);
    const struct frs_caps none = {
        .period_s = 100, .bytes = INFINITY, .energy_j = INFINITY, .metered_bytes = INFINITY};
    ck_assert_ptr_null(frs_accounts_create(&none, &nothing, 2));
    ck_assert_double_eq(frs_accounts_until_s(NULL, 1, 20), 20);
}
END_TEST

/* 1000 bytes over a metered link: of a client on one all bytes are expected there, and on Wi-Fi none. */
START_TEST(metered_bytes_have_a_cap_of_their_own) {
    const struct frs_caps caps = {
        .period_s = 100, .bytes = INFINITY, .energy_j = INFINITY, .metered_bytes = 1000};
    struct frs_accounts *accounts = frs_accounts_create(&caps, &BYTES(200, 100), 2);
    struct frs_participation p = frs_participation_new(0);
    struct frs_spending spent = {.down_bytes = 400, .up_bytes = 200, .metered_bytes = 600};
    ck_assert_double_eq(frs_accounts_metered_until_s(accounts, 0, 10), 10);
    frs_accounts_selected(accounts, 0, 100, true, 10);
    p.times.selected_s = 10;
    frs_accounts_count(accounts, &p, &spent, &nothing, true);
    ck_assert_double_eq(frs_accounts_metered_until_s(accounts, 0, 20), 100);
    ck_assert_double_eq(frs_accounts_until_s(accounts, 0, 20), 20);
    ck_assert_double_eq(frs_accounts_report(accounts).most_error_metered_bytes, 300);
    ck_assert_uint_eq(frs_accounts_report(accounts).clients_held_back, 1);
    frs_accounts_selected(accounts, 0, 100, false, 20); /* on Wi-Fi, and on the metered link in the end */
    p.times.selected_s = 20;
    frs_accounts_count(accounts, &p, &spent, &nothing, true);
    ck_assert_double_eq(frs_accounts_report(accounts).most_error_metered_bytes, 600);
    ck_assert_double_eq(frs_accounts_metered_until_s(accounts, 0, 120), 120);
    frs_participation_fini(&p);
    frs_accounts_destroy(accounts);
}
END_TEST

/* 10 J. The first participation of all is expected to take none. */
START_TEST(energy_has_a_cap_of_its_own) {
    const struct frs_caps caps = {
        .period_s = 100, .bytes = INFINITY, .energy_j = 10, .metered_bytes = INFINITY};
    struct frs_accounts *accounts = frs_accounts_create(&caps, &BYTES(200, 100), 2);
    take_part(accounts, 0, 0, (struct frs_spending){.energy_j = 4}, true);
    ck_assert_double_eq(frs_accounts_until_s(accounts, 0, 10), 10);
    take_part(accounts, 0, 10, (struct frs_spending){.energy_j = 4}, true);
    ck_assert_double_eq(frs_accounts_until_s(accounts, 0, 20), 100);
    ck_assert_double_eq(frs_accounts_report(accounts).most_error_j, 4);
    frs_accounts_destroy(accounts);
}
END_TEST

/* 1000 bytes in 100 s, downloads of 20. Nothing is known at first: all that is left but the download. Client
 * 0 takes part at 0, and at 10 the rate of all is 1 / (2 · 10 s) and its own (1 + 4) / (10 s + 4 · 20 s):
 * 5 further ones are expected in the 90 s that are left, and 880 bytes are left. */
START_TEST(uploads_share_what_is_left) {
    const struct frs_caps caps = {
        .period_s = 100, .bytes = 1000, .energy_j = INFINITY, .metered_bytes = INFINITY};
    struct frs_accounts *accounts = frs_accounts_create(&caps, &BYTES(20, 100), 2);
    frs_accounts_expect_uploads(accounts, 100);
    ck_assert_double_eq(frs_accounts_up_bytes(accounts, 0, 0), 980);
    take_part(accounts, 0, 0, BYTES(20, 100), true);
    ck_assert_double_eq_tol(frs_accounts_up_bytes(accounts, 0, 10), 880.0 / 6 - 20, 1e-9);
    frs_accounts_destroy(accounts);
    ck_assert(isinf(frs_accounts_up_bytes(NULL, 0, 10)));
}
END_TEST

/* Whatever participations take, and whenever, no client is above its cap by more than the largest error. */
START_TEST(no_client_is_above_its_cap_by_more_than_the_error) {
    enum { N_CLIENTS = 5, N_STEPS = 60 };
    size_t held = 0, above = 0;
    for (uint64_t seed = 0; seed < 1000; seed++) {
        struct frs_rng rng = frs_rng_stream(seed, 0, 0, 0, FRS_RNG_TEST);
        const struct frs_caps caps = {.period_s = 1 + 100 * frs_rng_unit(&rng),
            .bytes = frs_rng_below(&rng, 4) ? 300 + frs_rng_below(&rng, 2000) : INFINITY,
            .energy_j = frs_rng_below(&rng, 2) ? 1 + 5 * frs_rng_unit(&rng) : INFINITY,
            .metered_bytes = INFINITY};
        struct frs_accounts *accounts = frs_accounts_create(&caps, &BYTES(200, 100), N_CLIENTS);
        double now_s = 0, bytes[N_CLIENTS] = {0}, energy_j[N_CLIENTS] = {0}, most_bytes = 0, most_j = 0;
        for (size_t i = 0; accounts && i < N_STEPS; i++) {
            double before = floor(now_s / caps.period_s);
            uint32_t client = frs_rng_below(&rng, N_CLIENTS);
            now_s += 20 * frs_rng_unit(&rng);
            for (uint32_t u = 0; u < N_CLIENTS && floor(now_s / caps.period_s) > before; u++)
                bytes[u] = energy_j[u] = 0;
            if (frs_accounts_until_s(accounts, client, now_s) > now_s) {
                held++;
                continue;
            }
            struct frs_spending spent = {.down_bytes = frs_rng_below(&rng, 400),
                .up_bytes = frs_rng_below(&rng, 200),
                .energy_j = 2 * frs_rng_unit(&rng)};
            take_part(accounts, client, now_s, spent, frs_rng_below(&rng, 3) > 0);
            bytes[client] += spent.down_bytes + spent.up_bytes;
            energy_j[client] += spent.energy_j;
            most_bytes = fmax(most_bytes, bytes[client]);
            most_j = fmax(most_j, energy_j[client]);
        }
        if (!accounts)
            continue;
        struct frs_accounts_report report = frs_accounts_report(accounts);
        ck_assert_double_le(most_bytes - caps.bytes, report.most_error_bytes);
        ck_assert_double_le(most_j - caps.energy_j, report.most_error_j + 1e-9);
        above += most_bytes > caps.bytes || most_j > caps.energy_j;
        frs_accounts_destroy(accounts);
    }
    ck_assert_uint_gt(held, 1000);
    ck_assert_uint_gt(above, 100);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("accounts");
    TCase *tests = tcase_create("caps");
    tcase_add_test(tests, a_cap_is_reached_in_the_middle_of_a_period);
    tcase_add_test(tests, a_cap_may_be_reached_exactly);
    tcase_add_test(tests, what_comes_to_light_counts_once);
    tcase_add_test(tests, periods_are_apart);
    tcase_add_test(tests, metered_bytes_have_a_cap_of_their_own);
    tcase_add_test(tests, energy_has_a_cap_of_its_own);
    tcase_add_test(tests, uploads_share_what_is_left);
    tcase_add_test(tests, no_client_is_above_its_cap_by_more_than_the_error);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
