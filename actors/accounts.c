#include "actors/accounts.h"
#include "actors/extremes.h"
#include "sim/base/memory.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

/* How many participations of its own weigh as much as the rate of all clients. */
#define RATE_WEIGHT 4

/* Sums over n participations that ran to their end. */
struct experience {
    uint32_t n;
    struct frs_spending sum;
};

struct account {
    double period; /* of `spent`, counted from 0 */
    struct frs_spending spent;
    struct experience own;
    uint32_t n_selected;
    double expected_bytes, expected_j, expected_metered_bytes; /* of the participation under way */
    bool held_back;                                            /* at some time */
    double held_period; /* the last one in which it was, plus 1; 0: none */
};

struct frs_accounts {
    const struct frs_caps *caps;
    struct frs_spending first;
    double least_up_bytes; /* NaN: uploads are as large as they have been */
    uint32_t n_clients;
    struct account **of; /* [n_clients] NULL: never selected */
    struct experience all;
    double predicted_up_bytes; /* of all.n uploads, as predicted */
    uint64_t n_selected;
    double held_period; /* the one that n_held counts in, */
    uint32_t n_held;
    struct frs_accounts_report report;
};

struct frs_accounts *frs_accounts_create(
    const struct frs_caps *caps, const struct frs_spending *first, uint32_t n_clients) {
    if (!frs_caps_limit(caps))
        return NULL;
    struct frs_accounts *accounts = frs_alloc(1, sizeof *accounts);
    *accounts =
        (struct frs_accounts){.caps = caps, .first = *first, .least_up_bytes = NAN, .n_clients = n_clients};
    accounts->of = frs_alloc(n_clients, sizeof *accounts->of);
    return accounts;
}

void frs_accounts_destroy(struct frs_accounts *accounts) {
    if (!accounts)
        return;
    for (uint32_t client = 0; client < accounts->n_clients; client++)
        free(accounts->of[client]);
    free(accounts->of);
    free(accounts);
}

void frs_accounts_expect_uploads(struct frs_accounts *accounts, double least_up_bytes) {
    accounts->least_up_bytes = least_up_bytes;
}

static double period_of(const struct frs_accounts *accounts, double time_s) {
    return floor(time_s / accounts->caps->period_s);
}

static void add(struct frs_spending *sum, const struct frs_spending *more, double sign) {
    sum->down_bytes += sign * more->down_bytes;
    sum->up_bytes += sign * more->up_bytes;
    sum->energy_j += sign * more->energy_j;
    sum->metered_bytes += sign * more->metered_bytes;
}

/* What uploads have had over what was predicted of them. */
static double size_share(const struct frs_accounts *accounts) {
    return accounts->predicted_up_bytes > 0 ? accounts->all.sum.up_bytes / accounts->predicted_up_bytes : 1;
}

/* The mean of the client's own participations, or else of all, or else what was said at first. */
static struct frs_spending expected(const struct frs_accounts *accounts, const struct account *account) {
    const struct experience *known = account && account->own.n > 0 ? &account->own : &accounts->all;
    struct frs_spending next = accounts->first;
    if (known->n > 0)
        next = (struct frs_spending){.down_bytes = known->sum.down_bytes / known->n,
            .up_bytes = known->sum.up_bytes / known->n,
            .energy_j = known->sum.energy_j / known->n};
    if (!isnan(accounts->least_up_bytes))
        next.up_bytes = size_share(accounts) * accounts->least_up_bytes;
    return next;
}

static double bytes_of(const struct frs_spending *spending) {
    return spending->down_bytes + spending->up_bytes;
}

static struct account *account_of(struct frs_accounts *accounts, uint32_t client) {
    if (!accounts->of[client])
        accounts->of[client] = frs_alloc(1, sizeof *accounts->of[client]);
    return accounts->of[client];
}

/* Spent in the period of this time. */
static struct frs_spending spent_at(
    const struct frs_accounts *accounts, const struct account *account, double time_s) {
    bool same = account && account->period == period_of(accounts, time_s);
    return same ? account->spent : (struct frs_spending){0};
}

static bool fits(
    const struct frs_caps *caps, const struct frs_spending *spent, const struct frs_spending *next) {
    return bytes_of(spent) + bytes_of(next) <= caps->bytes &&
           spent->energy_j + next->energy_j <= caps->energy_j;
}

static bool fits_metered(
    const struct frs_caps *caps, const struct frs_spending *spent, const struct frs_spending *next) {
    return spent->metered_bytes + bytes_of(next) <= caps->metered_bytes;
}

void frs_accounts_selected(
    struct frs_accounts *accounts, uint32_t client, double predicted_up_bytes, bool metered, double now_s) {
    struct account *account = account_of(accounts, client);
    struct frs_spending next = expected(accounts, account), spent = spent_at(accounts, account, now_s);
    if (!isnan(accounts->least_up_bytes))
        next.up_bytes = size_share(accounts) * predicted_up_bytes;
    account->period = period_of(accounts, now_s);
    account->spent = spent;
    account->expected_bytes = bytes_of(&next);
    account->expected_j = next.energy_j;
    account->expected_metered_bytes = metered ? bytes_of(&next) : 0;
    account->n_selected++;
    accounts->n_selected++;
}

static void note_experience(struct frs_accounts *accounts, struct account *account,
    const struct frs_participation *p, const struct frs_spending *spent) {
    add(&account->own.sum, spent, 1);
    add(&accounts->all.sum, spent, 1);
    account->own.n++;
    accounts->all.n++;
    accounts->predicted_up_bytes += p->plan.grant.predicted_bytes;
}

/* Notes whether nothing more fits into the client's period. */
static void hold_back(struct frs_accounts *accounts, struct account *account) {
    const struct frs_spending next = expected(accounts, account);
    if ((fits(accounts->caps, &account->spent, &next) &&
            fits_metered(accounts->caps, &account->spent, &next)) ||
        account->held_period == account->period + 1)
        return;
    accounts->report.clients_held_back += !account->held_back;
    account->held_back = true;
    account->held_period = account->period + 1;
    if (account->period > accounts->held_period) {
        accounts->held_period = account->period;
        accounts->n_held = 0;
    }
    accounts->n_held += account->period == accounts->held_period;
}

/* The client may be under way again, or in another period, when more comes to light of its participation. */
void frs_accounts_count(struct frs_accounts *accounts, const struct frs_participation *p,
    const struct frs_spending *spent, const struct frs_spending *counted, bool whole) {
    struct account *account = account_of(accounts, p->client);
    struct frs_accounts_report *report = &accounts->report;
    if (account->period == period_of(accounts, p->times.selected_s)) {
        add(&account->spent, spent, 1);
        add(&account->spent, counted, -1);
    }
    report->most_error_bytes =
        frs_larger(report->most_error_bytes, bytes_of(spent) - account->expected_bytes);
    report->most_error_j = frs_larger(report->most_error_j, spent->energy_j - account->expected_j);
    report->most_error_metered_bytes =
        frs_larger(report->most_error_metered_bytes, spent->metered_bytes - account->expected_metered_bytes);
    if (whole)
        note_experience(accounts, account, p, spent);
    hold_back(accounts, account);
}

uint32_t frs_accounts_held_back(const struct frs_accounts *accounts, double now_s) {
    return accounts && accounts->held_period == period_of(accounts, now_s) ? accounts->n_held : 0;
}

/* Rounding may put the product before its own period. */
double frs_accounts_period_end_s(const struct frs_accounts *accounts, double now_s) {
    double period = period_of(accounts, now_s) + 1, time_s = period * accounts->caps->period_s;
    while (period_of(accounts, time_s) < period || time_s <= now_s)
        time_s *= 1 + 2 * DBL_EPSILON;
    return time_s;
}

double frs_accounts_until_s(const struct frs_accounts *accounts, uint32_t client, double now_s) {
    static const struct frs_spending nothing;
    if (!accounts)
        return now_s;
    const struct account *account = accounts->of[client];
    const struct frs_spending next = expected(accounts, account), spent = spent_at(accounts, account, now_s);
    if (fits(accounts->caps, &spent, &next))
        return now_s;
    return fits(accounts->caps, &nothing, &next) ? frs_accounts_period_end_s(accounts, now_s) : INFINITY;
}

double frs_accounts_metered_until_s(const struct frs_accounts *accounts, uint32_t client, double now_s) {
    static const struct frs_spending nothing;
    if (!accounts)
        return now_s;
    const struct account *account = accounts->of[client];
    const struct frs_spending next = expected(accounts, account), spent = spent_at(accounts, account, now_s);
    if (fits_metered(accounts->caps, &spent, &next))
        return now_s;
    return fits_metered(accounts->caps, &nothing, &next) ? frs_accounts_period_end_s(accounts, now_s)
                                                         : INFINITY;
}

/* Participations per second: the mean of a gamma distribution that has seen all of the client's events
 * and, before them, RATE_WEIGHT events at the mean rate of all clients. Nothing is known at the start of
 * the run. */
static double rate(const struct frs_accounts *accounts, const struct account *account, double now_s) {
    if (accounts->n_selected == 0 || !(now_s > 0))
        return 0;
    double of_all = (double)accounts->n_selected / accounts->n_clients / now_s;
    return ((account ? account->n_selected : 0) + RATE_WEIGHT) / (now_s + RATE_WEIGHT / of_all);
}

double frs_accounts_up_bytes(const struct frs_accounts *accounts, uint32_t client, double now_s) {
    if (!accounts || isinf(accounts->caps->bytes))
        return INFINITY;
    const struct account *account = accounts->of[client];
    const struct frs_spending next = expected(accounts, account), spent = spent_at(accounts, account, now_s);
    double further = rate(accounts, account, now_s) * (frs_accounts_period_end_s(accounts, now_s) - now_s),
           each = (accounts->caps->bytes - bytes_of(&spent)) / (1 + further);
    return (each - next.down_bytes) / size_share(accounts);
}

struct frs_accounts_report frs_accounts_report(const struct frs_accounts *accounts) {
    return accounts->report;
}
