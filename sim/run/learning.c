#include "sim/run/learning.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/base/tickets.h"
#include "sim/run/history.h"
#include "sim/run/record.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A participation. */
struct place {
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
    const struct frs_setup *setup;
    struct frs_evaluation *evaluation;
    struct frs_trainer *trainer;
    struct frs_journal *journal;
    bool recalls;
    struct frs_history history; /* kept while answers are recalled; empty without a journal */
    bool has_snapshot;          /* the journal's snapshot lies on the way, */
    size_t snapshot_at;         /* after this many bytes of the history */
    struct frs_tickets tickets; /* of struct place; the trainer's numbers */
    struct list marked, dropped;
    struct opening *openings;
    size_t n_openings, openings_capacity;
    struct frs_buffer scratch;
    uint64_t updates;
};

/* --- history --- */

static int ascending(const void *a, const void *b) {
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static struct place *place_of(const struct frs_learning *learning, size_t ticket) {
    struct place *place = frs_tickets_find(&learning->tickets, ticket);
    FRS_INVARIANT(place, "nobody has ticket %zu", ticket);
    return place;
}

static void add_to_list(struct list *list, size_t ticket) {
    list->tickets = frs_grow(list->tickets, list->n + 1, &list->capacity, sizeof *list->tickets);
    list->tickets[list->n++] = ticket;
}

static void add_marks(struct frs_learning *learning) {
    struct list *marked = &learning->marked;
    if (marked->n == 0 || !learning->journal)
        return;
    qsort(marked->tickets, marked->n, sizeof *marked->tickets, ascending);
    uint8_t *marks = frs_alloc(marked->n, 1);
    for (size_t i = 0; i < marked->n; i++) {
        struct place *place = place_of(learning, marked->tickets[i]);
        marks[i] = place->marks;
        place->is_marked = false;
    }
    frs_history_marks(&learning->history, marked->tickets, marks, marked->n);
    marked->n = 0;
    free(marks);
}

/* Between rounds: is this the point of the journal's snapshot? */
static void look_for_snapshot(struct frs_learning *learning) {
    struct frs_digest at, now;
    struct frs_reader state;
    if (!learning->recalls || !frs_journal_snapshot(learning->journal, &at, &state))
        return;
    now = frs_history_name(&learning->history);
    if (memcmp(at.bytes, now.bytes, sizeof at.bytes) != 0)
        return;
    learning->has_snapshot = true;
    learning->snapshot_at = learning->history.events.n;
}

/* --- records --- */

_Static_assert(sizeof(struct frs_quality) == 21 * sizeof(double), "records hold no padding");

/* What no training can have come to makes the record a damaged one; of a loss anything can be true. */
static struct frs_charge get_charge(struct frs_reader *record) {
    static const uint64_t most = (uint64_t)1 << 53; /* up to which a double counts */
    struct frs_charge charge = frs_record_charge(record);
    for (size_t i = 0; i < FRS_N_CHARGE_FIGURES; i++) {
        if (frs_charge_is_count(i))
            record->failed |= *frs_charge_count(&charge, i) > most;
        else if (frs_charge_figures[i].kind == FRS_CHARGE_AMOUNT)
            record->failed |= !(isfinite(*frs_charge_real(&charge, i)) && *frs_charge_real(&charge, i) >= 0);
    }
    return charge;
}

/* Only the final evaluation needs every rank; the others are summed up in the quality. */
static void put_evaluation(struct frs_learning *learning, struct frs_quality quality, bool final) {
    struct frs_archive archive = {.out = &learning->scratch};
    frs_archive_bytes(&archive, &quality, sizeof quality);
    if (final)
        frs_evaluation_archive(learning->evaluation, &archive);
}

static struct frs_quality get_evaluation(
    struct frs_learning *learning, struct frs_reader *record, bool final) {
    struct frs_quality quality;
    struct frs_archive archive = {.in = record};
    frs_archive_bytes(&archive, &quality, sizeof quality);
    if (final)
        frs_evaluation_archive(learning->evaluation, &archive);
    return quality;
}

/* --- from recalling to training --- */

static size_t load_snapshot(struct frs_learning *learning) {
    struct frs_digest at;
    struct frs_reader state;
    if (!learning->has_snapshot || !frs_journal_snapshot(learning->journal, &at, &state))
        return 0;
    frs_trainer_archive(learning->trainer, &(struct frs_archive){.in = &state});
    if (state.failed || state.at != state.n)
        frs_fail("the checkpoint's state cannot be used; --force starts again");
    return learning->snapshot_at;
}

/* Brings the trainer to the point of the history before its last event, which begins at `to`. Under the
 * server's view an evaluation leaves nothing behind that the next one does not replace. */
static void stop_recalling(struct frs_learning *learning, size_t to) {
    size_t from = load_snapshot(learning);
    frs_journal_forget_snapshot(learning->journal);
    learning->recalls = false;
    frs_history_repeat(&learning->history, from, to, learning->trainer, learning->setup->device_view);
}

/* The record of the event with this name, whose part of the history begins at `to`; without one, training
 * begins. */
static bool recall(
    struct frs_learning *learning, const struct frs_digest *name, size_t to, struct frs_reader *record) {
    if (!learning->recalls)
        return false;
    if (frs_journal_find(learning->journal, name, record))
        return true;
    stop_recalling(learning, to);
    return false;
}

/* Whether all of the record was as it has to be. Otherwise it is as good as none. */
static bool is_sound(struct frs_learning *learning, const struct frs_reader *record, size_t to) {
    if (!record->failed && record->at == record->n)
        return true;
    frs_print_line(
        stderr, "fedrecsim: a journal that was read has a damaged record; training goes on from there");
    stop_recalling(learning, to);
    return false;
}

/* What was put into `scratch` becomes the record. */
static void add_record(struct frs_learning *learning, const struct frs_digest *name) {
    frs_journal_add(learning->journal, name, &learning->scratch);
    frs_buffer_reset(&learning->scratch);
}

/* --- calls --- */

struct frs_learning *frs_learning_create(const struct frs_setup *setup, struct frs_pool *pool,
    struct frs_evaluation *evaluation, struct frs_journal *journal) {
    struct frs_learning *learning = frs_alloc(1, sizeof *learning);
    *learning = (struct frs_learning){.setup = setup,
        .evaluation = evaluation,
        .journal = journal,
        .recalls = journal,
        .trainer = frs_trainer_create(setup, pool, evaluation)};
    if (journal)
        learning->history = frs_history_begin(frs_journal_training(journal), true);
    return learning;
}

static void free_place(struct place *place) {
    if (place)
        free(place->shortened);
    free(place);
}

void frs_learning_destroy(struct frs_learning *learning) {
    if (!learning)
        return;
    frs_trainer_destroy(learning->trainer);
    frs_history_fini(&learning->history);
    frs_buffer_fini(&learning->scratch);
    for (size_t i = 0; i < learning->tickets.n; i++)
        free_place(learning->tickets.things[i]);
    frs_tickets_fini(&learning->tickets);
    free(learning->marked.tickets);
    free(learning->dropped.tickets);
    free(learning->openings);
    free(learning);
}

static bool recall_open(struct frs_learning *learning, const struct frs_cohort *cohort, double *encode_flop,
    struct frs_reader *record, size_t to) {
    for (size_t i = 0; i < cohort->n; i++)
        cohort->members[i].charge = get_charge(record);
    *encode_flop = frs_record_real(record);
    record->failed |= !(isfinite(*encode_flop) && *encode_flop >= 0);
    return is_sound(learning, record, to);
}

static size_t take_places(struct frs_learning *learning, const struct frs_cohort *cohort) {
    size_t first = 0;
    for (size_t i = 0; i < cohort->n; i++) {
        struct place *place = frs_alloc(1, sizeof *place);
        place->charge = cohort->members[i].charge;
        place->waits = cohort->members[i].waits;
        size_t ticket = frs_tickets_take(&learning->tickets, place);
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
    struct frs_digest name = {0};
    add_marks(learning);
    size_t before = learning->history.events.n, n = cohort->n;
    if (learning->journal) {
        frs_history_open(&learning->history, cohort);
        name = frs_history_name(&learning->history);
    }
    bool recalled = recall(learning, &name, before, &record) &&
                    recall_open(learning, cohort, encode_flop, &record, before);
    size_t first = recalled ? learning->tickets.first + learning->tickets.n
                            : frs_trainer_open(learning->trainer, cohort, encode_flop);
    size_t taken = take_places(learning, cohort);
    FRS_INVARIANT(taken == first, "ticket %zu is called %zu by the trainer", taken, first);
    if (learning->journal && !recalled)
        remember_opening(learning, &(struct opening){name, first, n, *encode_flop, false});
    for (size_t i = 0; i < n; i++)
        cohort->members[i].charge = frs_charge_of_download(&cohort->members[i].charge);
    return first;
}

static struct place *mark(struct frs_learning *learning, size_t ticket, enum frs_mark mark) {
    struct place *place = place_of(learning, ticket);
    place->marks |= mark;
    if (!place->is_marked && learning->journal)
        add_to_list(&learning->marked, ticket);
    place->is_marked = true;
    return place;
}

void frs_learning_received(struct frs_learning *learning, size_t ticket) {
    mark(learning, ticket, FRS_RECEIVED);
    if (!learning->recalls)
        frs_trainer_received(learning->trainer, ticket);
}

static struct frs_charge *full_result(struct frs_learning *learning, size_t ticket) {
    struct place *place = place_of(learning, ticket);
    if (!learning->recalls && !place->shortened)
        frs_trainer_result(learning->trainer, ticket, &place->charge);
    return &place->charge;
}

void frs_learning_result(struct frs_learning *learning, size_t ticket, struct frs_charge *charge) {
    const struct place *place = place_of(learning, ticket);
    *charge = place->shortened ? *place->shortened : *full_result(learning, ticket);
}

void frs_learning_train(struct frs_learning *learning, size_t ticket) {
    struct frs_reader record;
    struct frs_digest name = {0};
    struct place *place = place_of(learning, ticket);
    add_marks(learning);
    size_t before = learning->history.events.n;
    if (learning->journal) {
        frs_history_train(&learning->history, ticket);
        name = frs_history_name(&learning->history);
    }
    free(place->shortened); /* the limit is part of what is trained now */
    place->shortened = NULL;
    if (recall(learning, &name, before, &record)) {
        place->charge = get_charge(&record);
        if (is_sound(learning, &record, before))
            return;
    }
    frs_trainer_train(learning->trainer, ticket);
    if (learning->journal)
        remember_opening(learning, &(struct opening){.name = name, .first = ticket, .n = 1, .waited = true});
}

static void shorten(struct place *place, struct frs_charge charge) {
    if (!place->shortened)
        place->shortened = frs_alloc(1, sizeof *place->shortened);
    *place->shortened = charge;
}

/* The full training stays what the opening's record tells of. */
static void train_truncated(
    struct frs_learning *learning, const size_t *tickets, const uint32_t *epochs, size_t n) {
    for (size_t i = 0; i < n; i++)
        (void)full_result(learning, tickets[i]);
    frs_trainer_truncate(learning->trainer, tickets, epochs, n);
    for (size_t i = 0; i < n; i++) {
        struct place *place = place_of(learning, tickets[i]);
        struct frs_charge charge = place->charge;
        frs_trainer_result(learning->trainer, tickets[i], &charge);
        shorten(place, charge);
    }
}

static bool recall_truncated(
    struct frs_learning *learning, const size_t *tickets, size_t n, struct frs_reader *record, size_t to) {
    struct frs_charge *charge = frs_alloc(n, sizeof *charge);
    for (size_t i = 0; i < n; i++)
        charge[i] = get_charge(record);
    bool sound = is_sound(learning, record, to);
    for (size_t i = 0; sound && i < n; i++)
        shorten(place_of(learning, tickets[i]), charge[i]);
    free(charge);
    return sound;
}

void frs_learning_truncate(
    struct frs_learning *learning, const size_t *tickets, const uint32_t *epochs, size_t n) {
    struct frs_reader record;
    struct frs_digest name = {0};
    add_marks(learning);
    size_t before = learning->history.events.n;
    if (learning->journal) {
        frs_history_truncate(&learning->history, tickets, epochs, n);
        name = frs_history_name(&learning->history);
    }
    if (recall(learning, &name, before, &record) && recall_truncated(learning, tickets, n, &record, before))
        return;
    train_truncated(learning, tickets, epochs, n);
    if (!learning->journal)
        return;
    for (size_t i = 0; i < n; i++)
        frs_record_put_charge(&learning->scratch, place_of(learning, tickets[i])->shortened);
    add_record(learning, &name);
}

void frs_learning_commit(struct frs_learning *learning, size_t ticket) {
    mark(learning, ticket, FRS_COMMITTED);
    learning->updates++;
    if (!learning->recalls)
        frs_trainer_commit(learning->trainer, ticket);
}

/* An opening's record tells of those who wait what a download weighs, and no more. */
static struct frs_charge result_of(
    struct frs_learning *learning, const struct opening *opening, size_t ticket) {
    const struct frs_charge *charge = full_result(learning, ticket);
    if (opening->waited || !place_of(learning, ticket)->waits)
        return *charge;
    return frs_charge_of_download(charge);
}

/* Complete only now: also those that nobody asked for have been trained. */
static void record_openings(struct frs_learning *learning) {
    for (size_t i = 0; i < learning->n_openings; i++) {
        const struct opening *opening = &learning->openings[i];
        for (size_t j = 0; j < opening->n; j++) {
            struct frs_charge charge = result_of(learning, opening, opening->first + j);
            frs_record_put_charge(&learning->scratch, &charge);
        }
        if (!opening->waited)
            frs_record_put_real(&learning->scratch, opening->encode_flop);
        add_record(learning, &opening->name);
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
    qsort(dropped->tickets, dropped->n, sizeof *dropped->tickets, ascending);
    if (learning->journal)
        frs_history_drop(&learning->history, dropped->tickets, dropped->n);
    for (size_t i = 0; i < dropped->n; i++) {
        if (!learning->recalls)
            frs_trainer_drop(learning->trainer, dropped->tickets[i]);
        free_place(place_of(learning, dropped->tickets[i]));
        frs_tickets_return(&learning->tickets, dropped->tickets[i]);
    }
    dropped->n = 0;
}

void frs_learning_alone(
    struct frs_learning *learning, const struct frs_loners *loners, struct frs_charge *charge) {
    struct frs_reader record;
    struct frs_digest name = {0};
    add_marks(learning);
    size_t before = learning->history.events.n;
    if (learning->journal) {
        frs_history_alone(&learning->history, loners);
        name = frs_history_name(&learning->history);
    }
    if (recall(learning, &name, before, &record)) {
        *charge = get_charge(&record);
        if (is_sound(learning, &record, before))
            return;
    }
    frs_trainer_alone(learning->trainer, loners, charge);
    if (!learning->journal)
        return;
    frs_record_put_charge(&learning->scratch, charge);
    add_record(learning, &name);
}

/* What the change of the tables came to has to be known before it can be said
 * whether there is a next round. */
static double close_and_measure(struct frs_learning *learning, const struct frs_arrivals *arrivals) {
    struct frs_reader record;
    struct frs_digest name = {0};
    size_t before = learning->history.events.n;
    if (learning->journal) {
        frs_history_close(&learning->history, arrivals);
        name = frs_history_name(&learning->history);
    }
    if (recall(learning, &name, before, &record)) {
        double recalled = frs_record_real(&record);
        if (is_sound(learning, &record, before))
            return recalled;
    }
    double change = frs_trainer_close(learning->trainer, arrivals);
    if (!learning->journal)
        return change;
    frs_record_put_real(&learning->scratch, change);
    add_record(learning, &name);
    return change;
}

double frs_learning_close(struct frs_learning *learning, const struct frs_arrivals *arrivals) {
    double change = NAN;
    add_marks(learning);
    record_openings(learning);
    if (learning->setup->stop_change > 0) {
        change = close_and_measure(learning, arrivals);
    } else {
        if (!learning->recalls)
            (void)frs_trainer_close(learning->trainer, arrivals);
        if (learning->journal)
            frs_history_close(&learning->history, arrivals);
    }
    drop_all(learning);
    look_for_snapshot(learning);
    return change;
}

struct frs_quality frs_learning_evaluate(struct frs_learning *learning, bool final) {
    struct frs_reader record;
    struct frs_quality quality;
    if (!learning->journal)
        return frs_trainer_evaluate(learning->trainer);
    add_marks(learning);
    size_t before = learning->history.events.n;
    frs_history_evaluate(&learning->history, final);
    struct frs_digest name = frs_history_name(&learning->history);
    if (recall(learning, &name, before, &record)) {
        quality = get_evaluation(learning, &record, final);
        if (is_sound(learning, &record, before)) {
            look_for_snapshot(learning);
            return quality;
        }
    }
    quality = frs_trainer_evaluate(learning->trainer);
    put_evaluation(learning, quality, final);
    add_record(learning, &name);
    return quality;
}

/* The history's name with a word behind it: being asked changes nothing, so it is no event. */
static struct frs_digest name_of_groups(const struct frs_learning *learning) {
    struct frs_digester digester = frs_digester_init();
    struct frs_digest so_far = frs_history_name(&learning->history);
    frs_digester_add(&digester, so_far.bytes, sizeof so_far.bytes);
    frs_digester_add_text(&digester, "groups");
    return frs_digester_finish(&digester);
}

static uint32_t groups_now(const struct frs_setup *setup, uint32_t *groups) {
    uint32_t n_groups;
    const uint32_t *now = setup->learner->groups(setup->model, &n_groups);
    memcpy(groups, now, setup->data->population.n_clients * sizeof *groups);
    return n_groups;
}

uint32_t frs_learning_groups(struct frs_learning *learning, uint32_t *groups) {
    size_t bytes = learning->setup->data->population.n_clients * sizeof *groups;
    struct frs_reader record;
    if (!learning->journal)
        return groups_now(learning->setup, groups);
    add_marks(learning);
    struct frs_digest name = name_of_groups(learning);
    if (recall(learning, &name, learning->history.events.n, &record)) {
        struct frs_archive archive = {.in = &record};
        uint32_t n_groups = frs_reader_u32(&record);
        frs_archive_bytes(&archive, groups, bytes);
        FRS_INVARIANT(!record.failed && record.at == record.n, "a journal's groups are of another length");
        return n_groups;
    }
    uint32_t n_groups = groups_now(learning->setup, groups);
    frs_buffer_put_u32(&learning->scratch, n_groups);
    frs_buffer_put(&learning->scratch, groups, bytes);
    add_record(learning, &name);
    return n_groups;
}

static void save(void *context, struct frs_archive *archive) {
    frs_trainer_archive(context, archive);
}

enum frs_status frs_learning_save(
    struct frs_learning *learning, const char *path, struct frs_errors *errors) {
    FRS_INVARIANT(!learning->recalls, "what is recalled has no state to be saved");
    struct frs_snapshot snapshot = {
        .at = frs_history_name(&learning->history), .save = save, .context = learning->trainer};
    return frs_journal_write(learning->journal, path, false, &snapshot, errors);
}

bool frs_learning_trained(const struct frs_learning *learning) {
    return !learning->recalls;
}

double frs_learning_training_s(const struct frs_learning *learning) {
    return frs_trainer_training_s(learning->trainer);
}

uint64_t frs_learning_updates(const struct frs_learning *learning) {
    return learning->updates;
}
