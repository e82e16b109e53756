#include "algorithms/data/scale.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FEW = 64 };

/* Different values in ascending order, as long as they are few. */
struct scale {
    size_t n;
    float values[FEW];
    size_t counts[FEW];
    bool many;
};

static void add(struct scale *scale, float value) {
    size_t at = 0;
    while (at < scale->n && scale->values[at] < value)
        at++;
    if (at < scale->n && scale->values[at] == value) {
        scale->counts[at]++;
        return;
    }
    if (scale->n == FEW) {
        scale->many = true;
        return;
    }
    memmove(scale->values + at + 1, scale->values + at, (scale->n - at) * sizeof *scale->values);
    memmove(scale->counts + at + 1, scale->counts + at, (scale->n - at) * sizeof *scale->counts);
    scale->values[at] = value;
    scale->counts[at] = 1;
    scale->n++;
}

static char *gap_of(const struct scale *scale) {
    size_t widest = 0, narrowest = 0;
    char from[32], to[32];
    for (size_t i = 0; i + 1 < scale->n; i++) {
        float gap = scale->values[i + 1] - scale->values[i];
        if (gap > scale->values[widest + 1] - scale->values[widest])
            widest = i;
        if (gap < scale->values[narrowest + 1] - scale->values[narrowest])
            narrowest = i;
    }
    if (scale->many || scale->n < 3 ||
        scale->values[widest + 1] - scale->values[widest] <
            1.5f * (scale->values[narrowest + 1] - scale->values[narrowest]))
        return frs_strdup("");
    return frs_format(", none between %s and %s",
        frs_text_number((double)scale->values[widest], from, sizeof from),
        frs_text_number((double)scale->values[widest + 1], to, sizeof to));
}

char *frs_describe_scale(const struct frs_interactions *interactions) {
    struct scale scale = {0};
    float least = interactions->values[0], most = least;
    size_t n_least = 0, n_most = 0;
    char from[32], to[32];
    for (size_t i = 0; i < interactions->n; i++) {
        least = fminf(least, interactions->values[i]);
        most = fmaxf(most, interactions->values[i]);
        if (!scale.many)
            add(&scale, interactions->values[i]);
    }
    for (size_t i = 0; i < interactions->n; i++) {
        n_least += interactions->values[i] == least;
        n_most += interactions->values[i] == most;
    }
    char *gap = gap_of(&scale);
    char *text =
        frs_format("ratings from %s (%zu) to %s (%zu)%s", frs_text_number((double)least, from, sizeof from),
            n_least, frs_text_number((double)most, to, sizeof to), n_most, gap);
    free(gap);
    return text;
}
