#include "platforms/availability/session_trace.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/base/settings/path.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <time.h>

/* As short as a session. */
#define LEAST_PERIOD_S 1e-3

#define DAY_S 86400.0

enum { CLIENTS_EXACT, CLIENTS_CYCLE };

const char *const frs_trace_clients_names[] = {[CLIENTS_EXACT] = "exact", [CLIENTS_CYCLE] = "cycle", NULL};

bool frs_session_trace_read(struct frs_session_trace *trace, const struct frs_values *values, uint64_t seed,
    bool with_states, struct frs_errors *errors) {
    *trace = (struct frs_session_trace){.cycles = frs_values_choice(values, "clients") == CLIENTS_CYCLE,
        .seed = seed,
        .period_s = frs_values_real(values, "period")};
    if (trace->period_s > 0 && trace->period_s < LEAST_PERIOD_S) {
        frs_values_error(
            values, "period", errors, "is too short; allowed: 0 s, or at least %g s", LEAST_PERIOD_S);
        return false;
    }
    if (!(trace->period_s > 0))
        trace->period_s = INFINITY;
    const char *path = frs_values_file(values, "file", errors);
    if (!path)
        return false;
    if (!*path) {
        frs_values_error(values, "file", errors, "is missing; a trace is read from a file");
        return false;
    }
    struct frs_sessions_format format = {
        .with_states = with_states, .begin = frs_values_text(values, "begin"), .latest_s = trace->period_s};
    if (!frs_sessions_load(&trace->sessions, path, &format, errors))
        return false;
    trace->path = frs_strdup(path);
    return true;
}

void frs_session_trace_fini(struct frs_session_trace *trace) {
    free(trace->path);
    frs_sessions_fini(&trace->sessions);
}

/* The sessions of one client: list[n]. */
static const struct frs_session *sessions_of(
    const struct frs_session_trace *trace, uint32_t client, size_t *n) {
    const struct frs_sessions *all = &trace->sessions;
    size_t low = 0, high = all->n_clients; /* of the last id ≤ client */
    if (trace->cycles) {
        low = client % all->n_clients;
    } else {
        client = trace->number ? trace->number(trace->fleet, trace->seed, client) : client;
        while (high - low > 1) {
            size_t middle = (low + high) / 2;
            if (all->clients[middle] <= client)
                low = middle;
            else
                high = middle;
        }
    }
    bool known = trace->cycles || all->clients[low] == client;
    *n = known ? all->first[low + 1] - all->first[low] : 0;
    return all->list + all->first[low];
}

/* The clients of the file by the numbers of the fleet that names them, or an error. */
static bool take_fleet_numbers(struct frs_session_trace *trace, const struct frs_values *values,
    const struct frs_file_clients *clients, struct frs_errors *errors) {
    struct frs_sessions *all = &trace->sessions;
    const char *foreign = NULL;
    uint32_t *numbers = frs_alloc(all->n_clients, sizeof *numbers);
    for (size_t i = 0; i < all->n_clients; i++) {
        const char *name = all->ids.texts[all->clients[i]];
        numbers[i] = frs_client_ids_find(clients->ids, name);
        trace->n_foreign += numbers[i] == UINT32_MAX;
        foreign = numbers[i] == UINT32_MAX && !foreign ? name : foreign;
    }
    bool ok = !foreign || (clients->may_lack && trace->n_foreign < all->n_clients);
    char shown[64];
    if (ok)
        frs_sessions_renumber(all, numbers);
    else
        frs_values_error(values, "file", errors,
            "has sessions of client \"%s\", which %s does not have (%zu of %zu)",
            frs_text_line(foreign, shown, sizeof shown), clients->fleet, trace->n_foreign, all->n_clients);
    free(numbers);
    return ok;
}

bool frs_session_trace_settle(struct frs_session_trace *trace, const struct frs_values *values,
    const struct frs_file_clients *clients, struct frs_errors *errors) {
    const struct frs_sessions *all = &trace->sessions;
    uint32_t last = all->clients[all->n_clients - 1];
    bool fleet_has_texts = clients->ids && clients->ids->are_texts;
    if (trace->cycles)
        return true;
    if (all->ids.are_texts && fleet_has_texts)
        return take_fleet_numbers(trace, values, clients, errors);
    if (all->ids.are_texts) {
        frs_values_error(values, "file", errors,
            "names its clients by texts, and the run has clients 0 to %u; allowed: availability.clients = "
            "\"cycle\", or a fleet whose column client has these ids",
            clients->n - 1);
        return false;
    }
    if (fleet_has_texts) {
        frs_values_error(values, "file", errors,
            "numbers its clients, and %s names them by texts; allowed: the same ids in both, or "
            "availability.clients = \"cycle\"",
            clients->fleet);
        return false;
    }
    if (last < clients->n || clients->may_lack)
        return true;
    frs_values_error(values, "file", errors, "has sessions of client %u, but clients are 0 to %u%s", last,
        clients->n - 1,
        all->clients[0] == 1 && last == clients->n ? "; ids that begin at 1 are those of others; allowed: "
                                                     "ids from 0 on, or availability.clients = \"cycle\""
                                                   : "; allowed: availability.clients = \"cycle\"");
    return false;
}

/* Adds a part to the text, and takes that part. */
static char *add_part(char *text, char *part) {
    char *longer = frs_format("%s; %s", text, part);
    free(text);
    free(part);
    return longer;
}

static char *date_of(double time_s) {
    time_t whole = (time_t)floor(time_s);
    struct tm day;
    char date[64] = "";
    if (gmtime_r(&whole, &day))
        strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%SZ", &day);
    return frs_format("the run begins at its %s", date);
}

char *frs_session_trace_note(const struct frs_session_trace *trace, uint32_t n_clients) {
    const struct frs_sessions *all = &trace->sessions;
    size_t lacking = 0, n;
    for (uint32_t client = 0; client < n_clients; client++) {
        sessions_of(trace, client, &n);
        lacking += n == 0;
    }
    char *text = frs_format("%s: %zu client%s", trace->path, all->n_clients, all->n_clients == 1 ? "" : "s");
    if (lacking > 0)
        text = add_part(
            text, frs_format("%zu of the run's %u %s no session, and no server ever reaches %s", lacking,
                      n_clients, lacking == 1 ? "has" : "have", lacking == 1 ? "it" : "them"));
    if (trace->n_foreign > 0)
        text = add_part(text, frs_format("%zu others are none of the fleet's", trace->n_foreign));
    if (all->are_absolute)
        text = add_part(text, date_of(all->begin_s));
    if (all->n_before > 0)
        text = add_part(text,
            frs_format("%zu line%s end before the run begins", all->n_before, all->n_before == 1 ? "" : "s"));
    return text;
}

/* Returns a time of the trace in its k-th repetition. Every comparison uses this function, and no time
 * passes the start of the next repetition, so rounding cannot make `until` miss the change it announces. */
static double time_of(const struct frs_session_trace *trace, double k, double within_s) {
    if (isinf(trace->period_s))
        return within_s;
    return fmin(k * trace->period_s + within_s, (k + 1) * trace->period_s);
}

/* A walk from one time without a change to the next; sessions and gaps between them are such times. */
struct walk {
    const struct frs_session_trace *trace;
    const struct frs_session *list, *session; /* NULL: a gap */
    size_t n, next;                           /* the session that begins next, */
    double k;                                 /* in this repetition */
    double end_s;                             /* of the session or gap */
};

/* To what follows the present one. Late repetitions may round a tiny session to nothing. */
static void step(struct walk *walk) {
    const struct frs_session_trace *trace = walk->trace;
    double from_s = walk->end_s;
    walk->session = NULL;
    for (size_t seen = 0; seen <= walk->n; seen++, walk->next++) {
        if (walk->next == walk->n) {
            if (isinf(trace->period_s))
                break;
            walk->next = 0;
            walk->k++;
        }
        const struct frs_session *session = &walk->list[walk->next];
        double start_s = time_of(trace, walk->k, session->start_s),
               end_s = time_of(trace, walk->k, session->end_s);
        if (start_s >= end_s)
            continue;
        walk->end_s = start_s > from_s ? start_s : end_s;
        if (start_s <= from_s) {
            walk->session = session;
            walk->next++;
        }
        return;
    }
    walk->end_s = INFINITY;
}

/* At a time of this repetition. */
static void start(struct walk *walk, double t_s) {
    size_t low = 0, high = walk->n; /* `high`: the first session of this repetition that starts after t_s */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (time_of(walk->trace, walk->k, walk->list[middle].start_s) <= t_s)
            low = middle + 1;
        else
            high = middle;
    }
    walk->next = high;
    const struct frs_session *last = high > 0 ? &walk->list[high - 1] : NULL;
    if (last && t_s < time_of(walk->trace, walk->k, last->end_s)) {
        walk->session = last;
        walk->end_s = time_of(walk->trace, walk->k, last->end_s);
        return;
    }
    walk->end_s = t_s;
    step(walk);
}

static bool is_in(const struct walk *walk, uint32_t states) {
    return states >> (walk->session ? walk->session->state : 0) & 1;
}

const struct frs_session *frs_session_trace_at(const struct frs_session_trace *trace, uint32_t client,
    uint32_t states, double t_s, bool *in, double *until_s) {
    struct walk walk = {.trace = trace};
    walk.list = sessions_of(trace, client, &walk.n);
    if (!isinf(trace->period_s)) {
        walk.k = floor(t_s / trace->period_s);
        if ((walk.k + 1) * trace->period_s <= t_s)
            walk.k++;
        if (walk.k * trace->period_s > t_s)
            walk.k--;
    }
    start(&walk, t_s);
    const struct frs_session *session = walk.session;
    *in = is_in(&walk, states);
    for (size_t seen = 0; seen <= 2 * walk.n && walk.end_s < INFINITY; seen++) {
        double end_s = walk.end_s;
        step(&walk);
        if (is_in(&walk, states) != *in) {
            *until_s = end_s;
            return session;
        }
    }
    *until_s = INFINITY; /* all the way round */
    return session;
}

/* How long the trace is: its period, or until its last session ends. */
static double length_s(const struct frs_session_trace *trace) {
    const struct frs_sessions *all = &trace->sessions;
    double last_s = 0;
    for (size_t i = 0; i < all->first[all->n_clients]; i++)
        last_s = fmax(last_s, all->list[i].end_s);
    return isinf(trace->period_s) ? last_s : trace->period_s;
}

/* One session that so many clients have, over the whole days of a trace: each day has its part of it. */
static void add_session(
    const struct frs_session *session, double n_days, double clients, struct frs_average_day *day) {
    for (double i = floor(session->start_s / DAY_S); i < n_days && i * DAY_S < session->end_s; i++)
        frs_average_day_add(day, fmax(session->start_s - i * DAY_S, 0),
            fmin(session->end_s - i * DAY_S, DAY_S), clients / n_days);
}

/* The clients that share the sessions of one of the file are added at once. */
void frs_session_trace_average(const struct frs_session_trace *trace, uint32_t states,
    const uint32_t *clients, size_t n, struct frs_average_day *day) {
    const struct frs_sessions *all = &trace->sessions;
    double *clients_of = frs_alloc(all->n_clients, sizeof *clients_of),
           n_days = floor(length_s(trace) / DAY_S);
    for (size_t i = 0; i < n; i++) {
        size_t n_sessions;
        const struct frs_session *list = sessions_of(trace, clients[i], &n_sessions);
        size_t low = 0, high = all->n_clients, first = (size_t)(list - all->list);
        while (n_sessions > 0 && high - low > 1) {
            size_t middle = (low + high) / 2;
            *(all->first[middle] <= first ? &low : &high) = middle;
        }
        clients_of[low] += n_sessions > 0;
    }
    for (size_t i = 0; i < all->n_clients; i++)
        for (size_t k = all->first[i]; clients_of[i] > 0 && k < all->first[i + 1]; k++)
            if (!(states >> all->list[k].state & 1))
                continue;
            else if (n_days >= 1)
                add_session(&all->list[k], n_days, clients_of[i], day);
            else
                frs_average_day_add(day, all->list[k].start_s, all->list[k].end_s, clients_of[i]);
    free(clients_of);
}
