/* The whole state of a server as one message carries it. */
#ifndef FRS_ALGORITHMS_DOWNLINK_STATE_H
#define FRS_ALGORITHMS_DOWNLINK_STATE_H

#include "algorithms/messages/message.h"

struct frs_state_message {
    struct frs_codec_choice codec;
    size_t n;
    struct frs_part shapes[FRS_MAX_PARTS];
    struct frs_buffer
        encoded; /* the parts of the current state; empty where it has passed without becoming bytes */
    size_t bytes, nominal_bytes;
    double flop; /* of encoding it */
};

/* `how` is what its encoder is told but for where to count its operations. */
void frs_state_message_encode(
    struct frs_state_message *state, const struct frs_tables *tables, struct frs_encoding how);

/* Finds only the size, and takes the rows as decoded. Returns false, without doing anything, where the
 * size is known only by encoding. */
bool frs_state_message_pass(
    struct frs_state_message *state, const struct frs_tables *tables, struct frs_arena *arena);

/* False when the message is malformed. */
bool frs_state_message_decode(const struct frs_state_message *state, struct frs_reader *in,
    const struct frs_tables *tables, struct frs_arena *arena, bool *finite);

/* Copies all values that differ; whether these are finite. */
bool frs_state_message_put(const struct frs_state_message *state, const struct frs_tables *from,
    const struct frs_tables *to, struct frs_arena *arena);

bool frs_state_message_is_finite(const struct frs_state_message *state, const struct frs_tables *tables);

/* New tables with the same values, freed by the caller. */
struct frs_tables frs_state_message_copy(
    const struct frs_state_message *state, const struct frs_tables *tables);

#endif
