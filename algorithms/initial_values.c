#include "algorithms/initial_values.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

struct kept {
    struct frs_initial_values_key start;
    float *values;
};

struct frs_initial_values {
    bool full;
    size_t most_bytes, bytes, n, capacity;
    struct kept *kept; /* [n] */
};

struct frs_initial_values *frs_initial_values_create(void) {
    return frs_alloc(1, sizeof(struct frs_initial_values));
}

void frs_initial_values_destroy(struct frs_initial_values *starts) {
    for (size_t i = 0; starts && i < starts->n; i++)
        free(starts->kept[i].values);
    if (starts)
        free(starts->kept);
    free(starts);
}

void frs_initial_values_open(struct frs_initial_values *starts, size_t most_bytes) {
    starts->most_bytes = most_bytes;
}

bool frs_initial_values_full(const struct frs_initial_values *starts) {
    return starts->full;
}

static bool same(const struct frs_initial_values_key *a, const struct frs_initial_values_key *b) {
    return a->seed == b->seed && a->stream == b->stream && a->private == b->private && a->alike == b->alike &&
           a->rows == b->rows && a->dim == b->dim && a->drawn == b->drawn && a->sd == b->sd;
}

bool frs_initial_values_find(
    const struct frs_initial_values *starts, const struct frs_initial_values_key *start, float *values) {
    for (size_t i = 0; starts && i < starts->n; i++)
        if (same(&starts->kept[i].start, start)) {
            memcpy(values, starts->kept[i].values, start->rows * start->dim * sizeof *values);
            return true;
        }
    return false;
}

void frs_initial_values_keep(
    struct frs_initial_values *starts, const struct frs_initial_values_key *start, const float *values) {
    size_t n = start->rows * start->dim;
    if (!starts || starts->most_bytes == 0 || n == 0)
        return;
    if (starts->bytes + n * sizeof *values > starts->most_bytes) {
        starts->full = true;
        return;
    }
    starts->kept = frs_grow(starts->kept, starts->n + 1, &starts->capacity, sizeof *starts->kept);
    struct kept *kept = &starts->kept[starts->n++];
    *kept = (struct kept){*start, frs_alloc_lazily(n, sizeof *values)};
    memcpy(kept->values, values, n * sizeof *values);
    starts->bytes += n * sizeof *values;
}
