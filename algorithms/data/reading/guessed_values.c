#include "algorithms/data/reading/guessed_values.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Values are counted up to so many different ones. */
enum { SLOTS = 1 << 15, MOST_COUNTED = 10000 };

static size_t count_distinct(const float *values, size_t n) {
    struct slot {
        float value;
        bool taken;
    } *slots = frs_alloc(SLOTS, sizeof *slots);
    size_t distinct = 0;
    for (size_t i = 0; i < n && distinct <= MOST_COUNTED; i++) {
        uint32_t bits;
        memcpy(&bits, &values[i], sizeof bits);
        size_t at = (bits * UINT32_C(2654435761)) >> 17;
        while (slots[at].taken && slots[at].value != values[i])
            at = (at + 1) % SLOTS;
        distinct += !slots[at].taken;
        slots[at].taken = true;
        slots[at].value = values[i];
    }
    free(slots);
    return distinct;
}

/* Whole numbers in groups, others as they are. */
static const char *grouped(double value, char text[FRS_TEXT_COUNT_CHARS + 1]) {
    if (!(fabs(value) < 1e15) || value != floor(value)) {
        snprintf(text, FRS_TEXT_COUNT_CHARS + 1, "%.15g", value);
        return text;
    }
    *text = '-';
    frs_text_count((uint64_t)fabs(value), text + (value < 0));
    return text;
}

char *frs_guessed_values_refused(const float *values, size_t n, double least, double most, size_t column) {
    char count[FRS_TEXT_COUNT_CHARS + 1], from[FRS_TEXT_COUNT_CHARS + 1], to[FRS_TEXT_COUNT_CHARS + 1];
    if (least >= FRS_RATING_LEAST && most <= FRS_RATING_MOST)
        return NULL;
    size_t distinct = count_distinct(values, n);
    bool more = distinct > MOST_COUNTED;
    return frs_format(
        "; column %zu is not taken for a rating: %s%s distinct value%s %s%s%s (data.csv_value = "
        "\"%zu\" takes it)",
        column + 1, more ? "more than " : "", grouped(more ? MOST_COUNTED : (double)distinct, count),
        distinct == 1 ? "" : "s", least < 0 ? grouped(least, from) : "", least < 0 ? " to " : "up to ",
        grouped(most, to), column + 1);
}
