#include "algorithms/downlink.h"
#include "sim/base/memory.h"
#include "sim/base/rng.h"

#include <stdlib.h>
#include <string.h>

#define NO_VERSION UINT32_MAX

extern const struct frs_codec frs_codec_dense;

const char *const frs_catchup_names[] = {[FRS_CATCHUP_IDEAL] = "ideal",
    [FRS_CATCHUP_REPLAY] = "replay",
    [FRS_CATCHUP_FULL] = "full",
    [FRS_CATCHUP_CHEAPEST] = "cheapest",
    NULL};
const char *const frs_first_contact_names[] = {
    [FRS_FIRST_CONTACT_TABLE] = "table", [FRS_FIRST_CONTACT_SEED] = "seed", NULL};

/* One published update. */
struct update {
    uint64_t word;
    struct frs_buffer encoded; /* its parts, without section header; empty once nobody can need it again */
    size_t nominal_bytes;
};

struct frs_downlink {
    struct frs_downlink_settings settings;
    size_t n_state, n_update;
    struct frs_part state_shape[FRS_MAX_PARTS], update_shape[FRS_MAX_PARTS];
    struct frs_buffer state; /* the encoded parts of the current state, dense for methods that send updates */
    size_t state_nominal_bytes;
    struct frs_tables
        decoded; /* methods that send state: what clients decoded; otherwise the server's own tables */
    struct update *updates; /* [version] leads from version to version + 1 */
    size_t *bytes_before;   /* [version] bytes of all earlier updates with their section headers */
    size_t version, capacity, bytes_capacity;
    size_t first_kept;     /* updates before it have been dropped */
    struct update nothing; /* an all-zero update: what `ideal` sends before the first one exists */
    uint32_t *held;        /* [n_clients] */
    uint32_t round;
    uint64_t word;
    struct frs_arena arena;
};

static struct frs_codec_choice state_codec(const struct frs_downlink *downlink) {
    return downlink->settings.learner->sends_updates ? (struct frs_codec_choice){.codec = &frs_codec_dense}
                                                     : downlink->settings.codec;
}

static void whole_tables(
    const struct frs_tables *tables, const struct frs_part *shapes, size_t n, struct frs_rows *rows) {
    for (size_t i = 0; i < n; i++)
        rows[i] = (struct frs_rows){.n_rows = shapes[i].n_rows,
            .dim = shapes[i].dim,
            .n = shapes[i].n_rows,
            .values = tables->part[i]};
}

static struct update encode_update(
    const struct frs_downlink *downlink, uint64_t word, const struct frs_rows *rows) {
    struct update update = {.word = word};
    update.nominal_bytes =
        frs_message_put_parts(&update.encoded, &downlink->settings.codec, rows, downlink->n_update, NULL);
    return update;
}

static struct update encode_nothing(const struct frs_downlink *downlink) {
    struct frs_rows rows[FRS_MAX_PARTS];
    static const uint32_t no_ids[1];
    for (size_t i = 0; i < downlink->n_update; i++)
        rows[i] = (struct frs_rows){
            .n_rows = downlink->update_shape[i].n_rows, .dim = downlink->update_shape[i].dim, .ids = no_ids};
    return encode_update(downlink, 0, rows);
}

struct frs_downlink *frs_downlink_create(const struct frs_downlink_settings *settings) {
    struct frs_downlink *downlink = frs_alloc(1, sizeof *downlink);
    const struct frs_learner *learner = settings->learner;
    downlink->settings = *settings;
    downlink->n_state = learner->parts(settings->model, FRS_STATE, downlink->state_shape);
    downlink->held = frs_alloc(settings->n_clients, sizeof *downlink->held);
    memset(downlink->held, 0xff, settings->n_clients * sizeof *downlink->held);
    if (learner->sends_updates) {
        downlink->n_update = learner->parts(settings->model, FRS_UPDATE, downlink->update_shape);
        downlink->nothing = encode_nothing(downlink);
        downlink->decoded = learner->tables(settings->model);
        downlink->bytes_before = frs_grow(NULL, 1, &downlink->bytes_capacity, sizeof *downlink->bytes_before);
        downlink->bytes_before[0] = 0;
    } else {
        for (size_t i = 0; i < downlink->n_state; i++)
            downlink->decoded.part[i] = frs_alloc_aligned(
                downlink->state_shape[i].n_rows * downlink->state_shape[i].dim, sizeof(float));
    }
    return downlink;
}

void frs_downlink_destroy(struct frs_downlink *downlink) {
    if (!downlink)
        return;
    if (!downlink->settings.learner->sends_updates)
        for (size_t i = 0; i < downlink->n_state; i++)
            free(downlink->decoded.part[i]);
    for (size_t i = 0; i < downlink->version; i++)
        frs_buffer_fini(&downlink->updates[i].encoded);
    frs_buffer_fini(&downlink->nothing.encoded);
    frs_buffer_fini(&downlink->state);
    frs_arena_fini(&downlink->arena);
    free(downlink->updates);
    free(downlink->bytes_before);
    free(downlink->held);
    free(downlink);
}

static bool replays(const struct frs_downlink *downlink) {
    return downlink->settings.catchup == FRS_CATCHUP_REPLAY ||
           downlink->settings.catchup == FRS_CATCHUP_CHEAPEST;
}

static bool is_ideal(const struct frs_downlink *downlink) {
    return downlink->settings.learner->sends_updates && downlink->settings.catchup == FRS_CATCHUP_IDEAL;
}

static void encode_state(struct frs_downlink *downlink) {
    struct frs_tables tables = downlink->settings.learner->tables(downlink->settings.model);
    struct frs_codec_choice codec = state_codec(downlink);
    struct frs_rows rows[FRS_MAX_PARTS];
    whole_tables(&tables, downlink->state_shape, downlink->n_state, rows);
    frs_buffer_reset(&downlink->state);
    downlink->state_nominal_bytes =
        frs_message_put_parts(&downlink->state, &codec, rows, downlink->n_state, NULL);
}

/* tables ← the encoded state, row by row; rows that were not sent are zero. */
static bool decode_state(const struct frs_downlink *downlink, struct frs_reader *in,
    const struct frs_tables *tables, struct frs_arena *arena) {
    struct frs_codec_choice codec = state_codec(downlink);
    struct frs_rows rows[FRS_MAX_PARTS];
    if (!frs_message_parts(in, &codec, downlink->state_shape, downlink->n_state, NULL, arena, rows))
        return false;
    for (size_t i = 0; i < downlink->n_state; i++) {
        size_t dim = rows[i].dim;
        memset(tables->part[i], 0, rows[i].n_rows * dim * sizeof(float));
        for (size_t r = 0; r < rows[i].n; r++)
            memcpy(tables->part[i] + (rows[i].ids ? rows[i].ids[r] : r) * dim, rows[i].values + r * dim,
                dim * sizeof(float));
    }
    return true;
}

void frs_downlink_open(struct frs_downlink *downlink, uint32_t round) {
    const struct frs_learner *learner = downlink->settings.learner;
    downlink->round = round;
    downlink->word = learner->word ? learner->word(downlink->settings.model, round) : 0;
    if (!is_ideal(downlink))
        encode_state(downlink);
    if (learner->sends_updates)
        return;
    struct frs_reader reader = frs_reader_init(downlink->state.bytes, downlink->state.n);
    frs_arena_reset(&downlink->arena);
    bool ok = decode_state(downlink, &reader, &downlink->decoded, &downlink->arena);
    FRS_INVARIANT(ok && reader.at == reader.n, "the state of round %u does not decode", round);
}

/* The part of a client's message that varies: the whole state, or updates [from, version). */
struct plan {
    bool state;
    size_t from;
};

static size_t replay_bytes(const struct frs_downlink *downlink, size_t from) {
    return downlink->bytes_before[downlink->version] - downlink->bytes_before[from];
}

static struct plan plan_for(const struct frs_downlink *downlink, uint32_t client) {
    const struct plan whole = {.state = true};
    if (!downlink->settings.learner->sends_updates || downlink->settings.catchup == FRS_CATCHUP_FULL)
        return whole;
    uint32_t held = downlink->held[client];
    if (held == NO_VERSION) {
        if (downlink->settings.first_contact == FRS_FIRST_CONTACT_TABLE)
            return whole;
        held = 0;
    }
    if (downlink->settings.catchup == FRS_CATCHUP_CHEAPEST &&
        (held < downlink->first_kept || replay_bytes(downlink, held) >= downlink->state.n))
        return whole;
    return (struct plan){.from = held};
}

static const struct update *latest(const struct frs_downlink *downlink) {
    return downlink->version ? &downlink->updates[downlink->version - 1] : &downlink->nothing;
}

struct frs_message_size frs_downlink_size(const struct frs_downlink *downlink, uint32_t client) {
    struct frs_message_size size = {.bytes = FRS_MESSAGE_HEADER_BYTES};
    /* The papers count one update per participation whatever was missed. */
    size.nominal_bytes = downlink->settings.learner->sends_updates ? latest(downlink)->nominal_bytes
                                                                   : downlink->state_nominal_bytes;
    if (is_ideal(downlink)) {
        size.bytes += FRS_MESSAGE_UPDATE_HEADER_BYTES + latest(downlink)->encoded.n;
        return size;
    }
    struct plan plan = plan_for(downlink, client);
    size.bytes += plan.state ? downlink->state.n : replay_bytes(downlink, plan.from);
    return size;
}

static void put_section(struct frs_buffer *out, const struct update *update, size_t version) {
    frs_buffer_put_u32(out, (uint32_t)version);
    frs_buffer_put_u64(out, update->word);
    frs_buffer_put(out, update->encoded.bytes, update->encoded.n);
}

void frs_downlink_encode(const struct frs_downlink *downlink, uint32_t client, struct frs_buffer *out) {
    struct plan plan =
        is_ideal(downlink) ? (struct plan){.from = downlink->version} : plan_for(downlink, client);
    struct frs_message_header header = {.kind = plan.state ? FRS_MESSAGE_STATE : FRS_MESSAGE_UPDATES,
        .n_sections = plan.state           ? 1
                      : is_ideal(downlink) ? 1
                                           : (uint32_t)(downlink->version - plan.from),
        .round = downlink->round,
        .sender = FRS_RNG_SERVER,
        .word = downlink->word};
    frs_message_put_header(out, &header);
    if (plan.state) {
        frs_buffer_put(out, downlink->state.bytes, downlink->state.n);
        return;
    }
    if (is_ideal(downlink))
        put_section(out, latest(downlink), downlink->version);
    for (size_t v = plan.from; v < downlink->version; v++)
        put_section(out, &downlink->updates[v], v);
}

/* Sections follow each other without a gap. */
static bool decode_updates(const struct frs_downlink *downlink, struct frs_reader *in, uint32_t n_sections,
    const struct frs_tables *tables, struct frs_arena *arena) {
    const struct frs_downlink_settings *s = &downlink->settings;
    struct frs_rows rows[FRS_MAX_PARTS];
    uint32_t first = 0;
    for (uint32_t i = 0; i < n_sections; i++) {
        uint32_t version = frs_reader_u32(in);
        uint64_t seed = frs_reader_u64(in);
        first = i == 0 ? version : first;
        if (in->failed || version - first != i ||
            !frs_message_parts(in, &s->codec, downlink->update_shape, downlink->n_update, NULL, arena, rows))
            return false;
        s->learner->apply(s->model, tables, seed, rows, arena);
    }
    return true;
}

bool frs_downlink_decode(const struct frs_downlink *downlink, const struct frs_buffer *message,
    const struct frs_tables *tables, uint64_t *word) {
    struct frs_reader in = frs_reader_init(message->bytes, message->n);
    struct frs_message_header header;
    struct frs_arena arena = {0};
    bool ok = frs_message_header(&in, &header);
    if (ok && header.kind == FRS_MESSAGE_STATE)
        ok = header.n_sections == 1 && decode_state(downlink, &in, tables, &arena);
    else if (ok)
        ok = header.kind == FRS_MESSAGE_UPDATES && downlink->settings.learner->sends_updates &&
             decode_updates(downlink, &in, header.n_sections, tables, &arena);
    *word = header.word;
    frs_arena_fini(&arena);
    return ok && in.at == in.n;
}

void frs_downlink_received(struct frs_downlink *downlink, uint32_t client) {
    downlink->held[client] = (uint32_t)downlink->version;
}

const struct frs_tables *frs_downlink_tables(const struct frs_downlink *downlink) {
    return &downlink->decoded;
}

uint64_t frs_downlink_word(const struct frs_downlink *downlink) {
    return downlink->word;
}

uint32_t frs_downlink_version(const struct frs_downlink *downlink, uint32_t client) {
    return downlink->held[client];
}

/* Under `cheapest` an update that nobody would replay any more need not be kept. */
static void drop_old_updates(struct frs_downlink *downlink) {
    size_t keep_from = downlink->version ? downlink->version - 1 : 0;
    if (downlink->settings.catchup == FRS_CATCHUP_REPLAY)
        keep_from = 0;
    else if (replays(downlink)) {
        keep_from = downlink->first_kept;
        while (keep_from + 1 < downlink->version && replay_bytes(downlink, keep_from) >= downlink->state.n)
            keep_from++;
    }
    for (; downlink->first_kept < keep_from; downlink->first_kept++)
        frs_buffer_fini(&downlink->updates[downlink->first_kept].encoded);
}

void frs_downlink_publish(
    struct frs_downlink *downlink, const struct frs_rows *update, struct frs_arena *arena) {
    const struct frs_downlink_settings *s = &downlink->settings;
    struct update fresh = encode_update(downlink, downlink->word, update);
    struct frs_reader in = frs_reader_init(fresh.encoded.bytes, fresh.encoded.n);
    struct frs_rows decoded[FRS_MAX_PARTS];
    bool ok =
        frs_message_parts(&in, &s->codec, downlink->update_shape, downlink->n_update, NULL, arena, decoded);
    FRS_INVARIANT(ok && in.at == in.n, "the update of round %u does not decode", downlink->round);
    struct frs_tables tables = s->learner->tables(s->model);
    s->learner->apply(s->model, &tables, fresh.word, decoded, arena);
    downlink->updates =
        frs_grow(downlink->updates, downlink->version + 1, &downlink->capacity, sizeof *downlink->updates);
    downlink->updates[downlink->version++] = fresh;
    downlink->bytes_before = frs_grow(downlink->bytes_before, downlink->version + 1,
        &downlink->bytes_capacity, sizeof *downlink->bytes_before);
    downlink->bytes_before[downlink->version] =
        downlink->bytes_before[downlink->version - 1] + FRS_MESSAGE_UPDATE_HEADER_BYTES + fresh.encoded.n;
    drop_old_updates(downlink);
}
