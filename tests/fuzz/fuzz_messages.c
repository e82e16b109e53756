/* Messages of every learner behind every codec, from an untrusted sender: uploads as the server decodes them,
 * and downloads as a client does. They are refused, or what was decoded has the shapes of the method's tables
 * and is finite.
 *
 *   learner u8 · codec u8 · bit 0: a download, bit 1: edited u8 · the message
 *
 * Edited: a true message, and the input has edits of it, each a place u16 and the value u8 that is added to
 * the byte there. */
#include "algorithms/aggregation.h"
#include "algorithms/downlink/downlink.h"
#include "algorithms/learner.h"
#include "algorithms/messages/message.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"
#include "sim/selftest/subject.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_file.h"

#include <math.h>
#include <stdlib.h>

enum { MOST_LEARNERS = 64, MOST_CODECS = 64, SENDER = 1 };

static struct frs_codec_choice codecs[MOST_CODECS];
static size_t n_codecs;

/* A learner with its model, and what was sent last. */
struct party {
    const struct frs_learner *learner;
    struct frs_population population;
    void *model;
    struct frs_tables tables;
    uint64_t round_seed;
    struct frs_part shapes[FRS_MAX_PARTS]; /* of an upload */
    size_t n_shapes;
    struct frs_trained trained;
    struct frs_arena arena;            /* of the training */
    struct frs_downlink *downlinks[2]; /* dense, touched_rows */
};
static struct party parties[MOST_LEARNERS];
static size_t n_parties;

static const char *const downlink_codecs[] = {"dense", "touched_rows"};

static void choose_codecs(void) {
    for (; frs_codecs[n_codecs]; n_codecs++) {
        const struct frs_codec *codec = frs_codecs[n_codecs];
        struct frs_values values = frs_values_of(codec->plugin.params, NULL);
        codecs[n_codecs] = (struct frs_codec_choice){
            .codec = codec, .settings = codec->create ? codec->create(&values) : NULL};
        frs_values_fini(&values);
    }
}

static const struct frs_codec_choice *codec_of(const char *name) {
    for (size_t i = 0; i < n_codecs; i++)
        if (strcmp(codecs[i].codec->plugin.name, name) == 0)
            return &codecs[i];
    FRS_INVARIANT(false, "no codec %s", name);
    return NULL;
}

/* Tables of a client's own are dense, and the shared ones then, too. */
static void open_downlink(struct party *party, size_t i) {
    struct frs_part personal[FRS_MAX_PARTS];
    const char *name =
        frs_model_parts(party->model, FRS_PERSONAL, personal) > 0 ? "dense" : downlink_codecs[i];
    party->downlinks[i] = frs_downlink_create(&(struct frs_downlink_settings){.learner = party->learner,
        .model = party->model,
        .codec = *codec_of(name),
        .catchup = FRS_CATCHUP_REPLAY,
        .first_contact = FRS_FIRST_CONTACT_TABLE,
        .n_clients = FRS_SUBJECT_CLIENTS});
    frs_downlink_open(party->downlinks[i], 0);
}

static void begin(struct party *party, const struct frs_learner *learner) {
    *party = (struct party){.learner = learner,
        .population =
            frs_random_population(FRS_SUBJECT_CLIENTS, FRS_SUBJECT_ITEMS, 5, learner->predicts_ratings)};
    struct frs_learner_setup setup = {.population = &party->population, .negatives_per_positive = 2};
    struct frs_values values = frs_values_of(learner->plugin.params, NULL);
    struct frs_errors errors = {0};
    party->model = learner->create(&values, &setup, &errors);
    FRS_INVARIANT(party->model, "%s: %s", learner->plugin.name, errors.n > 0 ? errors.lines[0] : "no model");
    party->tables = frs_copy_tables(party->model);
    party->round_seed = frs_trial_round(learner, party->model, 0);
    party->trained = frs_trial_train(
        learner, party->model, &party->population, SENDER, 0, party->round_seed, &party->arena);
    party->n_shapes = frs_learner_upload_parts(
        learner, party->model, frs_learner_budgets(learner, party->model).max, party->shapes);
    for (size_t i = 0; i < 2; i++)
        open_downlink(party, i);
    frs_errors_clear(&errors);
    frs_values_fini(&values);
}

static const struct frs_tables *bases_of(const struct party *party) {
    return party->learner->uploads_updates ? NULL : &party->tables;
}

static void encode_upload(
    const struct party *party, const struct frs_codec_choice *codec, struct frs_buffer *out) {
    struct frs_arena arena = {0};
    struct frs_rng rng = frs_rng_stream(1, 0, 0, 0, FRS_RNG_TEST);
    frs_message_put_header(out, &(struct frs_message_header){.kind = FRS_MESSAGE_UPLOAD,
                                    .n_sections = 1,
                                    .sender = SENDER,
                                    .samples = party->trained.samples,
                                    .round_seed = party->round_seed});
    frs_message_put_parts(out, codec, party->trained.upload, party->n_shapes, bases_of(party),
        (struct frs_encoding){.rng = &rng, .arena = &arena});
    frs_arena_fini(&arena);
}

static void try_upload(
    const struct party *party, const struct frs_codec_choice *codec, const struct frs_buffer *message) {
    struct frs_arena arena = {0};
    struct frs_message_header header;
    struct frs_rows parts[FRS_MAX_PARTS] = {{0}};
    bool decoded = frs_message_upload(
        message, codec, party->shapes, party->n_shapes, bases_of(party), &arena, &header, parts);
    for (size_t i = 0; decoded && i < party->n_shapes; i++) {
        const struct frs_rows *rows = &parts[i];
        FRS_INVARIANT(rows->n_rows == party->shapes[i].n_rows && rows->dim == party->shapes[i].dim &&
                          rows->n <= rows->n_rows,
            "%zu rows of %zu × %zu", rows->n, rows->n_rows, rows->dim);
        for (size_t k = 0; rows->ids && k < rows->n; k++)
            FRS_INVARIANT(
                rows->ids[k] < rows->n_rows && (k == 0 || rows->ids[k] > rows->ids[k - 1]), "row %zu", k);
        for (size_t k = 0; k < rows->n * rows->dim; k++)
            FRS_INVARIANT(
                isfinite(rows->values[k]), "value %zu of part %zu is %g", k, i, (double)rows->values[k]);
    }
    frs_arena_fini(&arena);
}

/* A client that holds the initial tables, with room for tables of its own behind them. */
static void try_download(const struct party *party, size_t downlink, const struct frs_buffer *message) {
    struct frs_part shapes[2 * FRS_MAX_PARTS];
    struct frs_tables held = frs_copy_tables(party->model);
    struct frs_download download;
    size_t n = frs_model_parts(party->model, FRS_STATE, shapes);
    n += frs_model_parts(party->model, FRS_PERSONAL, shapes + n);
    for (size_t i = 0; i < n; i++)
        if (!held.part[i])
            held.part[i] = frs_alloc_aligned(shapes[i].n_rows * shapes[i].dim, sizeof(float));
    bool decoded = frs_downlink_decode(party->downlinks[downlink], message, &held, &download);
    for (size_t i = 0; decoded && i < n; i++)
        for (size_t k = 0; k < shapes[i].n_rows * shapes[i].dim; k++)
            FRS_INVARIANT(isfinite(held.part[i][k]), "%s: value %zu of part %zu is %g",
                party->learner->plugin.name, k, i, (double)held.part[i][k]);
    for (size_t i = 0; i < n; i++)
        free(held.part[i]);
}

static void edit(struct frs_buffer *message, const uint8_t *data, size_t size) {
    for (size_t i = 0; i + 2 < size && message->n > 0; i += 3) {
        size_t place = (size_t)data[i] | (size_t)data[i + 1] << 8;
        message->bytes[place % message->n] += data[i + 2];
    }
}

static void begin_all(void) {
    choose_codecs();
    for (size_t i = 0; frs_learners[i] && n_parties < MOST_LEARNERS; i++)
        begin(&parties[n_parties++], frs_learners[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (n_parties == 0)
        begin_all();
    if (size < 3)
        return 0;
    const struct party *party = &parties[data[0] % n_parties];
    const struct frs_codec_choice *codec = &codecs[data[1] % n_codecs];
    size_t downlink = data[1] % 2;
    bool is_download = data[2] & 1;
    struct frs_buffer message = {0};
    if (!(data[2] & 2))
        frs_buffer_put(&message, data + 3, size - 3);
    else if (is_download)
        frs_downlink_encode(party->downlinks[downlink], SENDER, 0, &message);
    else
        encode_upload(party, codec, &message);
    if (data[2] & 2)
        edit(&message, data + 3, size - 3);
    /* Of exact size, so that a sanitizer sees every byte behind it. */
    struct frs_buffer exact = {
        .bytes = frs_alloc(message.n + !message.n, 1), .n = message.n, .capacity = message.n + !message.n};
    if (message.n > 0)
        memcpy(exact.bytes, message.bytes, message.n);
    if (is_download)
        try_download(party, downlink, &exact);
    else
        try_upload(party, codec, &exact);
    frs_buffer_fini(&exact);
    frs_buffer_fini(&message);
    return 0;
}
