#include "sim/rounds/open_rows.h"
#include "actors/phase_times.h"
#include "sim/base/clock.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

struct frs_books {
    const struct frs_setup *setup;
    struct frs_ledger *ledger;
    struct frs_booking **last; /* [n_clients] */
    struct frs_row *first, **end;
    /* Of rows that were entered: as much memory as the next ones want, which the system would have to clear. */
    struct frs_booking **spare;
    size_t n_spare, spare_capacity;
    double entering_s;
};

struct frs_books *frs_books_create(const struct frs_setup *setup, struct frs_ledger *ledger) {
    struct frs_books *books = frs_alloc(1, sizeof *books);
    *books = (struct frs_books){.setup = setup, .ledger = ledger, .end = &books->first};
    books->last = frs_alloc(setup->training.data->population.n_clients, sizeof *books->last);
    return books;
}

static void free_row(struct frs_books *books, struct frs_row *row) {
    for (size_t i = 0; i < row->n; i++) {
        uint32_t client = row->bookings[i]->p.client;
        if (books->last[client] == row->bookings[i])
            books->last[client] = NULL;
        frs_participation_fini(&row->bookings[i]->p);
        books->spare = frs_grow(books->spare, books->n_spare + 1, &books->spare_capacity, sizeof(void *));
        books->spare[books->n_spare++] = row->bookings[i];
    }
    free(row->bookings);
    free(row);
}

void frs_books_destroy(struct frs_books *books) {
    if (!books)
        return;
    for (struct frs_row *row; (row = books->first); free_row(books, row))
        books->first = row->next;
    while (books->n_spare > 0)
        free(books->spare[--books->n_spare]);
    free(books->spare);
    free(books->last);
    free(books);
}

struct frs_booking *frs_books_add_booking(struct frs_books *books, uint32_t client) {
    struct frs_booking *booking =
        books->n_spare > 0 ? books->spare[--books->n_spare] : frs_alloc(1, sizeof *booking);
    *booking = (struct frs_booking){0};
    booking->p = frs_participation_new(client);
    books->last[client] = booking;
    return booking;
}

struct frs_booking *frs_books_last_booking(const struct frs_books *books, uint32_t client) {
    return books->last[client];
}

struct frs_row *frs_books_add_row(struct frs_books *books) {
    struct frs_row *row = frs_alloc(1, sizeof *row);
    *books->end = row;
    books->end = &row->next;
    return row;
}

void frs_row_add_booking(struct frs_row *row, struct frs_booking *booking) {
    row->bookings = frs_grow(row->bookings, row->n + 1, &row->capacity, sizeof *row->bookings);
    row->bookings[row->n++] = booking;
    booking->row = row;
}

/* In which the radio stays awake behind messages: after the last one, and between two as long as the pause lasts. The client's next
 * participation may cut the last one short, which is not looked at; exchanges around the upload count for none of their own. */
static double tail_s(
    const struct frs_participation *p, const struct frs_phase_times *t, double radio_s, double most_s) {
    if (p->aside || radio_s == 0)
        return 0;
    bool pauses = frs_participation_has_computed(p) && !p->plan.no_download && !p->plan.no_upload;
    double sum_s = most_s + (pauses ? fmin(t->queue_s + t->compute_s, most_s) : 0);
    for (size_t i = 0; i < p->n_breaks; i++)
        if (isfinite(p->breaks[i].again_s))
            sum_s += fmin(p->breaks[i].again_s - p->breaks[i].broke_s, most_s);
    return sum_s;
}

/* Modelled from how long each phase lasted and what crossed. */
double frs_books_energy_j(const struct frs_setup *setup, const struct frs_participation *p) {
    const struct frs_participation_result *result = &p->result;
    struct frs_phase_times t = frs_participation_times(p);
    enum frs_radio radio = frs_network_radio(&setup->network, setup->training.seed, p->client);
    struct frs_exertion exertion = {.compute_s = t.compute_s + t.post_s,
        .radio_s = t.setup_s + t.latency_s + t.down_s + t.up_s,
        .down_bytes =
            (double)(result->down_crossed_bytes + result->resent_down_bytes + result->setup_down_bytes),
        .up_bytes = (double)(result->up_crossed_bytes + result->resent_up_bytes + result->setup_up_bytes)};
    if (setup->network.has_tails)
        exertion.tail_s = tail_s(p, &t, exertion.radio_s, frs_radio_figures(radio)->tail_s);
    return frs_devices_energy_j(&setup->devices, setup->training.seed, p->client, radio, &exertion);
}

void frs_books_settle(struct frs_books *books, struct frs_booking *booking) {
    FRS_INVARIANT(
        booking->row && !booking->settled, "client %u is settled twice, or in no row", booking->p.client);
    booking->settled = true;
    booking->row->n_settled++;
    booking->p.result.energy_j = frs_books_energy_j(books->setup, &booking->p) + booking->aside_energy_j;
}

/* By client, and a client's participations as they came. */
static int by_client(const void *a, const void *b) {
    const struct frs_participation *p = &(*(struct frs_booking *const *)a)->p,
                                   *q = &(*(struct frs_booking *const *)b)->p;
    if (p->client != q->client)
        return (p->client > q->client) - (p->client < q->client);
    return (p->dates.selected_s > q->dates.selected_s) - (p->dates.selected_s < q->dates.selected_s);
}

static void enter(struct frs_books *books, struct frs_row *row) {
    const struct frs_participation **list = frs_alloc(row->n, sizeof *list);
    if (row->n > 0) /* an empty round has none */
        qsort(row->bookings, row->n, sizeof *row->bookings, by_client);
    for (size_t i = 0; i < row->n; i++)
        list[i] = &row->bookings[i]->p;
    row->closed.list = list;
    row->closed.n = row->n;
    frs_ledger_close_round(books->ledger, &row->closed);
    free(list);
}

double frs_books_entering_s(const struct frs_books *books) {
    return books->entering_s;
}

void frs_books_enter(struct frs_books *books) {
    double began_s = frs_cpu_s();
    for (struct frs_row *row;
         (row = books->first) && row->is_closed && !row->is_held && row->n_settled == row->n;) {
        books->first = row->next;
        if (!row->next)
            books->end = &books->first;
        if (row->n > 0 || row->is_empty)
            enter(books, row);
        free_row(books, row);
    }
    books->entering_s += frs_cpu_s() - began_s;
}
