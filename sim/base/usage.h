/* Charge: what the messages and the computing of one participation come to, as whole amounts. The actors move
 * bytes and let time pass for operations; of the rest they know nothing. How much of it crossed and was run
 * says the participation's result.
 *
 * Whoever adds a figure adds a line to the table in usage.c: journal, checkpoint and forecast go by that. */
#ifndef FRS_BASE_USAGE_H
#define FRS_BASE_USAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Every field has 8 bytes. */
struct frs_charge {
    /* Known when the round opens. `nominal`: as the papers count. */
    uint64_t down_bytes, nominal_down_bytes;
    uint64_t catchup_bytes; /* of down_bytes: beyond the newest update, for what the client has missed */
    /* The rest once the client has been trained. */
    uint64_t up_bytes, nominal_up_bytes;
    uint64_t up_values;             /* that the server decodes */
    uint64_t epochs;                /* run before the upload; 0: the learner knows none */
    double flop, samples;           /* of all computing; samples: every epoch counts anew */
    double post_flop, post_samples; /* of these, after the upload */
    double loss;                    /* mean over the last epoch; not finite: the run diverges */
    double cpu_s;                   /* of this process, never the same twice */
};

/* Of the compute phase alone. */
static inline double frs_compute_flop(const struct frs_charge *charge) {
    return charge->flop - charge->post_flop;
}

/* The sizes of the download, and nothing else. */
struct frs_charge frs_charge_of_download(const struct frs_charge *charge);

/* Its fields one by one, for whoever treats them all alike. */
struct frs_charge_figure {
    size_t offset;
    enum {
        FRS_CHARGE_DOWNLOAD, /* uint64_t, known when the round opens */
        FRS_CHARGE_COUNT,    /* uint64_t */
        FRS_CHARGE_AMOUNT,   /* double, at least 0 */
        FRS_CHARGE_ANY,      /* double */
        FRS_CHARGE_MEASURED, /* double, measured on this machine: not to be recorded */
    } kind;
};

#define FRS_N_CHARGE_FIGURES (sizeof(struct frs_charge) / sizeof(uint64_t))

extern const struct frs_charge_figure frs_charge_figures[FRS_N_CHARGE_FIGURES];

static inline bool frs_charge_is_count(size_t figure) {
    return frs_charge_figures[figure].kind <= FRS_CHARGE_COUNT;
}

/* Of figure i; a count. */
static inline uint64_t *frs_charge_count(struct frs_charge *charge, size_t figure) {
    return (uint64_t *)((char *)charge + frs_charge_figures[figure].offset);
}

/* Of figure i; not a count. */
static inline double *frs_charge_real(struct frs_charge *charge, size_t figure) {
    return (double *)((char *)charge + frs_charge_figures[figure].offset);
}

#endif
