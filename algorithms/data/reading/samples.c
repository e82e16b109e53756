#include "algorithms/data/reading/samples.h"
#include "algorithms/data/reading/lines.h"

#include <stdio.h>
#include <string.h>

#define NOT_LISTABLE SIZE_MAX

/* Letters, digits, blanks, "-" and "_", so that a list of them can stand in a sentence. */
static bool is_word(struct frs_field field) {
    if (field.n == 0 || field.n >= FRS_SAMPLED_BYTES)
        return false;
    for (size_t i = 0; i < field.n; i++) {
        char at = field.text[i];
        if (!((at >= 'a' && at <= 'z') || (at >= 'A' && at <= 'Z') || (at >= '0' && at <= '9') || at == ' ' ||
                at == '-' || at == '_'))
            return false;
    }
    return true;
}

static void add(struct frs_sample *sample, struct frs_field field) {
    if (sample->n == NOT_LISTABLE)
        return;
    for (size_t i = 0; i < sample->n; i++)
        if (frs_field_is(field, sample->texts[i]))
            return;
    if (sample->n == FRS_SAMPLED_TEXTS || !is_word(field)) {
        sample->n = NOT_LISTABLE;
        return;
    }
    memcpy(sample->texts[sample->n], field.text, field.n);
    sample->texts[sample->n++][field.n] = '\0';
}

void frs_samples_note(struct frs_samples *samples, size_t column, struct frs_field text) {
    if (column < FRS_SAMPLED_COLUMNS)
        add(&samples->columns[column], text);
}

void frs_samples_take(struct frs_samples *samples, struct frs_field head,
    const struct frs_separator *separator, size_t skipped) {
    struct frs_fields fields;
    struct frs_field line;
    *samples = (struct frs_samples){0};
    while (frs_head_line(&head, &line)) {
        if (skipped > 0) {
            skipped--;
            continue;
        }
        if (!frs_fields_split(&fields, separator, line))
            continue;
        for (size_t i = 0; i < fields.n && i < FRS_SAMPLED_COLUMNS; i++)
            frs_samples_note(samples, i, fields.at[i]);
    }
}

const char *frs_samples_list(const struct frs_samples *samples, size_t column, char *text, size_t size) {
    size_t n = 0;
    *text = '\0';
    if (column >= FRS_SAMPLED_COLUMNS || samples->columns[column].n == NOT_LISTABLE ||
        samples->columns[column].n < 2)
        return text;
    for (size_t i = 0; i < samples->columns[column].n && n < size; i++)
        n += (size_t)snprintf(text + n, size - n, "%s%s", i ? ", " : "", samples->columns[column].texts[i]);
    return text;
}
