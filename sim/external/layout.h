/* Layout: what is where in the memory that a program shares with the simulator.
 *
 * The program may write anywhere in that memory at any time. Therefore data are first copied, and the copy
 * is checked. Offsets and lengths come from the simulator alone; a number read from the memory is used
 * only after it is known to be within the tables. */
#ifndef FRS_EXTERNAL_LAYOUT_H
#define FRS_EXTERNAL_LAYOUT_H

#include "sim/external/frames.h"

#define FRS_LAYOUT_MOST_CLIENTS 32u

/* Places in bytes from the beginning, multiples of 64. */
struct frs_layout {
    const struct frs_external_tables *tables;
    size_t bytes;
    /* float32 [rows × dim]; of private and own tables [most_clients × rows × dim], the first for training */
    size_t values[FRS_MAX_TABLES];
    size_t ids[FRS_MAX_TABLES]; /* of tables that count their rows: uint32 [rows] that changed */
    size_t items;               /* uint32 [most_items]: of the samples or ratings, or to be scored */
    size_t samples, ratings;    /* uint32 [most_samples], float32 [most_items] */
    size_t scores;              /* float32 [most_items] */
    size_t clients, starts;     /* to be scored: uint32 [most_clients], uint32 [most_clients + 1] */
    size_t most_items, most_samples, most_clients;
};

/* False: it takes more than `most_bytes`. Borrows the tables. */
bool frs_layout_init(struct frs_layout *layout, const struct frs_external_tables *tables, size_t most_items,
    size_t most_samples, size_t most_bytes);

/* Puts in place what one participation needs. */
void frs_layout_put_training(const struct frs_layout *layout, uint8_t *memory,
    const struct frs_external_training *training, const struct frs_external_copies *copies);

/* The same for a block of clients to be scored: at most most_clients, and most_items items of all of them. */
void frs_layout_put_scoring(const struct frs_layout *layout, uint8_t *memory, const struct frs_tables *shared,
    const struct frs_external_copies *copies, const struct frs_scoring *block, size_t n_clients);

/* Copies what a participation under this budget has left, and checks the copy. False after writing what is
 * wrong. */
bool frs_layout_take_trained(const struct frs_layout *layout, const uint8_t *memory,
    const struct frs_frame_trained *frame, uint32_t budget, struct frs_arena *arena,
    struct frs_external_trained *out, char *why, size_t size);
bool frs_layout_take_scores(const struct frs_layout *layout, const uint8_t *memory,
    const struct frs_scoring *block, size_t n_clients, char *why, size_t size);

/* Returns the initial values of table i, which the program has written; freed by the caller. NULL after
 * writing what is wrong. */
float *frs_layout_take_given(
    const struct frs_layout *layout, const uint8_t *memory, size_t i, char *why, size_t size);

#endif
