#include "algorithms/kernels/select.h"
#include "algorithms/kernels/lanes.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Up to so many the k-th largest is found by insertion, in a short list instead of in all values. */
#define SHORT_LIST 16u

static float by_insertion(const float *magnitudes, size_t n, size_t k, size_t *comparisons) {
    float list[SHORT_LIST]; /* descending */
    for (size_t i = 0; i < k; i++)
        list[i] = -1;
    for (size_t i = 0; i < n; i++) {
        size_t at = k - 1;
        if (!(magnitudes[i] > list[at]))
            continue;
        for (; at > 0 && magnitudes[i] > list[at - 1]; at--)
            list[at] = list[at - 1];
        list[at] = magnitudes[i];
        *comparisons += k - at;
    }
    *comparisons += n;
    return list[k - 1];
}

/* a or b, without a branch. */
static float either(bool first, float a, float b) {
    uint32_t mask = -(uint32_t)first, bits_a, bits_b;
    memcpy(&bits_a, &a, sizeof a);
    memcpy(&bits_b, &b, sizeof b);
    bits_a = (bits_a & mask) | (bits_b & ~mask);
    memcpy(&a, &bits_a, sizeof a);
    return a;
}

/* Partitions as Hoare's algorithm would: from left to right, a value smaller than the pivot changes places
 * with the last unread value, which is read next; larger values are placed before those that equal the
 * pivot. It does so without unpredictable branches. The other values of the right, from its end on, fill
 * the gaps that small values leave on the left; on the right every value moves on by one, and small ones
 * of the left take the places that become free. `aside` has room for as many values and two more. Returns
 * how many values are larger. */
static size_t partition(float *values, size_t n, size_t n_from_pivot, float pivot, float *aside) {
    float *left = values, *right = values + n_from_pivot, *smaller = aside, *others;
    size_t n_right = n - n_from_pivot, n_smaller = 0, n_others = 0, larger = 0;
    for (size_t i = 0; i < n_from_pivot; i++) {
        smaller[n_smaller] = left[i];
        n_smaller += left[i] < pivot;
    }
    if (n_right > 0)
        smaller[n_smaller] = right[0];
    others = smaller + n_smaller + 1;
    for (size_t i = n_right; i-- > 0;) {
        others[n_others] = right[i];
        n_others += !(right[i] < pivot);
    }
    for (size_t i = 0; i < n_from_pivot; i++) {
        bool leaves = left[i] < pivot;
        float value = either(leaves, *others, left[i]);
        others += leaves;
        left[larger] = value;
        larger += value > pivot;
    }
    for (size_t i = larger; i < n_from_pivot; i++)
        left[i] = pivot;
    float moving = *smaller;
    for (size_t i = n_right; i-- > 0;) {
        float value = right[i], entering = smaller[1];
        bool stays = value < pivot;
        right[i] = moving;
        moving = either(stays, value, entering);
        smaller += !stays;
    }
    return larger;
}

static size_t count_from(const float *values, size_t n, float least) {
    uint32_t found = 0;
    for (size_t i = 0; i < n; i++)
        found += values[i] >= least;
    return found;
}

/* Hoare's quickselect, descending. */
static float by_quickselect(float *values, size_t n, size_t k, float *aside, size_t *comparisons) {
    while (n > 1) {
        float pivot = values[n / 2];
        size_t n_from_pivot = count_from(values, n, pivot);
        size_t larger = partition(values, n, n_from_pivot, pivot, aside);
        *comparisons += n;
        if (k - 1 < larger)
            n = larger;
        else if (k - 1 >= n_from_pivot) {
            values += n_from_pivot;
            n -= n_from_pivot;
            k -= n_from_pivot;
        } else
            return pivot;
    }
    return *values;
}

static void magnitudes_of(const float *values, size_t n, float *magnitudes) {
    for (size_t i = 0; i < n; i++)
        magnitudes[i] = fabsf(values[i]);
}

/* Sets to 0 every value smaller than `least`, which is the k-th largest. Returns how many remain; more
 * than k remain where others equal it. */
static size_t keep_from(float *values, size_t n, float least) {
    uint32_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        bool keeps = fabsf(values[i]) >= least;
        kept += keeps;
        values[i] = keeps ? values[i] : 0;
    }
    return kept;
}

static void keep_k(float *values, size_t n, size_t k, float least) {
    size_t too_many = keep_from(values, n, least) - k;
    for (size_t i = n; too_many > 0 && i-- > 0;)
        if (fabsf(values[i]) == least) {
            values[i] = 0;
            too_many--;
        }
}

static double keep_largest(float *values, size_t n, size_t k, float *scratch) {
    size_t comparisons = 0;
    if (k >= n)
        return 0;
    magnitudes_of(values, n, scratch);
    float least = k <= SHORT_LIST ? by_insertion(scratch, n, k, &comparisons)
                                  : by_quickselect(scratch, n, k, scratch + n, &comparisons);
    keep_k(values, n, k, least);
    return (double)(4 * n + comparisons);
}

FRS_KERNEL(double, frs_keep_largest, (float *values, size_t n, size_t k, float *scratch)) {
    return keep_largest(values, n, k, scratch);
}

FRS_INLINE frs_lanes_bits either_lane(frs_lanes_bits a, frs_lanes_bits b, frs_lanes_bits mask) {
    return (a & mask) | (b & ~mask);
}

/* Magnitudes of up to FRS_WIDTH columns of as many rows: lane j of columns[i] is row j's. */
static void take_columns(const float *rows, size_t dim, size_t n, frs_lanes *columns) {
    _Alignas(64) float part[FRS_WIDTH] = {0};
    for (size_t j = 0; j < FRS_WIDTH; j++) {
        memcpy(part, rows + j * dim, n * sizeof *part);
        columns[j] = (frs_lanes)((frs_lanes_bits)*frs_lanes_of(part) & INT32_MAX);
    }
    frs_lanes_transpose(columns);
}

/* by_insertion of a row in each lane: a value larger than the l-th of a list takes its place, and the
 * value that was there moves to the next place. */
static void by_insertion_abreast(
    const float *rows, size_t dim, size_t k, float least[FRS_WIDTH], int32_t comparisons[FRS_WIDTH]) {
    frs_lanes_bits list[SHORT_LIST], lost = {0};
    for (size_t l = 0; l < k; l++)
        list[l] = lost - 1; /* below any magnitude's bits */
    for (size_t at = 0; at < dim; at += FRS_WIDTH) {
        frs_lanes columns[FRS_WIDTH];
        size_t n = dim - at < FRS_WIDTH ? dim - at : FRS_WIDTH;
        take_columns(rows + at, dim, n, columns);
        for (size_t i = 0; i < n; i++) {
            frs_lanes_bits value = (frs_lanes_bits)columns[i], falling = value;
            for (size_t l = 0; l < k; l++) {
                frs_lanes_bits place = list[l], larger = falling > place;
                lost += value > place;
                list[l] = either_lane(falling, place, larger);
                falling = either_lane(place, falling, larger);
            }
        }
    }
    memcpy(least, &list[k - 1], sizeof list[k - 1]);
    lost = -lost;
    memcpy(comparisons, &lost, sizeof lost);
}

FRS_KERNEL(
    double, frs_keep_largest_of_rows, (float *values, size_t n_rows, size_t dim, size_t k, float *scratch)) {
    double flop = 0;
    size_t row = 0;
    for (; k < dim && k <= SHORT_LIST && row + FRS_WIDTH <= n_rows; row += FRS_WIDTH) {
        float least[FRS_WIDTH];
        int32_t comparisons[FRS_WIDTH];
        by_insertion_abreast(values + row * dim, dim, k, least, comparisons);
        for (size_t j = 0; j < FRS_WIDTH; j++) {
            keep_k(values + (row + j) * dim, dim, k, least[j]);
            flop += (double)(5 * dim) + comparisons[j];
        }
    }
    for (; row < n_rows; row++)
        flop += keep_largest(values + row * dim, dim, k, scratch);
    return flop;
}
