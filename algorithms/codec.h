/* Codec: how rows become bytes and bytes become rows again.
 *
 * A codec is one file in algorithms/codecs/ with one constant `struct frs_codec`, and one line in
 * algorithms/codecs/codecs.def. The network carries the bytes that `encode` appended (plus the message
 * header); the receiver uses the rows that `decode` gives. */
#ifndef FRS_ALGORITHMS_CODEC_H
#define FRS_ALGORITHMS_CODEC_H

#include "algorithms/budgets.h"
#include "algorithms/rows.h"
#include "sim/base/arena.h"
#include "sim/base/buffer.h"
#include "sim/base/settings/plugin.h"

#include <stdbool.h>

struct frs_rng;

#define FRS_MAX_SETS 8u

struct frs_privacy_choice;

/* What an encoder is told besides the rows. */
struct frs_encoding {
    const float *base;   /* the table the rows replace (state), or NULL (update: the zero table) */
    uint32_t budget;     /* assigned to the sender, within the codec's range; 0: as the settings say */
    struct frs_rng *rng; /* for what is drawn; goes on from part to part */
    void *memory; /* the server's memory between messages, [memory_bytes]; NULL for a client: it has none */
    struct frs_arena *arena;
    double *flop;   /* adds the operations of finding out what to send, without copying; NULL: not counted */
    size_t *values; /* adds those that are sent as 32-bit floats; NULL: not counted */
};

struct frs_codec {
    struct frs_plugin plugin;
    bool lossless;
    bool fixed_size;   /* the length depends on the shape alone, so that a run without training is possible */
    bool reveals_rows; /* the bytes tell which rows a client touched */
    bool sends_values; /* values are 32-bit floats, apart from their places, so that ciphertexts could replace
                          them; the encoder reports how many */
    bool changes_only; /* made for changes: too little of a table sent as a whole would be left */
    /* Settings from the plug-in's own keys, or NULL when it has none; freed with free(). */
    void *(*create)(const struct frs_values *values);
    /* NULL: messages have one size. Otherwise returns the budgets that a sender may be assigned for a
     * table of this shape, up to the largest, which is that of the settings, and the approximate size of
     * its messages then, in bytes. */
    struct frs_budgets (*budgets)(const void *settings, const struct frs_part *shape);
    size_t (*predicted_bytes)(const void *settings, const struct frs_part *shape, uint32_t budget);
    /* NULL: an update is sent in one size. Otherwise returns the number of sizes, at most FRS_MAX_SETS,
     * and the budget of each, ascending. A single size has budget 0. */
    size_t (*sets)(const void *settings, const struct frs_part *shape, uint32_t *sizes);
    /* A plain structure of this size, zeroed before the first message, is saved with the run; 0: none. */
    size_t memory_bytes;
    /* Appends `rows` and returns the nominal bytes: the payload as the papers count it, without headers
     * and indices. */
    size_t (*encode)(const void *settings, const struct frs_rows *rows, const struct frs_encoding *how,
        struct frs_buffer *out);
    /* Returns the length of the bytes that `encode` of a lossless codec would append for a part of this
     * shape in which n rows differ from the base, and the nominal bytes. So rows whose bytes are never
     * read need not be encoded (frs_message_pass). NULL: the length is known only by encoding. */
    size_t (*length)(const struct frs_part *shape, size_t n, size_t *nominal_bytes);
    /* Reads one encoded part of shape n_rows × dim into `out`, with memory from `arena` or in place.
     * Returns only rows that differ from `base` (from zero when NULL); lossy codecs also return rows that
     * do not differ any more. Returns false on a malformed message. */
    bool (*decode)(const void *settings, struct frs_reader *in, size_t n_rows, size_t dim, const float *base,
        struct frs_arena *arena, struct frs_rows *out);
};

/* `flop` operations were needed. */
void frs_encoding_spent(const struct frs_encoding *how, double flop);
/* n values went out as 32-bit floats. */
void frs_encoding_sent(const struct frs_encoding *how, size_t n);

/* All codecs that are built in, ended by NULL; and the registry that scenarios choose from. */
extern const struct frs_codec *const frs_codecs[];
extern const struct frs_plugin *frs_codec_plugins[FRS_REGISTRY_ROOM];

/* A codec with its settings. */
struct frs_codec_choice {
    const struct frs_codec *codec;
    void *settings;
    const struct frs_privacy_choice *seal; /* what takes the place of values in messages; NULL: nothing */
    /* Bit i: rows of part i of an update are divided by the number of senders that changed them, which
     * only sealed values reveal. Each row has one more sealed value, 1 where the row has changed, and the
     * sum of these marks is returned with that of the values. */
    unsigned counted;
};

#endif
