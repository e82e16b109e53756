/* Codec: how rows become bytes and bytes become rows again.
 *
 * A codec is one file in algorithms/codecs/ with one constant `struct frs_codec`, and one line in
 * algorithms/codecs.def. What is charged to the network is the length of what `encode` appended (plus the
 * message header); what the receiver uses is what `decode` gives. */
#ifndef FRS_ALGORITHMS_CODEC_H
#define FRS_ALGORITHMS_CODEC_H

#include "algorithms/rows.h"
#include "sim/base/arena.h"
#include "sim/base/buffer.h"
#include "sim/base/params.h"

#include <stdbool.h>

struct frs_codec {
    struct frs_plugin plugin;
    bool lossless;
    bool fixed_size;   /* the length depends on the shape alone, so that a run without training is possible */
    bool reveals_rows; /* the bytes tell which rows a client touched */
    /* Settings from the plug-in's own keys, or NULL when it has none; freed with free(). */
    void *(*create)(const struct frs_values *values);
    /* Appends `rows`; returns the nominal bytes: the payload as the papers count it, without headers and
     * indices. `base` is the table the rows replace (state), or NULL (update: the zero table). */
    size_t (*encode)(
        const void *settings, const struct frs_rows *rows, const float *base, struct frs_buffer *out);
    /* Reads one encoded part of shape n_rows × dim into `out`, memory from `arena` or in place. Gives only
     * rows that differ from `base` (from zero when NULL). Returns false on a malformed message. */
    bool (*decode)(const void *settings, struct frs_reader *in, size_t n_rows, size_t dim, const float *base,
        struct frs_arena *arena, struct frs_rows *out);
};

/* All codecs, ended by NULL; the same as plug-ins, for the scenario. */
extern const struct frs_codec *const frs_codecs[];
extern const struct frs_plugin *const frs_codec_plugins[];

/* A codec with its settings. */
struct frs_codec_choice {
    const struct frs_codec *codec;
    void *settings;
};

#endif
