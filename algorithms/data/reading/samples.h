/* Samples: what the first lines of a file have in each column, so that columns that are not used can be told
 * with what is in them. */
#ifndef FRS_ALGORITHMS_DATA_READING_SAMPLES_H
#define FRS_ALGORITHMS_DATA_READING_SAMPLES_H

#include "algorithms/data/reading/fields.h"

enum { FRS_SAMPLED_COLUMNS = 24, FRS_SAMPLED_TEXTS = 8, FRS_SAMPLED_BYTES = 20 };

struct frs_sample {
    char texts[FRS_SAMPLED_TEXTS][FRS_SAMPLED_BYTES]; /* different ones, in order of appearance */
    size_t n; /* of these; SIZE_MAX: they are more, or some are long texts */
};

struct frs_samples {
    struct frs_sample columns[FRS_SAMPLED_COLUMNS];
};

/* Takes the samples of all lines of a head (frs_lines_head) but the first `skipped`. */
void frs_samples_take(struct frs_samples *samples, struct frs_field head,
    const struct frs_separator *separator, size_t skipped);

/* Adds the text of a column; those beyond the sampled ones are not kept. */
void frs_samples_note(struct frs_samples *samples, size_t column, struct frs_field text);

/* "pv, buy, cart, fav", or "" where the texts of a column are no short list, or all alike. */
const char *frs_samples_list(const struct frs_samples *samples, size_t column, char *text, size_t size);

#endif
