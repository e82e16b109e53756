/* Row set: which rows of a table a message contains.
 *
 *   n u32 · form u8 (0: ids u32 each, 1: map of ⌈n_rows/8⌉ bytes) · which
 *
 * Whichever form is shorter: 5 + min(4n, ⌈n_rows/8⌉) bytes. */
#ifndef FRS_ALGORITHMS_ROW_SET_H
#define FRS_ALGORITHMS_ROW_SET_H

#include "algorithms/rows.h"
#include "sim/base/arena.h"
#include "sim/base/buffer.h"

#include <stdbool.h>

/* ids [n] ascending. */
void frs_row_set_put(struct frs_buffer *out, const uint32_t *ids, size_t n, size_t n_rows);

/* Bytes of a set of n rows. */
size_t frs_row_set_length(size_t n, size_t n_rows);

/* Memory from the arena; false on a malformed set. */
bool frs_row_set_take(
    struct frs_reader *in, size_t n_rows, struct frs_arena *arena, const uint32_t **ids, size_t *n);

/* The rows that differ bit for bit from those of `base` (NULL: from zero). Their values are not copied:
 * at[i] is the place of row ids[i] among `rows`. */
struct frs_touched {
    size_t n;
    const uint32_t *ids, *at; /* [n] */
};

struct frs_touched frs_touched(const struct frs_rows *rows, const float *base, struct frs_arena *arena);

/* The values [n × dim] of those rows minus those of `base` (NULL: zero). A value that is not finite counts
 * as 0: lossy codecs compute with all values of a message, and the loss reveals divergence. */
float *frs_touched_changes(const struct frs_rows *rows, const struct frs_touched *touched, const float *base,
    struct frs_arena *arena);

/* values[i] += the row ids[i] of `base`; nothing when `base` is NULL. */
void frs_add_base(float *values, const uint32_t *ids, size_t n, size_t dim, const float *base);

#endif
