/* Usage: the bytes, operations and samples of one participation, as whole amounts. The actors move the
 * bytes and let time pass for the operations; they know nothing of the rest. The participation's result
 * says how much of it crossed the network and was run.
 *
 * A new figure needs a line in the table of usage.c, which journal, checkpoint and forecast use. */
#ifndef FRS_BASE_USAGE_H
#define FRS_BASE_USAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Every field has 8 bytes. */
struct frs_usage {
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

/* Operations of the compute phase alone. */
static inline double frs_compute_flop(const struct frs_usage *usage) {
    return usage->flop - usage->post_flop;
}

/* Sets the sizes of the download to those of another usage. */
void frs_usage_take_download(struct frs_usage *usage, const struct frs_usage *from);

/* The sizes of the download, and nothing else. */
struct frs_usage frs_usage_of_download(const struct frs_usage *usage);

/* Describes one field, for code that treats all of them alike. */
struct frs_usage_figure {
    size_t offset;
    enum {
        FRS_USAGE_DOWNLOAD, /* uint64_t, known when the round opens */
        FRS_USAGE_COUNT,    /* uint64_t */
        FRS_USAGE_AMOUNT,   /* double, at least 0 */
        FRS_USAGE_ANY,      /* double */
        FRS_USAGE_MEASURED, /* double, measured on this machine: not to be recorded */
    } kind;
};

#define FRS_N_USAGE_FIGURES (sizeof(struct frs_usage) / sizeof(uint64_t))

extern const struct frs_usage_figure frs_usage_figures[FRS_N_USAGE_FIGURES];

static inline bool frs_usage_is_count(size_t figure) {
    return frs_usage_figures[figure].kind <= FRS_USAGE_COUNT;
}

/* Returns figure i, which is a count. */
static inline uint64_t *frs_usage_count(struct frs_usage *usage, size_t figure) {
    return (uint64_t *)((char *)usage + frs_usage_figures[figure].offset);
}

/* Returns figure i, which is not a count. */
static inline double *frs_usage_real(struct frs_usage *usage, size_t figure) {
    return (double *)((char *)usage + frs_usage_figures[figure].offset);
}

#endif
