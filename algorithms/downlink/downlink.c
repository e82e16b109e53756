#include "algorithms/downlink/downlink.h"
#include "algorithms/aggregation.h"
#include "algorithms/downlink/state.h"
#include "algorithms/messages/personal.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"

#include <stdlib.h>
#include <string.h>

extern const struct frs_codec frs_codec_dense;

struct frs_downlink {
    struct frs_downlink_settings settings;
    struct frs_state_message state; /* dense for methods that send updates */
    size_t n_update;
    struct frs_part update_shape[FRS_MAX_PARTS];
    struct frs_personal personal;
    struct frs_tables
        decoded; /* methods that send state: what clients decoded; otherwise the server's own tables */
    struct frs_update_log log;
    struct frs_update nothing; /* an all-zero update: what `ideal` sends before the first one exists */
    uint32_t *held;            /* [n_clients] */
    float *
        residual[FRS_MAX_PARTS]; /* error feedback: what clients still lack, one table for each update part */
    bool owns_decoded;           /* clients hold other tables than the server */
    bool finite;                 /* of methods that send state: `decoded` is */
    void *memory;                /* of the codec, for every part of a message; NULL: it keeps none */
    size_t memory_bytes;
    uint32_t round;
    uint64_t round_seed;
    struct frs_arena arena;
};

static bool sends_updates(const struct frs_downlink *downlink) {
    return downlink->settings.learner->sends_updates;
}

static bool is_ideal(const struct frs_downlink *downlink) {
    return sends_updates(downlink) && downlink->settings.catchup == FRS_CATCHUP_IDEAL;
}

/* ---- encoding -------------------------------------------------------------------------------- */

/* The encoding of message `number`: no two messages draw the same numbers. A state is identified by its
 * round, an update by its version, because a round may publish several updates. */
static struct frs_encoding encoding(const struct frs_downlink *downlink, size_t number, struct frs_rng *rng,
    double *flop, struct frs_arena *arena) {
    *rng = frs_rng_stream(downlink->settings.seed, FRS_RNG_SERVER, (uint32_t)number, 0, FRS_RNG_CODEC);
    return (struct frs_encoding){.budget = downlink->settings.budget,
        .rng = rng,
        .memory = downlink->memory,
        .arena = arena,
        .flop = flop};
}

static struct frs_update encode_update(const struct frs_downlink *downlink, uint64_t round_seed,
    const struct frs_rows *rows, struct frs_arena *arena) {
    struct frs_update update = {.round_seed = round_seed};
    struct frs_rng rng;
    update.nominal_bytes = frs_message_put_parts(&update.encoded, &downlink->settings.codec, rows,
        downlink->n_update, NULL, encoding(downlink, downlink->log.version, &rng, &update.flop, arena));
    return update;
}

static struct frs_update encode_nothing(struct frs_downlink *downlink) {
    struct frs_rows rows[FRS_MAX_PARTS];
    frs_message_stand_in(downlink->update_shape, downlink->n_update, downlink->settings.whole_messages,
        &downlink->arena, rows);
    return encode_update(downlink, 0, rows, &downlink->arena);
}

/* ---- life ------------------------------------------------------------------------------------ */

/* Tables of the clients' own, as the server's are now. */
static void own_tables(struct frs_downlink *downlink) {
    struct frs_tables tables = frs_model_tables(downlink->settings.model);
    downlink->owns_decoded = true;
    downlink->decoded = frs_state_message_copy(&downlink->state, &tables);
}

static void create_for_updates(struct frs_downlink *downlink) {
    const struct frs_downlink_settings *s = &downlink->settings;
    downlink->n_update = frs_model_parts(s->model, FRS_UPDATE, downlink->update_shape);
    downlink->nothing = encode_nothing(downlink);
    downlink->decoded = frs_model_tables(s->model);
    for (size_t i = 0; s->error_feedback && i < downlink->n_update; i++)
        downlink->residual[i] = frs_alloc_aligned(
            downlink->update_shape[i].n_rows * downlink->update_shape[i].dim, sizeof(float));
    if (s->exact_server_table && s->catchup != FRS_CATCHUP_FULL)
        own_tables(downlink);
}

struct frs_downlink *frs_downlink_create(const struct frs_downlink_settings *settings) {
    struct frs_downlink *downlink = frs_alloc(1, sizeof *downlink);
    const struct frs_learner *learner = settings->learner;
    downlink->settings = *settings;
    downlink->state.n = frs_model_parts(settings->model, FRS_STATE, downlink->state.shapes);
    downlink->state.codec = settings->codec;
    if (learner->sends_updates)
        downlink->state.codec = (struct frs_codec_choice){.codec = &frs_codec_dense};
    downlink->held = frs_alloc(settings->n_clients, sizeof *downlink->held);
    memset(downlink->held, 0xff, settings->n_clients * sizeof *downlink->held);
    if (learner->sends_updates)
        create_for_updates(downlink);
    else
        own_tables(downlink);
    downlink->finite = frs_state_message_is_finite(&downlink->state, &downlink->decoded);
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
    for (size_t i = 0; downlink->owns_decoded && i < downlink->state.n; i++)
        free(downlink->decoded.part[i]);
    for (size_t i = 0; i < downlink->n_update; i++)
        free(downlink->residual[i]);
    frs_update_log_fini(&downlink->log);
    frs_buffer_fini(&downlink->nothing.encoded);
    frs_buffer_fini(&downlink->state.encoded);
    frs_arena_fini(&downlink->arena);
    free(downlink->held);
    free(downlink->memory);
    free(downlink);
}

static void encode_state(struct frs_downlink *downlink, const struct frs_tables *tables) {
    struct frs_state_message *state = &downlink->state;
    struct frs_rng rng;
    bool passes = frs_state_message_pass(state, tables, &downlink->arena);
    size_t bytes = state->bytes, nominal_bytes = state->nominal_bytes;
    frs_state_message_encode(
        state, tables, encoding(downlink, downlink->round, &rng, NULL, &downlink->arena));
    FRS_INVARIANT(
        !passes || (state->bytes == bytes && state->nominal_bytes == nominal_bytes && state->flop == 0),
        "the state of round %u would have passed as %zu bytes and has %zu", downlink->round, bytes,
        state->bytes);
}

static void decode_state(struct frs_downlink *downlink) {
    const struct frs_buffer *encoded = &downlink->state.encoded;
    struct frs_reader reader = frs_reader_init(encoded->bytes, encoded->n);
    bool ok = frs_state_message_decode(
        &downlink->state, &reader, &downlink->decoded, &downlink->arena, &downlink->finite);
    FRS_INVARIANT(ok && reader.at == reader.n, "the state of round %u does not decode", downlink->round);
}

/* Unchanged rows need no second check, except those that were not finite. */
static void take_state(struct frs_downlink *downlink, const struct frs_tables *tables) {
    bool finite = frs_state_message_put(&downlink->state, tables, &downlink->decoded, &downlink->arena);
    downlink->finite =
        downlink->finite ? finite : frs_state_message_is_finite(&downlink->state, &downlink->decoded);
}

static void open_round(struct frs_downlink *downlink, uint32_t round, bool is_looked_at) {
    const struct frs_learner *learner = downlink->settings.learner;
    struct frs_tables tables = frs_model_tables(downlink->settings.model);
    downlink->round = round;
    downlink->round_seed = learner->round_seed ? learner->round_seed(downlink->settings.model, round) : 0;
    frs_arena_reset(&downlink->arena);
    bool sends = !is_ideal(downlink),
         passes =
             sends && !is_looked_at && frs_state_message_pass(&downlink->state, &tables, &downlink->arena);
    if (sends && !passes)
        encode_state(downlink, &tables);
    if (learner->sends_updates)
        return;
    if (passes)
        take_state(downlink, &tables);
    else
        decode_state(downlink);
}

void frs_downlink_open(struct frs_downlink *downlink, uint32_t round) {
    open_round(downlink, round, true);
}

void frs_downlink_open_unseen(struct frs_downlink *downlink, uint32_t round) {
    open_round(downlink, round, false);
}

/* ---- messages -------------------------------------------------------------------------------- */

static struct frs_catchup_plan plan_for(const struct frs_downlink *downlink, uint32_t client) {
    return sends_updates(downlink)
               ? frs_catchup_plan(downlink->settings.catchup, downlink->settings.first_contact,
                     &downlink->log, downlink->held[client], downlink->state.bytes)
               : (struct frs_catchup_plan){.state = true};
}

/* The last publication; one section stands for it before there is any. */
static struct frs_message_size latest_size(const struct frs_downlink *downlink) {
    return downlink->log.version > 0
               ? frs_update_log_latest_size(&downlink->log)
               : (struct frs_message_size){FRS_MESSAGE_UPDATE_HEADER_BYTES + downlink->nothing.encoded.n,
                     downlink->nothing.nominal_bytes};
}

struct frs_message_size frs_downlink_personal_size(const struct frs_downlink *downlink) {
    return (struct frs_message_size){downlink->personal.bytes, downlink->personal.nominal_bytes};
}

size_t frs_downlink_personal_values(const struct frs_downlink *downlink, uint32_t client) {
    struct frs_tables tables;
    return frs_personal_find(&downlink->personal, client, &tables) ? downlink->personal.values : 0;
}

/* Without header and personal tables. */
static size_t section_bytes(const struct frs_downlink *downlink, uint32_t client) {
    struct frs_catchup_plan plan = plan_for(downlink, client);
    return plan.state ? downlink->state.bytes : frs_update_log_bytes(&downlink->log, plan.from);
}

size_t frs_downlink_catchup_bytes(const struct frs_downlink *downlink, uint32_t client) {
    if (!sends_updates(downlink) || is_ideal(downlink))
        return 0;
    size_t all = section_bytes(downlink, client), newest = latest_size(downlink).bytes;
    return all > newest ? all - newest : 0;
}

struct frs_message_size frs_downlink_size(const struct frs_downlink *downlink, uint32_t client) {
    struct frs_message_size size = {.bytes = FRS_MESSAGE_HEADER_BYTES};
    /* The papers count one update per participation whatever was missed. */
    size.nominal_bytes =
        sends_updates(downlink) ? latest_size(downlink).nominal_bytes : downlink->state.nominal_bytes;
    if (is_ideal(downlink)) {
        size.bytes += latest_size(downlink).bytes;
        return size;
    }
    size.bytes += section_bytes(downlink, client);
    struct frs_tables tables;
    if (frs_personal_find(&downlink->personal, client, &tables)) {
        size.bytes += downlink->personal.bytes;
        size.nominal_bytes += downlink->personal.nominal_bytes;
    }
    return size;
}

static double values_of(const struct frs_part *shapes, size_t n) {
    double values = 0;
    for (size_t i = 0; i < n; i++)
        values += (double)(shapes[i].n_rows * shapes[i].dim);
    return values;
}

/* Operations of encoding the updates from a version on; marks them as sent. */
static double updates_flop(struct frs_downlink *downlink, size_t from) {
    struct frs_update_log *log = &downlink->log;
    size_t latest = frs_update_log_latest(log);
    double flop = 0, values = values_of(downlink->update_shape, downlink->n_update);
    for (size_t v = from; v < log->version; v++) {
        if (v >= latest || !log->updates[v].sent)
            flop += values + log->updates[v].flop;
        log->updates[v].sent = true;
    }
    return is_ideal(downlink) && log->version == 0 ? values : flop;
}

double frs_downlink_encode_flop(struct frs_downlink *downlink, const uint32_t *clients, size_t n) {
    bool state = false, updates = false;
    size_t from = downlink->log.version;
    for (size_t i = 0; i < n; i++) {
        struct frs_catchup_plan plan = plan_for(downlink, clients[i]);
        state = state || plan.state;
        updates = updates || !plan.state;
        from = !plan.state && plan.from < from ? plan.from : from;
    }
    double flop = updates ? updates_flop(downlink, from) : 0;
    if (state)
        flop += values_of(downlink->state.shapes, downlink->state.n) + downlink->state.flop;
    return flop;
}

void frs_downlink_encode(
    const struct frs_downlink *downlink, uint32_t client, uint32_t budget, struct frs_buffer *out) {
    struct frs_catchup_plan plan = plan_for(downlink, client);
    bool nothing = is_ideal(downlink) && downlink->log.version == 0;
    struct frs_message_header header = {.kind = plan.state ? FRS_MESSAGE_STATE : FRS_MESSAGE_UPDATES,
        .n_sections = plan.state || nothing ? 1 : (uint32_t)(downlink->log.version - plan.from),
        .round = downlink->round,
        .budget = budget,
        .round_seed = downlink->round_seed};
    struct frs_tables tables;
    bool is_personal = frs_personal_find(&downlink->personal, client, &tables);
    header.n_sections += is_personal;
    frs_message_put_header(out, &header);
    if (plan.state) {
        FRS_INVARIANT(downlink->state.encoded.n == downlink->state.bytes,
            "the state of round %u is wanted, and has not become bytes", downlink->round);
        frs_buffer_put(out, downlink->state.encoded.bytes, downlink->state.encoded.n);
        if (is_personal)
            frs_personal_put(&downlink->personal, &tables, out);
        return;
    }
    if (nothing)
        frs_update_put(&downlink->nothing, 0, out);
    frs_update_log_put(&downlink->log, plan.from, out);
}

static bool may_say(const struct frs_downlink *downlink, uint64_t round_seed) {
    return round_seed == 0 || downlink->settings.learner->round_seed;
}

/* Sections follow each other without a gap. */
static bool decode_updates(const struct frs_downlink *downlink, struct frs_reader *in, uint32_t n_sections,
    const struct frs_tables *tables, struct frs_arena *arena, struct frs_download *download) {
    const struct frs_downlink_settings *s = &downlink->settings;
    struct frs_rows rows[FRS_MAX_PARTS];
    for (uint32_t i = 0; i < n_sections; i++) {
        uint32_t version = frs_reader_u32(in);
        download->round_seed = frs_reader_u64(in);
        if (in->failed || (i > 0 && version != download->version) ||
            !may_say(downlink, download->round_seed) ||
            !frs_message_parts(
                in, &s->codec, downlink->update_shape, downlink->n_update, NULL, arena, rows) ||
            !frs_message_is_finite(rows, downlink->n_update))
            return false;
        frs_learner_apply(s->learner, s->model, tables, download->round_seed, rows, arena);
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
    bool ok = frs_message_header(&in, header) && may_say(downlink, header->round_seed), finite = true;
    bool is_personal = header->n_sections == 2 && downlink->personal.n > 0;
    if (ok && header->kind == FRS_MESSAGE_STATE)
        ok = (header->n_sections == 1 || is_personal) &&
             frs_state_message_decode(&downlink->state, &in, tables, &arena, &finite) &&
             (!is_personal ||
                 frs_personal_take(&downlink->personal, &in, tables->part + downlink->state.n, &arena));
    else if (ok)
        ok = header->kind == FRS_MESSAGE_UPDATES && sends_updates(downlink) &&
             decode_updates(downlink, &in, header->n_sections, tables, &arena, download);
    frs_arena_fini(&arena);
    return ok && finite && in.at == in.n;
}

uint32_t frs_downlink_current(const struct frs_downlink *downlink) {
    return (uint32_t)downlink->log.version;
}

void frs_downlink_received(struct frs_downlink *downlink, uint32_t client, uint32_t version) {
    downlink->held[client] = version;
}

const struct frs_tables *frs_downlink_tables(const struct frs_downlink *downlink) {
    return &downlink->decoded;
}

bool frs_downlink_is_finite(const struct frs_downlink *downlink) {
    return sends_updates(downlink) ? frs_state_message_is_finite(&downlink->state, &downlink->decoded)
                                   : downlink->finite;
}

uint64_t frs_downlink_round_seed(const struct frs_downlink *downlink) {
    return downlink->round_seed;
}

uint32_t frs_downlink_version(const struct frs_downlink *downlink, uint32_t client) {
    return downlink->held[client];
}

/* ---- publication ----------------------------------------------------------------------------- */

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
static void apply(struct frs_downlink *downlink, uint64_t round_seed, const struct frs_rows *update,
    const struct frs_rows *decoded, struct frs_arena *arena) {
    const struct frs_downlink_settings *s = &downlink->settings;
    struct frs_tables tables = frs_model_tables(s->model);
    if (!s->follows)
        frs_learner_apply(
            s->learner, s->model, &tables, round_seed, s->exact_server_table ? update : decoded, arena);
    if (downlink->owns_decoded)
        frs_learner_apply(s->learner, s->model, &downlink->decoded, round_seed, decoded, arena);
}

void frs_downlink_publish(struct frs_downlink *downlink, uint64_t round_seed, const struct frs_rows *update,
    bool goes_on, struct frs_arena *arena, struct frs_rows *decoded) {
    const struct frs_downlink_settings *s = &downlink->settings;
    struct frs_rows sent[FRS_MAX_PARTS];
    if (s->error_feedback)
        add_residuals(downlink, update, sent);
    struct frs_update fresh = encode_update(downlink, round_seed, s->error_feedback ? sent : update, arena);
    fresh.goes_on = goes_on;
    struct frs_reader in = frs_reader_init(fresh.encoded.bytes, fresh.encoded.n);
    bool ok =
        frs_message_parts(&in, &s->codec, downlink->update_shape, downlink->n_update, NULL, arena, decoded);
    if (!ok || in.at < in.n) {
        char *fault = frs_message_fault(frs_reader_init(fresh.encoded.bytes, fresh.encoded.n), &s->codec,
            downlink->update_shape, downlink->n_update, NULL, arena);
        frs_entry_failed("the update of round %u for clients: %s", downlink->round, fault);
    }
    if (s->error_feedback)
        subtract_decoded(downlink, decoded);
    apply(downlink, fresh.round_seed, update, decoded, arena);
    frs_update_log_append(&downlink->log, fresh);
    frs_update_log_drop(&downlink->log, frs_catchup_needs(s->catchup, &downlink->log, downlink->state.bytes));
}

/* ---- archive --------------------------------------------------------------------------------- */

static void archive_tables(
    float *const *tables, const struct frs_part *shapes, size_t n, struct frs_archive *archive) {
    for (size_t i = 0; i < n; i++)
        frs_archive_bytes(archive, tables[i], shapes[i].n_rows * shapes[i].dim * sizeof *tables[i]);
}

void frs_downlink_archive(struct frs_downlink *downlink, struct frs_archive *archive) {
    frs_archive_bytes(archive, downlink->memory, downlink->memory_bytes);
    if (downlink->settings.error_feedback)
        archive_tables(downlink->residual, downlink->update_shape, downlink->n_update, archive);
    if (downlink->owns_decoded)
        archive_tables(downlink->decoded.part, downlink->state.shapes, downlink->state.n, archive);
    if (frs_archive_loads(archive))
        downlink->finite = frs_state_message_is_finite(&downlink->state, &downlink->decoded);
    frs_archive_bytes(archive, downlink->held, downlink->settings.n_clients * sizeof *downlink->held);
    frs_update_log_archive(&downlink->log, sends_updates(downlink), archive);
    for (size_t i = 0;
         frs_archive_loads(archive) && sends_updates(downlink) && i < downlink->settings.n_clients; i++)
        if (downlink->held[i] != FRS_NO_VERSION && downlink->held[i] > downlink->log.version)
            archive->in->failed = 1;
}

size_t frs_downlink_kept_bytes(const struct frs_downlink *downlink) {
    return frs_update_log_kept_bytes(&downlink->log);
}
