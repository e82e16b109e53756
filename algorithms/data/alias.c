#include "algorithms/data/alias.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"

#include <math.h>
#include <stdlib.h>

void frs_alias_init(struct frs_alias *alias, const double *weights, uint32_t n) {
    double sum = 0, *scaled = frs_alloc(n, sizeof *scaled);
    uint32_t *queue = frs_alloc(n, sizeof *queue), n_small = 0, n_large = 0;
    *alias = (struct frs_alias){n, frs_alloc(n, sizeof(float)), frs_alloc(n, sizeof(uint32_t))};
    for (uint32_t i = 0; i < n; i++)
        sum += weights[i];
    FRS_INVARIANT(sum > 0 && isfinite(sum), "weights of an alias table sum to %g", sum);
    /* cells below the mean fill the queue from the front, the others from the back */
    for (uint32_t i = 0; i < n; i++) {
        scaled[i] = weights[i] * n / sum;
        if (scaled[i] < 1)
            queue[n_small++] = i;
        else
            queue[n - ++n_large] = i;
    }
    while (n_small && n_large) {
        uint32_t low = queue[--n_small], high = queue[n - n_large];
        alias->keep[low] = (float)scaled[low];
        alias->other[low] = high;
        scaled[high] -= 1 - scaled[low];
        if (scaled[high] < 1) {
            n_large--;
            queue[n_small++] = high;
        }
    }
    /* what rounding leaves over counts as exactly full */
    while (n_small)
        alias->keep[queue[--n_small]] = 1;
    for (; n_large; n_large--)
        alias->keep[queue[n - n_large]] = 1;
    free(scaled);
    free(queue);
}

void frs_alias_fini(struct frs_alias *alias) {
    free(alias->keep);
    free(alias->other);
    *alias = (struct frs_alias){0};
}

uint32_t frs_alias_draw(const struct frs_alias *alias, struct frs_rng *rng) {
    uint32_t cell = frs_rng_below(rng, alias->n);
    float unit = (float)(frs_rng_u32(rng) >> 8) * 0x1p-24f;
    return unit < alias->keep[cell] ? cell : alias->other[cell];
}
