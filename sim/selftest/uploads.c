#include "sim/selftest/uploads.h"
#include "algorithms/messages/message.h"
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
