#include "algorithms/kernels/select.h"
#include "sim/base/numbers/clones.h"

#include <math.h>

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

static void swap(float *a, float *b) {
    float t = *a;
    *a = *b;
    *b = t;
}

/* Hoare's quickselect, descending. */
static float by_quickselect(float *values, size_t n, size_t k, size_t *comparisons) {
    size_t first = 0, last = n;
    while (last - first > 1) {
        float pivot = values[first + (last - first) / 2];
        size_t larger = first, i = first, smaller = last;
        *comparisons += last - first;
        while (i < smaller) /* larger than the pivot, equal, smaller */
            if (values[i] > pivot)
                swap(&values[larger++], &values[i++]);
            else if (values[i] < pivot)
                swap(&values[i], &values[--smaller]);
            else
                i++;
        if (k - 1 < larger)
            last = larger;
        else if (k - 1 >= smaller)
            first = smaller;
        else
            return pivot;
    }
    return values[first];
}

FRS_CLONES static void magnitudes_of(const float *values, size_t n, float *magnitudes) {
    for (size_t i = 0; i < n; i++)
        magnitudes[i] = fabsf(values[i]);
}

FRS_CLONES static size_t count_larger(const float *values, size_t n, float than) {
    size_t larger = 0;
    for (size_t i = 0; i < n; i++)
        larger += fabsf(values[i]) > than;
    return larger;
}

double frs_keep_largest(float *values, size_t n, size_t k, float *scratch) {
    size_t comparisons = 0;
    if (k >= n)
        return 0;
    magnitudes_of(values, n, scratch);
    float least = k <= SHORT_LIST ? by_insertion(scratch, n, k, &comparisons)
                                  : by_quickselect(scratch, n, k, &comparisons);
    size_t ties = k - count_larger(values, n, least);
    for (size_t i = 0; i < n; i++) {
        float magnitude = fabsf(values[i]);
        if (magnitude < least || (magnitude == least && ties == 0))
            values[i] = 0;
        else if (magnitude == least)
            ties--;
    }
    return (double)(4 * n + comparisons);
}
