#include "sim/selftest/uploads.h"
#include "algorithms/messages/message.h"
#include "sim/base/memory.h"
#include "sim/selftest/draws.h"

#include <math.h>
#include <stdlib.h>

#define MESSAGE_H "algorithms/messages/message.h, "

struct frs_codec_choice frs_trial_codec(struct frs_check *check, const struct frs_codec *codec) {
    struct frs_codec_choice choice = {.codec = codec};
    struct frs_values values = frs_trial_values(check, &codec->plugin, NULL);
    if (codec->create)
        choice.settings = codec->create(&values);
    frs_values_fini(&values);
    return choice;
}

/* ---- how near values come back ---------------------------------------------------------------- */

/* Messages of the same rows, each with draws of its own: what comes back has to be right on average. */
enum { MESSAGES = 24 };

/* The sum of squared differences between the mean of MESSAGES decoded tables and what was sent. A message
 * that is refused brings nothing: another clause says so. */
static double distance_of_messages(
    const struct frs_codec_choice *choice, const struct frs_random_rows *sent, const float *wanted) {
    const struct frs_codec *codec = choice->codec;
    size_t n_rows = sent->rows.n_rows, dim = sent->rows.dim, n = n_rows * dim;
    double *sum = frs_alloc(n, sizeof *sum), distance = 0;
    for (uint32_t i = 0; i < MESSAGES; i++) {
        struct frs_buffer message = {0};
        struct frs_arena arena = {0};
        struct frs_rng draws = frs_check_rng(1000 + i);
        struct frs_encoding how = {.base = sent->base, .rng = &draws, .arena = &arena};
        struct frs_rows rows = {.n_rows = n_rows, .dim = dim};
        codec->encode(choice->settings, &sent->rows, &how, &message);
        struct frs_reader in = frs_reader_init(message.bytes, message.n);
        if (!codec->decode(choice->settings, &in, n_rows, dim, sent->base, &arena, &rows))
            rows = (struct frs_rows){.n_rows = n_rows, .dim = dim};
        float *table = frs_rows_applied(&rows, sent->base);
        for (size_t k = 0; k < n; k++)
            sum[k] += (double)table[k] / MESSAGES;
        free(table);
        frs_arena_fini(&arena);
        frs_buffer_fini(&message);
    }
    for (size_t k = 0; k < n; k++)
        distance += (sum[k] - (double)wanted[k]) * (sum[k] - (double)wanted[k]);
    free(sum);
    return distance;
}

/* Squared distances from what was sent: of the receiver, of its base, and of zeros. */
struct distances {
    double received, base, zeros;
};

/* Adds those of random rows, which are near their base if they have one. */
static void add_distances(
    const struct frs_codec_choice *choice, struct frs_rng *rng, bool has_base, struct distances *sums) {
    size_t n_rows = 20 + frs_rng_below(rng, 40), dim = 1 + frs_rng_below(rng, 24);
    struct frs_random_rows sent = frs_random_rows(rng, n_rows, dim, SIZE_MAX, has_base, false);
    for (size_t i = 0; has_base && i < n_rows * dim; i++)
        sent.values[i] = sent.base[i] + sent.values[i] / 32;
    float *wanted = frs_rows_applied(&sent.rows, sent.base);
    sums->received += distance_of_messages(choice, &sent, wanted);
    for (size_t i = 0; i < n_rows * dim; i++) {
        double base = sent.base ? (double)sent.base[i] : 0, value = (double)wanted[i];
        sums->base += (value - base) * (value - base);
        sums->zeros += value * value;
    }
    free(wanted);
    frs_random_rows_fini(&sent);
}

/* A state may also be coded as values instead of changes (codec groups, of = "values"), which is farther from
 * it than the base is, and nearer than zeros are. */
void frs_check_nearness(struct frs_check *check, const struct frs_codec_choice *choice) {
    struct frs_rng rng = frs_check_rng(209);
    for (int has_base = 0; has_base < 2; has_base++) {
        struct distances sums = {0};
        for (int repeat = 0; repeat < FRS_CASES(10); repeat++)
            add_distances(choice, &rng, has_base, &sums);
        double most = has_base ? fmax(sums.base, 0.95 * sums.zeros) : sums.base;
        frs_clause(
            check, "algorithms/codec.h, decode", "a message brings its receiver nearer to what was sent");
        FRS_HOLDS(check, sums.received < most, "the squared error is %.3g times that of %s",
            sums.received / sums.base,
            has_base ? "keeping the base (does decode add it, frs_add_base?)" : "zeros, for updates");
    }
}

/* ---- uploads of learners ----------------------------------------------------------------------- */

/* One decoded part of an upload, against what was sent. */
static void check_part(const struct frs_subject *s, const struct frs_codec *codec,
    const struct frs_part *shape, const struct frs_rows *sent, const struct frs_rows *part,
    const float *base) {
    struct frs_check *check = s->check;
    const char *learner = s->learner->plugin.name, *name = codec->plugin.name;
    frs_clause(
        check, MESSAGE_H "frs_message_parts", "parts of an upload come through a codec in their shapes");
    FRS_HOLDS(check, part->n_rows == shape->n_rows && part->dim == shape->dim && part->n <= part->n_rows,
        "%s of %s is %zu rows of %zu × %zu behind %s", shape->name, learner, part->n, part->n_rows, part->dim,
        name);
    frs_clause(check, MESSAGE_H "frs_message_parts", "parts of an upload come through a codec finite");
    size_t n = part->n * part->dim, i = 0;
    while (i < n && isfinite(part->values[i]))
        i++;
    FRS_HOLDS(check, i == n, "value %zu of %s of %s is %g behind %s", i, shape->name, learner,
        (double)part->values[i], name);
    if (!codec->lossless)
        return;
    float *before = frs_rows_applied(sent, base), *after = frs_rows_applied(part, base);
    frs_clause(
        check, MESSAGE_H "frs_message_parts", "parts of an upload come through a lossless codec bit for bit");
    FRS_HOLDS(check, frs_are_same(before, after, shape->n_rows * shape->dim * sizeof *before),
        "%s of %s does not, behind %s", shape->name, learner, name);
    free(before);
    free(after);
}

static void check_upload(
    const struct frs_subject *s, const struct frs_codec_choice *choice, const struct frs_trained *trained) {
    const struct frs_tables *bases = s->learner->uploads_updates ? NULL : &s->tables;
    struct frs_rng rng = frs_check_rng(1);
    struct frs_arena arena = {0};
    struct frs_buffer message = {0};
    struct frs_rows parts[FRS_MAX_PARTS] = {{0}};
    const struct frs_encoding how = {.rng = &rng, .arena = &arena};
    frs_clause(s->check, MESSAGE_H "frs_message_put_parts",
        "parts of an upload are encoded one after the other, and decoded likewise");
    size_t nominal = frs_message_put_parts(&message, choice, trained->upload, s->n_upload, bases, how);
    struct frs_reader in = frs_reader_init(message.bytes, message.n);
    bool decoded = frs_message_parts(&in, choice, s->upload, s->n_upload, bases, &arena, parts) && !in.failed;
    FRS_HOLDS(s->check, decoded && in.at == message.n,
        "of %zu bytes (%zu nominal) of %s behind %s %zu were read", message.n, nominal,
        s->learner->plugin.name, choice->codec->plugin.name, in.at);
    for (size_t part = 0; part < s->n_upload; part++) {
        struct frs_codec_choice of = frs_message_codec(choice, part);
        check_part(s, of.codec, &s->upload[part], &trained->upload[part], &parts[part],
            bases ? bases->part[part] : NULL);
    }
    frs_buffer_fini(&message);
    frs_arena_fini(&arena);
}

void frs_check_uploads(struct frs_check *check, const struct frs_learner *learner, const char *variant,
    const struct frs_codec *codec) {
    struct frs_subject s;
    struct frs_arena arena = {0};
    struct frs_codec_choice choice = frs_trial_codec(check, codec);
    frs_subject_begin(&s, check, learner, FRS_VARIANT(variant));
    /* Too little would be left of a table that is sent as a whole. */
    bool fits = s.learner->uploads_updates || !codec->changes_only;
    for (uint32_t client = 0; fits && client < FRS_CASES(FRS_SUBJECT_CLIENTS); client++) {
        struct frs_trained trained = frs_subject_train(&s, client, &arena);
        check_upload(&s, &choice, &trained);
    }
    frs_arena_fini(&arena);
    frs_subject_end(&s);
    free(choice.settings);
}
