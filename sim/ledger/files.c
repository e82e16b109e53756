#include "sim/ledger/files.h"
#include "actors/retry_state.h"
#include "sim/base/decimal.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

static void put_real(FILE *out, double value) {
    frs_put_text(out, ",");
    if (isfinite(value))
        frs_put_real(out, value);
}

static void put_count(FILE *out, uint64_t value) {
    frs_put_text(out, ",");
    frs_put_count(out, value);
}

#define PUT(out, value) _Generic((value), double : put_real, default : put_count)(out, value)

/* Columns of the figures of scores, or their values; of participants no ratings are told. */
static void put_figure_names(
    FILE *out, const char *prefix, const struct frs_list_rules *ranking, bool predictions) {
    const struct frs_scores none = frs_no_scores();
    struct frs_score_figure figures[FRS_FIGURES_MOST];
    size_t n = frs_scores_figures(&none, ranking, figures);
    for (size_t i = 0; i < n; i++)
        if (predictions || !figures[i].predicts)
            fprintf(out, ",%s%s", prefix, figures[i].name);
}

static void put_figures(
    FILE *out, const struct frs_scores *scores, const struct frs_list_rules *ranking, bool predictions) {
    struct frs_score_figure figures[FRS_FIGURES_MOST];
    size_t n = frs_scores_figures(scores, ranking, figures);
    for (size_t i = 0; i < n; i++)
        if (predictions || !figures[i].predicts)
            put_real(out, figures[i].value);
}

void frs_rounds_csv_header(FILE *out, const struct frs_list_rules *ranking) {
    fputs("round,attempt,lost,idle_s,restart_s,start_s,end_s,duration_s,selected", out);
    for (size_t i = FRS_DELIVERED; i < FRS_N_OUTCOMES; i++)
        fprintf(out, ",%s", frs_outcome_names[i]);
    fputs(",post_ended,post_lost", out);
#define FRS_COLUMN_OF_ROUND(type, name, value, of_post) fputs("," #name, out);
#include "sim/ledger/columns.def"
    fputs(",critical_client", out);
#define FRS_COLUMN_OF_PATH(name) fputs(",path_" #name, out);
#include "sim/ledger/columns.def"
    put_figure_names(out, "", ranking, true);
    put_figure_names(out, "validation_", ranking, true);
    put_figure_names(out, "participants_", ranking, false);
    fputs(",participants_share,consensus_distance\n", out);
}

void frs_rounds_csv_row(FILE *out, const struct frs_round_row *row, const struct frs_quality *quality,
    const struct frs_list_rules *ranking) {
    const struct frs_totals *t = &row->totals;
    fprintf(out, "%" PRIu32 ",%" PRIu32 ",%s", row->round, row->attempt,
        row->lost == FRS_CAUSE_NONE ? "" : frs_cause_names[row->lost]);
    put_real(out, row->idle_s);
    put_real(out, row->restart_s);
    put_real(out, row->start_s);
    put_real(out, row->end_s);
    put_real(out, row->end_s - row->start_s);
    put_count(out, t->participations);
    for (size_t i = FRS_DELIVERED; i < FRS_N_OUTCOMES; i++)
        put_count(out, t->outcomes[i]);
    put_count(out, t->post_uploads[FRS_POST_ENDED]);
    put_count(out, t->post_uploads[FRS_POST_DROPPED] + t->post_uploads[FRS_POST_CUT]);
#define FRS_COLUMN_OF_ROUND(type, name, value, of_post) PUT(out, t->name);
#include "sim/ledger/columns.def"
    if (row->critical_client == FRS_NO_CLIENT)
        fputc(',', out);
    else
        put_count(out, row->critical_client);
#define FRS_COLUMN_OF_PATH(name) put_real(out, t->path.name);
#include "sim/ledger/columns.def"
    const struct frs_scores none = frs_no_scores();
    put_figures(out, quality ? &quality->test : &none, ranking, true);
    put_figures(out, quality ? &quality->validation : &none, ranking, true);
    put_figures(out, quality ? &quality->participants : &none, ranking, false);
    put_real(out, quality ? quality->participants_share : NAN);
    put_real(out, quality ? quality->consensus_distance : NAN);
    fputc('\n', out);
}

/* A phase that was reached. */
struct phase {
    const struct frs_participation *of; /* the participation, or its download after the aggregation */
    const char *name;
    double from_s, to_s; /* to_s NaN: the participation ended in it */
    uint64_t bytes;
    double flop;
    enum { NO_MESSAGE, SETUP, DOWN, UP } message;
    bool in_slow_start; /* DOWN and UP: in slow start, by this try: */
    struct frs_try try;
    double wait_s;                 /* of SETUP: all its latencies, */
    uint64_t down_bytes, up_bytes; /* and its bytes */
    bool broke;                    /* its connection did, and was tried again */
    enum frs_cause lost; /* why a download after the aggregation ended with it, and did not arrive */
    const struct frs_peer_usage *exchange; /* with other clients */
};

/* What comes before the value of a member of an object in JSON; not of the first one. */
#define NAME(name) ",\"" name "\":"

static void put_count_member(FILE *out, const char *name, uint64_t value) {
    frs_put_text(out, name);
    frs_put_count(out, value);
}

static void put_real_member(FILE *out, const char *name, double value) {
    frs_put_text(out, name);
    frs_put_real(out, value);
}

#define PUT_MEMBER(out, name, value)                                                                         \
    _Generic((value), double : put_real_member, default : put_count_member)(out, NAME(name), value)

static void put_text_member(FILE *out, const char *name, const char *text) {
    frs_put_text(out, name);
    frs_put_text(out, "\"");
    frs_put_text(out, text);
    frs_put_text(out, "\"");
}

static double end_of(const struct phase *phase) {
    return isnan(phase->to_s) ? phase->of->times.ended_s : phase->to_s;
}

static void put_span(FILE *out, const struct frs_round_row *row, const struct frs_participation *p,
    const struct phase *phase) {
    frs_put_text(out, "{\"client\":");
    frs_put_count(out, p->client);
    put_count_member(out, NAME("round"), row->round);
    put_count_member(out, NAME("attempt"), row->attempt);
    put_text_member(out, NAME("phase"), phase->name);
    put_real_member(out, NAME("t0_s"), phase->from_s);
    put_real_member(out, NAME("t1_s"), end_of(phase));
    put_count_member(out, NAME("bytes"), phase->bytes);
    put_real_member(out, NAME("flop"), phase->flop);
    if (p->edge_round > 0)
        put_count_member(out, NAME("edge_round"), p->edge_round);
}

static void put_capacity(FILE *out, double bytes_per_s) {
    if (isfinite(bytes_per_s))
        frs_put_real(out, bytes_per_s);
    else
        frs_put_text(out, "null");
}

/* Writes what the client's own link could carry in a phase, regardless of what others shared with it.
 * Where the capacity changes, it is written for each part of the phase from its start to its end. */
static void put_capacities(FILE *out, const struct frs_participation *p, const struct phase *phase, bool up,
    const struct frs_own_links *links) {
    double from_s = phase->from_s, until_s;
    if (!links->capacity) {
        put_capacity(out, frs_own_links_capacity(links, p, up, from_s, &until_s));
        return;
    }
    for (const char *before = "["; from_s < end_of(phase) || *before == '['; from_s = until_s) {
        fprintf(out, "%s[%.15g,", before, from_s);
        put_capacity(out, frs_own_links_capacity(links, p, up, from_s, &until_s));
        fputc(']', out);
        before = ",";
    }
    fputc(']', out);
}

/* Writes the inputs of slow start: the capacity as drawn, which a trace hides, and the latency of both
 * directions. */
static void put_slow_start(
    FILE *out, const struct frs_link_terms *terms, bool up, const struct frs_own_links *links) {
    if (links->capacity) {
        frs_put_text(out, NAME("slow_start_bytes_per_s"));
        put_capacity(out, terms->bytes_per_s[up]);
    }
    put_real_member(out, NAME("round_trip_s"), terms->latency_s[0] + terms->latency_s[1]);
}

/* Writes where the closed form differs from the usual one: a window that was left from before, or windows
 * that a queue caused. */
static void put_windows(FILE *out, const struct frs_participation *p, bool up, const struct frs_try *try) {
    struct frs_windows windows = {0};
    if (p->plan.by_packets || isnan(try->start_s))
        return;
    struct frs_slow_start slow_start = frs_participation_slow_start(
        p, up, try->slow_start_kind, &try->begun, &try->terms, try->whole_bytes, &windows);
    if (windows.n > 0) {
        for (size_t i = 0; i < windows.n; i++)
            fprintf(out, "%s[%" PRIu64 ",%.17g]", i > 0 ? "," : NAME("windows") "[", windows.of[i].bytes,
                windows.of[i].wait_s);
        fputc(']', out);
    } else if (slow_start.window_bytes != FRS_INITIAL_WINDOW * FRS_SEGMENT_BYTES) {
        put_count_member(out, NAME("window_bytes"), slow_start.window_bytes);
    }
    free(windows.of);
}

/* These values allow a transfer to be checked from its line alone. */
static void put_link(FILE *out, const struct frs_participation *p, const struct phase *phase,
    const struct frs_own_links *links) {
    bool up = phase->message == UP, sent = up ? !p->plan.no_upload : !p->plan.no_download;
    double latency_s = phase->try.terms.latency_s[up];
    put_real_member(out, NAME("latency_s"), sent ? latency_s + p->plan.link_latency_s : 0);
    frs_put_text(out, NAME("capacity_bytes_per_s"));
    put_capacities(out, p, phase, up, links);
    if (sent && phase->in_slow_start) {
        put_slow_start(out, &phase->try.terms, up, links);
        put_windows(out, p, up, &phase->try);
    }
}

/* Latencies first, then the client's bytes, then the server's. */
static void put_setup(FILE *out, const struct frs_participation *p, const struct phase *phase,
    const struct frs_own_links *links) {
    put_count_member(out, NAME("down_bytes"), phase->down_bytes);
    put_count_member(out, NAME("up_bytes"), phase->up_bytes);
    put_real_member(out, NAME("latency_s"), phase->wait_s);
    for (int up = 0; up < 2; up++) {
        frs_put_text(out, up ? NAME("up_capacity_bytes_per_s") : NAME("down_capacity_bytes_per_s"));
        put_capacities(out, p, phase, up, links);
    }
}

/* An upload that arrived in a round without a result was lost with the round. */
static enum frs_cause cause_of(const struct frs_participation *p, const struct frs_round_row *row) {
    return p->result.outcome == FRS_DELIVERED && p->result.cause == FRS_CAUSE_NONE ? row->lost
                                                                                   : p->result.cause;
}

static void put_end(FILE *out, const struct frs_round_row *row, const struct frs_participation *p) {
    enum frs_cause cause = cause_of(p, row), lost = row->lost;
    put_text_member(out, NAME("outcome"), frs_outcome_names[p->result.outcome]);
    if (cause != FRS_CAUSE_NONE)
        put_text_member(out, NAME("cause"), frs_cause_names[cause]);
#define FRS_MEMBER_OF_LAST_EVENT(name, value, shown)                                                         \
    if (shown)                                                                                               \
        PUT_MEMBER(out, #name, value);
#include "sim/ledger/columns.def"
}

static void put_beginning(FILE *out, const struct frs_participation *p) {
#define FRS_MEMBER_OF_FIRST_EVENT(name, value, shown)                                                        \
    if (shown)                                                                                               \
        PUT_MEMBER(out, #name, value);
#include "sim/ledger/columns.def"
}

/* Messages that arrived, and its bytes each way. */
static void put_exchange(FILE *out, const struct frs_peer_usage *usage) {
    put_count_member(out, NAME("up_bytes"), usage->up_bytes);
    put_count_member(out, NAME("down_bytes"), usage->down_bytes);
    put_count_member(out, NAME("sent"), usage->sent);
    put_count_member(out, NAME("received"), usage->received);
}

static void put_phase(FILE *out, const struct frs_round_row *row, const struct frs_participation *p,
    const struct phase *phase, const struct frs_own_links *links) {
    put_span(out, row, p, phase);
    if (phase->message == SETUP)
        put_setup(out, phase->of, phase, links);
    else if (phase->message != NO_MESSAGE && links->known)
        put_link(out, phase->of, phase, links);
    if (phase->broke)
        frs_put_text(out, ",\"broke\":true");
    if (phase->lost != FRS_CAUSE_NONE)
        put_text_member(out, NAME("lost"), frs_cause_names[phase->lost]);
    if (phase->exchange)
        put_exchange(out, phase->exchange);
}

static void put_post(FILE *out, const struct frs_round_row *row, const struct frs_participation *p) {
    const struct frs_post_upload *post = &p->post;
    put_span(out, row, p,
        &(struct phase){.name = "post",
            .from_s = p->times.compute_end_s,
            .to_s = post->end_s,
            .flop = p->usage.post_flop * post->share,
            .of = p});
    put_text_member(out, NAME("outcome"), frs_post_upload_outcome_names[post->outcome]);
    if (post->cause != FRS_CAUSE_NONE)
        put_text_member(out, NAME("cause"), frs_cause_names[post->cause]);
    frs_put_text(out, "}\n");
}

/* Whether the client had to wait for its device, or was lost while it did. */
static bool has_queued(const struct frs_participation *p) {
    double until_s = isnan(p->times.compute_start_s) ? p->times.ended_s : p->times.compute_start_s;
    return isfinite(p->times.down_end_s) &&
           (until_s > p->times.down_end_s || isnan(p->times.compute_start_s));
}

/* Whether the participation waited for the server to encode, or was aborted while it waited. Where
 * exchanges came before, it also waited for the other members. */
static bool was_encoded(double since_s, double left_s) {
    return isnan(left_s) || left_s > since_s;
}

/* The phases of one participation, in the order of time. */
struct phases {
    const struct frs_participation *of; /* those that are added */
    struct phase *list;
    size_t n, capacity;
};

/* If it was reached. */
static void add(struct phases *phases, struct phase phase) {
    if (isnan(phase.from_s))
        return;
    phases->list = frs_grow(phases->list, phases->n + 1, &phases->capacity, sizeof phase);
    phase.of = phases->of;
    phases->list[phases->n++] = phase;
}

/* Its message was on the way to its edge, or waited there for its turn. */
static void add_edge(struct phases *phases, double from_s, double to_s, bool up) {
    if (isfinite(from_s) && (isnan(to_s) || to_s > from_s))
        add(phases, (struct phase){.name = up ? "edge_up" : "edge_down", .from_s = from_s, .to_s = to_s});
}

static void add_setup(struct phases *phases, double latency_s, double from_s, double to_s,
    uint64_t down_bytes, uint64_t up_bytes) {
    add(phases, (struct phase){.name = "setup",
                    .from_s = from_s,
                    .to_s = to_s,
                    .bytes = down_bytes + up_bytes,
                    .message = SETUP,
                    .wait_s = latency_s,
                    .down_bytes = down_bytes,
                    .up_bytes = up_bytes});
}

/* After a try that broke: the wait, and the next connection, where that takes anything. */
static void add_retry(
    struct phases *phases, const struct frs_participation *p, const struct frs_break *broken) {
    const struct frs_handshake *handshake = &p->plan.retrying.handshake;
    if (!broken->idle)
        add(phases, (struct phase){.name = "retry", .from_s = broken->broke_s, .to_s = broken->again_s});
    if (handshake->wait_s > 0 || handshake->up_bytes > 0 || handshake->down_bytes > 0)
        add_setup(phases, broken->setup_latency_s, broken->again_s, broken->connected_s,
            broken->setup_down_bytes, broken->setup_up_bytes);
}

/* Try by try. */
static void add_message(struct phases *phases, const struct frs_participation *p, bool up, const char *name) {
    struct frs_try try;
    size_t i = 0;
    for (size_t k = 0; k < p->n_breaks; k++)
        if (p->breaks[k].up == up && frs_try(p, up, i++, &try)) {
            if (!p->breaks[k].idle || try.end_s > try.from_s) /* the latency may have passed */
                add(phases, (struct phase){.name = name,
                                .from_s = try.from_s,
                                .to_s = try.end_s,
                                .bytes = try.bytes,
                                .message = up ? UP : DOWN,
                                .in_slow_start = try.slow_start_kind,
                                .try = try,
                                .broke = true});
            add_retry(phases, p, &p->breaks[k]);
        }
    if (frs_try(p, up, i, &try))
        add(phases, (struct phase){.name = name,
                        .from_s = try.from_s,
                        .to_s = try.end_s,
                        .bytes = try.bytes,
                        .message = up ? UP : DOWN,
                        .in_slow_start = try.slow_start_kind,
                        .try = try});
}

static void add_download(struct phases *phases, const struct frs_participation *p, const char *name) {
    if (p->plan.unreachable || p->plan.refused) {
        add(phases, (struct phase){.name = "contact", .from_s = p->times.started_s, .to_s = NAN});
        return;
    }
    if (frs_participation_connects(p)) {
        uint64_t down_bytes = p->result.setup_down_bytes, up_bytes = p->result.setup_up_bytes;
        for (size_t i = 0; i < p->n_breaks; i++) {
            down_bytes -= p->breaks[i].setup_down_bytes;
            up_bytes -= p->breaks[i].setup_up_bytes;
        }
        add_setup(
            phases, p->plan.handshake.wait_s, p->times.started_s, p->times.connected_s, down_bytes, up_bytes);
    }
    if (!p->plan.peers.exchanges)
        add_message(phases, p, false, name);
}

static void add_receive(struct phases *phases, const struct frs_participation *receive) {
    phases->of = receive;
    add_download(phases, receive, "receive");
    if (receive->result.outcome != FRS_DELIVERED)
        phases->list[phases->n - 1].lost = receive->result.cause;
}

/* Writes the exchanges of a protocol before the messages of the round left the server, or after the
 * upload. Returns the end of the last one, or since_s. */
static double add_asides(
    struct phases *phases, const struct frs_participation *p, bool after, double since_s) {
    for (size_t i = 0; i < p->result.n_asides; i++) {
        const struct frs_aside *aside = &p->result.asides[i];
        if ((isfinite(p->times.up_end_s) && aside->from_s >= p->times.up_end_s) != after)
            continue;
        add(phases, (struct phase){.name = aside->name,
                        .from_s = aside->from_s,
                        .to_s = aside->to_s,
                        .bytes = aside->down_bytes + aside->up_bytes + aside->setup_down_bytes +
                                 aside->setup_up_bytes,
                        .flop = aside->flop});
        since_s = aside->to_s;
    }
    return since_s;
}

/* With other clients: layers, or, where there is no server, models. */
static void add_exchange(struct phases *phases, const struct frs_participation *p) {
    const struct frs_peer_usage *usage = &p->result.peers;
    add(phases, (struct phase){.name = "exchange",
                    .from_s = p->plan.peers.layers ? p->times.down_end_s : p->times.compute_end_s,
                    .to_s = p->times.exchanged_s,
                    .bytes = usage->up_bytes + usage->down_bytes,
                    .exchange = usage});
    if (p->plan.peers.mix_s > 0)
        add(phases, (struct phase){.name = "mix",
                        .from_s = p->times.exchanged_s,
                        .to_s = p->times.up_start_s,
                        .flop = usage->mix_flop});
}

static struct phases phases_of(const struct frs_participation *p) {
    struct phases phases = {.of = p};
    double since_s = add_asides(&phases, p, false, p->times.selected_s);
    bool has_edge = isfinite(p->times.sent_s);
    double left_s = has_edge ? p->times.sent_s : p->times.started_s;
    if (was_encoded(since_s, left_s))
        add(&phases,
            (struct phase){.name = phases.n > 0 ? "wait" : "encode", .from_s = since_s, .to_s = left_s});
    if (has_edge)
        add_edge(&phases, p->times.sent_s, p->times.started_s, false);
    add_download(&phases, p, "down");
    if (p->plan.peers.layers)
        add_exchange(&phases, p);
    else if (has_queued(p))
        add(&phases,
            (struct phase){.name = "queue", .from_s = p->times.down_end_s, .to_s = p->times.compute_start_s});
    add(&phases, (struct phase){.name = "compute",
                     .from_s = p->times.compute_start_s,
                     .to_s = p->times.compute_end_s,
                     .flop = frs_compute_flop(&p->usage) * p->result.computed_share});
    if (p->plan.peers.exchanges)
        add_exchange(&phases, p);
    else
        add_message(&phases, p, true, "up");
    if (has_edge)
        add_edge(&phases, p->times.up_end_s, p->times.ended_s, true);
    if (p->receive)
        add_receive(&phases, p->receive);
    else
        add_asides(&phases, p, true, NAN);
    return phases;
}

void frs_events_write(FILE *out, const struct frs_round_row *row, const struct frs_participation *p,
    const struct frs_own_links *links) {
    struct phases phases = phases_of(p);
    for (size_t i = 0; i < phases.n; i++) {
        put_phase(out, row, p, &phases.list[i], links);
        if (i == 0)
            put_beginning(out, p);
        if (i + 1 == phases.n)
            put_end(out, row, p);
        frs_put_text(out, "}\n");
    }
    free(phases.list);
    if (p->post.outcome != FRS_POST_NONE)
        put_post(out, row, p);
}

void frs_clients_csv_header(FILE *out, const struct frs_list_rules *ranking) {
    fputs("client,train_items,down_bytes_per_s,up_bytes_per_s,latency_s,flop_per_s", out);
#define FRS_COLUMN_OF_CLIENT(type, name, value, of_post) fputs("," #name, out);
#include "sim/ledger/columns.def"
    fputs(",rank", out);
    put_figure_names(out, "", ranking, true);
    fputs(",budget,network_class,device_class,group,edge\n", out);
}

void frs_clients_csv_row(FILE *out, uint32_t client, const struct frs_client_row *row,
    const struct frs_client_facts *facts, const struct frs_list_rules *ranking) {
    frs_put_count(out, client);
    put_count(out, facts->train_items);
    put_real(out, facts->down_bytes_per_s);
    put_real(out, facts->up_bytes_per_s);
    put_real(out, facts->latency_s);
    put_real(out, facts->flop_per_s > 0 ? facts->flop_per_s : NAN);
#define FRS_COLUMN_OF_CLIENT(type, name, value, of_post) PUT(out, row->name);
#include "sim/ledger/columns.def"
    put_real(out, facts->rank);
    put_figures(out, &facts->quality, ranking, true);
    put_real(out, facts->budget);
    char *network = frs_quoted_csv(facts->network_class), *device = frs_quoted_csv(facts->device_class);
    const char *const texts[] = {",", network, ",", device};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        frs_put_text(out, texts[i]);
    put_real(out, facts->group);
    put_real(out, facts->edge);
    frs_put_text(out, "\n");
    free(network);
    free(device);
}
