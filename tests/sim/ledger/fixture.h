/* A ledger whose files are texts, and one participation with times worked out by hand. */
#ifndef FRS_TESTS_SIM_LEDGER_FIXTURE_H
#define FRS_TESTS_SIM_LEDGER_FIXTURE_H

#include "sim/base/memory.h"
#include "sim/ledger/files.h"
#include "sim/ledger/ledger.h"
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N_CLIENTS = 5 };

static FILE *rounds, *events;
static char *rounds_text, *events_text;
static size_t rounds_size, events_size;
static struct frs_ledger *ledger;
static struct frs_participation participation;
static const struct frs_participation *const alone[] = {&participation};

/* Client 2: latency 1, 8 s of download, 4 s of computing, latency 1, 2 s of upload. */
static inline void setup(void) {
    rounds = open_memstream(&rounds_text, &rounds_size);
    events = open_memstream(&events_text, &events_size);
    ledger = frs_ledger_create(N_CLIENTS, rounds, events, &(struct frs_list_rules){.n = 1, .k = {10}});
    frs_ledger_set_links(ledger, &(struct frs_own_links){.known = true, .alone = {true, true}});
    participation = frs_participation_new(2);
    participation.plan.down_bytes_per_s = 100;
    participation.plan.up_bytes_per_s = 50;
    participation.plan.down_latency_s = participation.plan.up_latency_s = 1;
    participation.usage.down_bytes = participation.result.down_crossed_bytes = 800;
    participation.usage.up_bytes = participation.result.up_crossed_bytes = 100;
    participation.times.selected_s = participation.times.started_s = 10;
    participation.times.down_start_s = 11;
    participation.times.down_end_s = participation.times.compute_start_s = 19;
    participation.times.compute_end_s = 23;
    participation.times.up_start_s = 24;
    participation.times.up_end_s = participation.times.ended_s = 26;
    participation.result.computed_share = 1;
    participation.result.outcome = FRS_DELIVERED;
    participation.usage.nominal_down_bytes = 700;
    participation.usage.nominal_up_bytes = 90;
    participation.usage.flop = 5e6;
}

static inline void teardown(void) {
    frs_ledger_destroy(ledger);
    frs_participation_fini(&participation);
    fclose(rounds);
    fclose(events);
    free(rounds_text);
    free(events_text);
}

static inline void close_with(double start_s, double end_s, const struct frs_participation *const *list,
    size_t n, const struct frs_quality *quality) {
    frs_ledger_close_round(ledger, &(struct frs_closed_round){.start_s = start_s,
                                       .end_s = end_s,
                                       .server_flop = 3000,
                                       .list = list,
                                       .n = n,
                                       .quality = quality});
}

static inline void close_round(void) {
    close_with(10, 26, alone, 1, NULL);
}

static inline void check_network(double down_bytes, double up_bytes) {
    frs_ledger_check_network(ledger, &(struct frs_carried){.down_bytes = down_bytes, .up_bytes = up_bytes});
}

/* The same participation at another time. */
static inline void shift(struct frs_participation *p, double by_s) {
    double *times[] = {&p->times.selected_s, &p->times.started_s, &p->times.ended_s, &p->times.down_start_s,
        &p->times.down_end_s, &p->times.compute_start_s, &p->times.compute_end_s, &p->times.up_start_s,
        &p->times.up_end_s, &p->post.end_s};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        *times[i] += by_s;
}

/* Step 2 goes on after the upload and the round: 3 Mflop in 12 s from 23 on. */
static inline void add_post(enum frs_post_upload_outcome outcome, double end_s, enum frs_cause cause) {
    participation.post = (struct frs_post_upload){
        .work_s = 12, .end_s = end_s, .outcome = outcome, .cause = cause, .share = (end_s - 23) / 12};
    participation.usage.flop = 8e6;
    participation.usage.post_flop = 3e6;
}

/* The connection broke at 13, after 200 bytes; the client connected anew at 14, and downloads the rest from
 * 15 to 21, or all of it until 23. It computes until 23. */
static inline void add_break(bool resumes) {
    participation.plan.retrying =
        (struct frs_retrying){.times = 1, .after_s = 1, .backoff = 1, .resumes = resumes};
    participation.breaks = frs_grow(NULL, 1, &participation.breaks_capacity, sizeof *participation.breaks);
    participation.n_breaks = 1;
    *participation.breaks = (struct frs_break){
        .from_s = 10, .start_s = 11, .broke_s = 13, .again_s = 14, .connected_s = 14, .bytes = 200};
    participation.result.retries = 1;
    participation.result.resent_down_bytes = resumes ? 0 : 200;
    participation.times.down_start_s = 15;
    participation.times.down_end_s = participation.times.compute_start_s = resumes ? 21 : 23;
}

/* Whether the line of a phase ends like this. */
static inline void check_line(const char *phase, const char *end) {
    char *name = frs_format("\"phase\":\"%s\"", phase);
    fflush(events);
    const char *line = strstr(events_text, name);
    ck_assert_ptr_nonnull(line);
    size_t n = strcspn(line, "\n");
    ck_assert_msg(
        n > strlen(end) && strncmp(line + n - strlen(end), end, strlen(end)) == 0, "%.*s", (int)n, line);
    free(name);
}

#endif
