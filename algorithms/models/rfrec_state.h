/* RFRec's state of one client as one array of floats, which is copied, trained, committed and archived. */
#ifndef FRS_ALGORITHMS_RFREC_STATE_H
#define FRS_ALGORITHMS_RFREC_STATE_H

#include "algorithms/models/rfrec_model.h"

struct frs_rfrec_state {
    float *u;       /* [dim] */
    float *rows;    /* v [n rated × dim]; NULL: not kept */
    float *twins;   /* r, likewise */
    float *weights; /* w [n_slots], likewise */
    float *held;    /* the slot of the table received last; NULL: not kept */
};

/* Floats of a client with n rated items. */
size_t frs_rfrec_state_length(const struct frs_rfrec *model, size_t n);

/* The parts of a client's array. */
struct frs_rfrec_state frs_rfrec_state_at(const struct frs_rfrec *model, float *array, size_t n);

/* Fills the initial state of a client: its rows are those of V̄(0). */
void frs_rfrec_state_begin(const struct frs_rfrec *model, uint32_t client, double sd, float *array);

/* Where in the ring of broadcasts the table of a round is. */
static inline size_t frs_rfrec_slot(const struct frs_rfrec *model, uint32_t round) {
    return 1 + round % (model->n_slots - 1);
}

/* Clips n_rows rows to ±δ about the centre, in place; ids NULL: rows 0 … n_rows−1 of the table. Does
 * nothing where the model does not clip. */
void frs_rfrec_clip(const struct frs_rfrec *model, const uint32_t *ids, size_t n_rows, float *rows);

#endif
