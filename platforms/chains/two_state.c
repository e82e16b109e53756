#include "platforms/chains/two_state.h"
#include "sim/base/numbers/rng.h"

#include <math.h>
#include <string.h>

/* Points per window on average. Few, because about half a window's points are drawn in vain per query;
 * more than one, because an empty window costs a stream. */
#define WINDOW 2.0

void frs_intensity_sum(size_t n, double piece_s, const double *per_s, double *cumulative) {
    cumulative[0] = 0;
    for (size_t i = 0; i < n; i++)
        cumulative[i + 1] = cumulative[i] + per_s[i] * piece_s;
}

/* A(clock). */
static double operational(const struct frs_intensity *intensity, double clock_s) {
    double period_s = (double)intensity->n * intensity->piece_s, periods = floor(clock_s / period_s);
    double rest_s = fmax(clock_s - periods * period_s, 0);
    size_t piece = (size_t)(rest_s / intensity->piece_s);
    if (piece >= intensity->n)
        piece = intensity->n - 1;
    return periods * intensity->cumulative[intensity->n] + intensity->cumulative[piece] +
           intensity->per_s[piece] * (rest_s - (double)piece * intensity->piece_s);
}

/* A⁻¹(u). */
static double clock_of(const struct frs_intensity *intensity, double u) {
    const double *cumulative = intensity->cumulative;
    double periods = floor(u / cumulative[intensity->n]), rest = u - periods * cumulative[intensity->n];
    size_t low = 0, high = intensity->n; /* the last piece that starts at or before `rest` */
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (cumulative[middle] <= rest)
            low = middle;
        else
            high = middle;
    }
    double rate = intensity->per_s[low];
    double within_s =
        rate > 0 ? fmin((rest - cumulative[low]) / rate, intensity->piece_s) : intensity->piece_s;
    return (periods * (double)intensity->n + (double)low) * intensity->piece_s + within_s;
}

/* One of the two processes, for one client. */
struct process {
    const struct frs_intensity *intensity;
    uint64_t seed;
    uint32_t client;
    enum frs_purpose purpose;
    bool comes; /* it is the one of points at which clients come online */
    double clock_s;
};

/* The two kinds of points lie on disjoint halves of the doubles. So a point of one kind never coincides
 * with one of the other, and every `until` is a real change. Moves a time by at most its last bit. */
static double on_own_grid(double time_s, bool comes) {
    uint64_t bits;
    memcpy(&bits, &time_s, sizeof bits);
    bits = comes ? bits & ~UINT64_C(1) : bits | 1;
    memcpy(&time_s, &bits, sizeof bits);
    return time_s;
}

/* When the client has this point. */
static double time_of(const struct process *process, double u) {
    return on_own_grid(clock_of(process->intensity, u) - process->clock_s, process->comes);
}

/* Finds the latest point of window `k` at or before t_s (*last), and the first after t_s (*next), if they
 * exist. Of the points that lie before u by more than a rounding, only the last, `before`, is converted to
 * a time. */
static void look(
    const struct process *process, uint64_t k, double before, double t_s, double *last, double *next) {
    struct frs_rng rng =
        frs_rng_stream(process->seed, process->client, (uint32_t)k, (uint32_t)(k >> 32), process->purpose);
    double end = ((double)k + 1) * WINDOW, u = (double)k * WINDOW - log1p(-frs_rng_unit(&rng)), passed = -1;
    for (; u < end && u < before; u -= log1p(-frs_rng_unit(&rng)))
        passed = u;
    if (passed >= 0)
        *last = fmax(*last, time_of(process, passed));
    for (; u < end; u -= log1p(-frs_rng_unit(&rng))) {
        double time_s = time_of(process, u);
        if (time_s <= t_s) {
            *last = fmax(*last, time_s);
        } else {
            *next = fmin(*next, time_s);
            return;
        }
    }
}

/* The points around t_s: *last at or before it (−INFINITY: none), *next after it (INFINITY: none). */
static void points_around(const struct process *process, double t_s, double *last, double *next) {
    *last = -INFINITY;
    *next = INFINITY;
    if (!(process->intensity->cumulative[process->intensity->n] > 0))
        return;
    /* Rounding may put t_s on the wrong side of a window's edge, so the search starts with both windows of
     * an edge nearby. */
    double u = operational(process->intensity, t_s + process->clock_s), slack = 1e-9 + 1e-12 * u;
    uint64_t above = (uint64_t)((u + slack) / WINDOW), below = (uint64_t)(fmax(u - slack, 0) / WINDOW);
    for (uint64_t k = below; k <= above; k++)
        look(process, k, u - slack, t_s, last, next);
    for (uint64_t k = below; *last == -INFINITY && k-- > 0;)
        look(process, k, u - slack, t_s, last, next);
    for (uint64_t k = above + 1; *next == INFINITY; k++)
        look(process, k, u - slack, t_s, last, next);
}

bool frs_two_state_at(
    const struct frs_two_state *chain, uint32_t client, double clock_s, double t_s, double *until_s) {
    double came, comes, went, goes;
    points_around(&(struct process){&chain->online, chain->seed, client, chain->streams.comes, true, clock_s},
        t_s, &came, &comes);
    points_around(
        &(struct process){&chain->offline, chain->seed, client, chain->streams.goes, false, clock_s}, t_s,
        &went, &goes);
    bool online = came > went;
    if (came == went) { /* neither has happened yet */
        struct frs_rng rng = frs_rng_stream(chain->seed, client, 0, 0, chain->streams.starts);
        online = frs_rng_unit(&rng) < chain->initial_share;
    }
    *until_s = online ? goes : comes;
    return online;
}
