#include "algorithms/data/cached.h"
#include "sim/base/files/cache.h"
#include "algorithms/data/parse.h"

#include <string.h>

/* Less than this is made again in a few milliseconds. */
enum { LEAST_BYTES = 1 << 20 };

static const char rows_kind[] = "rows", negatives_kind[] = "candidates";

static void add_real(struct frs_digester *key, double value) {
    frs_digester_add(key, &value, sizeof value);
}

static struct frs_digest key_of_rows(const struct frs_format *format, const char *text, size_t n) {
    struct frs_digester key = frs_cache_key(rows_kind);
    frs_digester_add_text(&key, format->name);
    frs_digester_add_text(&key, format->separator);
    frs_digester_add_u64(&key, format->header);
    frs_digester_add_u64(&key, format->n_fields);
    for (size_t column = 0; column < FRS_COLUMNS; column++) {
        const char *name = format->names[column];
        frs_digester_add_u64(&key, format->columns[column]);
        frs_digester_add_u64(&key, name != NULL);
        frs_digester_add_text(&key, name ? name : "");
    }
    frs_digester_add_u64(&key, format->ids_are_numbers);
    add_real(&key, format->min_value);
    add_real(&key, format->max_value);
    frs_digester_add(&key, text, n);
    return frs_digester_finish(&key);
}

/* What comes before the rows themselves. */
struct heading {
    uint64_t n, n_users, n_items, timed;
};

static size_t bytes_of_rows(const struct heading *heading) {
    size_t each = sizeof(uint32_t) * 2 + sizeof(float) + (heading->timed ? sizeof(double) : 0);
    return heading->n * each;
}

static bool load_rows(const struct frs_digest *key, struct frs_rows *rows) {
    struct frs_cache_entry entry;
    struct heading heading;
    *rows = (struct frs_rows){0};
    if (!frs_cache_open(&entry, rows_kind, key))
        return false;
    frs_cache_read(&entry, &heading, sizeof heading);
    if (!entry.failed && heading.n < UINT32_MAX && bytes_of_rows(&heading) == entry.left_bytes) {
        frs_rows_reserve(rows, heading.n, heading.timed);
        rows->n = heading.n;
        rows->n_users = (uint32_t)heading.n_users;
        rows->n_items = (uint32_t)heading.n_items;
        frs_cache_read(&entry, rows->users, rows->n * sizeof *rows->users);
        frs_cache_read(&entry, rows->items, rows->n * sizeof *rows->items);
        frs_cache_read(&entry, rows->values, rows->n * sizeof *rows->values);
        if (heading.timed)
            frs_cache_read(&entry, rows->times, rows->n * sizeof *rows->times);
    }
    if (frs_cache_end_read(&entry))
        return true;
    frs_rows_fini(rows);
    return false;
}

static void keep_rows(const struct frs_digest *key, const struct frs_rows *rows) {
    struct frs_cache_entry entry;
    struct heading heading = {rows->n, rows->n_users, rows->n_items, rows->times != NULL};
    frs_cache_create(&entry, rows_kind, key);
    frs_cache_write(&entry, &heading, sizeof heading);
    frs_cache_write(&entry, rows->users, rows->n * sizeof *rows->users);
    frs_cache_write(&entry, rows->items, rows->n * sizeof *rows->items);
    frs_cache_write(&entry, rows->values, rows->n * sizeof *rows->values);
    if (rows->times)
        frs_cache_write(&entry, rows->times, rows->n * sizeof *rows->times);
    frs_cache_end_write(&entry);
}

enum frs_status frs_cached_rows(const struct frs_format *format, const char *path, const char *text, size_t n,
    struct frs_rows *rows, struct frs_errors *errors) {
    if (!frs_cache_folder() || n < LEAST_BYTES)
        return frs_parse_rows(format, path, text, n, rows, errors);
    struct frs_digest key = key_of_rows(format, text, n);
    if (load_rows(&key, rows))
        return FRS_OK;
    enum frs_status status = frs_parse_rows(format, path, text, n, rows, errors);
    if (status == FRS_OK)
        keep_rows(&key, rows);
    return status;
}

static void add_held_out(struct frs_digester *key, const struct frs_held_out *held_out, uint32_t n_clients) {
    frs_digester_add(key, held_out->start, ((size_t)n_clients + 1) * sizeof *held_out->start);
    frs_digester_add(key, held_out->items, held_out->start[n_clients] * sizeof *held_out->items);
}

static struct frs_digest key_of_negatives(const struct frs_data *data) {
    const struct frs_population *population = &data->population;
    struct frs_digester key = frs_cache_key(negatives_kind);
    frs_digester_add_u64(&key, population->seed);
    frs_digester_add_u64(&key, population->n_clients);
    frs_digester_add_u64(&key, population->n_items);
    frs_digester_add_u64(&key, data->n_negatives);
    for (uint32_t client = 0; client < population->n_clients; client++) {
        const struct frs_client_data *own = &data->clients[client];
        frs_digester_add_u64(&key, own->n);
        frs_digester_add(&key, own->items, own->n * sizeof *own->items);
    }
    add_held_out(&key, &data->validation, population->n_clients);
    add_held_out(&key, &data->test, population->n_clients);
    return frs_digester_finish(&key);
}

void frs_cached_negatives(struct frs_data *data, void (*draw)(struct frs_data *data)) {
    size_t n_bytes = data->population.n_clients * data->n_negatives * sizeof *data->negatives;
    if (!frs_cache_folder() || n_bytes < LEAST_BYTES) {
        draw(data);
        return;
    }
    struct frs_cache_entry entry;
    struct frs_digest key = key_of_negatives(data);
    if (frs_cache_open(&entry, negatives_kind, &key)) {
        frs_cache_read(&entry, data->negatives, n_bytes);
        if (frs_cache_end_read(&entry))
            return;
    }
    draw(data);
    frs_cache_create(&entry, negatives_kind, &key);
    frs_cache_write(&entry, data->negatives, n_bytes);
    frs_cache_end_write(&entry);
}
