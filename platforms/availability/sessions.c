#include "platforms/availability/sessions.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_client_and_time(const void *a, const void *b) {
    const struct frs_session_row *left = a, *right = b;
    if (left->client != right->client)
        return left->client < right->client ? -1 : 1;
    double difference = left->session.start_s - right->session.start_s;
    return difference < 0 ? -1 : difference > 0;
}

/* A device is in one state at a time. The rows are sorted. */
static bool check_overlaps(const struct frs_session_rows *rows, const char *path, struct frs_errors *errors) {
    size_t mistakes = 0;
    for (size_t i = 1; i < rows->n && mistakes < FRS_SESSION_MISTAKES; i++) {
        const struct frs_session_row *last = &rows->list[i - 1], *row = &rows->list[i];
        char text[32];
        if (row->client != last->client || row->session.start_s >= last->session.end_s)
            continue;
        mistakes++;
        frs_errors_add(errors, FRS_ERR_INPUT,
            "%s:%zu: client %s has a state from %.15g s on, when that of line %zu has not ended", path,
            row->line, frs_client_ids_name(&rows->ids, row->client, text), row->session.start_s, last->line);
    }
    return mistakes == 0;
}

/* Sorted rows into sessions per client. */
static void collect(struct frs_sessions *sessions, const struct frs_session_rows *rows) {
    sessions->clients = frs_alloc(rows->n, sizeof *sessions->clients);
    sessions->first = frs_alloc(rows->n + 1, sizeof *sessions->first);
    sessions->list = frs_alloc(rows->n, sizeof *sessions->list);
    size_t n = 0;
    for (size_t i = 0; i < rows->n; i++) {
        const struct frs_session_row *row = &rows->list[i];
        if (i == 0 || row->client != rows->list[i - 1].client) {
            sessions->clients[sessions->n_clients] = row->client;
            sessions->first[sessions->n_clients++] = n;
        } else if (row->session.start_s <= sessions->list[n - 1].end_s &&
                   row->session.state == sessions->list[n - 1].state) {
            sessions->list[n - 1].end_s = fmax(sessions->list[n - 1].end_s, row->session.end_s);
            continue;
        }
        sessions->list[n++] = row->session;
    }
    sessions->first[sessions->n_clients] = n;
}

bool frs_sessions_load(struct frs_sessions *sessions, const char *path,
    const struct frs_sessions_format *format, struct frs_errors *errors) {
    struct frs_session_rows rows;
    *sessions = (struct frs_sessions){0};
    bool good = frs_session_rows_read(&rows, path, format, errors);
    if (good) {
        qsort(rows.list, rows.n, sizeof *rows.list, by_client_and_time);
        good = !format->with_states || check_overlaps(&rows, path, errors);
    }
    if (good) {
        collect(sessions, &rows);
        sessions->ids = rows.ids;
        rows.ids = (struct frs_client_ids){0};
        sessions->are_absolute = rows.are_absolute;
        sessions->begin_s = rows.begin_s;
        sessions->n_before = rows.n_before;
    }
    frs_session_rows_fini(&rows);
    return good;
}

struct renumbered {
    uint32_t number;
    size_t from;
};

static int by_number(const void *a, const void *b) {
    const struct renumbered *left = a, *right = b;
    return (left->number > right->number) - (left->number < right->number);
}

void frs_sessions_renumber(struct frs_sessions *sessions, const uint32_t *numbers) {
    struct frs_sessions now = *sessions;
    struct renumbered *order = frs_alloc(sessions->n_clients, sizeof *order);
    now.clients = frs_alloc(sessions->n_clients, sizeof *now.clients);
    now.first = frs_alloc(sessions->n_clients + 1, sizeof *now.first);
    now.list = frs_alloc(sessions->first[sessions->n_clients], sizeof *now.list);
    now.n_clients = 0;
    for (size_t i = 0; i < sessions->n_clients; i++)
        order[i] = (struct renumbered){numbers[i], i};
    qsort(order, sessions->n_clients, sizeof *order, by_number);
    for (size_t i = 0, n = 0; i < sessions->n_clients && order[i].number < UINT32_MAX; i++) {
        size_t from = sessions->first[order[i].from], count = sessions->first[order[i].from + 1] - from;
        memcpy(now.list + n, sessions->list + from, count * sizeof *now.list);
        now.clients[now.n_clients++] = order[i].number;
        n += count;
        now.first[now.n_clients] = n;
    }
    free(sessions->clients);
    free(sessions->first);
    free(sessions->list);
    free(order);
    *sessions = now;
}

void frs_sessions_fini(struct frs_sessions *sessions) {
    free(sessions->clients);
    free(sessions->first);
    free(sessions->list);
    frs_client_ids_fini(&sessions->ids);
    *sessions = (struct frs_sessions){0};
}
