/* The common part of tests of codecs: a codec by its name, tables of any shape, and messages decoded to
 * their last byte. */
#ifndef FRS_TESTS_ALGORITHMS_CODECS_CODEC_FIXTURE_H
#define FRS_TESTS_ALGORITHMS_CODECS_CODEC_FIXTURE_H

#include "algorithms/codec.h"
#include "tests/algorithms/fixture.h"

enum { CODEC_MAX_ROWS = 150, CODEC_MAX_DIM = 40 };

/* Every row present has changed in every value. */
struct codec_table {
    struct frs_rows rows;
    uint32_t *ids;
    float *values;
    float *base; /* or NULL */
};

/* Its settings are freed by the caller. */
struct frs_codec_choice choose_codec(const char *name, const char *const *settings);

/* As many rows of a table as come, up to all; `base`: with values that the receiver has already. */
struct codec_table codec_random_table(struct frs_rng *rng, bool has_base);
void codec_free_table(struct codec_table *t);

/* Whether the whole message is one; the rows lie in the arena. */
bool codec_decode(struct frs_codec_choice codec, const uint8_t *bytes, size_t n, const struct codec_table *t,
    struct frs_arena *arena, struct frs_rows *rows);

#endif
