#include "platforms/availability/sessions.h"
#include "sim/base/decimal.h"
#include "sim/base/errors.h"
#include "sim/base/files/input.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"
#include "sim/base/settings/units.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEADER "client,start_s,end_s"
#define STATES_HEADER HEADER ",link,charging,in_use"

/* Nothing can be sent within less. */
#define LEAST_SESSION_S 1e-3

enum { MOST_ERRORS = 5 };

struct row {
    uint32_t client;
    struct frs_session session;
    size_t line;
};

struct rows {
    struct row *list;
    size_t n, capacity;
    bool with_states;
};

unsigned frs_session_state(const struct frs_device_state *state) {
    return 4 * (unsigned)state->link + 2u * state->charging + state->in_use;
}

struct frs_device_state frs_session_device(unsigned state) {
    return (struct frs_device_state){
        .link = (enum frs_device_link)(state / 4), .charging = state / 2 % 2, .in_use = state % 2};
}

/* ---- one line -------------------------------------------------------------------------------- */

/* The number at the start of *text, with blanks around it; *text moves behind it. */
static bool read_number(const char **text, double *number) {
    const char *from = *text + strspn(*text, " \t");
    char *end;
    *number = frs_decimal_read(from, 1, 0, &end);
    if (end == from || !isfinite(*number))
        return false;
    *text = end + strspn(end, " \t");
    return true;
}

/* The field at the start of *text, which is one of `names`; *text moves behind it and a comma. */
static bool read_name(const char **text, const char *const *names, unsigned *i) {
    const char *from = *text + strspn(*text, " \t");
    size_t n = strcspn(from, ", \t");
    for (*i = 0; names[*i]; ++*i)
        if (strlen(names[*i]) == n && strncmp(names[*i], from, n) == 0)
            break;
    from += n + strspn(from + n, " \t");
    *text = *from == ',' ? from + 1 : from;
    return names[*i] && (*from == ',' || !*from);
}

/* NULL, or what is wrong with the fields of a state, which end the line. */
static const char *read_state(const char *text, unsigned *state) {
    static const char *const flags[] = {"0", "1", NULL};
    unsigned link, charging, in_use;
    if (!read_name(&text, frs_device_link_names, &link))
        return "has a link that is not wifi, metered or off";
    if (!read_name(&text, flags, &charging) || !read_name(&text, flags, &in_use) || *text)
        return "does not end in charging,in_use with 0 or 1 each";
    *state = frs_session_state(&(struct frs_device_state){
        .link = (enum frs_device_link)link, .charging = charging, .in_use = in_use});
    return NULL;
}

/* NULL, or what is wrong with the line. */
static const char *read_row(const char *line, bool with_states, double latest_s, struct row *row) {
    double client, start_s, end_s;
    const char *text = line;
    if (!read_number(&text, &client) || *text++ != ',' || !read_number(&text, &start_s) || *text++ != ',' ||
        !read_number(&text, &end_s) || (with_states ? *text++ != ',' : *text))
        return with_states ? "is not " STATES_HEADER : "is not client,start_s,end_s with three numbers";
    if (!(client >= 0 && client < UINT32_MAX) || client != floor(client))
        return "has a client that is not an integer from 0 to 4294967294";
    if (start_s < 0)
        return "starts before 0 s";
    if (!(end_s > start_s))
        return "has an end_s that is not after its start_s";
    if (end_s - start_s < LEAST_SESSION_S * (1 - 1e-6)) /* of rounded times */
        return "is a session of less than 1 ms";
    if (end_s > latest_s)
        return "ends after the period";
    if (end_s > frs_units_most(FRS_TIME))
        return "ends after 1e9 s";
    *row = (struct row){.client = (uint32_t)client, .session = {start_s, end_s, 1}};
    return with_states ? read_state(text, &row->session.state) : NULL;
}

/* ---- all lines ------------------------------------------------------------------------------- */

static bool is_nothing(const char *line, bool first, bool with_states) {
    return *line == '#' || line[strspn(line, " \t")] == '\0' ||
           (first && strcmp(line, with_states ? STATES_HEADER : HEADER) == 0);
}

/* `text` is taken apart. */
static bool read_rows(
    struct rows *rows, const char *path, char *text, size_t n, double latest_s, struct frs_errors *errors) {
    size_t mistakes = 0, number = 0;
    char *end = text + n, *next;
    if (n >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        text += 3;
    bool first = true; /* of the lines that are neither blank nor comments */
    for (; text < end && mistakes < MOST_ERRORS; text = next) {
        char *stop = memchr(text, '\n', (size_t)(end - text));
        next = stop ? stop + 1 : end;
        stop = stop ? stop : end;
        if (stop > text && stop[-1] == '\r')
            stop--;
        *stop = '\0';
        number++;
        struct row row;
        char shown[64];
        const char *wrong = "contains a NUL byte";
        if (strlen(text) == (size_t)(stop - text)) {
            if (is_nothing(text, first, rows->with_states)) {
                first = first && *text != *HEADER;
                continue;
            }
            wrong = read_row(text, rows->with_states, latest_s, &row);
        }
        first = false;
        if (wrong) {
            mistakes++;
            frs_errors_add(errors, FRS_ERR_INPUT, "%s:%zu: \"%s\" %s", path, number,
                frs_text_line(text, shown, sizeof shown), wrong);
            continue;
        }
        row.line = number;
        rows->list = frs_grow(rows->list, rows->n + 1, &rows->capacity, sizeof row);
        rows->list[rows->n++] = row;
    }
    if (mistakes == 0 && rows->n == 0) {
        mistakes++;
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: holds no session; expected lines %s", path,
            rows->with_states ? STATES_HEADER : HEADER);
    }
    return mistakes == 0;
}

static int by_client_and_time(const void *a, const void *b) {
    const struct row *left = a, *right = b;
    if (left->client != right->client)
        return left->client < right->client ? -1 : 1;
    double difference = left->session.start_s - right->session.start_s;
    return difference < 0 ? -1 : difference > 0;
}

/* A device is in one state at a time. The rows are sorted. */
static bool check_overlaps(const struct rows *rows, const char *path, struct frs_errors *errors) {
    size_t mistakes = 0;
    for (size_t i = 1; rows->with_states && i < rows->n && mistakes < MOST_ERRORS; i++) {
        const struct row *last = &rows->list[i - 1], *row = &rows->list[i];
        if (row->client != last->client || row->session.start_s >= last->session.end_s)
            continue;
        mistakes++;
        frs_errors_add(errors, FRS_ERR_INPUT,
            "%s:%zu: client %u has a state from %.15g s on, when that of line %zu has not ended", path,
            row->line, row->client, row->session.start_s, last->line);
    }
    return mistakes == 0;
}

/* Sorted rows into sessions per client. */
static void collect(struct frs_sessions *sessions, const struct rows *rows) {
    *sessions = (struct frs_sessions){.clients = frs_alloc(rows->n, sizeof *sessions->clients),
        .first = frs_alloc(rows->n + 1, sizeof *sessions->first),
        .list = frs_alloc(rows->n, sizeof *sessions->list)};
    size_t n = 0;
    for (size_t i = 0; i < rows->n; i++) {
        const struct row *row = &rows->list[i];
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

bool frs_sessions_parse(struct frs_sessions *sessions, const char *path, const char *text, size_t n,
    bool with_states, double latest_s, struct frs_errors *errors) {
    struct rows rows = {.with_states = with_states};
    char *copy = frs_alloc(n + 1, 1);
    memcpy(copy, text, n);
    *sessions = (struct frs_sessions){0};
    bool good = read_rows(&rows, path, copy, n, latest_s, errors);
    if (good) {
        qsort(rows.list, rows.n, sizeof *rows.list, by_client_and_time);
        good = check_overlaps(&rows, path, errors);
    }
    if (good)
        collect(sessions, &rows);
    free(copy);
    free(rows.list);
    return good;
}

/* ---- files ----------------------------------------------------------------------------------- */

bool frs_sessions_load(struct frs_sessions *sessions, const char *path, bool with_states, double latest_s,
    struct frs_errors *errors) {
    *sessions = (struct frs_sessions){0};
    char *text;
    size_t n;
    const char *reason = frs_input_read(path, FRS_INPUT_DATA, &text, &n);
    if (reason) {
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: cannot be read: %s", path, reason);
        return false;
    }
    bool good = frs_sessions_parse(sessions, path, text, n, with_states, latest_s, errors);
    free(text);
    return good;
}

void frs_sessions_fini(struct frs_sessions *sessions) {
    free(sessions->clients);
    free(sessions->first);
    free(sessions->list);
    *sessions = (struct frs_sessions){0};
}
