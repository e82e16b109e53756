#include "sim/journal/history.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* What a history consists of, as it is kept and as it enters the digest. */
enum event {
    EVENT_OPEN,         /* round, attempt, n, then per client its id, budget, whether it trains, and waits */
    EVENT_MARKS,        /* n, then handles, then marks */
    EVENT_TRUNCATE,     /* n, then handles, then epochs */
    EVENT_CLOSE,        /* whether it is kept, n, then handles of arrivals; or 2, and a mixing plan */
    EVENT_DROP,         /* n, then handles */
    EVENT_EVALUATE,     /* whether it is the final one */
    EVENT_ALONE,        /* round, attempt, n, then clients */
    EVENT_TRAIN,        /* the handle of a participation that waited */
    EVENT_PUBLISH,      /* n, then clients */
    EVENT_DELIVER,      /* n, then handles */
    EVENT_EXCHANGE,     /* n, then layer, sender and receiver of what was not heard */
    EVENT_OPEN_AT_EDGE, /* n and handles of what an edge has aggregated, then as EVENT_OPEN */
};

#define MIXES 2

struct frs_history frs_history_begin(const struct frs_digest *training, bool keeps) {
    struct frs_history history = {.digester = frs_digester_init(), .keeps = keeps};
    frs_digester_add(&history.digester, training, sizeof *training);
    return history;
}

void frs_history_fini(struct frs_history *history) {
    frs_buffer_fini(&history->events);
    frs_buffer_fini(&history->scratch);
}

struct frs_digest frs_history_name(const struct frs_history *history) {
    struct frs_digester copy = history->digester;
    return frs_digester_finish(&copy);
}

/* Marks of a member. Its known outcome follows from the events after this one, so it is kept with the
 * event and does not enter the digest. */
enum { TRAINS = 1, WAITS = 2, OUTCOME_SHIFT = 2 };

/* ---- events ---------------------------------------------------------------------------------- */

static struct frs_buffer *begin_event(struct frs_history *history, enum event event) {
    frs_buffer_reset(&history->scratch);
    frs_buffer_put_u8(&history->scratch, (uint8_t)event);
    return &history->scratch;
}

static void name_event(struct frs_history *history) {
    frs_digester_add(&history->digester, history->scratch.bytes, history->scratch.n);
}

static void keep_event(struct frs_history *history) {
    if (history->keeps)
        frs_buffer_put(&history->events, history->scratch.bytes, history->scratch.n);
}

static void end_event(struct frs_history *history) {
    name_event(history);
    keep_event(history);
}

static void put_handles(struct frs_buffer *event, const size_t *handles, size_t n) {
    frs_buffer_put_u64(event, n);
    for (size_t i = 0; i < n; i++)
        frs_buffer_put_u64(event, handles[i]);
}

static void put_opening(struct frs_history *history, const struct frs_cohort *cohort, bool with_outcomes) {
    bool at_edge = cohort->n_aggregated > 0;
    struct frs_buffer *event = begin_event(history, at_edge ? EVENT_OPEN_AT_EDGE : EVENT_OPEN);
    if (at_edge)
        put_handles(event, cohort->aggregated, cohort->n_aggregated);
    frs_buffer_put_u32(event, cohort->round);
    frs_buffer_put_u32(event, cohort->attempt);
    frs_buffer_put_u64(event, cohort->n);
    for (size_t i = 0; i < cohort->n; i++) {
        const struct frs_member *member = cohort->members[i];
        unsigned known_outcome = with_outcomes ? member->known_outcome : FRS_KNOWN_OPEN;
        frs_buffer_put_u32(event, member->client);
        frs_buffer_put_u32(event, member->budget);
        frs_buffer_put_u8(event, (uint8_t)((member->trains ? TRAINS : 0) | (member->waits ? WAITS : 0) |
                                           known_outcome << OUTCOME_SHIFT));
    }
}

void frs_history_open(struct frs_history *history, const struct frs_cohort *cohort) {
    put_opening(history, cohort, false);
    name_event(history);
    if (history->keeps) {
        put_opening(history, cohort, true);
        keep_event(history);
    }
}

void frs_history_marks(struct frs_history *history, const size_t *handles, const uint8_t *marks, size_t n) {
    struct frs_buffer *event = begin_event(history, EVENT_MARKS);
    put_handles(event, handles, n);
    frs_buffer_put(event, marks, n);
    end_event(history);
}

void frs_history_truncate(
    struct frs_history *history, const size_t *handles, const uint32_t *epochs, size_t n) {
    struct frs_buffer *event = begin_event(history, EVENT_TRUNCATE);
    put_handles(event, handles, n);
    for (size_t i = 0; i < n; i++)
        frs_buffer_put_u32(event, epochs[i]);
    end_event(history);
}

void frs_history_local_only(struct frs_history *history, const struct frs_local_only *local_only) {
    struct frs_buffer *event = begin_event(history, EVENT_ALONE);
    frs_buffer_put_u32(event, local_only->round);
    frs_buffer_put_u32(event, local_only->attempt);
    frs_buffer_put_u64(event, local_only->n);
    for (size_t i = 0; i < local_only->n; i++)
        frs_buffer_put_u32(event, local_only->clients[i]);
    end_event(history);
}

void frs_history_train(struct frs_history *history, size_t handle) {
    frs_buffer_put_u64(begin_event(history, EVENT_TRAIN), handle);
    end_event(history);
}

static void put_mixing(struct frs_buffer *event, const struct frs_mixing_plan *plan) {
    put_handles(event, plan->handles, plan->n);
    for (size_t i = 0; i <= plan->n; i++)
        frs_buffer_put_u64(event, plan->start[i]);
    for (size_t i = 0; i < plan->start[plan->n]; i++) {
        uint64_t weight;
        memcpy(&weight, &plan->weights[i], sizeof weight);
        frs_buffer_put_u32(event, plan->of[i]);
        frs_buffer_put_u64(event, weight);
    }
}

void frs_history_close(struct frs_history *history, const struct frs_arrivals *arrivals) {
    struct frs_buffer *event = begin_event(history, EVENT_CLOSE);
    if (arrivals && arrivals->mixing) {
        frs_buffer_put_u8(event, MIXES);
        put_mixing(event, arrivals->mixing);
        end_event(history);
        return;
    }
    frs_buffer_put_u8(event, arrivals != NULL);
    put_handles(event, arrivals ? arrivals->handles : NULL, arrivals ? arrivals->n : 0);
    end_event(history);
}

void frs_history_exchange(struct frs_history *history, const struct frs_unheard *unheard, size_t n) {
    struct frs_buffer *event = begin_event(history, EVENT_EXCHANGE);
    frs_buffer_put_u64(event, n);
    for (size_t i = 0; i < n; i++) {
        frs_buffer_put_u32(event, unheard[i].layer);
        frs_buffer_put_u32(event, unheard[i].from);
        frs_buffer_put_u32(event, unheard[i].to);
    }
    end_event(history);
}

void frs_history_drop(struct frs_history *history, const size_t *handles, size_t n) {
    put_handles(begin_event(history, EVENT_DROP), handles, n);
    end_event(history);
}

void frs_history_publish(struct frs_history *history, const uint32_t *clients, size_t n) {
    struct frs_buffer *event = begin_event(history, EVENT_PUBLISH);
    frs_buffer_put_u64(event, n);
    for (size_t i = 0; i < n; i++)
        frs_buffer_put_u32(event, clients[i]);
    end_event(history);
}

void frs_history_deliver(struct frs_history *history, const size_t *handles, size_t n) {
    put_handles(begin_event(history, EVENT_DELIVER), handles, n);
    end_event(history);
}

void frs_history_evaluate(struct frs_history *history, bool final) {
    frs_buffer_put_u8(begin_event(history, EVENT_EVALUATE), final);
    end_event(history);
}

/* ---- repeating ------------------------------------------------------------------------------- */

static size_t *get_handles(struct frs_reader *in, size_t *n) {
    *n = frs_reader_u64(in);
    size_t *handles = frs_alloc(*n + 1, sizeof *handles);
    for (size_t i = 0; i < *n; i++)
        handles[i] = frs_reader_u64(in);
    return handles;
}

static void repeat_open(struct frs_trainer *trainer, struct frs_reader *in, bool at_edge) {
    size_t n_aggregated = 0, *aggregated = at_edge ? get_handles(in, &n_aggregated) : NULL;
    struct frs_cohort cohort = {
        .round = frs_reader_u32(in), .aggregated = aggregated, .n_aggregated = n_aggregated};
    cohort.attempt = frs_reader_u32(in);
    cohort.n = frs_reader_u64(in);
    struct frs_member *members = frs_alloc(cohort.n, sizeof *members),
                      **pointers = frs_alloc(cohort.n, sizeof *pointers);
    cohort.members = pointers;
    double encode_flop;
    for (size_t i = 0; i < cohort.n; i++) {
        struct frs_member *member = pointers[i] = &members[i];
        member->client = frs_reader_u32(in);
        member->budget = frs_reader_u32(in);
        uint8_t flags = frs_reader_u8(in);
        member->trains = flags & TRAINS;
        member->waits = flags & WAITS;
        member->known_outcome = (enum frs_known_outcome)(flags >> OUTCOME_SHIFT);
    }
    frs_trainer_open(trainer, &cohort, &encode_flop);
    free(aggregated);
    free(pointers);
    free(members);
}

/* Downloading and committing twice is like once: marks are told whole. */
static void repeat_marks(struct frs_trainer *trainer, struct frs_reader *in) {
    size_t n, *handles = get_handles(in, &n);
    for (size_t i = 0; i < n; i++) {
        struct frs_usage ignored;
        uint8_t marks = frs_reader_u8(in);
        if (marks & FRS_RECEIVED)
            frs_trainer_received(trainer, handles[i]);
        if (marks & FRS_COMMITTED) {
            frs_trainer_result(trainer, handles[i], &ignored);
            frs_trainer_commit(trainer, handles[i]);
        }
    }
    free(handles);
}

static void repeat_truncate(struct frs_trainer *trainer, struct frs_reader *in) {
    size_t n, *handles = get_handles(in, &n);
    uint32_t *epochs = frs_alloc(n + 1, sizeof *epochs);
    for (size_t i = 0; i < n; i++)
        epochs[i] = frs_reader_u32(in);
    frs_trainer_truncate(trainer, handles, epochs, n);
    free(handles);
    free(epochs);
}

static void repeat_alone(struct frs_trainer *trainer, struct frs_reader *in) {
    struct frs_local_only local_only = {.round = frs_reader_u32(in)};
    struct frs_usage ignored;
    local_only.attempt = frs_reader_u32(in);
    local_only.n = frs_reader_u64(in);
    uint32_t *clients = frs_alloc(local_only.n + 1, sizeof *clients);
    for (size_t i = 0; i < local_only.n; i++)
        clients[i] = frs_reader_u32(in);
    local_only.clients = clients;
    frs_trainer_local_only(trainer, &local_only, &ignored);
    free(clients);
}

static void repeat_mixing(struct frs_trainer *trainer, struct frs_reader *in) {
    struct frs_mixing_plan plan = {0};
    size_t *handles = get_handles(in, &plan.n), *start = frs_alloc(plan.n + 1, sizeof *start);
    for (size_t i = 0; i <= plan.n; i++)
        start[i] = frs_reader_u64(in);
    uint32_t *of = frs_alloc(start[plan.n], sizeof *of);
    double *weights = frs_alloc(start[plan.n], sizeof *weights);
    for (size_t i = 0; i < start[plan.n]; i++) {
        of[i] = frs_reader_u32(in);
        uint64_t weight = frs_reader_u64(in);
        memcpy(&weights[i], &weight, sizeof weight);
    }
    plan.handles = handles;
    plan.start = start;
    plan.of = of;
    plan.weights = weights;
    (void)frs_trainer_close(trainer, &(struct frs_arrivals){.mixing = &plan});
    free(handles);
    free(start);
    free(of);
    free(weights);
}

static void repeat_close(struct frs_trainer *trainer, struct frs_reader *in) {
    uint8_t kept = frs_reader_u8(in);
    struct frs_arrivals arrivals = {0};
    if (kept == MIXES) {
        repeat_mixing(trainer, in);
        return;
    }
    size_t *handles = get_handles(in, &arrivals.n);
    arrivals.handles = handles;
    (void)frs_trainer_close(trainer, kept ? &arrivals : NULL);
    free(handles);
}

static void repeat_drop(struct frs_trainer *trainer, struct frs_reader *in) {
    size_t n, *handles = get_handles(in, &n);
    for (size_t i = 0; i < n; i++)
        frs_trainer_drop(trainer, handles[i]);
    free(handles);
}

static void repeat_publish(struct frs_trainer *trainer, struct frs_reader *in) {
    size_t n = frs_reader_u64(in);
    uint32_t *clients = frs_alloc(n + 1, sizeof *clients);
    double encode_flop;
    for (size_t i = 0; i < n; i++)
        clients[i] = frs_reader_u32(in);
    (void)frs_trainer_publish(trainer, clients, n, &encode_flop);
    free(clients);
}

static void repeat_exchange(struct frs_trainer *trainer, struct frs_reader *in) {
    size_t n = frs_reader_u64(in);
    struct frs_unheard *unheard = frs_alloc(n + 1, sizeof *unheard);
    for (size_t i = 0; i < n; i++) {
        unheard[i].layer = frs_reader_u32(in);
        unheard[i].from = frs_reader_u32(in);
        unheard[i].to = frs_reader_u32(in);
    }
    frs_trainer_exchange(trainer, unheard, n);
    free(unheard);
}

static void repeat_deliver(struct frs_trainer *trainer, struct frs_reader *in) {
    size_t n, *handles = get_handles(in, &n);
    for (size_t i = 0; i < n; i++)
        frs_trainer_delivered(trainer, handles[i]);
    free(handles);
}

void frs_history_repeat(struct frs_history *history, size_t from, size_t to, struct frs_trainer *trainer,
    bool evaluations_matter) {
    struct frs_reader in = frs_reader_init(history->events.bytes, to);
    in.at = from;
    while (in.at < in.n) {
        switch ((enum event)frs_reader_u8(&in)) {
        case EVENT_OPEN:
            repeat_open(trainer, &in, false);
            break;
        case EVENT_OPEN_AT_EDGE:
            repeat_open(trainer, &in, true);
            break;
        case EVENT_MARKS:
            repeat_marks(trainer, &in);
            break;
        case EVENT_TRUNCATE:
            repeat_truncate(trainer, &in);
            break;
        case EVENT_TRAIN:
            frs_trainer_train(trainer, frs_reader_u64(&in));
            break;
        case EVENT_CLOSE:
            repeat_close(trainer, &in);
            break;
        case EVENT_DROP:
            repeat_drop(trainer, &in);
            break;
        case EVENT_PUBLISH:
            repeat_publish(trainer, &in);
            break;
        case EVENT_EXCHANGE:
            repeat_exchange(trainer, &in);
            break;
        case EVENT_DELIVER:
            repeat_deliver(trainer, &in);
            break;
        case EVENT_ALONE:
            repeat_alone(trainer, &in);
            break;
        case EVENT_EVALUATE:
            (void)frs_reader_u8(&in);
            if (evaluations_matter)
                (void)frs_trainer_evaluate(trainer);
            break;
        }
    }
    history->keeps = false;
    frs_buffer_fini(&history->events);
}
