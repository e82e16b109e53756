#include "sim/ledger/edge_messages.h"
#include "sim/base/decimal.h"
#include "sim/base/errors.h"
#include "sim/ledger/entry_checks.h"
#include "sim/ledger/windows_cell.h"

#include <inttypes.h>
#include <math.h>

/* An upload that was delivered crossed its edge's backhaul as a whole, and so did the download before it,
 * unless that was a model of the edge's own. */
static void check_delivered(const struct frs_closed_round *closed, const struct frs_participation *p) {
    const bool sent[2] = {!p->plan.no_download && p->edge_round == 0, !p->plan.no_upload};
    for (int up = 0; up < 2; up++) {
        uint32_t place = p->edge_messages[up];
        if (!sent[up] || p->result.outcome != FRS_DELIVERED)
            continue;
        FRS_INVARIANT(place > 0 && closed->edge_messages[place - 1].cause == FRS_CAUSE_NONE &&
                          closed->edge_messages[place - 1].up == up,
            "client %u was delivered without what its edge forwards", p->client);
    }
}

void frs_edge_messages_use(
    const struct frs_closed_round *closed, const struct frs_participation *p, bool *used) {
    check_delivered(closed, p);
    for (int up = 0; up < 2; up++) {
        uint32_t place = p->edge_messages[up];
        FRS_INVARIANT(place <= closed->n_edge_messages, "client %u has edge message %u of %zu", p->client,
            place, closed->n_edge_messages);
        if (place > 0)
            used[place - 1] = true;
    }
}

/* Bytes are rate times time, at most what the backhaul carries; a byte less of a message that was stopped. */
static void check(const struct frs_edge_message *m, const struct frs_closed_round *closed) {
    double slack_s = frs_clock_slack_s(closed->end_s);
    FRS_INVARIANT(m->bytes > 0 && m->crossed_bytes <= m->bytes &&
                      (m->cause != FRS_CAUSE_NONE || m->crossed_bytes == m->bytes),
        "edge %u: %" PRIu64 " of %" PRIu64 " bytes crossed its backhaul", m->edge, m->crossed_bytes,
        m->bytes);
    FRS_INVARIANT(m->queued_s >= closed->start_s - slack_s && m->began_s >= m->queued_s - slack_s &&
                      !(m->start_s < m->began_s - slack_s) && !(m->end_s < m->start_s - slack_s) &&
                      m->end_s >= m->began_s && m->end_s <= closed->end_s + slack_s,
        "edge %u: a message waits from %.17g, begins at %.17g and ends at %.17g", m->edge, m->queued_s,
        m->began_s, m->end_s);
    if (isnan(m->start_s)) {
        FRS_INVARIANT(m->crossed_bytes == 0, "edge %u: bytes crossed before the first", m->edge);
        return;
    }
    FRS_INVARIANT(
        isinf(m->bytes_per_s) ||
            (double)m->crossed_bytes <= m->bytes_per_s * (m->end_s - m->start_s + slack_s) * (1 + 1e-9) + 1,
        "edge %u: %" PRIu64 " bytes from %.17g to %.17g", m->edge, m->crossed_bytes, m->start_s, m->end_s);
}

void frs_edge_messages_enter(
    const struct frs_closed_round *closed, const bool *used, struct frs_totals *totals) {
    for (size_t i = 0; i < closed->n_edge_messages; i++) {
        const struct frs_edge_message *m = &closed->edge_messages[i];
        if (isnan(m->began_s)) /* nothing of it left */
            continue;
        check(m, closed);
        uint64_t wasted = used[i] ? 0 : m->crossed_bytes;
        totals->edge_messages++;
        totals->edge_connected_s += m->end_s - m->began_s;
        *(m->up ? &totals->edge_up_bytes : &totals->edge_down_bytes) += m->crossed_bytes;
        *(m->up ? &totals->wasted_edge_up_bytes : &totals->wasted_edge_down_bytes) += wasted;
    }
}

void frs_edges_csv_header(FILE *out) {
    fputs("round,attempt,edge,way,clients,queued_s,began_s,start_s,end_s,latency_s,bytes,crossed_bytes,"
          "capacity_bytes_per_s,used,cause,window_bytes,windows\n",
        out);
}

static void put(FILE *out, double value) {
    frs_put_text(out, ",");
    if (isfinite(value))
        frs_put_real(out, value);
}

void frs_edges_csv_rows(
    FILE *out, const struct frs_round_row *row, const struct frs_closed_round *closed, const bool *used) {
    for (size_t i = 0; i < closed->n_edge_messages; i++) {
        const struct frs_edge_message *m = &closed->edge_messages[i];
        if (isnan(m->began_s))
            continue;
        fprintf(out, "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%s,%" PRIu32, row->round, row->attempt, m->edge,
            m->up ? "up" : "down", m->n_clients);
        put(out, m->queued_s);
        put(out, m->began_s);
        put(out, m->start_s);
        put(out, m->end_s);
        put(out, m->latency_s);
        fprintf(out, ",%" PRIu64 ",%" PRIu64, m->bytes, m->crossed_bytes);
        put(out, m->bytes_per_s);
        fprintf(out, ",%d,%s,", used[i], m->cause == FRS_CAUSE_NONE ? "" : frs_cause_names[m->cause]);
        if (m->window_bytes > 0 && m->windows.n == 0)
            fprintf(out, "%" PRIu64, m->window_bytes);
        frs_put_windows_cell(out, &m->windows);
        frs_put_text(out, "\n");
    }
}
