#include "platforms/tables/client_ids.h"
#include "sim/base/decimal.h"
#include "sim/base/errors.h"
#include "sim/base/files/cells.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool is_client_number(double value) {
    return value >= 0 && value < UINT32_MAX && value == floor(value);
}

static bool is_absent(const char *text) {
    return frs_cell_is_absent(text, strlen(text));
}

void frs_client_ids_begin(struct frs_client_ids *ids, const char *path, size_t column) {
    struct frs_csv csv;
    struct frs_errors ignored = {0};
    double value;
    bool is_named;
    *ids = (struct frs_client_ids){0};
    if (frs_csv_open_unnamed(&csv, path, "client", &is_named, &ignored) && column < csv.n_columns)
        while (!ids->are_texts && frs_csv_next(&csv, &ignored))
            ids->are_texts = !is_absent(csv.fields[column]) && !frs_decimal_is(csv.fields[column], &value);
    frs_csv_close(&csv);
    frs_errors_clear(&ignored);
}

/* What two ways to write one id have in common: no case, no blanks, no ".0" behind digits. Freed by the
 * caller. */
static char *bare(const char *text) {
    char *left = frs_strdup(text), *to = left;
    for (const char *from = text; *from; from++)
        if (!isspace((unsigned char)*from))
            *to++ = (char)tolower((unsigned char)*from);
    *to = '\0';
    size_t digits = strspn(left, "0123456789"),
           zeros = left[digits] == '.' ? strspn(left + digits + 1, "0") : 0;
    if (digits > 0 && zeros > 0 && !left[digits + 1 + zeros])
        left[digits] = '\0';
    return left;
}

static uint64_t hash_of(const char *text) {
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 1099511628211u;
    return hash;
}

/* Where the bare text is, or would be. */
static uint32_t *slot_of(const struct frs_client_ids *ids, const char *left) {
    size_t i = hash_of(left) & (ids->n_slots - 1);
    for (; ids->slots[i]; i = (i + 1) & (ids->n_slots - 1)) {
        char *other = bare(ids->texts[ids->slots[i] - 1]);
        bool same = strcmp(other, left) == 0;
        free(other);
        if (same)
            break;
    }
    return &ids->slots[i];
}

static void make_room(struct frs_client_ids *ids) {
    if (2 * (ids->n + 1) <= ids->n_slots)
        return;
    ids->n_slots = ids->n_slots ? 2 * ids->n_slots : 64;
    free(ids->slots);
    ids->slots = frs_alloc(ids->n_slots, sizeof *ids->slots);
    for (size_t i = 0; i < ids->n; i++) {
        char *left = bare(ids->texts[i]);
        *slot_of(ids, left) = (uint32_t)i + 1;
        free(left);
    }
}

static bool read_text(struct frs_client_ids *ids, struct frs_csv *csv, const char *text, uint32_t *number,
    struct frs_errors *errors) {
    char shown[48], other[48];
    make_room(ids);
    char *left = bare(text);
    uint32_t *slot = slot_of(ids, left);
    free(left);
    if (!*slot) {
        ids->texts = frs_grow(ids->texts, ids->n + 1, &ids->texts_capacity, sizeof *ids->texts);
        ids->lines = frs_grow(ids->lines, ids->n + 1, &ids->lines_capacity, sizeof *ids->lines);
        ids->texts[ids->n] = frs_strdup(text);
        ids->lines[ids->n++] = csv->line;
        *slot = (uint32_t)ids->n;
    }
    *number = *slot - 1;
    return strcmp(ids->texts[*number], text) == 0 ||
           frs_csv_error(csv, errors,
               "client \"%s\" is client \"%s\" of line %zu, written in another way; allowed: one way, or ids "
               "that differ in more than case, blanks and .0",
               frs_text_line(text, shown, sizeof shown),
               frs_text_line(ids->texts[*number], other, sizeof other), ids->lines[*number]);
}

bool frs_client_ids_read(struct frs_client_ids *ids, struct frs_csv *csv, size_t column, uint32_t *number,
    struct frs_errors *errors) {
    const char *text = csv->fields[column];
    double value;
    char shown[48];
    if (is_absent(text))
        return *text ? frs_csv_error(csv, errors, "client \"%s\" stands for no value; allowed: its id",
                           frs_text_line(text, shown, sizeof shown))
                     : frs_csv_error(csv, errors, "client is empty; allowed: its id");
    if (ids->are_texts)
        return read_text(ids, csv, text, number, errors);
    if (!frs_decimal_is(text, &value) || !is_client_number(value))
        return frs_csv_error(csv, errors,
            "client \"%s\" is not a client's number; allowed: an integer from 0 to 4294967294",
            frs_text_line(text, shown, sizeof shown));
    size_t *line = strspn(text, "0123456789") == strlen(text) ? &ids->whole_line : &ids->point_line;
    if (*line == 0)
        *line = csv->line;
    if (ids->whole_line && ids->point_line)
        return frs_csv_error(csv, errors,
            "client \"%s\" is written as no number of line %zu is; allowed: one way",
            frs_text_line(text, shown, sizeof shown),
            *line == ids->whole_line ? ids->point_line : ids->whole_line);
    *number = (uint32_t)value;
    return true;
}

uint32_t frs_client_ids_find(const struct frs_client_ids *ids, const char *text) {
    if (ids->n == 0)
        return UINT32_MAX;
    char *left = bare(text);
    uint32_t place = *slot_of(ids, left);
    free(left);
    return place && strcmp(ids->texts[place - 1], text) == 0 ? place - 1 : UINT32_MAX;
}

const char *frs_client_ids_name(const struct frs_client_ids *ids, uint32_t number, char text[32]) {
    if (ids->are_texts && number < ids->n)
        return ids->texts[number];
    snprintf(text, 32, "%" PRIu32, number);
    return text;
}

void frs_client_ids_fini(struct frs_client_ids *ids) {
    for (size_t i = 0; i < ids->n; i++)
        free(ids->texts[i]);
    free(ids->texts);
    free(ids->lines);
    free(ids->slots);
    *ids = (struct frs_client_ids){0};
}
