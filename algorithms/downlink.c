#include "algorithms/downlink.h"
#include "algorithms/aggregation.h"
#include "algorithms/personal.h"
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
    bool goes_on;              /* completes the one before */
    struct frs_buffer encoded; /* its parts, without section header; empty once nobody can need it again */
    size_t nominal_bytes;
    double flop; /* of encoding it */
};

struct frs_downlink {
    struct frs_downlink_settings settings;
    size_t n_state, n_update;
    struct frs_part state_shape[FRS_MAX_PARTS], update_shape[FRS_MAX_PARTS];
    struct frs_personal personal;
    struct frs_buffer state; /* the encoded parts of the current state, dense for methods that send updates */
    size_t state_nominal_bytes;
    double state_flop; /* of encoding it */
    struct frs_tables
        decoded; /* methods that send state: what clients decoded; otherwise the server's own tables */
    struct update *updates; /* [version] leads from version to version + 1 */
    size_t *bytes_before;   /* [version] bytes of all earlier updates with their section headers */
    size_t version, capacity, bytes_capacity;
    size_t first_kept;     /* updates before it have been dropped */
    struct update nothing; /* an all-zero update: what `ideal` sends before the first one exists */
    uint32_t *held;        /* [n_clients] */
    float *
        residual[FRS_MAX_PARTS]; /* error feedback: what clients still lack, one table for each update part */
    bool owns_decoded;           /* clients hold other tables than the server */
    void *memory;                /* of the codec, for every part of a message; NULL: it keeps none */
    size_t memory_bytes;
    uint32_t round;
    uint64_t word;
    struct frs_arena arena;
};

static struct frs_codec_choice state_codec(const struct frs_downlink *downlink) {
    return downlink->settings.learner->sends_updates ? (struct frs_codec_choice){.codec = &frs_codec_dense}
                                                     : downlink->settings.codec;
}

/* What the encoder of message `number` is told: no two draw the same. A state is known by its round, an update
 * by its version, since a round may publish several of them. */
static struct frs_encoding encoding(const struct frs_downlink *downlink, size_t number, struct frs_rng *rng,
    double *flop, struct frs_arena *arena) {
    *rng = frs_rng_stream(downlink->settings.seed, FRS_RNG_SERVER, (uint32_t)number, 0, FRS_RNG_CODEC);
    return (struct frs_encoding){.budget = downlink->settings.budget,
        .rng = rng,
        .memory = downlink->memory,
        .arena = arena,
        .flop = flop};
}

static struct update encode_update(const struct frs_downlink *downlink, uint64_t word,
    const struct frs_rows *rows, struct frs_arena *arena) {
    struct update update = {.word = word};
    struct frs_rng rng;
    update.nominal_bytes = frs_message_put_parts(&update.encoded, &downlink->settings.codec, rows,
        downlink->n_update, NULL, encoding(downlink, downlink->version, &rng, &update.flop, arena));
    return update;
}

static struct update encode_nothing(struct frs_downlink *downlink) {
    struct frs_rows rows[FRS_MAX_PARTS];
    frs_message_stand_in(downlink->update_shape, downlink->n_update, downlink->settings.whole_messages,
        &downlink->arena, rows);
    return encode_update(downlink, 0, rows, &downlink->arena);
}

static float *new_table(const struct frs_part *shape) {
    return frs_alloc_aligned(shape->n_rows * shape->dim, sizeof(float));
}

/* Tables of the clients' own, as the server's are now. */
static void own_tables(struct frs_downlink *downlink) {
    struct frs_tables tables = frs_model_tables(downlink->settings.model);
    downlink->owns_decoded = true;
    for (size_t i = 0; i < downlink->n_state; i++) {
        const struct frs_part *shape = &downlink->state_shape[i];
        downlink->decoded.part[i] = new_table(shape);
        memcpy(downlink->decoded.part[i], tables.part[i], shape->n_rows * shape->dim * sizeof(float));
    }
}

bool frs_downlink_can_be_exact(enum frs_catchup catchup, enum frs_first_contact first_contact) {
    return catchup == FRS_CATCHUP_IDEAL || catchup == FRS_CATCHUP_FULL ||
           (catchup == FRS_CATCHUP_REPLAY && first_contact == FRS_FIRST_CONTACT_SEED);
}

static void create_for_updates(struct frs_downlink *downlink) {
    const struct frs_downlink_settings *s = &downlink->settings;
    downlink->n_update = frs_model_parts(s->model, FRS_UPDATE, downlink->update_shape);
    downlink->nothing = encode_nothing(downlink);
    downlink->decoded = frs_model_tables(s->model);
    downlink->bytes_before = frs_grow(NULL, 1, &downlink->bytes_capacity, sizeof *downlink->bytes_before);
    downlink->bytes_before[0] = 0;
    for (size_t i = 0; s->error_feedback && i < downlink->n_update; i++)
        downlink->residual[i] = new_table(&downlink->update_shape[i]);
    if (s->exact_server_table && s->catchup != FRS_CATCHUP_FULL)
        own_tables(downlink);
}

struct frs_downlink *frs_downlink_create(const struct frs_downlink_settings *settings) {
    struct frs_downlink *downlink = frs_alloc(1, sizeof *downlink);
    const struct frs_learner *learner = settings->learner;
    downlink->settings = *settings;
    downlink->n_state = frs_model_parts(settings->model, FRS_STATE, downlink->state_shape);
    downlink->held = frs_alloc(settings->n_clients, sizeof *downlink->held);
    memset(downlink->held, 0xff, settings->n_clients * sizeof *downlink->held);
    if (learner->sends_updates)
        create_for_updates(downlink);
    else
        own_tables(downlink);
    downlink->personal = frs_personal_create(settings->model, settings->codec);
    if (settings->codec.codec->memory_bytes > 0) {
        downlink->memory_bytes = FRS_MAX_PARTS * settings->codec.codec->memory_bytes;
        downlink->memory = frs_alloc(downlink->memory_bytes, 1);
    }
    return downlink;
}

void frs_downlink_destroy(struct frs_downlink *downlink) {
    if (!downlink)
        return;
    for (size_t i = 0; downlink->owns_decoded && i < downlink->n_state; i++)
        free(downlink->decoded.part[i]);
    for (size_t i = 0; i < downlink->n_update; i++)
        free(downlink->residual[i]);
    for (size_t i = 0; i < downlink->version; i++)
        frs_buffer_fini(&downlink->updates[i].encoded);
    frs_buffer_fini(&downlink->nothing.encoded);
    frs_buffer_fini(&downlink->state);
    frs_arena_fini(&downlink->arena);
    free(downlink->updates);
    free(downlink->bytes_before);
    free(downlink->held);
    free(downlink->memory);
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
    struct frs_tables tables = frs_model_tables(downlink->settings.model);
    struct frs_codec_choice codec = state_codec(downlink);
    struct frs_rows rows[FRS_MAX_PARTS];
    struct frs_rng rng;
    frs_tables_rows(&tables, downlink->state_shape, downlink->n_state, rows);
    frs_buffer_reset(&downlink->state);
    downlink->state_flop = 0;
    downlink->state_nominal_bytes = frs_message_put_parts(&downlink->state, &codec, rows, downlink->n_state,
        NULL, encoding(downlink, downlink->round, &rng, &downlink->state_flop, &downlink->arena));
}

static bool decode_state(const struct frs_downlink *downlink, struct frs_reader *in,
    const struct frs_tables *tables, struct frs_arena *arena, bool *finite) {
    struct frs_codec_choice codec = state_codec(downlink);
    return frs_message_tables(
        in, &codec, downlink->state_shape, downlink->n_state, tables->part, arena, finite);
}

void frs_downlink_open(struct frs_downlink *downlink, uint32_t round) {
    const struct frs_learner *learner = downlink->settings.learner;
    downlink->round = round;
    downlink->word = learner->word ? learner->word(downlink->settings.model, round) : 0;
    frs_arena_reset(&downlink->arena);
    if (!is_ideal(downlink))
        encode_state(downlink);
    if (learner->sends_updates)
        return;
    struct frs_reader reader = frs_reader_init(downlink->state.bytes, downlink->state.n);
    bool finite, ok = decode_state(downlink, &reader, &downlink->decoded, &downlink->arena, &finite);
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

/* Where the last publication begins; one section stands for it before there is any. */
static size_t latest(const struct frs_downlink *downlink) {
    size_t from = downlink->version ? downlink->version - 1 : 0;
    while (downlink->version > 0 && downlink->updates[from].goes_on)
        from--;
    return from;
}

/* The last publication as the papers count it, and as encoded. */
static struct frs_message_size latest_size(const struct frs_downlink *downlink) {
    struct frs_message_size size = {0};
    if (downlink->version == 0)
        return (struct frs_message_size){
            FRS_MESSAGE_UPDATE_HEADER_BYTES + downlink->nothing.encoded.n, downlink->nothing.nominal_bytes};
    for (size_t v = latest(downlink); v < downlink->version; v++) {
        size.bytes += FRS_MESSAGE_UPDATE_HEADER_BYTES + downlink->updates[v].encoded.n;
        size.nominal_bytes += downlink->updates[v].nominal_bytes;
    }
    return size;
}

struct frs_message_size frs_downlink_personal_size(const struct frs_downlink *downlink) {
    return (struct frs_message_size){downlink->personal.bytes, downlink->personal.nominal_bytes};
}

size_t frs_downlink_personal_values(const struct frs_downlink *downlink, uint32_t client) {
    struct frs_tables tables;
    return frs_personal_find(&downlink->personal, client, &tables) ? downlink->personal.values : 0;
}

struct frs_message_size frs_downlink_size(const struct frs_downlink *downlink, uint32_t client) {
    struct frs_message_size size = {.bytes = FRS_MESSAGE_HEADER_BYTES};
    /* The papers count one update per participation whatever was missed. */
    size.nominal_bytes = downlink->settings.learner->sends_updates ? latest_size(downlink).nominal_bytes
                                                                   : downlink->state_nominal_bytes;
    if (is_ideal(downlink)) {
        size.bytes += latest_size(downlink).bytes;
        return size;
    }
    struct plan plan = plan_for(downlink, client);
    size.bytes += plan.state ? downlink->state.n : replay_bytes(downlink, plan.from);
    struct frs_tables tables;
    if (frs_personal_find(&downlink->personal, client, &tables)) {
        size.bytes += downlink->personal.bytes;
        size.nominal_bytes += downlink->personal.nominal_bytes;
    }
    return size;
}

double frs_downlink_encode_flop(const struct frs_downlink *downlink) {
    double flop = downlink->state_flop;
    for (size_t v = latest(downlink); v < downlink->version; v++)
        flop += downlink->updates[v].flop;
    return flop;
}

static void put_section(struct frs_buffer *out, const struct update *update, size_t version) {
    frs_buffer_put_u32(out, (uint32_t)version);
    frs_buffer_put_u64(out, update->word);
    frs_buffer_put(out, update->encoded.bytes, update->encoded.n);
}

void frs_downlink_encode(
    const struct frs_downlink *downlink, uint32_t client, uint32_t budget, struct frs_buffer *out) {
    struct plan plan =
        is_ideal(downlink) ? (struct plan){.from = latest(downlink)} : plan_for(downlink, client);
    bool nothing = is_ideal(downlink) && downlink->version == 0;
    struct frs_message_header header = {.kind = plan.state ? FRS_MESSAGE_STATE : FRS_MESSAGE_UPDATES,
        .n_sections = plan.state || nothing ? 1 : (uint32_t)(downlink->version - plan.from),
        .round = downlink->round,
        .budget = budget,
        .word = downlink->word};
    struct frs_tables tables;
    bool is_personal = frs_personal_find(&downlink->personal, client, &tables);
    header.n_sections += is_personal;
    frs_message_put_header(out, &header);
    if (plan.state) {
        frs_buffer_put(out, downlink->state.bytes, downlink->state.n);
        if (is_personal)
            frs_personal_put(&downlink->personal, &tables, out);
        return;
    }
    if (nothing)
        put_section(out, &downlink->nothing, 0);
    for (size_t v = plan.from; v < downlink->version; v++)
        put_section(out, &downlink->updates[v], v);
}

static bool may_say(const struct frs_downlink *downlink, uint64_t word) {
    return word == 0 || downlink->settings.learner->word;
}

/* Sections follow each other without a gap. */
static bool decode_updates(const struct frs_downlink *downlink, struct frs_reader *in, uint32_t n_sections,
    const struct frs_tables *tables, struct frs_arena *arena, struct frs_download *download) {
    const struct frs_downlink_settings *s = &downlink->settings;
    struct frs_rows rows[FRS_MAX_PARTS];
    for (uint32_t i = 0; i < n_sections; i++) {
        uint32_t version = frs_reader_u32(in);
        download->word = frs_reader_u64(in);
        if (in->failed || (i > 0 && version != download->version) || !may_say(downlink, download->word) ||
            !frs_message_parts(
                in, &s->codec, downlink->update_shape, downlink->n_update, NULL, arena, rows) ||
            !frs_message_is_finite(rows, downlink->n_update))
            return false;
        frs_learner_apply(s->learner, s->model, tables, download->word, rows, arena);
        download->version = version + 1;
    }
    return true;
}

bool frs_downlink_decode(const struct frs_downlink *downlink, const struct frs_buffer *message,
    const struct frs_tables *tables, struct frs_download *download) {
    struct frs_reader in = frs_reader_init(message->bytes, message->n);
    struct frs_arena arena = {0};
    struct frs_message_header *header = &download->header;
    *download = (struct frs_download){0};
    bool ok = frs_message_header(&in, header) && may_say(downlink, header->word), finite = true;
    bool is_personal = header->n_sections == 2 && downlink->personal.n > 0;
    if (ok && header->kind == FRS_MESSAGE_STATE)
        ok = (header->n_sections == 1 || is_personal) &&
             decode_state(downlink, &in, tables, &arena, &finite) &&
             (!is_personal ||
                 frs_personal_take(&downlink->personal, &in, tables->part + downlink->n_state, &arena));
    else if (ok)
        ok = header->kind == FRS_MESSAGE_UPDATES && downlink->settings.learner->sends_updates &&
             decode_updates(downlink, &in, header->n_sections, tables, &arena, download);
    frs_arena_fini(&arena);
    return ok && finite && in.at == in.n;
}

uint32_t frs_downlink_current(const struct frs_downlink *downlink) {
    return (uint32_t)downlink->version;
}

void frs_downlink_received(struct frs_downlink *downlink, uint32_t client, uint32_t version) {
    downlink->held[client] = version;
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
    size_t keep_from = latest(downlink);
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

/* What is sent under error feedback: the update and everything left out so far. */
static void add_residuals(
    struct frs_downlink *downlink, const struct frs_rows *update, struct frs_rows *sent) {
    for (size_t i = 0; i < downlink->n_update; i++) {
        const struct frs_part *shape = &downlink->update_shape[i];
        frs_rows_add_to(&update[i], downlink->residual[i]);
        sent[i] = (struct frs_rows){
            .n_rows = shape->n_rows, .dim = shape->dim, .n = shape->n_rows, .values = downlink->residual[i]};
    }
}

static void subtract_decoded(struct frs_downlink *downlink, const struct frs_rows *decoded) {
    for (size_t i = 0; i < downlink->n_update; i++)
        for (size_t r = 0; r < decoded[i].n; r++) {
            size_t dim = decoded[i].dim, row = decoded[i].ids ? decoded[i].ids[r] : r;
            for (size_t k = 0; k < dim; k++)
                downlink->residual[i][row * dim + k] -= decoded[i].values[r * dim + k];
        }
}

/* The server applies what it broadcast, or the update itself while its clients apply what they decoded. */
static void apply(struct frs_downlink *downlink, uint64_t word, const struct frs_rows *update,
    const struct frs_rows *decoded, struct frs_arena *arena) {
    const struct frs_downlink_settings *s = &downlink->settings;
    struct frs_tables tables = frs_model_tables(s->model);
    if (!s->follows)
        frs_learner_apply(
            s->learner, s->model, &tables, word, s->exact_server_table ? update : decoded, arena);
    if (downlink->owns_decoded)
        frs_learner_apply(s->learner, s->model, &downlink->decoded, word, decoded, arena);
}

void frs_downlink_publish(struct frs_downlink *downlink, uint64_t word, const struct frs_rows *update,
    bool goes_on, struct frs_arena *arena, struct frs_rows *decoded) {
    const struct frs_downlink_settings *s = &downlink->settings;
    struct frs_rows sent[FRS_MAX_PARTS];
    if (s->error_feedback)
        add_residuals(downlink, update, sent);
    struct update fresh = encode_update(downlink, word, s->error_feedback ? sent : update, arena);
    fresh.goes_on = goes_on;
    struct frs_reader in = frs_reader_init(fresh.encoded.bytes, fresh.encoded.n);
    bool ok =
        frs_message_parts(&in, &s->codec, downlink->update_shape, downlink->n_update, NULL, arena, decoded);
    FRS_INVARIANT(ok && in.at == in.n, "the update of round %u does not decode", downlink->round);
    if (s->error_feedback)
        subtract_decoded(downlink, decoded);
    apply(downlink, fresh.word, update, decoded, arena);
    downlink->updates =
        frs_grow(downlink->updates, downlink->version + 1, &downlink->capacity, sizeof *downlink->updates);
    downlink->updates[downlink->version++] = fresh;
    downlink->bytes_before = frs_grow(downlink->bytes_before, downlink->version + 1,
        &downlink->bytes_capacity, sizeof *downlink->bytes_before);
    downlink->bytes_before[downlink->version] =
        downlink->bytes_before[downlink->version - 1] + FRS_MESSAGE_UPDATE_HEADER_BYTES + fresh.encoded.n;
    drop_old_updates(downlink);
}

static void load_updates(struct frs_downlink *downlink, size_t n) {
    for (size_t i = 0; i < downlink->version; i++)
        frs_buffer_fini(&downlink->updates[i].encoded);
    downlink->updates = frs_grow(downlink->updates, n, &downlink->capacity, sizeof *downlink->updates);
    downlink->bytes_before =
        frs_grow(downlink->bytes_before, n + 1, &downlink->bytes_capacity, sizeof *downlink->bytes_before);
    for (size_t i = 0; i < n; i++)
        downlink->updates[i] = (struct update){0};
    downlink->version = n;
}

static void archive_tables(
    float *const *tables, const struct frs_part *shapes, size_t n, struct frs_archive *archive) {
    for (size_t i = 0; i < n; i++)
        frs_archive_bytes(archive, tables[i], shapes[i].n_rows * shapes[i].dim * sizeof *tables[i]);
}

/* Whether what was loaded refers to updates that exist. */
static bool are_sound(const struct frs_downlink *downlink) {
    bool sound = downlink->first_kept <= downlink->version &&
                 (downlink->version == 0 || !downlink->updates[0].goes_on);
    for (size_t i = 0; sound && i < downlink->settings.n_clients; i++)
        sound = downlink->held[i] == NO_VERSION || downlink->held[i] <= downlink->version;
    return sound;
}

void frs_downlink_archive(struct frs_downlink *downlink, struct frs_archive *archive) {
    size_t version = downlink->version;
    frs_archive_bytes(archive, downlink->memory, downlink->memory_bytes);
    if (downlink->settings.error_feedback)
        archive_tables(downlink->residual, downlink->update_shape, downlink->n_update, archive);
    if (downlink->owns_decoded)
        archive_tables(downlink->decoded.part, downlink->state_shape, downlink->n_state, archive);
    frs_archive_bytes(archive, downlink->held, downlink->settings.n_clients * sizeof *downlink->held);
    frs_archive_size(archive, &version);
    /* Every update takes some bytes: a number that no archive of this length can hold is a broken one. */
    bool sends_updates = downlink->settings.learner->sends_updates;
    if (frs_archive_loads(archive) &&
        (archive->in->failed || version > archive->in->n || (version > 0 && !sends_updates))) {
        archive->in->failed = 1;
        return;
    }
    if (frs_archive_loads(archive) && sends_updates)
        load_updates(downlink, version);
    frs_archive_size(archive, &downlink->first_kept);
    for (size_t i = 0; i < version; i++) {
        frs_archive_u64(archive, &downlink->updates[i].word);
        frs_archive_bools(archive, &downlink->updates[i].goes_on, 1);
        frs_archive_size(archive, &downlink->updates[i].nominal_bytes);
        frs_archive_bytes(archive, &downlink->updates[i].flop, sizeof downlink->updates[i].flop);
        frs_archive_buffer(archive, &downlink->updates[i].encoded);
        frs_archive_size(archive, &downlink->bytes_before[i + 1]);
    }
    if (frs_archive_loads(archive) && sends_updates && !are_sound(downlink))
        archive->in->failed = 1;
}
