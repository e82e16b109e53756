/* Sessions that were measured or made elsewhere, from a file (platforms/availability/sessions.h). */
#include "platforms/availability/availability.h"
#include "platforms/availability/sessions.h"
#include "sim/base/memory.h"
#include "sim/base/settings/path.h"

#include <math.h>
#include <stdlib.h>

/* As short as a session. */
#define LEAST_PERIOD_S 1e-3

#define DAY_S 86400.0

enum clients { CLIENTS_EXACT, CLIENTS_CYCLE };

static const char *const clients_names[] = {[CLIENTS_EXACT] = "exact", [CLIENTS_CYCLE] = "cycle", NULL};

struct trace {
    struct frs_sessions sessions;
    enum clients clients;
    double period_s; /* INFINITY: the trace does not repeat */
    uint64_t seed;
    uint32_t (*number)(const void *fleet, uint64_t seed, uint32_t client); /* NULL: a client's own */
    const void *fleet;
};

static const struct frs_param params[] = {
    {.key = "file",
        .type = FRS_TEXT,
        .initial = "",
        .help = "path of a CSV file with lines client,start_s,end_s"},
    {.key = "clients",
        .type = FRS_CHOICE,
        .choices = clients_names,
        .initial = "exact",
        .help = "exact: client i has the sessions of client i of the file, or none (where clients are drawn "
                "from a table with a column client: those of its row's client); cycle: the i-th client of "
                "the file, counted round and round"},
    {.key = "period",
        .type = FRS_QUANTITY,
        .by_class = true,
        .dimension = FRS_TIME,
        .initial = "0 s",
        .min = 0,
        .max = INFINITY,
        .help =
            "the trace starts again after this time; 0 s: it does not, and all clients are offline after it"},
    {0},
};

static bool create(const struct frs_values *values, uint32_t n_clients, uint64_t seed, void **state,
    struct frs_errors *errors) {
    (void)n_clients;
    *state = NULL;
    struct trace trace = {.clients = (enum clients)frs_values_choice(values, "clients"),
        .seed = seed,
        .period_s = frs_values_real(values, "period")};
    if (trace.period_s > 0 && trace.period_s < LEAST_PERIOD_S) {
        frs_values_error(
            values, "period", errors, "is too short; allowed: 0 s, or at least %g s", LEAST_PERIOD_S);
        return false;
    }
    if (!(trace.period_s > 0))
        trace.period_s = INFINITY;
    const char *path = frs_values_file(values, "file", errors);
    if (!path)
        return false;
    if (!*path) {
        frs_values_error(values, "file", errors, "is missing; a trace is read from a file");
        return false;
    }
    if (!frs_sessions_load(&trace.sessions, path, trace.period_s, errors))
        return false;
    struct trace *kept = frs_alloc(1, sizeof *kept);
    *kept = trace;
    *state = kept;
    return true;
}

static void destroy(void *state) {
    frs_sessions_fini(&((struct trace *)state)->sessions);
    free(state);
}

static void tie_to_fleet(
    void *state, uint32_t (*number)(const void *fleet, uint64_t seed, uint32_t client), const void *fleet) {
    struct trace *trace = state;
    trace->number = number;
    trace->fleet = fleet;
}

/* The sessions of one client: list[n]. */
static const struct frs_session *sessions_of(const struct trace *trace, uint32_t client, size_t *n) {
    const struct frs_sessions *all = &trace->sessions;
    size_t low = 0, high = all->n_clients; /* of the last id ≤ client */
    if (trace->clients == CLIENTS_CYCLE) {
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
    bool known = trace->clients == CLIENTS_CYCLE || all->clients[low] == client;
    *n = known ? all->first[low + 1] - all->first[low] : 0;
    return all->list + all->first[low];
}

/* A time of the trace in its k-th repetition. Every comparison goes through this function, and no time passes
 * the start of the next repetition, so rounding cannot make `until` miss the change it announces. */
static double time(const struct trace *trace, double k, double within_s) {
    if (isinf(trace->period_s))
        return within_s;
    return fmin(k * trace->period_s + within_s, (k + 1) * trace->period_s);
}

/* The end of the uninterrupted time online that contains session i of repetition k; INFINITY: no end. */
static double end_of_run(
    const struct trace *trace, const struct frs_session *list, size_t n, size_t i, double k) {
    double end_s = time(trace, k, list[i].end_s);
    if (isinf(trace->period_s))
        return end_s;
    for (size_t seen = 0; seen < n; seen++) {
        if (++i == n) {
            i = 0;
            k++;
        }
        if (time(trace, k, list[i].start_s) > end_s)
            return end_s;
        end_s = fmax(end_s, time(trace, k, list[i].end_s));
    }
    return INFINITY; /* one session touches the next all the way round */
}

static bool at(
    const void *state, uint32_t client, uint32_t round, uint32_t attempt, double t_s, double *until_s) {
    (void)round, (void)attempt;
    const struct trace *trace = state;
    size_t n;
    const struct frs_session *list = sessions_of(trace, client, &n);
    *until_s = INFINITY;
    if (n == 0)
        return false;
    double k = 0;
    if (!isinf(trace->period_s)) {
        k = floor(t_s / trace->period_s);
        if ((k + 1) * trace->period_s <= t_s)
            k++;
        if (k * trace->period_s > t_s)
            k--;
    }
    size_t low = 0, high = n; /* `high`: the first session of this repetition that starts after t_s */
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (time(trace, k, list[middle].start_s) <= t_s)
            low = middle + 1;
        else
            high = middle;
    }
    if (high > 0 && t_s < time(trace, k, list[high - 1].end_s)) {
        *until_s = end_of_run(trace, list, n, high - 1, k);
        return true;
    }
    for (size_t seen = 0; seen < n; seen++, high++) {
        if (high == n) {
            if (isinf(trace->period_s))
                return false;
            high = 0;
            k++;
        }
        double start_s = time(trace, k, list[high].start_s);
        if (start_s <
            time(trace, k, list[high].end_s)) { /* late repetitions may round a tiny session to nothing */
            *until_s = start_s;
            return false;
        }
    }
    return false;
}

/* How long the trace is: its period, or until its last session ends. */
static double length_s(const struct trace *trace) {
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

/* A trace of less than a day is a day by itself; of a longer one its whole days count. The clients that share
 * the sessions of one of the file are added at once. */
static void average_day(const void *state, const uint32_t *clients, size_t n, struct frs_average_day *day) {
    const struct trace *trace = state;
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
            if (n_days >= 1)
                add_session(&all->list[k], n_days, clients_of[i], day);
            else
                frs_average_day_add(day, all->list[k].start_s, all->list[k].end_s, clients_of[i]);
    free(clients_of);
}

const struct frs_availability_model frs_availability_trace = {
    .plugin = {.name = "trace", .summary = "sessions from a file", .params = params},
    .create = create,
    .destroy = destroy,
    .at = at,
    .tie_to_fleet = tie_to_fleet,
    .average_day = average_day,
};
