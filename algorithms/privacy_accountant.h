/* Privacy guarantee of the noise that a method adds, for one release and composed over many.
 *
 * Take two sets of data that differ in what `protects` names. They lead to any outcome with probabilities
 * p and q such that p ≤ e^ε q + δ. A release carries the noise: the aggregate of a round (a trusted server
 * adds it), or an upload (the client does).
 *
 *   Laplace of scale b on every value, each within an interval of length r: ε = r/b a value, n·r/b for the
 *   n
 *   values of a release, and T releases add up to T times that (Dwork & Roth 2014, theorem 3.16); δ = 0.
 *
 *   Gaussian of standard deviation z·s on a vector of L2 sensitivity s: T releases are as good as one with
 *   z/√T, and with μ = √T/z exactly (Balle & Wang 2018, theorem 8; Dong, Roth & Su 2022, corollary 3.3)
 *     δ(ε) = Φ(μ/2 − ε/μ) − e^ε Φ(−μ/2 − ε/μ).
 *
 * At a δ above 0, releases of Laplace noise lose less than their sum. Two bounds are used: T releases of ε
 * each keep ε√(2T ln(1/δ)) + Tε(e^ε − 1) (advanced composition, Dwork & Roth 2014, theorem 3.20), and the
 * sum of Rényi divergences (algorithms/renyi.h). Where only chance decides which clients take part in a
 * round, an outsider does not know whether a release of the server contains this client. Such a release
 * loses less: amplification by sampling. */
#ifndef FRS_ALGORITHMS_PRIVACY_ACCOUNTANT_H
#define FRS_ALGORITHMS_PRIVACY_ACCOUNTANT_H

#include "algorithms/client_sampling.h"

#include <stdbool.h>
#include <stdint.h>

enum frs_noise { FRS_NO_NOISE, FRS_LAPLACE, FRS_GAUSSIAN };

extern const char *const frs_noise_names[]; /* enum frs_noise */

/* An ε that the noise was chosen to keep over so many releases of a client's data. */
struct frs_privacy_aim {
    double epsilon; /* 0: none, the noise itself was given */
    uint64_t releases;
};

struct frs_guarantee {
    enum frs_noise noise;
    bool local; /* clients add it to what they upload; otherwise a trusted server to what it publishes */
    double
        scale; /* Laplace: b/r; Gaussian: z. 0: nothing bounds what the noise has to hide, and no ε holds */
    double values;                /* Laplace: n */
    double unit;                  /* Laplace: r; 0: not told */
    double delta;                 /* the δ at which ε is told; Laplace: 0 if none */
    struct frs_sampling sampling; /* of what a server publishes */
    struct frs_privacy_aim aim;
    bool summed;          /* the noise of all uploads is drawn at once, when they are added up */
    bool rests;           /* presupposes that no client takes part in two rounds in a row */
    const char *protects; /* "all interactions of one client" */
};

struct frs_privacy_loss {
    double epsilon, delta; /* epsilon INFINITY: none holds */
};

/* The privacy loss of this many releases of data of the same client; none: {0, 0}. Laplace: their sum;
 * Gaussian: exact. */
struct frs_privacy_loss frs_privacy_loss(const struct frs_guarantee *guarantee, uint64_t releases);

/* The same by every way of counting that holds; those that do not are INFINITY. */
struct frs_privacy_account {
    double sum;      /* of the releases' ε: Laplace */
    double advanced; /* Laplace, at δ above 0 */
    double renyi;    /* of the releases */
    double exact;    /* Gaussian */
    double sampled;  /* of all rounds, amplified by sampling */
    double epsilon;  /* the least of them */
    double delta;    /* at which it holds */
};

/* A client with `releases` of the `rounds` of a run. */
struct frs_privacy_account frs_privacy_account(
    const struct frs_guarantee *guarantee, uint64_t releases, uint64_t rounds);

/* The least scale with which a guarantee keeps ε, whatever its own scale; NAN: none up to 1e9 does. */
double frs_privacy_scale(
    const struct frs_guarantee *guarantee, uint64_t releases, uint64_t rounds, double epsilon);

#endif
