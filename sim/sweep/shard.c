#include "sim/sweep/shard.h"
#include "sim/base/memory.h"

#include <stdio.h>
#include <stdlib.h>

bool frs_shard_parse(const char *text, struct frs_shard *shard) {
    struct frs_shard read;
    int end = 0;
    char first = *text;
    if (first < '1' || first > '9' || sscanf(text, "%5zu/%5zu%n", &read.number, &read.n, &end) != 2 ||
        text[end])
        return false;
    if (read.number < 1 || read.number > read.n || read.n > FRS_MAX_SHARDS)
        return false;
    *shard = read;
    return true;
}

struct place {
    size_t leader, point;
};

static int by_leader(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    if (x->leader != y->leader)
        return x->leader < y->leader ? -1 : 1;
    return (x->point > y->point) - (x->point < y->point);
}

void frs_shard_points(const struct frs_shard *shard, const size_t *leader, size_t n_points, bool *owns) {
    struct place *places = frs_alloc(n_points, sizeof *places);
    for (size_t i = 0; i < n_points; i++) {
        places[i] = (struct place){leader[i], i};
        owns[i] = shard->n == 0;
    }
    qsort(places, n_points, sizeof *places, by_leader);
    for (size_t i = 0; i < n_points && shard->n > 0; i++)
        owns[places[i].point] = i * shard->n / n_points + 1 == shard->number;
    free(places);
}
