/* A server and its clients outside of any simulation, made of the parts of a run; and the size of the
 * messages that they encode. */
#ifndef FRS_TESTS_CONTRACT_SCENE_H
#define FRS_TESTS_CONTRACT_SCENE_H

#include "algorithms/aggregation.h"
#include "algorithms/downlink/downlink.h"
#include "sim/base/errors.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/setup/compose/compose.h"
#include "algorithms/training/client_update.h"
#include "tests/algorithms/fixture.h"
#include "tests/contract/message_bytes.h"
#include "tests/sim/run/fixture.h"

#define CLIENTS 10u
#define COHORT 4u
#define ROUNDS 3u
#define MAX_MISSED 64u

struct scene {
    char *text; /* of the scenario */
    struct frs_scenario *scenario;
    struct frs_setup setup;
    struct frs_downlink *downlink;
    struct frs_feedback *feedback; /* NULL: none */
    struct frs_client_update_bench bench;
    struct frs_client_update works[COHORT];
    struct frs_arena arena;
    struct frs_tables held[CLIENTS]; /* what each client has decoded so far */
    uint32_t version[CLIENTS];       /* UINT32_MAX: none */
    /* The published updates, and what the server adds up, found here once more. */
    size_t n_updates;
    struct weight update[MAX_MISSED];
    struct frs_tables residual, before; /* error feedback of the server; tables before the last update */
    size_t down_bytes[COHORT];          /* of this round */
    struct weight state;                /* of a message with the server's tables */
    void *memory;                       /* of the downlink codec */
};

static inline const struct frs_values *codec_values(const struct scene *s, const char *path) {
    return frs_scenario_section(s->scenario, path);
}

/* False when the scenario is refused; the reason is one line with its key. */
static inline bool try_compose(struct scene *s, char *text) {
    struct frs_errors errors = {0};
    *s = (struct scene){.text = text};
    write_text("s.cfg", text);
    char *path = frs_format("%s/s.cfg", frs_folder);
    bool ok = frs_scenario_load(frs_sections, path, NULL, 0, &s->scenario, &errors) == FRS_OK &&
              frs_compose(s->scenario, &s->setup, &errors) == FRS_OK;
    if (!ok) {
        printf("refused: %s\n", errors.lines[0]);
        ck_assert_uint_gt(errors.n, 0);
        ck_assert_ptr_nonnull(strstr(errors.lines[0], "s.cfg:"));
        ck_assert_ptr_nonnull(strstr(errors.lines[0], "allowed"));
        frs_scenario_destroy(s->scenario);
        free(text);
    }
    frs_errors_clear(&errors);
    free(path);
    return ok;
}

static inline struct frs_tables zero_tables(const struct frs_part *shapes, size_t n) {
    struct frs_tables tables = {{0}};
    for (size_t i = 0; i < n; i++)
        tables.part[i] = frs_alloc_aligned(shapes[i].n_rows * shapes[i].dim, sizeof(float));
    return tables;
}

/* Shapes of what a client holds: the shared tables, and behind them its own. */
static inline size_t held_parts(const struct scene *s, struct frs_part *shapes) {
    size_t n = frs_model_parts(s->setup.training.model, FRS_STATE, shapes);
    return n + frs_model_parts(s->setup.training.model, FRS_PERSONAL, shapes + n);
}

/* The initial tables, and none of its own. */
static inline struct frs_tables hold_tables(const struct scene *s) {
    struct frs_part shapes[2 * FRS_MAX_PARTS];
    struct frs_tables tables = copy_tables(s->setup.training.model);
    size_t n = held_parts(s, shapes);
    for (size_t i = 0; i < n; i++)
        if (!tables.part[i])
            tables.part[i] = frs_alloc_aligned(shapes[i].n_rows * shapes[i].dim, sizeof(float));
    return tables;
}

static inline bool hold_the_same(
    const struct scene *s, const struct frs_tables *a, const struct frs_tables *b) {
    struct frs_part shapes[2 * FRS_MAX_PARTS];
    bool same = true;
    for (size_t i = held_parts(s, shapes); same && i-- > 0;)
        same = memcmp(a->part[i], b->part[i], shapes[i].n_rows * shapes[i].dim * sizeof(float)) == 0;
    return same;
}

static inline void begin(struct scene *s) {
    const struct frs_setup *setup = &s->setup;
    struct frs_part shapes[FRS_MAX_PARTS];
    s->downlink = frs_training_downlink(&setup->training, 0);
    s->feedback = frs_training_feedback(&setup->training);
    if (setup->training.learner->sends_updates) {
        size_t n = frs_model_parts(setup->training.model, FRS_UPDATE, shapes);
        s->residual = zero_tables(shapes, n);
    }
    s->memory = frs_alloc(FRS_MAX_PARTS * setup->training.downlink_codec.codec->memory_bytes + 1, 1);
    s->before = copy_tables(setup->training.model);
    for (uint32_t client = 0; client < CLIENTS; client++) {
        s->held[client] = hold_tables(s);
        s->version[client] = UINT32_MAX;
    }
}

static inline void end(struct scene *s) {
    for (uint32_t client = 0; client < CLIENTS; client++)
        free_tables(&s->held[client]);
    for (size_t i = 0; i < COHORT; i++)
        frs_client_update_fini(&s->works[i]);
    free_tables(&s->residual);
    free_tables(&s->before);
    free(s->memory);
    frs_client_update_bench_fini(&s->bench);
    frs_arena_fini(&s->arena);
    frs_feedback_destroy(s->feedback);
    frs_downlink_destroy(s->downlink);
    frs_setup_fini(&s->setup);
    frs_scenario_destroy(s->scenario);
    free(s->text);
}

/* G, where a grouped message has groups: behind the row set. */
static inline size_t groups_in(const uint8_t *bytes, const struct weighed *w) {
    uint32_t groups = 0;
    size_t at = set_bytes(changed_rows(w), w->rows->n_rows);
    if (strstr(w->codec, "groups"))
        memcpy(&groups, bytes + at, sizeof groups);
    return groups;
}

/* Encodes parts one after the other into `out`, as the sender does, and weighs them. */
static inline struct weight encode_and_weigh(const struct scene *s, const char *path,
    const struct frs_codec_choice *codec, const struct frs_rows *parts, size_t n,
    const struct frs_tables *bases, struct frs_encoding how, struct frs_buffer *out) {
    struct weight sum = {0};
    for (size_t i = 0; i < n; i++) {
        struct frs_codec_choice one = i == 0 || codec->codec->lossless
                                          ? *codec
                                          : (struct frs_codec_choice){.codec = frs_codecs[0]}; /* dense */
        size_t from = out->n;
        how.base = bases ? bases->part[i] : NULL;
        size_t nominal = one.codec->encode(one.settings, &parts[i], &how, out);
        struct weighed w = {.codec = one.codec->plugin.name,
            .settings = codec_values(s, path),
            .rows = &parts[i],
            .base = how.base,
            .budget = how.budget};
        w.groups = groups_in(out->bytes + from, &w);
        w.levels = out->bytes + from + set_bytes(changed_rows(&w), w.rows->n_rows);
        struct weight weight = weigh(&w);
        ck_assert_msg(out->n - from == weight.bytes, "%s: %zu bytes instead of %zu", w.codec, out->n - from,
            weight.bytes);
        ck_assert_msg(
            nominal == weight.nominal, "%s: nominal %zu instead of %zu", w.codec, nominal, weight.nominal);
        sum.bytes += weight.bytes;
        sum.nominal += weight.nominal;
        how.memory = how.memory ? (char *)how.memory + codec->codec->memory_bytes : NULL;
    }
    return sum;
}

static inline struct frs_tables copy_downloaded(const struct scene *s) {
    struct frs_part shapes[FRS_MAX_PARTS];
    struct frs_tables copy = copy_tables(s->setup.training.model);
    for (size_t i = frs_model_parts(s->setup.training.model, FRS_STATE, shapes); i-- > 0;)
        memcpy(copy.part[i], frs_downlink_tables(s->downlink)->part[i],
            shapes[i].n_rows * shapes[i].dim * sizeof(float));
    return copy;
}

/* The size-only path gives the same size and tables as an encoded message. Not where an encoder remembers
 * what it has sent. */
static inline void open_downlink(struct scene *s, uint32_t round) {
    struct frs_message_size unseen[CLIENTS];
    struct frs_tables copy = {{0}};
    bool remembers = s->setup.training.downlink_codec.codec->memory_bytes > 0;
    if (!remembers) {
        frs_downlink_open_unseen(s->downlink, round);
        copy = copy_downloaded(s);
    }
    for (uint32_t client = 0; client < CLIENTS; client++)
        unseen[client] = frs_downlink_size(s->downlink, client);
    frs_downlink_open(s->downlink, round);
    for (uint32_t client = 0; client < CLIENTS && !remembers; client++) {
        struct frs_message_size size = frs_downlink_size(s->downlink, client);
        ck_assert_uint_eq(size.bytes, unseen[client].bytes);
        ck_assert_uint_eq(size.nominal_bytes, unseen[client].nominal_bytes);
    }
    if (!remembers)
        ck_assert_int_eq(compare_tables(s->setup.training.model, &copy, frs_downlink_tables(s->downlink)), 0);
    free_tables(&copy);
}

#endif
