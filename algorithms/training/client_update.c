#include "algorithms/training/client_update.h"
#include "algorithms/training/message_audits.h"
#include "sim/base/clock.h"
#include "sim/base/invariant.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Bytes kept are aligned so that rows can be used where they lie. */
#define ALIGNMENT 16u

static size_t padded(size_t n) {
    return (n + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static size_t keep(struct frs_buffer *kept, const void *bytes, size_t n) {
    size_t at = kept->n;
    uint8_t *copy = frs_buffer_extend(kept, padded(n));
    if (n > 0)
        memcpy(copy, bytes, n);
    return at;
}

/* Where rows lie among the bytes kept. */
struct place {
    size_t ids, values;
};

/* Where the values of part i are in the packed private state; 0: not there. A client that keeps the very
 * rows that it uploads has packed them already, so they need not be kept twice. The decoded rows (`rows`)
 * need not be kept either, if the codec is lossless and all of them came out. Without rows the place means
 * nothing: another part may begin there. */
static size_t packed_at(const struct frs_training_setup *setup, const struct frs_trained *trained, size_t i,
    const struct frs_rows *rows) {
    const struct frs_rows *sent = &trained->upload[i];
    bool same =
        rows == sent || (frs_message_codec(&setup->uplink_codec, i).codec->lossless && rows->n == sent->n);
    for (size_t s = 0; same && sent->n > 0 && s < FRS_MAX_STORES; s++)
        if (trained->kept.stored[s].n == sent->n && trained->kept.stored[s].values == sent->values)
            return trained->kept.at[s];
    return 0;
}

static struct place keep_rows(struct frs_buffer *kept, const struct frs_rows *rows, size_t packed) {
    struct place at = {0};
    if (rows->ids)
        at.ids = keep(kept, rows->ids, rows->n * sizeof *rows->ids);
    at.values = packed > 0 ? packed : keep(kept, rows->values, rows->n * rows->dim * sizeof *rows->values);
    return at;
}

static struct frs_rows private_rows(
    const struct frs_buffer *kept, const struct frs_rows *rows, struct place at) {
    struct frs_rows copy = *rows;
    if (rows->ids)
        copy.ids = (const void *)(kept->bytes + at.ids);
    copy.values = (const void *)(kept->bytes + at.values);
    return copy;
}

static size_t rows_bytes(const struct frs_rows *rows, size_t packed) {
    return (rows->ids ? padded(rows->n * sizeof *rows->ids) : 0) +
           (packed > 0 ? 0 : padded(rows->n * rows->dim * sizeof *rows->values));
}

/* The learner applies a budget if it has budgets, otherwise the codec does. */
static size_t encode(const struct frs_training_setup *setup, const struct frs_rows *upload, size_t n_parts,
    const struct frs_tables *tables, const struct frs_message_header *header, struct frs_encoding how,
    struct frs_buffer *message) {
    how.budget = setup->learner->budgets ? 0 : how.budget;
    frs_buffer_reset(message);
    frs_message_put_header(message, header);
    return frs_message_put_parts(
        message, &setup->uplink_codec, upload, n_parts, setup->learner->uploads_updates ? NULL : tables, how);
}

static struct frs_message_header header_of(
    uint32_t client, uint32_t round, uint32_t samples, uint64_t round_seed) {
    return (struct frs_message_header){.kind = FRS_MESSAGE_UPLOAD,
        .n_sections = 1,
        .round = round,
        .sender = client,
        .samples = samples,
        .round_seed = round_seed};
}

/* Stores the private state first, then the rows of each part. The results of all clients of a round are
 * kept at once, so they use only as many bytes as they need. */
static void keep_result(struct frs_client_update *work, const struct frs_training_setup *setup,
    const struct frs_trained *trained, const struct frs_rows *parts, size_t n_parts) {
    struct place at[2][FRS_MAX_PARTS];
    size_t packed[2][FRS_MAX_PARTS], bytes = padded(trained->private_bytes);
    for (size_t i = 0; i < n_parts; i++) {
        packed[0][i] = packed_at(setup, trained, i, &parts[i]);
        packed[1][i] = packed_at(setup, trained, i, &trained->upload[i]);
        bytes += rows_bytes(&parts[i], packed[0][i]) +
                 (setup->information_loss ? rows_bytes(&trained->upload[i], packed[1][i]) : 0);
    }
    frs_buffer_fit(&work->kept, bytes);
    work->private_bytes = trained->private_bytes;
    keep(&work->kept, trained->private_state, trained->private_bytes);
    for (size_t i = 0; i < n_parts; i++) {
        at[0][i] = keep_rows(&work->kept, &parts[i], packed[0][i]);
        if (setup->information_loss)
            at[1][i] = keep_rows(&work->kept, &trained->upload[i], packed[1][i]);
    }
    work->private_state = work->kept.bytes;
    if (setup->information_loss && !work->exact)
        work->exact = frs_alloc(FRS_MAX_PARTS, sizeof *work->exact);
    for (size_t i = 0; i < n_parts; i++) { /* only now: the buffer no longer moves */
        work->contribution.parts[i] = private_rows(&work->kept, &parts[i], at[0][i]);
        if (setup->information_loss)
            work->exact[i] = private_rows(&work->kept, &trained->upload[i], at[1][i]);
    }
}

static void keep_no_upload(struct frs_client_update *work, const struct frs_training_setup *setup,
    const struct frs_trained *trained, size_t n_parts) {
    const struct frs_rows *sent = trained->upload;
    for (size_t i = 0; i < n_parts; i++)
        work->contribution.parts[i] = (struct frs_rows){.n_rows = sent[i].n_rows, .dim = sent[i].dim};
    keep_result(work, setup, trained, NULL, 0);
}

/* Where it lies: in memory that the next one is trained in. */
static bool use_result(struct frs_client_update *work, const struct frs_client_update_order *order,
    const struct frs_trained *trained, const struct frs_rows *parts, size_t n_parts) {
    double began_s = order->untimed ? 0 : frs_cpu_s();
    memcpy(work->contribution.parts, parts, n_parts * sizeof *parts);
    work->private_state = trained->private_state;
    work->private_bytes = trained->private_bytes;
    bool used = order->use(order->user, work);
    if (used)
        frs_client_update_forget(work);
    work->message_s -= order->untimed ? 0 : frs_cpu_s() - began_s;
    return used;
}

/* An upload between its client and the server: what was meant, and what is decoded of it. */
struct upload {
    const struct frs_trained *trained;
    const struct frs_tables *base; /* NULL: an update */
    struct frs_message_header header;
    size_t n_parts;
    struct frs_part shapes[FRS_MAX_PARTS];
    struct frs_rows decoded[FRS_MAX_PARTS];
};

/* A codec that does not decode what it has encoded. */
static _Noreturn void refuse_upload(const struct frs_client_update *work,
    const struct frs_training_setup *setup, struct upload *upload, struct frs_client_update_bench *bench) {
    struct frs_reader in = frs_reader_init(bench->message.bytes, bench->message.n);
    bool has_header = frs_message_header(&in, &upload->header);
    FRS_INVARIANT(has_header, "the upload of client %u has no header", work->client);
    char *fault = frs_message_fault(
        in, &setup->uplink_codec, upload->shapes, upload->n_parts, upload->base, &bench->arena);
    FRS_INVARIANT(fault, "the upload of client %u is refused for no reason", work->client);
    frs_entry_failed("the upload of client %u in round %u: %s", work->client, work->round + 1, fault);
}

/* As the server does: the rows it aggregates are those it decoded. */
static void decode(struct frs_client_update *work, const struct frs_training_setup *setup,
    struct upload *upload, struct frs_client_update_bench *bench) {
    bool ok = frs_message_upload(&bench->message, &setup->uplink_codec, upload->shapes, upload->n_parts,
        upload->base, &bench->arena, &upload->header, upload->decoded);
    if (!ok)
        refuse_upload(work, setup, upload, bench);
    FRS_INVARIANT(upload->header.sender == work->client, "client %u has sent the upload of client %u",
        work->client, upload->header.sender);
}

static void settle(struct frs_client_update *work, const struct frs_training_setup *setup,
    const struct frs_client_update_order *order, const struct upload *upload) {
    const struct frs_message_header *header = &upload->header;
    const struct frs_trained *trained = upload->trained;
    work->usage.up_values = frs_message_values(&setup->uplink_codec, upload->decoded, upload->n_parts);
    if (order->feedback)
        frs_feedback_left(order->feedback, trained->upload, upload->decoded, &work->residual);
    if (header->reports)
        work->usage.loss = header->loss;
    work->contribution = (struct frs_contribution){.client = header->sender,
        .samples = header->samples,
        .round_seed = header->round_seed,
        .base = upload->base};
    if (order->forgets)
        keep_no_upload(work, setup, trained, upload->n_parts);
    else if (!order->use || !use_result(work, order, trained, upload->decoded, upload->n_parts))
        keep_result(work, setup, trained, upload->decoded, upload->n_parts);
}

/* A server would refuse such an upload. Here the run ends by its loss, and nothing is aggregated any more. */
static void refuse(struct frs_client_update *work, const struct frs_training_setup *setup,
    const struct frs_trained *trained, size_t n_parts) {
    work->usage.loss = NAN;
    work->contribution = (struct frs_contribution){.client = work->client};
    keep_no_upload(work, setup, trained, n_parts);
}

static void put_message(struct frs_client_update *work, const struct frs_training_setup *setup,
    const struct frs_client_update_order *order, const struct upload *upload,
    struct frs_client_update_bench *bench) {
    struct frs_rng rng = frs_rng_stream(setup->seed, work->client, work->round, work->attempt, FRS_RNG_CODEC);
    struct frs_encoding how = {
        .budget = work->budget, .rng = &rng, .arena = &bench->arena, .flop = &work->usage.flop};
    work->usage.nominal_up_bytes = encode(setup, upload->trained->upload, upload->n_parts, order->tables,
        &upload->header, how, &bench->message);
    work->usage.up_bytes = bench->message.n;
    work->usage.flop += frs_privacy_seal_flop(&setup->mechanisms, (double)bench->message.n);
    if (setup->keeps_messages) {
        frs_buffer_fit(&work->sent, bench->message.n);
        frs_buffer_put(&work->sent, bench->message.bytes, bench->message.n);
    }
}

/* One upload in so many. */
#define AUDITED 64u

static bool is_audited(const struct frs_client_update *work) {
    return frs_audits_round(work->round) && (work->client + work->round) % AUDITED == 0;
}

static void audit(struct frs_client_update *work, const struct frs_training_setup *setup,
    const struct frs_client_update_order *order, const struct upload *passed, double flop_before,
    struct frs_client_update_bench *bench) {
    struct upload upload = *passed;
    const struct frs_usage usage = work->usage;
    if (!is_audited(work))
        return;
    work->usage.flop = flop_before;
    put_message(work, setup, order, &upload, bench);
    decode(work, setup, &upload, bench);
    bool same = work->usage.up_bytes == usage.up_bytes &&
                work->usage.nominal_up_bytes == usage.nominal_up_bytes && work->usage.flop == usage.flop;
    for (size_t i = 0; i < upload.n_parts; i++) {
        const struct frs_rows *a = &upload.decoded[i], *b = &passed->decoded[i];
        same = same && a->n == b->n &&
               (a->n == 0 || (memcmp(a->ids, b->ids, a->n * sizeof *a->ids) == 0 &&
                                 memcmp(a->values, b->values, a->n * a->dim * sizeof *a->values) == 0));
    }
    FRS_INVARIANT(same, "the upload of client %u is not what its bytes are", work->client);
}

/* Where a codec returns exactly what it is given, nothing is copied into a message and out of it; false:
 * it has to be. */
static bool pass(struct frs_client_update *work, const struct frs_training_setup *setup,
    const struct frs_client_update_order *order, struct upload *upload,
    struct frs_client_update_bench *bench) {
    struct frs_message_size size;
    if (setup->keeps_messages || !frs_message_pass(&setup->uplink_codec, upload->trained->upload,
                                     upload->n_parts, upload->base, &bench->arena, &size, upload->decoded))
        return false;
    work->usage.up_bytes = frs_message_header_bytes(&upload->header) + size.bytes;
    work->usage.nominal_up_bytes = size.nominal_bytes;
    double flop = work->usage.flop;
    work->usage.flop += frs_privacy_seal_flop(&setup->mechanisms, (double)work->usage.up_bytes);
    audit(work, setup, order, upload, flop, bench);
    return true;
}

/* What was trained, as the server will have it. */
static void send(struct frs_client_update *work, const struct frs_training_setup *setup,
    const struct frs_client_update_order *order, const struct frs_trained *trained,
    struct frs_client_update_bench *bench) {
    struct upload upload = {.trained = trained,
        .base = setup->learner->uploads_updates ? NULL : order->tables,
        .header = header_of(work->client, work->round, trained->samples, order->round_seed)};
    upload.n_parts = frs_learner_upload_parts(setup->learner, setup->model, work->budget, upload.shapes);
    upload.header.reports = setup->reports_loss;
    upload.header.loss = upload.header.reports ? (float)trained->loss : 0;
    bool sound = isfinite(trained->loss) &&
                 (trained->upload_checked || frs_message_is_finite(trained->upload, upload.n_parts));
    if (!sound || !pass(work, setup, order, &upload, bench)) {
        put_message(work, setup, order, &upload, bench);
        if (!sound) {
            refuse(work, setup, trained, upload.n_parts);
            return;
        }
        decode(work, setup, &upload, bench);
    }
    settle(work, setup, order, &upload);
}

/* The upload after the privacy mechanisms. */
static void mechanism(struct frs_client_update *work, const struct frs_training_setup *setup,
    const struct frs_client_update_order *order, struct frs_trained *trained,
    struct frs_client_update_bench *bench) {
    const struct frs_privacy_mechanism_list *mechanisms = &setup->mechanisms;
    if (!frs_privacy_in(mechanisms, FRS_PRIVACY_VALUES) ||
        (mechanisms->is_learners && setup->learner->mechanisms->draws_itself))
        return;
    struct frs_rng rng = frs_rng_stream(setup->seed, work->client, work->round, work->attempt, FRS_RNG_NOISE);
    trained->upload_checked = false;
    frs_privacy_values(mechanisms, FRS_PRIVACY_VALUES,
        &(struct frs_protected_update){.parts = trained->upload,
            .n_parts = frs_training_protected_parts(setup),
            .base = setup->learner->uploads_updates ? NULL : order->tables,
            .rng = &rng,
            .arena = &bench->arena,
            .flop = mechanisms->is_learners ? NULL : &work->usage.flop});
}

void frs_client_update_run(struct frs_client_update *work, const struct frs_training_setup *setup,
    const struct frs_client_update_order *order, struct frs_client_update_bench *bench) {
    static const struct frs_tables none;
    struct frs_tables joined;
    if (order->tables)
        joined = frs_learner_join(setup->model, order->tables, order->personal ? order->personal : &none);
    struct frs_training training = {.data = &setup->data->population.clients[work->client],
        .tables = order->tables ? &joined : NULL,
        .round_seed = order->round_seed,
        .round = work->round,
        .attempt = work->attempt,
        .epochs = work->epochs_limit,
        .rate_scale = order->rate_scale,
        .budget = setup->learner->budgets ? work->budget : 0};
    struct frs_trained trained;
    frs_arena_reset(&bench->arena);
    double began_s = order->untimed ? 0 : frs_cpu_s();
    frs_learner_train(setup->learner, setup->model, &training, &bench->arena, &trained);
    double trained_s = order->untimed ? 0 : frs_cpu_s();
    work->usage = (struct frs_usage){.epochs = trained.epochs,
        .flop = trained.flop,
        .samples = trained.processed,
        .post_flop = trained.post_flop,
        .post_samples = trained.post_processed,
        .loss = trained.loss,
        .cpu_s = order->untimed ? 0 : trained.cpu_s + trained_s - began_s};
    if (order->sends)
        mechanism(work, setup, order, &trained, bench);
    if (order->feedback) {
        frs_feedback_add(order->feedback, work->client, trained.upload, &bench->arena);
        trained.upload_checked = false;
    }
    work->contribution = (struct frs_contribution){.client = work->client};
    work->message_s = 0;
    if (order->sends)
        send(work, setup, order, &trained, bench);
    else
        keep_result(work, setup, &trained, NULL, 0);
    work->message_s += order->untimed ? 0 : frs_cpu_s() - trained_s;
}

struct frs_upload_size frs_client_update_untrained_size(
    const struct frs_training_setup *setup, const struct frs_tables *tables, uint32_t budget) {
    struct frs_part shapes[FRS_MAX_PARTS];
    struct frs_rows upload[FRS_MAX_PARTS], decoded[FRS_MAX_PARTS];
    struct frs_buffer message = {0};
    struct frs_arena arena = {0};
    size_t n_parts = frs_learner_upload_parts(setup->learner, setup->model, budget, shapes);
    frs_message_stand_in(shapes, n_parts, setup->whole_messages, &arena, upload);
    struct frs_message_header header = header_of(0, 0, 0, 0);
    struct frs_rng rng = frs_rng_stream(setup->seed, 0, 0, 0, FRS_RNG_CODEC);
    struct frs_encoding how = {.budget = budget, .rng = &rng, .arena = &arena};
    struct frs_upload_size size = {
        .nominal_bytes = encode(setup, upload, n_parts, tables, &header, how, &message)};
    size.bytes = message.n;
    bool ok = frs_message_upload(&message, &setup->uplink_codec, shapes, n_parts,
        setup->learner->uploads_updates ? NULL : tables, &arena, &header, decoded);
    if (!ok) {
        struct frs_reader in = frs_reader_init(message.bytes, message.n);
        bool has_header = frs_message_header(&in, &header);
        char *fault = has_header ? frs_message_fault(in, &setup->uplink_codec, shapes, n_parts,
                                       setup->learner->uploads_updates ? NULL : tables, &arena)
                                 : NULL;
        FRS_INVARIANT(fault, "an upload that stands for all others does not decode");
        frs_entry_failed("an upload that stands for all others: %s", fault);
    }
    size.values = frs_message_values(&setup->uplink_codec, decoded, n_parts);
    frs_arena_fini(&arena);
    frs_buffer_fini(&message);
    return size;
}

void frs_client_update_forget(struct frs_client_update *work) {
    for (size_t i = 0; i < FRS_MAX_PARTS; i++) {
        struct frs_rows *rows = &work->contribution.parts[i];
        *rows = (struct frs_rows){.n_rows = rows->n_rows, .dim = rows->dim};
    }
    work->private_state = NULL;
    work->private_bytes = 0;
    frs_buffer_fini(&work->kept);
}

void frs_client_update_fini(struct frs_client_update *work) {
    frs_buffer_fini(&work->kept);
    frs_buffer_fini(&work->residual);
    frs_buffer_fini(&work->sent);
    free(work->exact);
    work->exact = NULL;
}

void frs_client_update_bench_fini(struct frs_client_update_bench *bench) {
    frs_arena_fini(&bench->arena);
    frs_buffer_fini(&bench->message);
}
