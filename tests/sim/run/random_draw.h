/* What random scenarios are drawn with: numbers, and what has been drawn so far. */
#ifndef FRS_TESTS_SIM_RUN_RANDOM_DRAW_H
#define FRS_TESTS_SIM_RUN_RANDOM_DRAW_H

#include "sim/base/numbers/rng.h"
#include "tests/sim/run/fixture.h"

struct draw {
    struct frs_rng rng;
    FILE *out;
    uint32_t users;
    uint32_t size;     /* of messages, links and speeds, 0 as 1: slow start takes messages of many packets */
    bool tcp;          /* connections and slow start, */
    bool packets;      /* packet by packet: of scenarios with edges alone, */
    bool edges_die;    /* as is this */
    bool simgrid;      /* SimGrid's own solver plays: no traces */
    bool trains;       /* false: messages and time only */
    bool sessions;     /* clients come and go */
    bool in_time;      /* the method takes no update of an older version, and no fewer epochs */
    bool post_uploads; /* the method works on after the upload */
    bool reachable;    /* all clients are, always */
    const char *policy;
    bool resumes;          /* connections that break go on where they broke off */
    bool plans;            /* when rounds open is drawn, too, and how clients rest */
    bool diurnal, to_caps; /* availability has a start of its own; uploads are adapted to caps */
    uint32_t zones_h;      /* over which clients' clocks are spread */
    uint64_t seed;
    bool runs_on, asynchronous; /* participations may end after their round; begin before it */
};

static inline uint32_t below(struct draw *d, uint32_t n) {
    return frs_rng_below(&d->rng, n);
}

static inline bool one_in(struct draw *d, uint32_t n) {
    return below(d, n) == 0;
}

/* Evenly on the logarithmic scale. */
static inline double draw_scale(struct draw *d, double low, double high) {
    return low * pow(high / low, frs_rng_unit(&d->rng));
}

static inline uint32_t sized(const struct draw *d, uint32_t n) {
    return d->size ? d->size * n : n;
}

/* What is drawn from here, for a purpose of its own, shifts nothing else. */
static inline struct draw draw_aside(const struct draw *d, uint32_t purpose) {
    struct draw aside = *d;
    aside.rng = frs_rng_stream(d->seed, purpose, 0, 0, FRS_RNG_TEST);
    return aside;
}

#define ONE_OF(d, ...)                                                                                       \
    ((const char *const[]){__VA_ARGS__})[below(                                                              \
        d, (uint32_t)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)))]

#endif
