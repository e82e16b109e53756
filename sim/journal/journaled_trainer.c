#include "sim/journal/journaled_trainer.h"
#include "sim/base/invariant.h"
#include "sim/base/memory.h"
#include "sim/base/order.h"
#include "sim/journal/recall.h"
#include "sim/journal/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A round's opening, or the training of a participation that waited. Its record is written once all of its
 * members have been trained. */
struct opening {
    struct frs_digest name;
    size_t first, n;
    double encode_flop;
    bool waited;
};

/* Handles. */
struct list {
    size_t *handles, n, capacity;
};

struct frs_journaled_trainer {
    const struct frs_training_setup *setup;
    struct frs_evaluation *evaluation;
    struct frs_trainer *trainer;
    struct frs_recall recall;
    struct list marked, dropped, delivered;
    struct opening *openings;
    size_t n_openings, openings_capacity;
    uint64_t updates;
};

/* --- events --- */

static struct frs_training_told *told_of(const struct frs_journaled_trainer *journaled, size_t handle) {
    return frs_trainer_told(journaled->trainer, handle);
}

static void add_to_list(struct list *list, size_t handle) {
    list->handles = frs_grow(list->handles, list->n + 1, &list->capacity, sizeof *list->handles);
    list->handles[list->n++] = handle;
}

static void add_marks(struct frs_journaled_trainer *journaled) {
    struct list *marked = &journaled->marked;
    if (marked->n == 0 || !journaled->recall.journal)
        return;
    qsort(marked->handles, marked->n, sizeof *marked->handles, frs_compare_sizes);
    uint8_t *marks = frs_alloc(marked->n, 1);
    for (size_t i = 0; i < marked->n; i++) {
        struct frs_training_told *told = told_of(journaled, marked->handles[i]);
        marks[i] = told->marks;
        told->is_marked = false;
    }
    frs_history_marks(&journaled->recall.history, marked->handles, marks, marked->n);
    marked->n = 0;
    free(marks);
}

static void add_deliveries(struct frs_journaled_trainer *journaled) {
    struct list *delivered = &journaled->delivered;
    if (delivered->n == 0)
        return;
    qsort(delivered->handles, delivered->n, sizeof *delivered->handles, frs_compare_sizes);
    frs_history_deliver(&journaled->recall.history, delivered->handles, delivered->n);
    delivered->n = 0;
}

/* The history, to be told of what comes next; NULL without a journal. */
static struct frs_history *next_event(struct frs_journaled_trainer *journaled) {
    add_deliveries(journaled);
    add_marks(journaled);
    return frs_recall_event(&journaled->recall);
}

/* --- records --- */

_Static_assert(
    sizeof(struct frs_quality) == (3 * (5 + 6 * FRS_CUT_OFFS_MOST) + 16 + FRS_GROUP_SIZES) * sizeof(double),
    "records hold no padding");

/* Only the final evaluation needs every rank; the others are summed up in the quality. */
static void archive_evaluation(struct frs_journaled_trainer *journaled, struct frs_archive *archive,
    struct frs_quality *quality, bool final) {
    frs_archive_bytes(archive, quality, sizeof *quality);
    if (final)
        frs_evaluation_archive(journaled->evaluation, archive);
}

/* --- calls --- */

struct frs_journaled_trainer *frs_journaled_trainer_create(const struct frs_training_setup *setup,
    struct frs_pool *pool, struct frs_evaluation *evaluation, struct frs_journal *journal) {
    struct frs_journaled_trainer *journaled = frs_alloc(1, sizeof *journaled);
    *journaled = (struct frs_journaled_trainer){
        .setup = setup, .evaluation = evaluation, .trainer = frs_trainer_create(setup, pool, evaluation)};
    /* Under the server's view an evaluation leaves nothing behind that the next one does not replace. */
    frs_recall_init(&journaled->recall, journal, journaled->trainer, setup->device_view);
    return journaled;
}

void frs_journaled_trainer_destroy(struct frs_journaled_trainer *journaled) {
    if (!journaled)
        return;
    frs_trainer_destroy(journaled->trainer);
    frs_recall_fini(&journaled->recall);
    free(journaled->marked.handles);
    free(journaled->dropped.handles);
    free(journaled->delivered.handles);
    free(journaled->openings);
    free(journaled);
}

static bool recall_open(struct frs_journaled_trainer *journaled, const struct frs_cohort *cohort,
    double *encode_flop, struct frs_reader *record) {
    struct frs_usage *usage = frs_alloc(cohort->n, sizeof *usage);
    for (size_t i = 0; i < cohort->n; i++)
        usage[i] = frs_record_sound_usage(record);
    *encode_flop = frs_record_real(record);
    record->failed |= !(isfinite(*encode_flop) && *encode_flop >= 0);
    bool sound = frs_recall_is_sound(&journaled->recall, record);
    if (sound)
        frs_trainer_list(journaled->trainer, cohort);
    for (size_t i = 0; sound && i < cohort->n; i++)
        told_of(journaled, cohort->members[i]->handle)->usage = usage[i];
    free(usage);
    return sound;
}

static void remember_opening(struct frs_journaled_trainer *journaled, const struct opening *opening) {
    journaled->openings = frs_grow(journaled->openings, journaled->n_openings + 1,
        &journaled->openings_capacity, sizeof *journaled->openings);
    journaled->openings[journaled->n_openings++] = *opening;
}

/* The event is named before it happens: what the record of an opening holds follows from it. */
void frs_journaled_trainer_open(
    struct frs_journaled_trainer *journaled, const struct frs_cohort *cohort, double *encode_flop) {
    struct frs_reader record;
    struct frs_history *history = next_event(journaled);
    size_t n = cohort->n;
    if (history)
        frs_history_open(history, cohort);
    struct frs_digest name = frs_recall_name(&journaled->recall);
    if (frs_recall_find(&journaled->recall, &name, &record) &&
        recall_open(journaled, cohort, encode_flop, &record))
        return;
    frs_trainer_open(journaled->trainer, cohort, encode_flop);
    if (history)
        remember_opening(journaled,
            &(struct opening){name, n > 0 ? cohort->members[0]->handle : 0, n, *encode_flop, false});
}

struct frs_usage frs_journaled_trainer_download(
    const struct frs_journaled_trainer *journaled, size_t handle) {
    return frs_usage_of_download(&told_of(journaled, handle)->usage);
}

static struct frs_training_told *mark(
    struct frs_journaled_trainer *journaled, size_t handle, enum frs_mark mark) {
    struct frs_training_told *told = told_of(journaled, handle);
    told->marks |= mark;
    if (!told->is_marked && journaled->recall.journal)
        add_to_list(&journaled->marked, handle);
    told->is_marked = true;
    return told;
}

void frs_journaled_trainer_received(struct frs_journaled_trainer *journaled, size_t handle) {
    mark(journaled, handle, FRS_RECEIVED);
    if (!journaled->recall.goes_on)
        frs_trainer_received(journaled->trainer, handle);
}

static struct frs_usage *full_result(struct frs_journaled_trainer *journaled, size_t handle) {
    struct frs_training_told *told = told_of(journaled, handle);
    if (!journaled->recall.goes_on && !told->shortened)
        frs_trainer_result(journaled->trainer, handle, &told->usage);
    return &told->usage;
}

void frs_journaled_trainer_result(
    struct frs_journaled_trainer *journaled, size_t handle, struct frs_usage *usage) {
    const struct frs_training_told *told = told_of(journaled, handle);
    *usage = told->shortened ? *told->shortened : *full_result(journaled, handle);
}

const uint8_t *frs_journaled_trainer_message(
    struct frs_journaled_trainer *journaled, size_t handle, bool up, size_t *n) {
    FRS_INVARIANT(!journaled->recall.goes_on, "what is recalled has no messages");
    return frs_trainer_message(journaled->trainer, handle, up, n);
}

void frs_journaled_trainer_train(struct frs_journaled_trainer *journaled, size_t handle) {
    struct frs_reader record;
    struct frs_training_told *told = told_of(journaled, handle);
    struct frs_history *history = next_event(journaled);
    if (history)
        frs_history_train(history, handle);
    struct frs_digest name = frs_recall_name(&journaled->recall);
    free(told->shortened); /* the limit is part of what is trained now */
    told->shortened = NULL;
    if (frs_recall_find(&journaled->recall, &name, &record)) {
        told->usage = frs_record_sound_usage(&record);
        if (frs_recall_is_sound(&journaled->recall, &record))
            return;
    }
    frs_trainer_train(journaled->trainer, handle);
    if (history)
        remember_opening(journaled, &(struct opening){.name = name, .first = handle, .n = 1, .waited = true});
}

/* Records of those who waited: of one, or of all clients of an opening. */
static bool recall_waiting(struct frs_journaled_trainer *journaled, struct frs_member *const *members,
    size_t n, struct frs_reader *record) {
    struct frs_usage *usage = frs_alloc(n, sizeof *usage);
    for (size_t i = 0; i < n; i++)
        usage[i] = frs_record_sound_usage(record);
    bool sound = frs_recall_is_sound(&journaled->recall, record);
    for (size_t i = 0; sound && i < n; i++)
        told_of(journaled, members[i]->handle)->usage = usage[i];
    free(usage);
    return sound;
}

void frs_journaled_trainer_exchange(struct frs_journaled_trainer *journaled,
    struct frs_member *const *members, size_t n, const struct frs_unheard *unheard, size_t n_unheard) {
    struct frs_reader record;
    struct frs_history *history = next_event(journaled);
    if (history)
        frs_history_exchange(history, unheard, n_unheard);
    struct frs_digest name = frs_recall_name(&journaled->recall);
    if (frs_recall_find(&journaled->recall, &name, &record) && recall_waiting(journaled, members, n, &record))
        return;
    frs_trainer_exchange(journaled->trainer, unheard, n_unheard);
    if (history && n > 0)
        remember_opening(
            journaled, &(struct opening){.name = name, .first = members[0]->handle, .n = n, .waited = true});
}

static void shorten(struct frs_training_told *told, struct frs_usage usage) {
    if (!told->shortened)
        told->shortened = frs_alloc(1, sizeof *told->shortened);
    *told->shortened = usage;
}

/* The full training stays what the opening's record tells of. */
static void train_truncated(
    struct frs_journaled_trainer *journaled, const size_t *handles, const uint32_t *epochs, size_t n) {
    for (size_t i = 0; i < n; i++)
        (void)full_result(journaled, handles[i]);
    frs_trainer_truncate(journaled->trainer, handles, epochs, n);
    for (size_t i = 0; i < n; i++) {
        struct frs_training_told *told = told_of(journaled, handles[i]);
        struct frs_usage usage;
        frs_trainer_result(journaled->trainer, handles[i], &usage);
        shorten(told, usage);
    }
}

static bool recall_truncated(
    struct frs_journaled_trainer *journaled, const size_t *handles, size_t n, struct frs_reader *record) {
    struct frs_usage *usage = frs_alloc(n, sizeof *usage);
    for (size_t i = 0; i < n; i++)
        usage[i] = frs_record_sound_usage(record);
    bool sound = frs_recall_is_sound(&journaled->recall, record);
    for (size_t i = 0; sound && i < n; i++)
        shorten(told_of(journaled, handles[i]), usage[i]);
    free(usage);
    return sound;
}

void frs_journaled_trainer_truncate(
    struct frs_journaled_trainer *journaled, const size_t *handles, const uint32_t *epochs, size_t n) {
    struct frs_reader record;
    struct frs_history *history = next_event(journaled);
    if (history)
        frs_history_truncate(history, handles, epochs, n);
    struct frs_digest name = frs_recall_name(&journaled->recall);
    if (frs_recall_find(&journaled->recall, &name, &record) &&
        recall_truncated(journaled, handles, n, &record))
        return;
    train_truncated(journaled, handles, epochs, n);
    for (size_t i = 0; history && i < n; i++)
        frs_record_put_usage(&journaled->recall.record, told_of(journaled, handles[i])->shortened);
    frs_recall_add(&journaled->recall, &name);
}

void frs_journaled_trainer_commit(struct frs_journaled_trainer *journaled, size_t handle) {
    mark(journaled, handle, FRS_COMMITTED);
    journaled->updates++;
    if (!journaled->recall.goes_on)
        frs_trainer_commit(journaled->trainer, handle);
}

/* An opening's record tells of those who wait what a download weighs, and no more. */
static struct frs_usage result_of(
    struct frs_journaled_trainer *journaled, const struct opening *opening, size_t handle) {
    const struct frs_usage *usage = full_result(journaled, handle);
    if (opening->waited || !told_of(journaled, handle)->waits)
        return *usage;
    return frs_usage_of_download(usage);
}

/* Complete only now: participations whose results were not needed have been trained, too. */
static void record_openings(struct frs_journaled_trainer *journaled) {
    for (size_t i = 0; i < journaled->n_openings; i++) {
        const struct opening *opening = &journaled->openings[i];
        for (size_t j = 0; j < opening->n; j++) {
            struct frs_usage usage = result_of(journaled, opening, opening->first + j);
            frs_record_put_usage(&journaled->recall.record, &usage);
        }
        if (!opening->waited)
            frs_record_put_real(&journaled->recall.record, opening->encode_flop);
        frs_recall_add(&journaled->recall, &opening->name);
    }
    journaled->n_openings = 0;
}

void frs_journaled_trainer_drop(struct frs_journaled_trainer *journaled, size_t handle) {
    add_to_list(&journaled->dropped, handle);
}

static void drop_all(struct frs_journaled_trainer *journaled) {
    struct list *dropped = &journaled->dropped;
    if (dropped->n == 0)
        return;
    qsort(dropped->handles, dropped->n, sizeof *dropped->handles, frs_compare_sizes);
    if (journaled->recall.journal)
        frs_history_drop(&journaled->recall.history, dropped->handles, dropped->n);
    for (size_t i = 0; i < dropped->n; i++)
        frs_trainer_drop(journaled->trainer, dropped->handles[i]);
    dropped->n = 0;
}

void frs_journaled_trainer_local_only(struct frs_journaled_trainer *journaled,
    const struct frs_local_only *local_only, struct frs_usage *usage) {
    struct frs_reader record;
    struct frs_history *history = next_event(journaled);
    if (history)
        frs_history_local_only(history, local_only);
    struct frs_digest name = frs_recall_name(&journaled->recall);
    if (frs_recall_find(&journaled->recall, &name, &record)) {
        *usage = frs_record_sound_usage(&record);
        if (frs_recall_is_sound(&journaled->recall, &record))
            return;
    }
    frs_trainer_local_only(journaled->trainer, local_only, usage);
    frs_record_put_usage(&journaled->recall.record, usage);
    frs_recall_add(&journaled->recall, &name);
}

/* Whether there is a next round depends on the result of the change of the tables. */
static double close_and_measure(
    struct frs_journaled_trainer *journaled, const struct frs_arrivals *arrivals) {
    struct frs_reader record;
    struct frs_digest name = frs_recall_name(&journaled->recall);
    if (frs_recall_find(&journaled->recall, &name, &record)) {
        double recalled = frs_record_real(&record);
        if (frs_recall_is_sound(&journaled->recall, &record))
            return recalled;
    }
    double change = frs_trainer_close(journaled->trainer, arrivals);
    frs_record_put_real(&journaled->recall.record, change);
    frs_recall_add(&journaled->recall, &name);
    return change;
}

double frs_journaled_trainer_close(
    struct frs_journaled_trainer *journaled, const struct frs_arrivals *arrivals) {
    double change = NAN;
    struct frs_history *history = next_event(journaled);
    record_openings(journaled);
    if (history)
        frs_history_close(history, arrivals);
    if (journaled->setup->watches_change)
        change = close_and_measure(journaled, arrivals);
    else if (!journaled->recall.goes_on)
        (void)frs_trainer_close(journaled->trainer, arrivals);
    drop_all(journaled);
    frs_recall_look_for_snapshot(&journaled->recall);
    return change;
}

struct frs_message_size frs_journaled_trainer_publish(
    struct frs_journaled_trainer *journaled, const uint32_t *clients, size_t n, double *encode_flop) {
    struct frs_reader record;
    struct frs_history *history = next_event(journaled);
    if (history)
        frs_history_publish(history, clients, n);
    struct frs_digest name = frs_recall_name(&journaled->recall);
    if (frs_recall_find(&journaled->recall, &name, &record)) {
        struct frs_message_size size = {.bytes = frs_reader_u64(&record)};
        size.nominal_bytes = frs_reader_u64(&record);
        *encode_flop = frs_record_real(&record);
        record.failed |= !(isfinite(*encode_flop) && *encode_flop >= 0);
        if (frs_recall_is_sound(&journaled->recall, &record))
            return size;
    }
    struct frs_message_size size = frs_trainer_publish(journaled->trainer, clients, n, encode_flop);
    frs_buffer_put_u64(&journaled->recall.record, size.bytes);
    frs_buffer_put_u64(&journaled->recall.record, size.nominal_bytes);
    frs_record_put_real(&journaled->recall.record, *encode_flop);
    frs_recall_add(&journaled->recall, &name);
    return size;
}

void frs_journaled_trainer_delivered(struct frs_journaled_trainer *journaled, size_t handle) {
    if (journaled->recall.journal)
        add_to_list(&journaled->delivered, handle);
    if (!journaled->recall.goes_on)
        frs_trainer_delivered(journaled->trainer, handle);
}

void frs_journaled_trainer_leave(struct frs_journaled_trainer *journaled) {
    (void)next_event(journaled);
    drop_all(journaled);
    frs_recall_look_for_snapshot(&journaled->recall);
}

struct frs_quality frs_journaled_trainer_evaluate(struct frs_journaled_trainer *journaled, bool final) {
    struct frs_reader record;
    struct frs_quality quality;
    struct frs_history *history = next_event(journaled);
    if (!history)
        return frs_trainer_evaluate(journaled->trainer);
    frs_history_evaluate(history, final);
    struct frs_digest name = frs_recall_name(&journaled->recall);
    if (frs_recall_find(&journaled->recall, &name, &record)) {
        archive_evaluation(journaled, &(struct frs_archive){.in = &record}, &quality, final);
        if (frs_recall_is_sound(&journaled->recall, &record)) {
            frs_recall_look_for_snapshot(&journaled->recall);
            return quality;
        }
    }
    quality = frs_trainer_evaluate(journaled->trainer);
    archive_evaluation(journaled, &(struct frs_archive){.out = &journaled->recall.record}, &quality, final);
    frs_recall_add(&journaled->recall, &name);
    return quality;
}

static uint32_t groups_now(const struct frs_training_setup *setup, uint32_t *groups) {
    uint32_t n_groups;
    const uint32_t *now = setup->learner->groups(setup->model, &n_groups);
    memcpy(groups, now, setup->data->population.n_clients * sizeof *groups);
    return n_groups;
}

uint32_t frs_journaled_trainer_groups(struct frs_journaled_trainer *journaled, uint32_t *groups) {
    size_t bytes = journaled->setup->data->population.n_clients * sizeof *groups;
    struct frs_reader record;
    if (!next_event(journaled))
        return groups_now(journaled->setup, groups);
    struct frs_digest name = frs_recall_name_of(&journaled->recall, "groups");
    if (frs_recall_find(&journaled->recall, &name, &record)) {
        struct frs_archive archive = {.in = &record};
        uint32_t n_groups = frs_reader_u32(&record);
        frs_archive_bytes(&archive, groups, bytes);
        FRS_INVARIANT(!record.failed && record.at == record.n, "a journal's groups are of another length");
        return n_groups;
    }
    uint32_t n_groups = groups_now(journaled->setup, groups);
    frs_buffer_put_u32(&journaled->recall.record, n_groups);
    frs_buffer_put(&journaled->recall.record, groups, bytes);
    frs_recall_add(&journaled->recall, &name);
    return n_groups;
}

void frs_journaled_trainer_layer_groups(struct frs_journaled_trainer *journaled, uint32_t *groups, size_t n) {
    struct frs_reader record;
    struct frs_digest name = {0};
    bool asks = next_event(journaled);
    if (asks)
        name = frs_recall_name_of(&journaled->recall, "layers");
    if (asks && frs_recall_find(&journaled->recall, &name, &record)) {
        for (size_t i = 0; i < n; i++)
            groups[i] = frs_reader_u32(&record);
        FRS_INVARIANT(
            !record.failed && record.at == record.n, "a journal's groups of a round are of another length");
        return;
    }
    frs_trainer_layer_groups(journaled->trainer, groups);
    for (size_t i = 0; asks && i < n; i++)
        frs_buffer_put_u32(&journaled->recall.record, groups[i]);
    if (asks)
        frs_recall_add(&journaled->recall, &name);
}

static void save(void *context, struct frs_archive *archive) {
    frs_trainer_archive(context, archive);
}

enum frs_status frs_journaled_trainer_save(
    struct frs_journaled_trainer *journaled, const char *path, struct frs_errors *errors) {
    FRS_INVARIANT(!journaled->recall.goes_on, "what is recalled has no state to be saved");
    struct frs_snapshot snapshot = {
        .at = frs_recall_name(&journaled->recall), .save = save, .context = journaled->trainer};
    return frs_journal_write(journaled->recall.journal, path, false, &snapshot, errors);
}

size_t frs_journaled_trainer_log_bytes(const struct frs_journaled_trainer *journaled) {
    return frs_trainer_log_bytes(journaled->trainer);
}

bool frs_journaled_trainer_trained(const struct frs_journaled_trainer *journaled) {
    return !journaled->recall.goes_on;
}

double frs_journaled_trainer_training_s(const struct frs_journaled_trainer *journaled) {
    return frs_trainer_training_s(journaled->trainer);
}

struct frs_trainer_times frs_journaled_trainer_times(const struct frs_journaled_trainer *journaled) {
    return frs_trainer_times(journaled->trainer);
}

uint64_t frs_journaled_trainer_updates(const struct frs_journaled_trainer *journaled) {
    return journaled->updates;
}
