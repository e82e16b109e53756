/* Message: the bytes that cross the network.
 *
 *   header, 24 bytes: magic u16 · kind u8 · report u8 · round u32 · party u32 · count u32 · round seed u64
 *   report = 1:       the mean training loss, f32 (uploads only; otherwise report is 0)
 *   each section:     version u32 · round seed u64 (updates only), then one encoded part after the other
 *
 * Under a privacy mechanism on messages a section ends with the bytes by which ciphertexts or masked
 * values exceed the values they stand for: their number as u64, and the bytes, which are empty where the
 * mechanism is modelled. Where averages are by item, the sealed values include one for each row, whether
 * it has changed (struct frs_codec_choice, counted).
 *
 * A lossy codec is for the first part, the item table; the other parts (a score function, FedNCF's layers)
 * are small and are then dense.
 *
 * `party` is the sender of an upload; in a download it is the budget that the server assigns to its
 * receiver (0: the method has none). `count` is |D_u| in an upload and the number of sections otherwise.
 * From the round seed both ends draw what they share in a round (CoLR: B; 0: nothing). A download of state
 * has a second section where the client is sent tables of its own. Little-endian throughout. */
#ifndef FRS_ALGORITHMS_MESSAGES_MESSAGE_H
#define FRS_ALGORITHMS_MESSAGES_MESSAGE_H

#include "algorithms/codec.h"

#define FRS_MESSAGE_HEADER_BYTES 24u
#define FRS_MESSAGE_UPDATE_HEADER_BYTES 12u
#define FRS_MESSAGE_REPORT_BYTES 4u

enum frs_message_kind {
    FRS_MESSAGE_STATE = 1,   /* server → client: whole tables */
    FRS_MESSAGE_UPDATES = 2, /* server → client: missed updates, oldest first */
    FRS_MESSAGE_UPLOAD = 3,  /* client → server */
};

struct frs_message_header {
    enum frs_message_kind kind;
    uint32_t n_sections; /* 1 in an upload */
    uint32_t round;
    uint32_t sender, samples; /* of an upload, else 0 */
    uint32_t budget;          /* of a download, else 0 */
    uint64_t round_seed;
    bool reports; /* an upload says how well training went */
    float loss;   /* then; 0 otherwise */
};

void frs_message_put_header(struct frs_buffer *out, const struct frs_message_header *header);
size_t frs_message_header_bytes(const struct frs_message_header *header);

/* False when the bytes are no message of ours. */
bool frs_message_header(struct frs_reader *in, struct frs_message_header *header);

struct frs_message_size {
    size_t bytes;         /* of the encoded message, header included */
    size_t nominal_bytes; /* as the papers count it */
};

/* Appends parts one after the other, with `how` but its base. `bases` may be NULL (updates). Where the
 * codec has a memory, how.memory has room for the memory of every part. Returns the nominal bytes. */
size_t frs_message_put_parts(struct frs_buffer *out, const struct frs_codec_choice *codec,
    const struct frs_rows *parts, size_t n_parts, const struct frs_tables *bases, struct frs_encoding how);

/* What part i is encoded with. */
struct frs_codec_choice frs_message_codec(const struct frs_codec_choice *codec, size_t i);

/* Decodes n_parts parts of the given shapes; false on a malformed message. */
bool frs_message_parts(struct frs_reader *in, const struct frs_codec_choice *codec,
    const struct frs_part *shapes, size_t n_parts, const struct frs_tables *bases, struct frs_arena *arena,
    struct frs_rows *parts);

/* Returns the number of values in n_parts decoded parts: all values of every listed row. Under a codec
 * that sends the whole table it is the number of values of the table, although unchanged rows are not
 * among `parts`. */
size_t frs_message_values(const struct frs_codec_choice *codec, const struct frs_rows *parts, size_t n_parts);

/* Converts whole tables to the rows of a message; and n decoded parts to tables [n_rows × dim], with zeros
 * for rows that were not sent. `finite`: whether every value that was sent is finite. */
void frs_tables_rows(
    const struct frs_tables *tables, const struct frs_part *shapes, size_t n, struct frs_rows *rows);
bool frs_message_tables(struct frs_reader *in, const struct frs_codec_choice *codec,
    const struct frs_part *shapes, size_t n, float *const *tables, struct frs_arena *arena, bool *finite);

/* Decodes a whole upload from an untrusted sender. Returns false unless it is complete, has nothing left
 * over, and every number is finite. */
bool frs_message_upload(const struct frs_buffer *message, const struct frs_codec_choice *codec,
    const struct frs_part *shapes, size_t n_parts, const struct frs_tables *bases, struct frs_arena *arena,
    struct frs_message_header *header, struct frs_rows *parts);

/* Why parts that were just encoded do not decode, or values are not finite: a line that names the codec, the
 * part and what is wrong; freed by the caller. NULL: nothing is wrong. `in` stands at the first part. */
char *frs_message_fault(struct frs_reader in, const struct frs_codec_choice *codec,
    const struct frs_part *shapes, size_t n_parts, const struct frs_tables *bases, struct frs_arena *arena);

/* Returns the parts as a receiver would decode them, as views where possible, and their size in bytes
 * without the header; memory from the arena. Returns false, without doing anything, where the result is
 * known only by encoding. */
bool frs_message_pass(const struct frs_codec_choice *codec, const struct frs_rows *parts, size_t n_parts,
    const struct frs_tables *bases, struct frs_arena *arena, struct frs_message_size *size,
    struct frs_rows *out);

/* The same for parts without a base, but only their size in bytes. Where lengths do not depend on values,
 * no value is read. */
bool frs_message_weigh(const struct frs_codec_choice *codec, const struct frs_rows *parts, size_t n_parts,
    struct frs_arena *arena, struct frs_message_size *size);

/* Rows for messages of which only the size matters: no row has changed, or (`whole`) every value has. */
void frs_message_stand_in(const struct frs_part *shapes, size_t n_parts, bool whole, struct frs_arena *arena,
    struct frs_rows *parts);

/* Whether every value is finite. */
bool frs_message_is_finite(const struct frs_rows *parts, size_t n_parts);

#endif
