/* Ticker: shows on stderr how a running sweep progresses.
 *
 * On a terminal one line is redrawn in place; elsewhere a plain line is printed for about every tenth of
 * the points. Failures have lines of their own. */
#ifndef FRS_SWEEP_PROGRESS_H
#define FRS_SWEEP_PROGRESS_H

#include "sim/base/invariant.h"
#include "sim/sweep/schedule.h"

struct frs_ticker;

/* `quiet`: nothing but failures. */
struct frs_ticker *frs_ticker_create(FILE *out, bool quiet);

/* To be called after every change, and now and then on a terminal for the time to go. */
void frs_ticker_show(struct frs_ticker *ticker, const struct frs_schedule_counts *counts);

/* One line that stays. */
void frs_ticker_say(struct frs_ticker *ticker, const char *format, ...) FRS_PRINTF(2, 3);

/* Ends the line in place, if there is one. */
void frs_ticker_destroy(struct frs_ticker *ticker);

#endif
