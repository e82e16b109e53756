#include "algorithms/messages/personal.h"
#include "sim/base/errors.h"

/* Nothing is drawn, and nothing is remembered from one message to the next. */
static size_t encode(
    const struct frs_personal *personal, const struct frs_rows *rows, struct frs_buffer *out) {
    struct frs_arena arena = {0};
    size_t nominal_bytes = frs_message_put_parts(
        out, &personal->codec, rows, personal->n, NULL, (struct frs_encoding){.arena = &arena});
    frs_arena_fini(&arena);
    return nominal_bytes;
}

/* Tables of all zeros weigh what any others do. */
static void measure(struct frs_personal *personal) {
    struct frs_rows rows[FRS_MAX_PARTS];
    struct frs_buffer section = {0};
    for (size_t i = 0; i < personal->n; i++)
        personal->values += personal->shapes[i].n_rows * personal->shapes[i].dim;
    frs_message_stand_in(personal->shapes, personal->n, false, NULL, rows);
    personal->nominal_bytes = encode(personal, rows, &section);
    personal->bytes = section.n;
    frs_buffer_fini(&section);
}

struct frs_personal frs_personal_create(const struct frs_model *model, struct frs_codec_choice codec) {
    struct frs_personal personal = {.model = model, .codec = codec};
    personal.n = frs_model_parts(model, FRS_PERSONAL, personal.shapes);
    if (personal.n == 0)
        return personal;
    FRS_INVARIANT(codec.codec->lossless && codec.codec->fixed_size, "codec %s cannot carry personal tables",
        codec.codec->plugin.name);
    measure(&personal);
    return personal;
}

bool frs_personal_find(const struct frs_personal *personal, uint32_t client, struct frs_tables *tables) {
    if (personal->n == 0)
        return false;
    *tables = frs_model_personal(personal->model, client);
    return tables->part[0];
}

void frs_personal_put(
    const struct frs_personal *personal, const struct frs_tables *tables, struct frs_buffer *out) {
    struct frs_rows rows[FRS_MAX_PARTS];
    frs_tables_rows(tables, personal->shapes, personal->n, rows);
    (void)encode(personal, rows, out);
}

bool frs_personal_take(const struct frs_personal *personal, struct frs_reader *in, float *const *tables,
    struct frs_arena *arena) {
    bool finite;
    return frs_message_tables(in, &personal->codec, personal->shapes, personal->n, tables, arena, &finite) &&
           finite;
}
