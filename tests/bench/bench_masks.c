/* What pairwise masks cost on one thread: nanoseconds of processor time of each kind of work that
 * frs_mask_tally counts, and of a floating-point operation of training's kind (additions of a vector that
 * fits the cache), by which algorithms/privacy/masks/ mask_cost.c charges them. The least of some
 * repetitions. */
#include "algorithms/privacy/masks/mask.h"
#include "algorithms/privacy/masks/mask_cost.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/rng.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define REPETITIONS 7

static double now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

static struct frs_key_pair pairs[2];
static uint8_t seed[FRS_KEY_BYTES];

static double agreements(size_t n) {
    for (size_t i = 0; i < n; i++)
        if (!frs_key_agree(&pairs[i % 2], pairs[1 - i % 2].public, seed))
            abort();
    return (double)n;
}

/* A table of ML-100K's size. */
static double masked_numbers(size_t n) {
    static uint32_t numbers[1682 * 16];
    for (size_t i = 0; i < n; i++)
        frs_mask_add(numbers, sizeof numbers / sizeof *numbers, seed, (uint32_t)i, i % 2 ? 1 : -1);
    return (double)n * (double)(sizeof numbers / sizeof *numbers);
}

static double share_steps(size_t n) {
    static uint8_t coefficients[32 * FRS_SECRET_BYTES], shares[50][FRS_SECRET_BYTES];
    uint32_t holders[50];
    for (uint32_t i = 0; i < 50; i++)
        holders[i] = 20 * i;
    for (size_t i = 0; i < n; i++)
        frs_shamir_share(seed, coefficients, 33, holders, 50, shares);
    return (double)n * 33 * 50;
}

static double weight_steps(size_t n) {
    uint16_t weights[50];
    uint32_t holders[50];
    for (uint32_t i = 0; i < 50; i++)
        holders[i] = 20 * i;
    for (size_t i = 0; i < n; i++)
        frs_shamir_weights(holders, 50, weights);
    return (double)n * 2 * 50 * 50;
}

static double boxes(size_t n) {
    uint8_t plain[64] = {0}, box[64 + FRS_BOX_TAG_BYTES];
    for (size_t i = 0; i < n; i++)
        frs_box_seal(seed, &(struct frs_box_address){(uint32_t)i, 1, 2}, plain, sizeof plain, box);
    return (double)n;
}

static double operations(size_t n) {
    static float sums[4096], values[4096];
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < 4096; k++)
            sums[k] = sums[k] * 0.5f + values[k];
    return (double)n * 4096 * 2;
}

static double least_ns(double (*work)(size_t), size_t n) {
    double least = INFINITY;
    for (int i = 0; i < REPETITIONS; i++) {
        double begin_ns = now_ns(), done = work(n);
        least = fmin(least, (now_ns() - begin_ns) / done);
    }
    return least;
}

int main(void) {
    struct frs_rng rng = frs_rng_stream(1, 0, 0, 0, FRS_RNG_TEST);
    for (size_t i = 0; i < 2; i++) {
        frs_key_draw(&rng, seed);
        pairs[i] = frs_key_pair_of(seed);
    }
    printf("%-16s %10.3f ns\n", "operation", least_ns(operations, 4000));
    printf("%-16s %10.1f ns %10.0f flop charged\n", "agreement", least_ns(agreements, 500),
        frs_mask_flop(&(struct frs_mask_tally){.agreements = 1}));
    printf("%-16s %10.3f ns %10.0f flop charged\n", "masked number", least_ns(masked_numbers, 100),
        frs_mask_flop(&(struct frs_mask_tally){.masked_numbers = 1}));
    printf("%-16s %10.1f ns %10.0f flop charged\n", "share step", least_ns(share_steps, 200),
        frs_mask_flop(&(struct frs_mask_tally){.share_steps = 1}));
    printf("%-16s %10.1f ns %10.0f flop charged\n", "weight step", least_ns(weight_steps, 200),
        frs_mask_flop(&(struct frs_mask_tally){.weight_steps = 1}));
    printf("%-16s %10.1f ns %10.0f flop charged\n", "box", least_ns(boxes, 20000),
        frs_mask_flop(&(struct frs_mask_tally){.boxes = 1}));
    return 0;
}
