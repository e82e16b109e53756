#include "analysis/timeline/timeline.h"
#include "analysis/read/events.h"
#include "analysis/read/files.h"
#include "analysis/read/json.h"
#include "analysis/read/run_reader.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SERVER, PARTICIPANTS }; /* processes */

/* A track is a client's number and a lane, in case its participations overlap. */
enum { MOST_LANES = 8, COUNTERS = 4, MOST_CLIENTS = 100000000 };
static const char *const counters[COUNTERS] = {"connecting", "downloading", "computing", "uploading"};

/* What a change of a counter takes in the file, at most; and what stands around the events. */
enum { COUNTER_BYTES = 160, FRAME_BYTES = 4096 };

/* How a file of this kind begins. */
static const char start[] = "{\"otherData\":{\"program\":\"fedrecsim\"";

struct round {
    unsigned long number;
    double attempt, from_s, to_s;
    size_t row;
};

struct lane {
    double free_s; /* from then on */
    bool named;
};

struct change {
    double at_s;
    size_t counter;
    int by;
};

struct writing {
    const struct frs_timeline *what;
    struct frs_records records;
    struct frs_events events;
    struct round *rounds; /* [n_rounds] in the order of rounds.csv */
    size_t n_rounds, round;
    struct lane (*lanes)[MOST_LANES]; /* [n_clients] */
    size_t n_clients, clients_capacity;
    struct change *changes; /* of what was taken */
    size_t n_changes, changes_taken, changes_capacity;
    size_t n_flows;
    FILE *part; /* events of the round that is being read */
    char *text;
    size_t length;
    FILE *out;
    size_t bytes, n_taken;
    bool full;
};

/* ---- rounds.csv ---- */

static enum frs_status read_rounds(struct writing *w, const char *folder, struct frs_errors *errors) {
    static const char *const names[] = {"round", "attempt", "start_s", "end_s"};
    char *path = frs_format("%s/rounds.csv", folder);
    size_t columns[4];
    double values[4];
    enum frs_status status = frs_records_read(path, &w->records, errors);
    for (size_t i = 0; i < 4 && status == FRS_OK; i++)
        status = frs_records_column(&w->records, names[i], &columns[i], errors);
    w->rounds = frs_alloc(w->records.n + 1, sizeof *w->rounds);
    for (size_t row = 0; row < w->records.n && status == FRS_OK; row++) {
        for (size_t i = 0; i < 4 && status == FRS_OK; i++)
            status = frs_records_number(&w->records, row, columns[i], &values[i], errors);
        if (status == FRS_OK &&
            !(values[0] >= 1 && values[0] <= 1e9 && values[1] >= 0 && values[3] >= values[2]))
            status = frs_errors_add(errors, FRS_ERR_INPUT, "%s:%zu: is no round of this program", path,
                frs_records_line(&w->records, row));
        if (status == FRS_OK)
            w->rounds[w->n_rounds++] =
                (struct round){(unsigned long)values[0], values[1], values[2], values[3], row};
    }
    free(path);
    return status;
}

static bool is_wanted(const struct writing *w, unsigned long number) {
    return w->what->first == 0 || (number >= w->what->first && number <= w->what->last);
}

/* ---- events ---- */

static double micros(double s) {
    return s * 1e6;
}

static void put_text(FILE *out, const char *text) {
    json_t *value = json_string(text);
    char *quoted = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
    fputs(quoted ? quoted : "\"?\"", out);
    free(quoted);
    json_decref(value);
}

/* A number of the round's row that says something; the row was read as text. */
static void put_field(struct writing *w, size_t row, const char *name) {
    struct frs_errors ignored = {0};
    size_t column;
    double value;
    if (frs_records_column(&w->records, name, &column, &ignored) == FRS_OK &&
        frs_records_number(&w->records, row, column, &value, &ignored) == FRS_OK && isfinite(value))
        fprintf(w->part, ",\"%s\":%.12g", name, value);
    frs_errors_clear(&ignored);
}

static void put_round(struct writing *w, const struct round *round) {
    static const char *const told[] = {"selected", "delivered", "down_bytes", "up_bytes", "wasted_down_bytes",
        "wasted_up_bytes", "hr@10", "rmse"};
    fprintf(w->part,
        ",\n{\"ph\":\"X\",\"pid\":%d,\"tid\":0,\"ts\":%.3f,\"dur\":%.3f,\"name\":\"round "
        "%lu%s\",\"cat\":\"round\","
        "\"args\":{\"round\":%lu,\"attempt\":%.0f",
        SERVER, micros(round->from_s), micros(round->to_s - round->from_s), round->number,
        round->attempt > 0 ? " again" : "", round->number, round->attempt);
    for (size_t i = 0; i < sizeof told / sizeof *told; i++)
        put_field(w, round->row, told[i]);
    fputs("}}", w->part);
}

static void put_name(struct writing *w, size_t client, size_t lane) {
    struct lane *own = &w->lanes[client][lane];
    if (own->named)
        return;
    own->named = true;
    fprintf(w->part,
        ",\n{\"ph\":\"M\",\"pid\":%d,\"tid\":%zu,\"name\":\"thread_name\",\"args\":{\"name\":\"client %zu",
        PARTICIPANTS, client * MOST_LANES + lane + 1, client);
    if (lane > 0)
        fprintf(w->part, " (%zu)", lane + 1);
    fputs("\"}}", w->part);
}

/* A lane that is free from then on; with all taken, the last one. */
static size_t find_lane(struct writing *w, size_t client, double from_s) {
    while (w->n_clients <= client) {
        w->lanes = frs_grow(w->lanes, w->n_clients + 1, &w->clients_capacity, sizeof *w->lanes);
        memset(w->lanes[w->n_clients++], 0, sizeof *w->lanes);
    }
    size_t lane = 0;
    while (lane + 1 < MOST_LANES && w->lanes[client][lane].free_s > from_s)
        lane++;
    return lane;
}

static void add_change(struct writing *w, double at_s, size_t counter, int by) {
    w->changes = frs_grow(w->changes, w->n_changes + 1, &w->changes_capacity, sizeof *w->changes);
    w->changes[w->n_changes++] = (struct change){at_s, counter, by};
}

static void count_phase(struct writing *w, const char *phase, double from_s, double to_s) {
    static const char *const phases[] = {"setup", "down", "compute", "up"};
    const char *counted = strcmp(phase, "receive") == 0 ? "down" : phase;
    for (size_t i = 0; i < COUNTERS; i++)
        if (strcmp(counted, phases[i]) == 0 && to_s > from_s) {
            add_change(w, from_s, i, 1);
            add_change(w, to_s, i, -1);
        }
}

/* The slice of the server in which something happens, or NULL: flows hang on slices. */
static const struct round *round_at(const struct writing *w, double at_s) {
    for (size_t i = w->round; i < w->n_rounds && w->rounds[i].from_s <= at_s; i++)
        if (at_s <= w->rounds[i].to_s && is_wanted(w, w->rounds[i].number))
            return &w->rounds[i];
    return NULL;
}

/* The server's end of a flow lies within its slice, not on its very border. */
static double within(const struct round *round, double at_s) {
    return fmin(at_s, round->to_s - (round->to_s - round->from_s) * 1e-9);
}

static void put_flow_end(
    struct writing *w, const char *phase, bool starts, int process, size_t track, double at_s) {
    fprintf(w->part,
        ",\n{\"ph\":\"%s\",%s\"id\":%zu,\"pid\":%d,\"tid\":%zu,\"ts\":%.3f,\"name\":\"%s\",\"cat\":"
        "\"message\"}",
        starts ? "s" : "f", starts ? "" : "\"bp\":\"e\",", w->n_flows, process, track, micros(at_s), phase);
}

static void put_flow(struct writing *w, const char *phase, size_t track, double from_s, double to_s) {
    bool down = strcmp(phase, "down") == 0 || strcmp(phase, "receive") == 0;
    const struct round *round = round_at(w, down ? from_s : to_s);
    if (!round || (!down && strcmp(phase, "up") != 0))
        return;
    w->n_flows++;
    if (down) {
        put_flow_end(w, "download", true, SERVER, 0, within(round, from_s));
        put_flow_end(w, "download", false, PARTICIPANTS, track, from_s);
    } else {
        put_flow_end(w, "upload", true, PARTICIPANTS, track, from_s);
        put_flow_end(w, "upload", false, SERVER, 0, within(round, to_s));
    }
}

/* ---- phases ---- */

/* Writes a member whose name and value need no quoting: both are the program's own. */
static void put_member(struct writing *w, const char *key, const char *name) {
    if (*name)
        fprintf(w->part, ",\"%s\":\"%s\"", key, name);
}

static void put_slice(struct writing *w, const struct frs_event *event) {
    size_t client = event->client, lane = find_lane(w, client, event->from_s),
           track = client * MOST_LANES + lane + 1;
    put_name(w, client, lane);
    w->lanes[client][lane].free_s = fmax(event->to_s, w->lanes[client][lane].free_s);
    fprintf(w->part,
        ",\n{\"ph\":\"X\",\"pid\":%d,\"tid\":%zu,\"ts\":%.3f,\"dur\":%.3f,\"name\":\"%s\",\"cat\":\"phase\","
        "\"args\":{\"round\":%" PRIu32 ",\"bytes\":%.12g,\"flop\":%.12g",
        PARTICIPANTS, track, micros(event->from_s), micros(event->to_s - event->from_s), event->phase,
        event->round, event->bytes, event->flop);
    put_member(w, "outcome", event->outcome);
    put_member(w, "cause", event->cause);
    fputs("}}", w->part);
    if (event->bytes > 0)
        put_flow(w, event->phase, track, event->from_s, event->to_s);
}

/* ---- rounds one by one ---- */

static void begin_part(struct writing *w) {
    w->part = open_memstream(&w->text, &w->length);
    if (!w->part)
        frs_memory_exhausted();
}

/* What has been read of a round goes into the file, if it fits. */
static void end_part(struct writing *w) {
    if (!w->part)
        return;
    fclose(w->part);
    w->part = NULL;
    size_t bytes = w->bytes + w->length, behind = FRAME_BYTES + COUNTER_BYTES * w->n_changes;
    w->full = w->full || bytes + behind > w->what->most_bytes;
    if (!w->full) {
        fwrite(w->text, 1, w->length, w->out);
        w->bytes = bytes;
        w->changes_taken = w->n_changes;
        w->n_taken = w->round + 1;
    }
    free(w->text);
    w->text = NULL;
}

/* Rounds before this one had no client to select: they are slices, too. */
static void go_to(struct writing *w, size_t round) {
    for (bool more = true; more; w->round++) {
        more = w->round < round;
        if (!w->part && !w->full && is_wanted(w, w->rounds[w->round].number)) {
            begin_part(w);
            put_round(w, &w->rounds[w->round]);
        }
        if (!more)
            return;
        end_part(w);
    }
}

static enum frs_status take_event(
    struct writing *w, const struct frs_event *event, struct frs_errors *errors) {
    if (event->client > MOST_CLIENTS)
        return frs_events_wrong(&w->events, "is no event of this program", errors);
    go_to(w, event->row);
    if (w->part) {
        put_slice(w, event);
        count_phase(w, event->phase, event->from_s, event->to_s);
    }
    return FRS_OK;
}

/* Whether what follows can be wanted. */
static bool goes_on(const struct writing *w) {
    return !w->full && !(w->what->last > 0 && w->rounds[w->round].number > w->what->last);
}

static enum frs_status take_events(struct writing *w, struct frs_errors *errors) {
    struct frs_event event;
    bool more = w->n_rounds > 0;
    enum frs_status status = FRS_OK;
    while (status == FRS_OK && more && goes_on(w)) {
        status = frs_events_next(&w->events, &event, &more, errors);
        if (status == FRS_OK && more)
            status = take_event(w, &event, errors);
    }
    if (status == FRS_OK && !w->full && w->n_rounds > 0)
        go_to(w, w->n_rounds - 1);
    if (status == FRS_OK)
        end_part(w);
    return status;
}

/* ---- counters ---- */

static int by_time(const void *a, const void *b) {
    const struct change *x = a, *y = b;
    if (x->at_s != y->at_s)
        return (x->at_s > y->at_s) - (x->at_s < y->at_s);
    return x->by - y->by;
}

/* One event for each instant at which something changes. */
static void put_counters(struct writing *w) {
    long now[COUNTERS] = {0};
    if (w->changes_taken > 0)
        qsort(w->changes, w->changes_taken, sizeof *w->changes, by_time);
    for (size_t i = 0; i < w->changes_taken; i++) {
        now[w->changes[i].counter] += w->changes[i].by;
        if (i + 1 < w->changes_taken && w->changes[i + 1].at_s == w->changes[i].at_s)
            continue;
        fprintf(w->out, ",\n{\"ph\":\"C\",\"pid\":%d,\"ts\":%.3f,\"name\":\"participations\",\"args\":{",
            SERVER, micros(w->changes[i].at_s));
        for (size_t k = 0; k < COUNTERS; k++)
            fprintf(w->out, "%s\"%s\":%ld", k ? "," : "", counters[k], now[k]);
        fputs("}}", w->out);
    }
}

/* ---- the file ---- */

/* A file of this name from another program is never replaced. */
static enum frs_status check_place(const char *path, struct frs_errors *errors) {
    char begin[sizeof start] = "";
    FILE *file = fopen(path, "r");
    if (!file)
        return FRS_OK;
    size_t n = fread(begin, 1, sizeof start - 1, file);
    fclose(file);
    if (n == sizeof start - 1 && strcmp(begin, start) == 0)
        return FRS_OK;
    return frs_errors_add(errors, FRS_ERR_INPUT, "%s is in the way: it is no timeline of this program", path);
}

static char *hash_of(const char *folder, unsigned long *every, struct frs_errors *errors) {
    if (frs_run_require(folder, errors) != FRS_OK)
        return NULL;
    char *path = frs_format("%s/manifest.json", folder);
    if (!frs_run_is(folder))
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: is not a run directory: it has no manifest.json", folder);
    json_t *root = frs_run_is(folder) ? frs_json_read(path, errors) : NULL;
    char *hash = root ? frs_json_text(root, path, "scenario_hash", errors) : NULL;
    const char *thinned =
        json_string_value(json_object_get(json_object_get(root, "scenario"), "output.events_every"));
    *every = thinned ? strtoul(thinned, NULL, 10) : 1;
    json_decref(root);
    free(path);
    return hash;
}

/* Which rounds it holds is known in the end only: so it stands there. */
static void put_frame(struct writing *w, const char *hash, struct frs_timeline_held *held) {
    fputs("],\n\"displayTimeUnit\":\"ms\",\n\"metadata\":{\"scenario_hash\":", w->out);
    put_text(w->out, hash);
    fprintf(w->out, ",\"first_round\":%lu,\"last_round\":%lu,\"rounds\":%lu,\"cut\":%s}}\n", held->first,
        held->last, held->rounds, held->cut ? "true" : "false");
}

static void tell_held(const struct writing *w, struct frs_timeline_held *held) {
    for (size_t i = 0; i < w->n_rounds; i++) {
        held->rounds = w->rounds[i].number > held->rounds ? w->rounds[i].number : held->rounds;
        if (!is_wanted(w, w->rounds[i].number))
            continue;
        if (i < w->n_taken && held->first == 0)
            held->first = w->rounds[i].number;
        if (i < w->n_taken)
            held->last = w->rounds[i].number;
        held->cut = held->cut || i >= w->n_taken;
    }
}

static enum frs_status write_trace(struct writing *w, const char *path, const char *hash,
    struct frs_timeline_held *held, struct frs_errors *errors) {
    struct frs_draft draft;
    enum frs_status status = frs_draft_open(&draft, path, errors);
    if (status != FRS_OK)
        return status;
    w->out = draft.file;
    fprintf(w->out, "%s},\n\"traceEvents\":[\n", start);
    fprintf(w->out,
        "{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_name\",\"args\":{\"name\":\"server\"}},\n"
        "{\"ph\":\"M\",\"pid\":%d,\"name\":\"process_name\",\"args\":{\"name\":\"participants\"}},\n"
        "{\"ph\":\"M\",\"pid\":%d,\"tid\":0,\"name\":\"thread_name\",\"args\":{\"name\":\"rounds\"}}",
        SERVER, PARTICIPANTS, SERVER);
    status = take_events(w, errors);
    tell_held(w, held);
    if (status == FRS_OK && held->first == 0)
        status = frs_errors_add(errors, FRS_ERR_INPUT, "%s: not a single round fits into %zu MB", path,
            w->what->most_bytes / 1000000);
    if (status == FRS_OK) {
        put_counters(w);
        put_frame(w, hash, held);
        held->bytes = (size_t)ftell(w->out);
        status = frs_draft_commit(&draft, errors);
    }
    frs_draft_discard(&draft);
    return status;
}

static enum frs_status check_rounds(const struct writing *w, const char *folder, struct frs_errors *errors) {
    unsigned long last = w->n_rounds > 0 ? w->rounds[w->n_rounds - 1].number : 0;
    for (size_t i = 0; i < w->n_rounds; i++)
        if (is_wanted(w, w->rounds[i].number) && (w->what->first == 0 || w->what->last <= last))
            return FRS_OK;
    return frs_errors_add(errors, FRS_ERR_INPUT, "--rounds %lu-%lu: %s has %lu round%s; allowed: those",
        w->what->first, w->what->last, folder, last, last == 1 ? "" : "s");
}

static void fini(struct writing *w) {
    if (w->part) {
        fclose(w->part);
        free(w->text);
    }
    frs_events_close(&w->events);
    frs_records_fini(&w->records);
    free(w->rounds);
    free(w->lanes);
    free(w->changes);
}

static enum frs_status open_events(struct writing *w, const char *folder, struct frs_errors *errors) {
    const char *reason;
    enum frs_status status = frs_events_open(&w->events, folder, &w->records, &reason, errors);
    return reason ? frs_errors_add(errors, FRS_ERR_INPUT, "%s: %s; a run writes it with output.events = true",
                        w->events.path, reason)
                  : status;
}

enum frs_status frs_timeline_write(const char *folder, const struct frs_timeline *what,
    struct frs_timeline_held *held, struct frs_errors *errors) {
    char *path = frs_format("%s/timeline.json", folder);
    struct writing w = {.what = what};
    *held = (struct frs_timeline_held){0};
    char *hash = hash_of(folder, &held->every, errors);
    enum frs_status status = hash ? read_rounds(&w, folder, errors) : FRS_ERR_INPUT;
    if (status == FRS_OK)
        status = check_rounds(&w, folder, errors);
    if (status == FRS_OK)
        status = check_place(path, errors);
    if (status == FRS_OK)
        status = open_events(&w, folder, errors);
    if (status == FRS_OK)
        status = write_trace(&w, path, hash, held, errors);
    fini(&w);
    free(hash);
    free(path);
    return status;
}
