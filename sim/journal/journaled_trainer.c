#include "sim/journal/journaled_trainer.h"
#include "sim/base/memory.h"
#include "sim/base/order.h"
#include "sim/base/threads/handles.h"
#include "sim/journal/recall.h"
#include "sim/journal/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is told of a participation, by its ticket. */
struct answer {
    uint8_t marks;
    bool is_marked;               /* since the event before */
    bool waits;                   /* or has waited: what it came to belongs to an event of its own */
    struct frs_charge charge;     /* as it was opened; once truncated, `shortened` counts */
    struct frs_charge *shortened; /* NULL: it was not truncated */
};

/* An opening, or the training of one that waited, whose record has to be written when everybody has been
 * trained. */
struct opening {
    struct frs_digest name;
    size_t first, n;
    double encode_flop;
    bool waited;
};

/* Tickets. */
struct list {
    size_t *tickets, n, capacity;
};

struct frs_learning {
    const struct frs_training_setup *setup;
    struct frs_evaluation *evaluation;
    struct frs_trainer *trainer;
    struct frs_recall recall;
    struct frs_tickets tickets; /* of struct answer; the trainer's numbers */
    struct list marked, dropped;
    struct opening *openings;
    size_t n_openings, openings_capacity;
    uint64_t updates;
};

/* --- events --- */

static struct answer *answer_of(const struct frs_learning *learning, size_t ticket) {
    struct answer *answer = frs_tickets_find(&learning->tickets, ticket);
    FRS_INVARIANT(answer, "nobody has ticket %zu", ticket);
    return answer;
}

static void add_to_list(struct list *list, size_t ticket) {
    list->tickets = frs_grow(list->tickets, list->n + 1, &list->capacity, sizeof *list->tickets);
    list->tickets[list->n++] = ticket;
}

static void add_marks(struct frs_learning *learning) {
    struct list *marked = &learning->marked;
    if (marked->n == 0 || !learning->recall.journal)
        return;
    qsort(marked->tickets, marked->n, sizeof *marked->tickets, frs_compare_sizes);
    uint8_t *marks = frs_alloc(marked->n, 1);
    for (size_t i = 0; i < marked->n; i++) {
        struct answer *answer = answer_of(learning, marked->tickets[i]);
        marks[i] = answer->marks;
        answer->is_marked = false;
    }
    frs_history_marks(&learning->recall.history, marked->tickets, marks, marked->n);
    marked->n = 0;
    free(marks);
}

/* The history, to be told of what comes next; NULL without a journal. */
static struct frs_history *next_event(struct frs_learning *learning) {
    add_marks(learning);
    return frs_recall_event(&learning->recall);
}

/* --- records --- */

_Static_assert(sizeof(struct frs_quality) == 25 * sizeof(double), "records hold no padding");

/* Only the final evaluation needs every rank; the others are summed up in the quality. */
static void archive_evaluation(
    struct frs_learning *learning, struct frs_archive *archive, struct frs_quality *quality, bool final) {
    frs_archive_bytes(archive, quality, sizeof *quality);
    if (final)
        frs_evaluation_archive(learning->evaluation, archive);
}

/* --- calls --- */

struct frs_learning *frs_learning_create(const struct frs_training_setup *setup, struct frs_pool *pool,
    struct frs_evaluation *evaluation, struct frs_journal *journal) {
    struct frs_learning *learning = frs_alloc(1, sizeof *learning);
    *learning = (struct frs_learning){
        .setup = setup, .evaluation = evaluation, .trainer = frs_trainer_create(setup, pool, evaluation)};
    /* Under the server's view an evaluation leaves nothing behind that the next one does not replace. */
    frs_recall_init(&learning->recall, journal, learning->trainer, setup->device_view);
    return learning;
}

static void free_answer(struct answer *answer) {
    if (answer)
        free(answer->shortened);
    free(answer);
}

void frs_learning_destroy(struct frs_learning *learning) {
    if (!learning)
        return;
    frs_trainer_destroy(learning->trainer);
    frs_recall_fini(&learning->recall);
    for (size_t i = 0; i < learning->tickets.n; i++)
        free_answer(learning->tickets.things[i]);
    frs_tickets_fini(&learning->tickets);
    free(learning->marked.tickets);
    free(learning->dropped.tickets);
    free(learning->openings);
    free(learning);
}

static bool recall_open(struct frs_learning *learning, const struct frs_cohort *cohort, double *encode_flop,
    struct frs_reader *record) {
    for (size_t i = 0; i < cohort->n; i++)
        cohort->members[i].charge = frs_record_sound_charge(record);
    *encode_flop = frs_record_real(record);
    record->failed |= !(isfinite(*encode_flop) && *encode_flop >= 0);
    return frs_recall_is_sound(&learning->recall, record);
}

static size_t take_tickets(struct frs_learning *learning, const struct frs_cohort *cohort) {
    size_t first = 0;
    for (size_t i = 0; i < cohort->n; i++) {
        struct answer *answer = frs_alloc(1, sizeof *answer);
        answer->charge = cohort->members[i].charge;
        answer->waits = cohort->members[i].waits;
        size_t ticket = frs_tickets_take(&learning->tickets, answer);
        first = i == 0 ? ticket : first;
    }
    return first;
}

static void remember_opening(struct frs_learning *learning, const struct opening *opening) {
    learning->openings = frs_grow(learning->openings, learning->n_openings + 1, &learning->openings_capacity,
        sizeof *learning->openings);
    learning->openings[learning->n_openings++] = *opening;
}

/* The event is named before it happens: what the record of an opening holds follows from it. */
size_t frs_learning_open(
    struct frs_learning *learning, const struct frs_cohort *cohort, double *encode_flop) {
    struct frs_reader record;
    struct frs_history *history = next_event(learning);
    size_t n = cohort->n;
    if (history)
        frs_history_open(history, cohort);
    struct frs_digest name = frs_recall_name(&learning->recall);
    bool recalled = frs_recall_find(&learning->recall, &name, &record) &&
                    recall_open(learning, cohort, encode_flop, &record);
    size_t first = recalled ? learning->tickets.first + learning->tickets.n
                            : frs_trainer_open(learning->trainer, cohort, encode_flop);
    size_t taken = take_tickets(learning, cohort);
    FRS_INVARIANT(taken == first, "ticket %zu is called %zu by the trainer", taken, first);
    if (history && !recalled)
        remember_opening(learning, &(struct opening){name, first, n, *encode_flop, false});
    for (size_t i = 0; i < n; i++)
        cohort->members[i].charge = frs_charge_of_download(&cohort->members[i].charge);
    return first;
}

static struct answer *mark(struct frs_learning *learning, size_t ticket, enum frs_mark mark) {
    struct answer *answer = answer_of(learning, ticket);
    answer->marks |= mark;
    if (!answer->is_marked && learning->recall.journal)
        add_to_list(&learning->marked, ticket);
    answer->is_marked = true;
    return answer;
}

void frs_learning_received(struct frs_learning *learning, size_t ticket) {
    mark(learning, ticket, FRS_RECEIVED);
    if (!learning->recall.goes_on)
        frs_trainer_received(learning->trainer, ticket);
}

static struct frs_charge *full_result(struct frs_learning *learning, size_t ticket) {
    struct answer *answer = answer_of(learning, ticket);
    if (!learning->recall.goes_on && !answer->shortened)
        frs_trainer_result(learning->trainer, ticket, &answer->charge);
    return &answer->charge;
}

void frs_learning_result(struct frs_learning *learning, size_t ticket, struct frs_charge *charge) {
    const struct answer *answer = answer_of(learning, ticket);
    *charge = answer->shortened ? *answer->shortened : *full_result(learning, ticket);
}

const uint8_t *frs_learning_message(struct frs_learning *learning, size_t ticket, bool up, size_t *n) {
    FRS_INVARIANT(!learning->recall.goes_on, "what is recalled has no messages");
    return frs_trainer_message(learning->trainer, ticket, up, n);
}

void frs_learning_train(struct frs_learning *learning, size_t ticket) {
    struct frs_reader record;
    struct answer *answer = answer_of(learning, ticket);
    struct frs_history *history = next_event(learning);
    if (history)
        frs_history_train(history, ticket);
    struct frs_digest name = frs_recall_name(&learning->recall);
    free(answer->shortened); /* the limit is part of what is trained now */
    answer->shortened = NULL;
    if (frs_recall_find(&learning->recall, &name, &record)) {
        answer->charge = frs_record_sound_charge(&record);
        if (frs_recall_is_sound(&learning->recall, &record))
            return;
    }
    frs_trainer_train(learning->trainer, ticket);
    if (history)
        remember_opening(learning, &(struct opening){.name = name, .first = ticket, .n = 1, .waited = true});
}

static void shorten(struct answer *answer, struct frs_charge charge) {
    if (!answer->shortened)
        answer->shortened = frs_alloc(1, sizeof *answer->shortened);
    *answer->shortened = charge;
}

/* The full training stays what the opening's record tells of. */
static void train_truncated(
    struct frs_learning *learning, const size_t *tickets, const uint32_t *epochs, size_t n) {
    for (size_t i = 0; i < n; i++)
        (void)full_result(learning, tickets[i]);
    frs_trainer_truncate(learning->trainer, tickets, epochs, n);
    for (size_t i = 0; i < n; i++) {
        struct answer *answer = answer_of(learning, tickets[i]);
        struct frs_charge charge = answer->charge;
        frs_trainer_result(learning->trainer, tickets[i], &charge);
        shorten(answer, charge);
    }
}

static bool recall_truncated(
    struct frs_learning *learning, const size_t *tickets, size_t n, struct frs_reader *record) {
    struct frs_charge *charge = frs_alloc(n, sizeof *charge);
    for (size_t i = 0; i < n; i++)
        charge[i] = frs_record_sound_charge(record);
    bool sound = frs_recall_is_sound(&learning->recall, record);
    for (size_t i = 0; sound && i < n; i++)
        shorten(answer_of(learning, tickets[i]), charge[i]);
    free(charge);
    return sound;
}

void frs_learning_truncate(
    struct frs_learning *learning, const size_t *tickets, const uint32_t *epochs, size_t n) {
    struct frs_reader record;
    struct frs_history *history = next_event(learning);
    if (history)
        frs_history_truncate(history, tickets, epochs, n);
    struct frs_digest name = frs_recall_name(&learning->recall);
    if (frs_recall_find(&learning->recall, &name, &record) && recall_truncated(learning, tickets, n, &record))
        return;
    train_truncated(learning, tickets, epochs, n);
    for (size_t i = 0; history && i < n; i++)
        frs_record_put_charge(&learning->recall.record, answer_of(learning, tickets[i])->shortened);
    frs_recall_add(&learning->recall, &name);
}

void frs_learning_commit(struct frs_learning *learning, size_t ticket) {
    mark(learning, ticket, FRS_COMMITTED);
    learning->updates++;
    if (!learning->recall.goes_on)
        frs_trainer_commit(learning->trainer, ticket);
}

/* An opening's record tells of those who wait what a download weighs, and no more. */
static struct frs_charge result_of(
    struct frs_learning *learning, const struct opening *opening, size_t ticket) {
    const struct frs_charge *charge = full_result(learning, ticket);
    if (opening->waited || !answer_of(learning, ticket)->waits)
        return *charge;
    return frs_charge_of_download(charge);
}

/* Complete only now: also those that nobody asked for have been trained. */
static void record_openings(struct frs_learning *learning) {
    for (size_t i = 0; i < learning->n_openings; i++) {
        const struct opening *opening = &learning->openings[i];
        for (size_t j = 0; j < opening->n; j++) {
            struct frs_charge charge = result_of(learning, opening, opening->first + j);
            frs_record_put_charge(&learning->recall.record, &charge);
        }
        if (!opening->waited)
            frs_record_put_real(&learning->recall.record, opening->encode_flop);
        frs_recall_add(&learning->recall, &opening->name);
    }
    learning->n_openings = 0;
}

void frs_learning_drop(struct frs_learning *learning, size_t ticket) {
    add_to_list(&learning->dropped, ticket);
}

static void drop_all(struct frs_learning *learning) {
    struct list *dropped = &learning->dropped;
    if (dropped->n == 0)
        return;
    qsort(dropped->tickets, dropped->n, sizeof *dropped->tickets, frs_compare_sizes);
    if (learning->recall.journal)
        frs_history_drop(&learning->recall.history, dropped->tickets, dropped->n);
    for (size_t i = 0; i < dropped->n; i++) {
        if (!learning->recall.goes_on)
            frs_trainer_drop(learning->trainer, dropped->tickets[i]);
        free_answer(answer_of(learning, dropped->tickets[i]));
        frs_tickets_return(&learning->tickets, dropped->tickets[i]);
    }
    dropped->n = 0;
}

void frs_learning_alone(
    struct frs_learning *learning, const struct frs_loners *loners, struct frs_charge *charge) {
    struct frs_reader record;
    struct frs_history *history = next_event(learning);
    if (history)
        frs_history_alone(history, loners);
    struct frs_digest name = frs_recall_name(&learning->recall);
    if (frs_recall_find(&learning->recall, &name, &record)) {
        *charge = frs_record_sound_charge(&record);
        if (frs_recall_is_sound(&learning->recall, &record))
            return;
    }
    frs_trainer_alone(learning->trainer, loners, charge);
    frs_record_put_charge(&learning->recall.record, charge);
    frs_recall_add(&learning->recall, &name);
}

/* What the change of the tables came to has to be known before it can be said
 * whether there is a next round. */
static double close_and_measure(struct frs_learning *learning, const struct frs_arrivals *arrivals) {
    struct frs_reader record;
    struct frs_digest name = frs_recall_name(&learning->recall);
    if (frs_recall_find(&learning->recall, &name, &record)) {
        double recalled = frs_record_real(&record);
        if (frs_recall_is_sound(&learning->recall, &record))
            return recalled;
    }
    double change = frs_trainer_close(learning->trainer, arrivals);
    frs_record_put_real(&learning->recall.record, change);
    frs_recall_add(&learning->recall, &name);
    return change;
}

double frs_learning_close(struct frs_learning *learning, const struct frs_arrivals *arrivals) {
    double change = NAN;
    struct frs_history *history = next_event(learning);
    record_openings(learning);
    if (history)
        frs_history_close(history, arrivals);
    if (learning->setup->watches_change)
        change = close_and_measure(learning, arrivals);
    else if (!learning->recall.goes_on)
        (void)frs_trainer_close(learning->trainer, arrivals);
    drop_all(learning);
    frs_recall_look_for_snapshot(&learning->recall);
    return change;
}

struct frs_quality frs_learning_evaluate(struct frs_learning *learning, bool final) {
    struct frs_reader record;
    struct frs_quality quality;
    struct frs_history *history = next_event(learning);
    if (!history)
        return frs_trainer_evaluate(learning->trainer);
    frs_history_evaluate(history, final);
    struct frs_digest name = frs_recall_name(&learning->recall);
    if (frs_recall_find(&learning->recall, &name, &record)) {
        archive_evaluation(learning, &(struct frs_archive){.in = &record}, &quality, final);
        if (frs_recall_is_sound(&learning->recall, &record)) {
            frs_recall_look_for_snapshot(&learning->recall);
            return quality;
        }
    }
    quality = frs_trainer_evaluate(learning->trainer);
    archive_evaluation(learning, &(struct frs_archive){.out = &learning->recall.record}, &quality, final);
    frs_recall_add(&learning->recall, &name);
    return quality;
}

static uint32_t groups_now(const struct frs_training_setup *setup, uint32_t *groups) {
    uint32_t n_groups;
    const uint32_t *now = setup->learner->groups(setup->model, &n_groups);
    memcpy(groups, now, setup->data->population.n_clients * sizeof *groups);
    return n_groups;
}

uint32_t frs_learning_groups(struct frs_learning *learning, uint32_t *groups) {
    size_t bytes = learning->setup->data->population.n_clients * sizeof *groups;
    struct frs_reader record;
    if (!next_event(learning))
        return groups_now(learning->setup, groups);
    struct frs_digest name = frs_recall_name_of(&learning->recall, "groups");
    if (frs_recall_find(&learning->recall, &name, &record)) {
        struct frs_archive archive = {.in = &record};
        uint32_t n_groups = frs_reader_u32(&record);
        frs_archive_bytes(&archive, groups, bytes);
        FRS_INVARIANT(!record.failed && record.at == record.n, "a journal's groups are of another length");
        return n_groups;
    }
    uint32_t n_groups = groups_now(learning->setup, groups);
    frs_buffer_put_u32(&learning->recall.record, n_groups);
    frs_buffer_put(&learning->recall.record, groups, bytes);
    frs_recall_add(&learning->recall, &name);
    return n_groups;
}

static void save(void *context, struct frs_archive *archive) {
    frs_trainer_archive(context, archive);
}

enum frs_status frs_learning_save(
    struct frs_learning *learning, const char *path, struct frs_errors *errors) {
    FRS_INVARIANT(!learning->recall.goes_on, "what is recalled has no state to be saved");
    struct frs_snapshot snapshot = {
        .at = frs_recall_name(&learning->recall), .save = save, .context = learning->trainer};
    return frs_journal_write(learning->recall.journal, path, false, &snapshot, errors);
}

size_t frs_learning_log_bytes(const struct frs_learning *learning) {
    return frs_trainer_log_bytes(learning->trainer);
}

bool frs_learning_trained(const struct frs_learning *learning) {
    return !learning->recall.goes_on;
}

double frs_learning_training_s(const struct frs_learning *learning) {
    return frs_trainer_training_s(learning->trainer);
}

struct frs_trainer_times frs_learning_times(const struct frs_learning *learning) {
    return frs_trainer_times(learning->trainer);
}

uint64_t frs_learning_updates(const struct frs_learning *learning) {
    return learning->updates;
}
