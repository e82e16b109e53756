/* The process that serves the page. */
#include "analysis/live/progress.h"
#include "analysis/report/report.h"
#include "analysis/report/so_far.h"
#include "sim/base/clock.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/live/library.h"
#include "sim/live/shared.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* How often files are looked at by themselves. */
#define LOOK_MS 100u

/* Data that take long to make are made again only after this many times as long, so that they take at most
 * that share of a processor. */
#define REST 15.0

/* A page that has asked for the progress this recently is open. The server tells it within a given time
 * that the command has ended; the page has the report when it asks for nothing more. */
#define WATCHED_S 10.0
#define LAST_S 5.0
#define TOLD_S 1.5
#define QUIET_S 1.2

enum { INTERRUPTED = 130 };

struct server {
    const struct frs_live_shared *shared;
    struct frs_follower *follower; /* NULL: the command has not begun */
    char *report;                  /* where it will be, or is */
    struct stat report_before;     /* st_ino 0: there was none */
    char *data, *version;          /* the last data that were made, and of which files; NULL: none */
    double data_s, data_cost_s;    /* when, and how long that took */
    double polled_s, asked_s;      /* when progress was asked for last, and anything */
    bool delivered;                /* the report was, since the end */
};

static enum frs_live_state state_of(const struct server *server) {
    return (enum frs_live_state)atomic_load_explicit(&server->shared->state, memory_order_acquire);
}

static char *text_of(const json_t *value) {
    char *text = json_dumps(value, JSON_COMPACT | JSON_SORT_KEYS | JSON_REAL_PRECISION(15));
    return text ? text : frs_strdup("null");
}

/* ---- the report ---- */

/* Whether the report in the folder is the one that this command has written. After a failed command it may
 * be an earlier one. */
static bool has_report(const struct server *server) {
    struct stat status;
    if (state_of(server) != FRS_LIVE_ENDED || !server->report || stat(server->report, &status) != 0)
        return false;
    return server->shared->code == 0 || status.st_ino != server->report_before.st_ino ||
           status.st_mtim.tv_sec != server->report_before.st_mtim.tv_sec ||
           status.st_mtim.tv_nsec != server->report_before.st_mtim.tv_nsec;
}

static struct frs_http_answer of_text(unsigned status, const char *type, char *text) {
    return (struct frs_http_answer){status, type, text, strlen(text)};
}

static struct frs_http_answer refusal(unsigned status, const char *text) {
    return of_text(status, "text/plain; charset=utf-8", frs_format("%s\n", text));
}

static struct frs_http_answer report_of(struct server *server) {
    FILE *file = fopen(server->report, "rb");
    char *bytes = NULL;
    size_t n = 0;
    FILE *to = file ? open_memstream(&bytes, &n) : NULL;
    char piece[1 << 14];
    for (size_t got; to && (got = fread(piece, 1, sizeof piece, file)) > 0;)
        fwrite(piece, 1, got, to);
    bool is_whole = to && !ferror(file);
    if (file)
        fclose(file);
    if (to && fclose(to) != 0)
        is_whole = false;
    if (is_whole) {
        server->delivered = true;
        return (struct frs_http_answer){200, "text/html; charset=utf-8", bytes, n};
    }
    free(bytes);
    return refusal(500, "report.html cannot be read");
}

/* ---- what is known so far ---- */

static void begin(struct server *server) {
    const struct frs_live_shared *shared = server->shared;
    if (server->follower || state_of(server) == FRS_LIVE_STARTS || !*shared->place)
        return;
    server->follower =
        shared->is_sweep
            ? frs_follow_sweep(shared->growing, shared->searches, shared->at_once, shared->elsewhere)
            : frs_follow_run(shared->growing, shared->n_rounds, shared->may_end_early);
    server->report = frs_format("%s/%s", shared->place, FRS_REPORT_FILE);
    if (stat(server->report, &server->report_before) != 0)
        server->report_before = (struct stat){0};
}

static struct frs_http_answer progress_of(struct server *server) {
    static const char *const states[] = {"starts", "runs", "ended"};
    const struct frs_live_shared *shared = server->shared;
    enum frs_live_state state = state_of(server);
    json_t *object = server->follower ? frs_follower_progress(server->follower, frs_wall_s()) : json_object();
    json_object_set_new(object, "state", json_string(states[state]));
    json_object_set_new(object, "kind", json_string(shared->is_sweep ? "sweep" : "run"));
    if (server->follower) {
        json_t *place = json_string(shared->place);
        json_object_set_new(object, "place", place ? place : json_null());
    }
    if (state == FRS_LIVE_ENDED) {
        json_object_set_new(object, "code", json_integer(shared->code));
        json_object_set_new(object, "report", json_boolean(has_report(server)));
    }
    char *text = text_of(object);
    json_decref(object);
    server->polled_s = frs_wall_s();
    return of_text(200, "application/json", text);
}

/* "version" of the progress says of which files data are. */
static char *version_of(struct server *server) {
    json_t *object = frs_follower_progress(server->follower, frs_wall_s());
    const char *version = json_string_value(json_object_get(object, "version"));
    char *copy = frs_strdup(version ? version : "");
    json_decref(object);
    return copy;
}

static void make_data(struct server *server, char *version) {
    const struct frs_live_shared *shared = server->shared;
    double began_s = frs_wall_s();
    char *rounds = frs_format("%s/rounds.csv", shared->growing);
    json_t *data = shared->is_sweep ? frs_report_of_sweep_so_far(shared->growing)
                                    : frs_report_of_run_so_far(rounds, shared->method, shared->n_rounds),
           *object = json_object(), *text = json_string(version);
    free(rounds);
    if (data || !server->data) { /* a run's files are no longer there once they are in place */
        json_object_set_new(object, "version", text ? text : json_null());
        json_object_set_new(object, "data", data ? data : json_null());
        free(server->data);
        free(server->version);
        server->data = text_of(object);
        server->version = version;
    } else {
        json_decref(text);
        free(version);
    }
    json_decref(object);
    server->data_s = frs_wall_s();
    server->data_cost_s = server->data_s - began_s;
}

static struct frs_http_answer data_of(struct server *server) {
    if (!server->follower)
        return of_text(200, "application/json", frs_strdup("{\"data\":null,\"version\":null}"));
    char *version = version_of(server);
    bool is_new = !server->version || strcmp(version, server->version) != 0,
         rests = server->data && frs_wall_s() - server->data_s < REST * server->data_cost_s;
    if (is_new && !rests)
        make_data(server, version);
    else
        free(version);
    return of_text(200, "application/json", frs_strdup(server->data));
}

static struct frs_http_answer page_of(void) {
    char *bytes = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&bytes, &n);
    if (!out)
        return refusal(500, "no memory");
    frs_report_print_live(out);
    if (fclose(out) != 0) {
        free(bytes);
        return refusal(500, "no memory");
    }
    return (struct frs_http_answer){200, "text/html; charset=utf-8", bytes, n};
}

/* ---- requests ---- */

/* Refuses pages of other hosts whose names lead here, because their scripts could read the answer. Any
 * port is accepted, because the page may arrive through a tunnel. */
static bool is_this_host(const char *host) {
    static const char *const names[] = {"127.0.0.1", "localhost", "[::1]"};
    for (size_t i = 0; host && i < sizeof names / sizeof *names; i++) {
        size_t n = strlen(names[i]);
        if (strncasecmp(host, names[i], n) == 0 && (!host[n] || host[n] == ':'))
            return true;
    }
    return false;
}

/* No path is one of a file: there are these and no others. */
static struct frs_http_answer answer(void *context, const struct frs_http_request *request) {
    struct server *server = context;
    bool is_page = strcmp(request->path, "/") == 0, is_report = strcmp(request->path, "/report.html") == 0;
    if (strcmp(request->method, "GET") != 0 && strcmp(request->method, "HEAD") != 0)
        return refusal(405, "only GET and HEAD are answered");
    if (!is_this_host(request->host))
        return refusal(403, "this page is for 127.0.0.1 and localhost alone");
    server->asked_s = frs_wall_s();
    begin(server);
    if ((is_page || is_report) && has_report(server))
        return report_of(server);
    if (is_page)
        return page_of();
    if (strcmp(request->path, "/live.json") == 0)
        return progress_of(server);
    if (strcmp(request->path, "/data.json") == 0)
        return data_of(server);
    return refusal(
        404, is_report ? "there is no report before the command has ended" : "there is no such page");
}

/* ---- until the end ---- */

/* Whether pages that are open may still ask. `ended_s`: when the command had ended. */
static bool is_awaited(const struct server *server, double ended_s) {
    double now_s = frs_wall_s();
    if (ended_s - server->polled_s > WATCHED_S)
        return false;
    if (server->delivered && now_s - server->asked_s > QUIET_S)
        return false;
    bool comes_more = has_report(server) && server->shared->code != INTERRUPTED;
    return now_s - ended_s < (comes_more ? LAST_S : TOLD_S);
}

_Noreturn void frs_live_serve(const struct frs_live_shared *shared, int listening, pid_t command) {
    struct server server = {.shared = shared, .polled_s = -WATCHED_S, .asked_s = -WATCHED_S};
    struct frs_http *http = frs_http_start(listening, answer, &server);
    double ended_s = 0, looked_s = 0;
    if (!http)
        frs_print_line(
            stderr, "fedrecsim: --live: the page cannot be served; the command goes on without it");
    while (http && getppid() == command) {
        frs_http_serve(http, LOOK_MS);
        begin(&server);
        double now_s = frs_wall_s();
        if (server.follower && now_s - looked_s >= 1e-3 * LOOK_MS) {
            frs_follower_look(server.follower, now_s);
            looked_s = now_s;
        }
        if (state_of(&server) != FRS_LIVE_ENDED)
            continue;
        ended_s = ended_s > 0 ? ended_s : now_s;
        if (!is_awaited(&server, ended_s))
            break;
    }
    _exit(0);
}
