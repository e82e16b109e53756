/* Randomness: counter-based streams (Philox4x32-10 of Random123).
 *
 * A stream is named by (seed, client, round, attempt, purpose). Two streams with different names are
 * independent, and drawing from one never shifts another, so a scenario stays paired with its variants.
 * Nothing in the program draws from anything else.
 *
 * Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011. */
#ifndef FRS_BASE_RNG_H
#define FRS_BASE_RNG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Purposes keep their number for ever: changing one changes every published result. */
enum frs_purpose {
    FRS_RNG_SYNTHETIC = 1,      /* the built-in data generator */
    FRS_RNG_ORDER = 2,          /* which interaction is the newest in data without time */
    FRS_RNG_SPLIT = 3,          /* random ratio split */
    FRS_RNG_EVALUATION = 4,     /* the 99 candidates of the sampled evaluation */
    FRS_RNG_COHORT = 5,         /* selection of clients */
    FRS_RNG_NEGATIVES = 6,      /* training negatives */
    FRS_RNG_SHUFFLE = 7,        /* order of the samples within an epoch */
    FRS_RNG_INIT = 8,           /* shared initial parameters */
    FRS_RNG_INIT_PRIVATE = 9,   /* private initial parameters */
    FRS_RNG_PROJECTION = 10,    /* CoLR's B */
    FRS_RNG_DOWNLINK = 11,      /* a client's downlink bandwidth */
    FRS_RNG_UPLINK = 12,        /* a client's uplink bandwidth */
    FRS_RNG_LATENCY = 13,       /* a client's latency */
    FRS_RNG_SPEED = 14,         /* a client's compute speed */
    FRS_RNG_REFERENCE = 15,     /* centralised references */
    FRS_RNG_GOES_ONLINE = 30,   /* when a client comes online (two-state availability) */
    FRS_RNG_GOES_OFFLINE = 31,  /* when it leaves */
    FRS_RNG_STARTS_ONLINE = 32, /* whether it is online at the start */
    FRS_RNG_TIME_ZONE = 33,     /* a client's time zone */
    FRS_RNG_PROPENSITY = 34,    /* how much of its time a client is online */
    FRS_RNG_ANSWERS = 35,       /* whether a client answers in a round (bernoulli availability) */
    FRS_RNG_OUTAGE = 36,        /* whether an outage takes a client */
    FRS_RNG_PRESENCE = 37,      /* when a client joins and leaves for good */
    FRS_RNG_FAILURE = 38,       /* what fails during a participation */
    FRS_RNG_LOSS = 39,          /* how often a client is lost, among others */
    FRS_RNG_MEMORY = 40,        /* a client's memory */
    FRS_RNG_JITTER_DOWN = 41,   /* bandwidth of one download */
    FRS_RNG_JITTER_UP = 42,     /* bandwidth of one upload */
    FRS_RNG_LATENCY_DOWN = 43,  /* latency jitter of one download */
    FRS_RNG_LATENCY_UP = 44,    /* latency jitter of one upload */
    FRS_RNG_TRACE_PHASE = 45,   /* where in the network's trace a client starts */
    FRS_RNG_FLEET = 46,         /* the row of a table that a client is */
    FRS_RNG_FLEET_DEVICES = 47, /* the same, of another table for devices */
    FRS_RNG_PACKETS = 48,       /* which packets are lost */
    FRS_RNG_FAILURE_AGAIN = 49, /* what fails when a message is tried again */
    FRS_RNG_COLUMNS = 50,       /* SCoLR's S_u */
    FRS_RNG_BUDGET = 51,        /* a client's budget */
    FRS_RNG_ROTATION = 52,      /* the shuffled list of round-robin selection */
    FRS_RNG_EXPLORE = 53,       /* how many of a cohort explore, and who */
    FRS_RNG_CLUSTERS = 54,
    /* where the clustering of clients starts */ FRS_RNG_STARTS =
        55,                     /* what a sender needs before its first packet leaves */
    FRS_RNG_CODEC = 60,         /* what an encoder draws */
    FRS_RNG_NOISE = 61,         /* what a client adds to its upload */
    FRS_RNG_MASKS = 63,         /* a client's keys and seeds of masks */
    FRS_RNG_NEIGHBOURS = 64,    /* who masks with whom */
    FRS_RNG_FAILURE_ASIDE = 65, /* what fails in exchanges around an upload */
    FRS_RNG_COIN = 70,          /* RFRecF's shared coin */
    FRS_RNG_CALIBRATION = 80,   /* which transfers of a log stand for a round */
    FRS_RNG_JITTER_WORK = 81,   /* computing time of one participation */
    FRS_RNG_TEST = 255,         /* the test suite */
};

/* `client` of streams that belong to no client. */
#define FRS_RNG_SERVER UINT32_MAX

/* Who draws much gets FRS_RNG_AHEAD blocks computed side by side. */
#define FRS_RNG_AHEAD 16u

struct frs_rng {
    uint32_t key[2], counter[4], block[4];
    unsigned used;    /* words of `block` already handed out, 4 = none left */
    unsigned n_ahead; /* blocks of `ahead` not yet handed out, the last ones of it */
    uint32_t ahead[FRS_RNG_AHEAD][4];
};

/* Ranges: attempt < 2^24. */
struct frs_rng frs_rng_stream(
    uint64_t seed, uint32_t client, uint32_t round, uint32_t attempt, enum frs_purpose purpose);

/* The stream goes on with this block of four words; most draws take a part of one. */
void frs_rng_skip_to(struct frs_rng *rng, uint32_t block);

/* The next block. */
void frs_rng_refill(struct frs_rng *rng);

static inline uint32_t frs_rng_u32(struct frs_rng *rng) {
    if (rng->used == 4)
        frs_rng_refill(rng);
    return rng->block[rng->used++];
}

uint64_t frs_rng_u64(struct frs_rng *rng);

/* Uniform on 0 … n−1 without bias (Lemire 2019: divides only where it may have to reject); n ≥ 1. */
static inline uint32_t frs_rng_below(struct frs_rng *rng, uint32_t n) {
    uint64_t product = (uint64_t)frs_rng_u32(rng) * n;
    if ((uint32_t)product < n) {
        uint32_t threshold = -n % n;
        while ((uint32_t)product < threshold)
            product = (uint64_t)frs_rng_u32(rng) * n;
    }
    return (uint32_t)(product >> 32);
}

/* The same for n ≤ 65536 from half a word, of which the lower 16 bits are taken: `draw` has the number,
 * unless it returns false and another half is needed. */
static inline bool frs_rng_below_half(uint32_t half, uint32_t n, uint32_t *draw) {
    uint32_t product = (half & 0xffffu) * n, rest = product & 0xffffu;
    *draw = product >> 16;
    return rest >= n || rest >= 0x10000u % n;
}

/* Uniform on [0, 1), 53 bits. */
double frs_rng_unit(struct frs_rng *rng);

/* The next n of these. */
void frs_rng_units(struct frs_rng *rng, double *values, size_t n);

/* Standard normal (Box–Muller; the second value of each pair is not kept, so that one draw costs a fixed
 * number of words). */
double frs_rng_normal(struct frs_rng *rng);

/* Standard exponential: mean 1. */
double frs_rng_exponential(struct frs_rng *rng);

/* values[i] = mean-zero normals with standard deviation `sd`. */
void frs_rng_fill_normal(struct frs_rng *rng, float *values, size_t n, double sd);

/* Fisher–Yates. */
void frs_rng_shuffle(struct frs_rng *rng, uint32_t *values, size_t n);

/* The first k values of a random permutation of 0 … n−1, in the order drawn; k ≤ n. Costs O(k). */
void frs_rng_sample(struct frs_rng *rng, uint32_t n, uint32_t k, uint32_t *out);

#endif
