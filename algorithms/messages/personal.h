/* Personal tables on their way to a client: the second section of its download (FRS_OF_RECEIVER in model.h).
 *
 * Their codec is lossless and all their messages have one size, so that server and client know the decoded
 * tables without decoding. */
#ifndef FRS_ALGORITHMS_MESSAGES_PERSONAL_H
#define FRS_ALGORITHMS_MESSAGES_PERSONAL_H

#include "algorithms/model.h"
#include "algorithms/messages/message.h"

struct frs_personal {
    const struct frs_model *model;
    struct frs_codec_choice codec;
    size_t n; /* parts; 0: the method has no personal tables */
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t bytes, nominal_bytes; /* of a section */
    size_t values;               /* in it */
};

struct frs_personal frs_personal_create(const struct frs_model *model, struct frs_codec_choice codec);

/* The client's tables; false when it is sent none. */
bool frs_personal_find(const struct frs_personal *personal, uint32_t client, struct frs_tables *tables);

/* Appends a section; and reads one into tables[0 … n), false when it is malformed or not finite. */
void frs_personal_put(
    const struct frs_personal *personal, const struct frs_tables *tables, struct frs_buffer *out);
bool frs_personal_take(const struct frs_personal *personal, struct frs_reader *in, float *const *tables,
    struct frs_arena *arena);

#endif
