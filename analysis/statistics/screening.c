#include "analysis/statistics/screening.h"

#include <string.h>

/* First rows; the others are shifted by one each, and the last one of the first half is all low. */
static const char *const first_rows[] = {
    "++-", "+++-+--", "++-+++---+-", "++++-+-++--+---", "++--++++-+-+----++-", "+++++-+-++--++--+-+----"};
enum { N_DESIGNS = sizeof first_rows / sizeof *first_rows };

static const char *first_row(size_t n_runs) {
    size_t i = 0;
    while (i + 1 < N_DESIGNS && 2 * (strlen(first_rows[i]) + 1) < n_runs)
        i++;
    return first_rows[i];
}

size_t frs_screening_runs(size_t n_factors) {
    size_t i = 0;
    while (i + 1 < N_DESIGNS && strlen(first_rows[i]) < n_factors)
        i++;
    return 2 * (strlen(first_rows[i]) + 1);
}

bool frs_screening_is_high(size_t n_runs, size_t run, size_t factor) {
    const char *row = first_row(n_runs);
    size_t n = strlen(row), half = n_runs / 2, own = run % half;
    bool high = own < n && row[(factor + n - own) % n] == '+';
    return high == (run < half);
}

double frs_screening_effect(const double *answers, size_t n_runs, size_t factor) {
    double sum = 0;
    size_t half = n_runs / 2;
    for (size_t run = 0; run < n_runs; run++)
        sum += frs_screening_is_high(n_runs, run, factor) ? answers[run] : -answers[run];
    return sum / (double)half;
}
