#include "algorithms/data/given_negatives.h"
#include "algorithms/data/reading/lines.h"
#include "algorithms/data/split.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ERRORS = 5 };

struct reader {
    struct frs_data *data;
    const struct frs_read_ids *ids;
    const struct frs_interactions *interactions;
    const char *path;
    size_t line, n_errors;
    struct frs_errors *errors;
    bool *seen;    /* [n_clients] */
    uint32_t *own; /* [n_items], of one client */
};

static bool fail(struct reader *reader, const char *what, struct frs_field field) {
    char shown[48];
    reader->n_errors++;
    (void)!frs_errors_add(reader->errors, FRS_ERR_INPUT, "%s:%zu: \"%s\" %s", reader->path, reader->line,
        frs_field_show(field, shown), what);
    return false;
}

/* The number of a user or item in the data set; UINT32_MAX: it was read, and left out; false: it is unknown.
 */
static bool number_of(const struct frs_ids *ids, const uint32_t *numbers, const uint32_t *kept,
    struct frs_field field, uint32_t *number) {
    uint32_t at = frs_ids_find(ids, field.text, field.n);
    if (at == UINT32_MAX)
        return false;
    *number = kept[numbers[at]];
    return true;
}

/* "(12,340)" into 12 and 340. */
static bool split_pair(struct frs_field field, struct frs_field *user, struct frs_field *item) {
    const char *comma;
    if (field.n < 5 || *field.text != '(' || field.text[field.n - 1] != ')' ||
        !(comma = memchr(field.text, ',', field.n)))
        return false;
    *user = (struct frs_field){field.text + 1, (size_t)(comma - field.text) - 1};
    *item = (struct frs_field){comma + 1, (size_t)(field.text + field.n - comma) - 2};
    while (item->n > 0 && *item->text == ' ')
        *item = (struct frs_field){item->text + 1, item->n - 1};
    return user->n > 0 && item->n > 0;
}

static bool is_test_item(const struct frs_data *data, uint32_t client, uint32_t item) {
    for (size_t i = data->test.start[client]; i < data->test.start[client + 1]; i++)
        if (data->test.items[i] == item)
            return true;
    return false;
}

/* The client of a line; UINT32_MAX: of a user who was left out. False after adding an error. */
static bool find_client(struct reader *reader, struct frs_field field, uint32_t *client) {
    struct frs_field user = field, item;
    uint32_t number;
    bool pair = split_pair(field, &user, &item);
    if (!number_of(
            &reader->ids->users, reader->ids->user_numbers, reader->interactions->user_numbers, user, client))
        return fail(reader, "is no user of the data", user);
    if (*client != UINT32_MAX && reader->seen[*client])
        return fail(reader, "is a user that a line before has, too", user);
    if (!pair || *client == UINT32_MAX)
        return true;
    if (!number_of(&reader->ids->items, reader->ids->item_numbers, reader->interactions->item_numbers, item,
            &number) ||
        !is_test_item(reader->data, *client, number))
        return fail(reader, "is not the test item of its user; is the split another one?", field);
    return true;
}

static bool add_items(struct reader *reader, const struct frs_fields *fields, uint32_t client) {
    struct frs_data *data = reader->data;
    size_t n_own = frs_split_all_items(data, client, reader->own);
    uint32_t *negatives = data->negatives + client * data->n_negatives;
    for (size_t i = 0; i < data->n_negatives; i++) {
        struct frs_field field = fields->at[i + 1];
        uint32_t item;
        if (!number_of(&reader->ids->items, reader->ids->item_numbers, reader->interactions->item_numbers,
                field, &item) ||
            item == UINT32_MAX)
            return fail(reader, "is no item of the data, or one that was left out", field);
        for (size_t own = 0; own < n_own; own++)
            if (reader->own[own] == item)
                return fail(reader, "is an item with which the user interacted", field);
        for (size_t before = 0; before < i; before++)
            if (negatives[before] == item)
                return fail(reader, "stands twice on this line", field);
        negatives[i] = item;
    }
    reader->seen[client] = true;
    return true;
}

static void read_line(struct reader *reader, struct frs_field line) {
    struct frs_fields fields;
    struct frs_separator blanks = frs_separator_of("blanks");
    struct frs_data *data = reader->data;
    uint32_t client;
    frs_fields_split(&fields, &blanks, line);
    size_t n = fields.n - 1;
    if (n == 0 || fields.n > FRS_FIELDS_MOST || (data->negatives && n != data->n_negatives)) {
        reader->n_errors++;
        (void)!frs_errors_add(reader->errors, FRS_ERR_INPUT,
            "%s:%zu: found %zu negatives; expected a user and %s%zu items, by blanks", reader->path,
            reader->line, n, data->negatives ? "" : "up to ",
            data->negatives ? data->n_negatives : (size_t)FRS_FIELDS_MOST - 1);
        return;
    }
    if (!data->negatives) {
        data->n_negatives = n;
        data->negatives = frs_alloc((size_t)data->population.n_clients * n, sizeof *data->negatives);
    }
    if (find_client(reader, fields.at[0], &client) && client != UINT32_MAX)
        (void)add_items(reader, &fields, client);
}

static enum frs_status check_all(struct reader *reader) {
    uint32_t n_missing = 0;
    for (uint32_t client = 0; client < reader->data->population.n_clients; client++)
        n_missing += !reader->seen[client];
    if (n_missing == 0)
        return FRS_OK;
    return frs_errors_add(reader->errors, FRS_ERR_INPUT,
        "%s: has no line for %u of %u clients; expected one for each", reader->path, n_missing,
        reader->data->population.n_clients);
}

enum frs_status frs_given_negatives_read(struct frs_data *data, const struct frs_read_ids *ids,
    const struct frs_interactions *interactions, const char *path, struct frs_digest *digest,
    struct frs_errors *errors) {
    struct frs_bytes bytes;
    struct frs_lines lines;
    struct frs_field line;
    const char *reason = frs_bytes_open(&bytes, path);
    if (reason)
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: cannot be read: %s", path, reason);
    struct reader reader = {.data = data,
        .ids = ids,
        .interactions = interactions,
        .path = path,
        .errors = errors,
        .seen = frs_alloc(data->population.n_clients, sizeof *reader.seen),
        .own = frs_alloc(data->population.n_items, sizeof *reader.own)};
    data->n_negatives = 0;
    frs_lines_init(&lines, &bytes);
    while (reader.n_errors < MOST_ERRORS && frs_lines_next(&lines, &line)) {
        reader.line = lines.line;
        read_line(&reader, line);
    }
    enum frs_status status = reader.n_errors ? FRS_ERR_INPUT : FRS_OK;
    if (lines.failure)
        status = frs_errors_add(errors, FRS_ERR_INPUT, "%s: %s", path, lines.failure);
    if (status == FRS_OK)
        status = check_all(&reader);
    *digest = frs_digester_finish(&bytes.digester);
    frs_lines_fini(&lines);
    frs_bytes_close(&bytes);
    free(reader.seen);
    free(reader.own);
    return status;
}
