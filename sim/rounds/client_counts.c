/* How many clients are online and eligible: counted at quarter hours of the run's time, and less often in
 * long runs. The state of the clients is constant from one event of the server to the next, so a count for
 * a time between them is exact when it is made just before the later event. */
#include "sim/rounds/simulation_internal.h"

#include <math.h>

#define FIRST_STEP_S 900.0

/* After so many counts the step becomes so many times as long. */
#define COUNTS_OF_A_STEP 8192u
#define LONGER 4

/* Of more clients so many are counted, at even places, and stand for all. */
#define MOST_COUNTED 2000u

static double online_at(const struct frs_simulation *s, uint32_t client, double time_s) {
    return frs_reachability_online(&s->setup->reachability, client, s->round, s->attempt, time_s);
}

static double eligible_at(const struct frs_simulation *s, uint32_t client, double time_s) {
    return !frs_simulation_rules_out(s, client) && frs_simulation_admits_at(s, client, time_s);
}

/* NAN: who is online, or eligible, is drawn anew for every attempt, and does not follow time. */
static double count(const struct frs_simulation *s, double time_s, bool follows,
    double (*at)(const struct frs_simulation *s, uint32_t client, double time_s)) {
    uint32_t n = s->setup->training.data->population.n_clients,
             n_counted = n < MOST_COUNTED ? n : MOST_COUNTED;
    double sum = 0;
    if (!follows)
        return NAN;
    for (uint32_t i = 0; i < n_counted; i++)
        sum += at(s, (uint32_t)((uint64_t)i * n / n_counted), time_s);
    return sum * ((double)n / n_counted);
}

void frs_simulation_count_clients(struct frs_simulation *s, double until_s) {
    struct frs_load *load = frs_ledger_load(s->settings.ledger);
    if (!load)
        return;
    if (s->counts.n == 0 && s->counts.step_s == 0)
        s->counts.step_s = FIRST_STEP_S;
    while (s->counts.next_s <= until_s) {
        double time_s = s->counts.next_s;
        frs_open_rows_wait(s->open_rows); /* whose load it is, too */
        frs_load_count(load, time_s,
            count(s, time_s, frs_reachability_goes_by_time(&s->setup->reachability), online_at),
            count(s, time_s, frs_simulation_admits_by_time(s), eligible_at));
        if (++s->counts.n == COUNTS_OF_A_STEP) {
            s->counts.n = 0;
            s->counts.step_s *= LONGER;
        }
        s->counts.next_s = (floor(time_s / s->counts.step_s + 1e-9) + 1) * s->counts.step_s;
    }
}
