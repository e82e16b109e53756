#include "algorithms/messages/message.h"
#include "algorithms/codecs/row_set.h"
#include "algorithms/kernels/compare.h"
#include "algorithms/privacy_mechanism.h"
#include "sim/base/invariant.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC 0x5246u /* "FR" */

extern const struct frs_codec frs_codec_dense;

void frs_message_put_header(struct frs_buffer *out, const struct frs_message_header *header) {
    frs_buffer_put_u8(out, MAGIC & 0xff);
    frs_buffer_put_u8(out, MAGIC >> 8);
    frs_buffer_put_u8(out, (uint8_t)header->kind);
    bool is_upload = header->kind == FRS_MESSAGE_UPLOAD;
    frs_buffer_put_u8(out, is_upload && header->reports);
    frs_buffer_put_u32(out, header->round);
    frs_buffer_put_u32(out, is_upload ? header->sender : header->budget);
    frs_buffer_put_u32(out, is_upload ? header->samples : header->n_sections);
    frs_buffer_put_u64(out, header->round_seed);
    if (is_upload && header->reports)
        frs_buffer_put_floats(out, &header->loss, 1);
}

size_t frs_message_header_bytes(const struct frs_message_header *header) {
    bool reports = header->kind == FRS_MESSAGE_UPLOAD && header->reports;
    return FRS_MESSAGE_HEADER_BYTES + reports * (size_t)FRS_MESSAGE_REPORT_BYTES;
}

bool frs_message_header(struct frs_reader *in, struct frs_message_header *header) {
    unsigned magic = frs_reader_u8(in);
    magic |= (unsigned)frs_reader_u8(in) << 8;
    uint8_t kind = frs_reader_u8(in);
    uint8_t report = frs_reader_u8(in);
    *header = (struct frs_message_header){.kind = kind, .n_sections = 1};
    header->round = frs_reader_u32(in);
    uint32_t party = frs_reader_u32(in), count = frs_reader_u32(in);
    if (kind == FRS_MESSAGE_UPLOAD) {
        header->sender = party;
        header->samples = count;
    } else {
        header->budget = party;
        header->n_sections = count;
    }
    header->round_seed = frs_reader_u64(in);
    header->reports = report == 1;
    if (header->reports)
        frs_reader_floats(in, &header->loss, 1);
    return !in->failed && magic == MAGIC && kind >= FRS_MESSAGE_STATE && kind <= FRS_MESSAGE_UPLOAD &&
           report <= (kind == FRS_MESSAGE_UPLOAD);
}

struct frs_codec_choice frs_message_codec(const struct frs_codec_choice *codec, size_t i) {
    return i == 0 || codec->codec->lossless ? *codec : (struct frs_codec_choice){.codec = &frs_codec_dense};
}

/* Writes the bytes by which sealed values exceed their four bytes each. `marks`: values that are sealed
 * beside them and have no other bytes. */
static void put_seal(
    struct frs_buffer *out, const struct frs_privacy_choice *seal, size_t values, size_t marks) {
    uint64_t bytes = seal->mechanism->sealed_bytes(seal->settings, values + marks),
             plain = values * sizeof(float);
    FRS_INVARIANT(bytes >= plain, "%zu sealed values are smaller than they were", values);
    frs_buffer_put_u64(out, bytes - plain);
    if (bytes > plain)
        memset(frs_buffer_extend(out, bytes - plain), 0, bytes - plain);
}

static bool skip_seal(struct frs_reader *in) {
    uint64_t bytes = frs_reader_u64(in);
    return !in->failed && bytes <= in->n - in->at && (bytes == 0 || frs_reader_take(in, bytes));
}

size_t frs_message_put_parts(struct frs_buffer *out, const struct frs_codec_choice *codec,
    const struct frs_rows *parts, size_t n_parts, const struct frs_tables *bases, struct frs_encoding how) {
    size_t nominal_bytes = 0, values = 0, marks = 0;
    how.values = codec->seal ? &values : NULL;
    for (size_t i = 0; i < n_parts; i++) {
        struct frs_codec_choice one = frs_message_codec(codec, i);
        how.base = bases ? bases->part[i] : NULL;
        marks += codec->counted >> i & 1 ? parts[i].n_rows : 0;
        nominal_bytes += one.codec->encode(one.settings, &parts[i], &how, out);
        if (how.memory)
            how.memory = (char *)how.memory + codec->codec->memory_bytes;
    }
    if (codec->seal)
        put_seal(out, codec->seal, values, marks);
    return nominal_bytes;
}

bool frs_message_parts(struct frs_reader *in, const struct frs_codec_choice *codec,
    const struct frs_part *shapes, size_t n_parts, const struct frs_tables *bases, struct frs_arena *arena,
    struct frs_rows *parts) {
    for (size_t i = 0; i < n_parts; i++) {
        struct frs_codec_choice one = frs_message_codec(codec, i);
        if (!one.codec->decode(one.settings, in, shapes[i].n_rows, shapes[i].dim,
                bases ? bases->part[i] : NULL, arena, &parts[i]) ||
            in->failed)
            return false;
    }
    return !codec->seal || skip_seal(in);
}

size_t frs_message_values(
    const struct frs_codec_choice *codec, const struct frs_rows *parts, size_t n_parts) {
    size_t n = 0;
    for (size_t i = 0; i < n_parts; i++)
        n += (frs_message_codec(codec, i).codec->fixed_size ? parts[i].n_rows : parts[i].n) * parts[i].dim;
    return n;
}

bool frs_message_upload(const struct frs_buffer *message, const struct frs_codec_choice *codec,
    const struct frs_part *shapes, size_t n_parts, const struct frs_tables *bases, struct frs_arena *arena,
    struct frs_message_header *header, struct frs_rows *parts) {
    struct frs_reader in = frs_reader_init(message->bytes, message->n);
    return frs_message_header(&in, header) && header->kind == FRS_MESSAGE_UPLOAD && isfinite(header->loss) &&
           frs_message_parts(&in, codec, shapes, n_parts, bases, arena, parts) && in.at == in.n &&
           frs_message_is_finite(parts, n_parts);
}

/* The first value of a part that is not finite; NULL: all are. */
static char *not_finite(const struct frs_rows *part) {
    for (size_t i = 0; i < part->n * part->dim; i++)
        if (!isfinite(part->values[i]))
            return frs_format("decodes value %zu of row %zu as %g", i % part->dim,
                part->ids ? (size_t)part->ids[i / part->dim] : i / part->dim, (double)part->values[i]);
    return NULL;
}

char *frs_message_fault(struct frs_reader in, const struct frs_codec_choice *codec,
    const struct frs_part *shapes, size_t n_parts, const struct frs_tables *bases, struct frs_arena *arena) {
    char *fault = NULL;
    for (size_t i = 0; i < n_parts && !fault; i++) {
        struct frs_codec_choice one = frs_message_codec(codec, i);
        struct frs_rows part;
        size_t from = in.at;
        bool decoded = one.codec->decode(one.settings, &in, shapes[i].n_rows, shapes[i].dim,
                           bases ? bases->part[i] : NULL, arena, &part) &&
                       !in.failed;
        char *what = decoded ? not_finite(&part)
                             : frs_format("refuses the %zu bytes that it has encoded", in.n - from);
        if (what)
            fault = frs_format("codec \"%s\" %s, of table \"%s\" (%zu × %zu)", one.codec->plugin.name, what,
                shapes[i].name, shapes[i].n_rows, shapes[i].dim);
        free(what);
    }
    if (!fault && codec->seal && !skip_seal(&in))
        fault = frs_strdup("what mechanisms have added is not there");
    if (!fault && in.at < in.n)
        fault = frs_format("codec \"%s\" leaves %zu of %zu bytes that it has encoded",
            codec->codec->plugin.name, in.n - in.at, in.n);
    return fault;
}

/* Those of `rows` that differ from the base. */
static struct frs_rows select_touched(
    const struct frs_rows *rows, const float *base, struct frs_arena *arena) {
    struct frs_touched touched = frs_touched(rows, base, arena);
    struct frs_rows some = *rows;
    some.n = touched.n;
    some.ids = touched.ids;
    if (some.n == rows->n)
        return some;
    float *values = frs_arena_take(arena, some.n * some.dim, sizeof *values);
    for (size_t i = 0; i < some.n; i++)
        memcpy(values + i * some.dim, rows->values + touched.at[i] * some.dim, some.dim * sizeof *values);
    some.values = values;
    return some;
}

static bool tells_lengths(const struct frs_codec_choice *codec, size_t n_parts) {
    for (size_t i = 0; i < n_parts; i++)
        if (!frs_message_codec(codec, i).codec->length)
            return false;
    return !codec->seal;
}

/* Adds the length of one part, n rows of which are touched. */
static void add_length(
    struct frs_message_size *size, const struct frs_codec *codec, const struct frs_rows *part, size_t n) {
    const struct frs_part shape = {.n_rows = part->n_rows, .dim = part->dim};
    size_t nominal_bytes;
    size->bytes += codec->length(&shape, n, &nominal_bytes);
    size->nominal_bytes += nominal_bytes;
}

bool frs_message_pass(const struct frs_codec_choice *codec, const struct frs_rows *parts, size_t n_parts,
    const struct frs_tables *bases, struct frs_arena *arena, struct frs_message_size *size,
    struct frs_rows *out) {
    if (!tells_lengths(codec, n_parts))
        return false;
    *size = (struct frs_message_size){0};
    for (size_t i = 0; i < n_parts; i++) {
        out[i] = select_touched(&parts[i], bases ? bases->part[i] : NULL, arena);
        add_length(size, frs_message_codec(codec, i).codec, &parts[i], out[i].n);
    }
    return true;
}

bool frs_message_weigh(const struct frs_codec_choice *codec, const struct frs_rows *parts, size_t n_parts,
    struct frs_arena *arena, struct frs_message_size *size) {
    if (!tells_lengths(codec, n_parts))
        return false;
    *size = (struct frs_message_size){0};
    for (size_t i = 0; i < n_parts; i++) {
        const struct frs_codec *one = frs_message_codec(codec, i).codec;
        add_length(
            size, one, &parts[i], one->fixed_size ? parts[i].n : frs_touched(&parts[i], NULL, arena).n);
    }
    return true;
}

void frs_message_stand_in(const struct frs_part *shapes, size_t n_parts, bool whole, struct frs_arena *arena,
    struct frs_rows *parts) {
    static const uint32_t no_ids[1];
    struct frs_rng rng = frs_rng_stream(0, FRS_RNG_SERVER, 0, 0, FRS_RNG_CODEC);
    for (size_t i = 0; i < n_parts; i++) {
        size_t n_rows = shapes[i].n_rows, dim = shapes[i].dim;
        parts[i] = (struct frs_rows){.n_rows = n_rows, .dim = dim, .ids = no_ids};
        if (!whole)
            continue;
        float *values = frs_arena_take(arena, n_rows * dim, sizeof *values);
        for (size_t k = 0; k < n_rows * dim; k++)
            values[k] = (float)frs_rng_unit(&rng) - 0.5f;
        parts[i] = (struct frs_rows){.n_rows = n_rows, .dim = dim, .n = n_rows, .values = values};
    }
}

bool frs_message_is_finite(const struct frs_rows *parts, size_t n_parts) {
    for (size_t i = 0; i < n_parts; i++)
        if (!frs_all_finite(parts[i].values, parts[i].n * parts[i].dim))
            return false;
    return true;
}

void frs_tables_rows(
    const struct frs_tables *tables, const struct frs_part *shapes, size_t n, struct frs_rows *rows) {
    for (size_t i = 0; i < n; i++)
        rows[i] = (struct frs_rows){.n_rows = shapes[i].n_rows,
            .dim = shapes[i].dim,
            .n = shapes[i].n_rows,
            .values = tables->part[i]};
}

bool frs_message_tables(struct frs_reader *in, const struct frs_codec_choice *codec,
    const struct frs_part *shapes, size_t n, float *const *tables, struct frs_arena *arena, bool *finite) {
    struct frs_rows rows[FRS_MAX_PARTS];
    if (!frs_message_parts(in, codec, shapes, n, NULL, arena, rows))
        return false;
    *finite = frs_message_is_finite(rows, n);
    for (size_t i = 0; i < n; i++) {
        size_t dim = rows[i].dim;
        memset(tables[i], 0, rows[i].n_rows * dim * sizeof(float));
        for (size_t r = 0; r < rows[i].n; r++)
            memcpy(tables[i] + (rows[i].ids ? rows[i].ids[r] : r) * dim, rows[i].values + r * dim,
                dim * sizeof(float));
    }
    return true;
}
