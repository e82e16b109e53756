/* FedAU: ω_i is the mean of the intervals of client i that were completed before this round, an unbiased
 * estimate of 1/p_i where it uploads with probability p_i in every round, independently. The first interval
 * counts from the start; an interval is 1 if the client uploads in two rounds in a row; one also closes after
 * `cutoff` rounds of absence. ω_i is 1 before the first has closed.
 *
 * Client i's completed intervals follow each other, so that their sum is the number of rounds until the end
 * of the newest: the server keeps that end, their number, and needs nothing else. */
#include "algorithms/correction.h"
#include "sim/base/files/archive.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdlib.h>

/* What the server keeps of a client. */
struct intervals {
    uint32_t end; /* rounds until the end of the newest that is complete */
    uint32_t n;   /* complete ones */
};

struct fedau {
    uint32_t cutoff;
    struct intervals *of; /* [n_clients] */
};

static const struct frs_param params[] = {
    {.key = "cutoff",
        .type = FRS_INT,
        .initial = "50",
        .min = 1,
        .max = 1e9,
        .help = "rounds of absence after which an interval of a client counts as complete, K of the paper; "
                "clients that upload more rarely than that are counted too low"},
    {0},
};

static void *create(const struct frs_values *values, uint32_t n_clients) {
    struct fedau *fedau = frs_alloc(1, sizeof *fedau);
    fedau->cutoff = (uint32_t)frs_values_int(values, "cutoff");
    fedau->of = frs_alloc(n_clients, sizeof *fedau->of);
    return fedau;
}

static void destroy(void *state) {
    struct fedau *fedau = state;
    free(fedau->of);
    free(fedau);
}

static void archive(void *state, uint32_t n_clients, struct frs_archive *archive) {
    struct fedau *fedau = state;
    frs_archive_bytes(archive, fedau->of, n_clients * sizeof *fedau->of);
}

/* Intervals that have closed by absence before round `round`. */
static void close_absent(struct intervals *intervals, uint32_t cutoff, uint32_t round) {
    uint32_t closed = round > intervals->end ? (round - intervals->end) / cutoff : 0;
    intervals->n += closed;
    intervals->end += closed * cutoff;
}

static void weigh(void *state, const struct frs_correction_request *request, double *weights) {
    struct fedau *fedau = state;
    for (size_t i = 0; i < request->n; i++) {
        struct intervals *intervals = &fedau->of[request->clients[i]];
        close_absent(intervals, fedau->cutoff, request->round);
        weights[i] = intervals->n > 0 ? (double)intervals->end / intervals->n : 1;
        intervals->end = request->round + 1;
        intervals->n++;
    }
}

/* Σ over the place l of the newest end before round t of P(l) E[l / n], n − 1 being binomial over the l − 1
 * rounds before it: E[l / n] = (1 − q^l)/p, hence q^t (1 − t) + (1 − q^t)/p, q = 1 − p. By absence an
 * interval is at most K long: its mean is then (1 − q^K)/p, which ω tends to from below. */
static double expected(const void *state, double p, uint32_t round) {
    const struct fedau *fedau = state;
    double t = round, none = pow(1 - p, t), limit = (1 - pow(1 - p, fedau->cutoff)) / p;
    return fmin(none * (1 - t) + (1 - none) / p, limit);
}

const struct frs_correction frs_correction_fedau = {
    .plugin = {.name = "fedau",
        .summary = "FedAU: an upload counts by how rarely its client uploads, as observed",
        .source = "Wang & Ji, ICLR 2024, algorithms 1 and 2",
        .params = params},
    .divides_by_all = true,
    .create = create,
    .destroy = destroy,
    .archive = archive,
    .weigh = weigh,
    .expected = expected,
};
