/* Client sampling: how clients are selected for a round, as far as it amplifies privacy
 * (algorithms/privacy_accountant.h). */
#ifndef FRS_ALGORITHMS_CLIENT_SAMPLING_H
#define FRS_ALGORITHMS_CLIENT_SAMPLING_H

/* Chance and nothing else decides. */
struct frs_sampling {
    enum {
        FRS_NOT_SAMPLED,   /* or by what they have, can or did: releases are counted instead */
        FRS_SAMPLED_FIXED, /* a cohort of fixed size, uniformly and without replacement from all clients */
        FRS_SAMPLED_BERNOULLI, /* each client by itself with the same probability */
    } kind;
    double rate; /* the share of clients, or the probability */
};

#endif
