#include "platforms/availability/average_day.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

struct frs_average_change {
    double time_s, clients;
};

void frs_average_day_fini(struct frs_average_day *day) {
    free(day->changes);
    *day = (struct frs_average_day){0};
}

void frs_average_day_add(struct frs_average_day *day, double from_s, double to_s, double clients) {
    day->changes = frs_grow(day->changes, day->n + 2, &day->capacity, sizeof *day->changes);
    day->changes[day->n++] = (struct frs_average_change){from_s, clients};
    day->changes[day->n++] = (struct frs_average_change){to_s, -clients};
}

/* At one time the ends come first. */
static int by_time(const void *a, const void *b) {
    const struct frs_average_change *x = a, *y = b;
    if (x->time_s != y->time_s)
        return (x->time_s > y->time_s) - (x->time_s < y->time_s);
    return (x->clients > y->clients) - (x->clients < y->clients);
}

double frs_average_day_most(struct frs_average_day *day) {
    double clients = 0, most = 0;
    if (day->n > 0)
        qsort(day->changes, day->n, sizeof *day->changes, by_time);
    for (size_t i = 0; i < day->n; i++) {
        clients += day->changes[i].clients;
        most = fmax(most, clients);
    }
    return most;
}
