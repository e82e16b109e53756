#include "sim/ledger/peer_messages.h"
#include "sim/base/decimal.h"
#include "sim/base/errors.h"
#include "sim/ledger/entry_checks.h"
#include "sim/ledger/windows_cell.h"

#include <inttypes.h>
#include <math.h>

static void check(const struct frs_peer_message *m, const struct frs_closed_round *closed) {
    double slack_s = frs_clock_slack_s(closed->end_s);
    FRS_INVARIANT(
        m->crossed_bytes <= m->bytes && (m->fate != FRS_PEER_DELIVERED || m->crossed_bytes == m->bytes),
        "%" PRIu64 " of %" PRIu64 " bytes crossed between clients: %s", m->crossed_bytes, m->bytes,
        frs_peer_fate_names[m->fate]);
    FRS_INVARIANT(!(m->begun_s < closed->start_s - slack_s) && !(m->start_s < m->begun_s) &&
                      !(m->end_s < m->start_s) && m->end_s <= closed->end_s + slack_s,
        "a message between clients begins at %.17g, starts at %.17g and ends at %.17g", m->begun_s,
        m->start_s, m->end_s);
    FRS_INVARIANT(
        isfinite(m->start_s) || m->crossed_bytes == 0, "bytes crossed between clients before the first");
}

void frs_peer_messages_check(const struct frs_closed_round *closed, const struct frs_totals *totals) {
    uint64_t crossed = 0, wasted = 0, n = 0;
    for (size_t i = 0; i < closed->n_peer_messages; i++) {
        const struct frs_peer_row *row = &closed->peer_messages[i];
        const struct frs_peer_message *m = &row->message;
        uint64_t bytes = m->crossed_bytes + m->setup_bytes[0] + m->setup_bytes[1];
        check(m, closed);
        crossed += bytes;
        wasted += row->used ? 0 : bytes;
        n += m->fate == FRS_PEER_DELIVERED;
    }
    FRS_INVARIANT(crossed == totals->peer_up_bytes && wasted == totals->wasted_peer_up_bytes &&
                      n == totals->peer_messages,
        "clients were charged %" PRIu64 " bytes between them, %" PRIu64 " of these in vain, and %" PRIu64
        " messages; the messages have %" PRIu64 ", %" PRIu64 " and %" PRIu64,
        totals->peer_up_bytes, totals->wasted_peer_up_bytes, totals->peer_messages, crossed, wasted, n);
}

void frs_peers_csv_header(FILE *out) {
    fputs("round,attempt,from,to,fate,begun_s,start_s,end_s,bytes,crossed_bytes,setup_there_bytes,"
          "setup_back_bytes,windows,weight,layer\n",
        out);
}

static void put(FILE *out, double value) {
    frs_put_text(out, ",");
    if (isfinite(value))
        frs_put_real(out, value);
}

void frs_peers_csv_rows(FILE *out, const struct frs_round_row *row, const struct frs_closed_round *closed) {
    for (size_t i = 0; i < closed->n_peer_messages; i++) {
        const struct frs_peer_row *one = &closed->peer_messages[i];
        const struct frs_peer_message *m = &one->message;
        fprintf(out, "%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%" PRIu32 ",%s", row->round, row->attempt,
            one->from, one->to, frs_peer_fate_names[m->fate]);
        put(out, m->begun_s);
        put(out, m->start_s);
        put(out, m->end_s);
        fprintf(out, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, m->bytes, m->crossed_bytes,
            m->setup_bytes[1], m->setup_bytes[0]);
        frs_put_windows_cell(out, &m->windows);
        put(out, one->weight);
        fprintf(out, ",%" PRIu32 "\n", one->layer);
    }
}
