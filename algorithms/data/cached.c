#include "algorithms/data/cached.h"
#include "sim/base/files/cache.h"
#include "sim/base/files/input.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <string.h>
#include <sys/stat.h>

/* Less than this is made again in a few milliseconds. */
enum { LEAST_BYTES = 1 << 20 };

static const char rows_kind[] = "rows", negatives_kind[] = "candidates";

static struct frs_digest key_of_rows(const struct frs_values *data, const char *const paths[FRS_DATA_FILES],
    const struct frs_digest digests[FRS_DATA_FILES]) {
    static const char *const keys[] = {
        "csv_user", "csv_item", "csv_value", "csv_time", "csv_separator", "csv_where", NULL};
    struct frs_digester key = frs_cache_key(rows_kind);
    frs_digester_add_text(&key, frs_values_text(data, "format"));
    for (int i = 0; keys[i]; i++) {
        const struct frs_value *value = frs_values_find(data, keys[i]);
        frs_digester_add_u64(&key, value->given);
        frs_digester_add_text(&key, value->text);
    }
    const struct frs_value *header = frs_values_find(data, "csv_header");
    frs_digester_add_u64(&key, 2u * header->given + header->boolean);
    const struct frs_value *quotes = frs_values_find(data, "csv_quotes");
    frs_digester_add_u64(&key, 2u * quotes->given + quotes->boolean);
    frs_digester_add_u64(&key, frs_values_choice(data, "empty_ids"));
    frs_digester_add_u64(&key, frs_values_choice(data, "empty_ratings"));
    for (int i = 0; i < FRS_DATA_FILES; i++) {
        frs_digester_add_u64(&key, paths[i] != NULL);
        if (paths[i])
            frs_digester_add(&key, digests[i].bytes, sizeof digests[i].bytes);
    }
    return frs_digester_finish(&key);
}

/* What comes before the rows themselves. */
struct heading {
    uint64_t n, n_users, n_items, timed, rated, given_starts[2], layout_bytes, notes_bytes;
};

static size_t bytes_of_rows(const struct heading *heading) {
    size_t each = sizeof(uint32_t) * 2 + sizeof(float) + (heading->timed ? sizeof(double) : 0);
    return heading->layout_bytes + heading->notes_bytes + heading->n * each;
}

static char *load_text(struct frs_cache_entry *entry, size_t n) {
    char *text = frs_alloc(n + 1, 1);
    frs_cache_read(entry, text, n);
    return text;
}

static bool load_rows(const struct frs_digest *key, struct frs_rows *rows) {
    struct frs_cache_entry entry;
    struct heading heading;
    *rows = (struct frs_rows){0};
    if (!frs_cache_open(&entry, rows_kind, key))
        return false;
    frs_cache_read(&entry, &heading, sizeof heading);
    if (!entry.failed && heading.n < UINT32_MAX && heading.layout_bytes <= entry.left_bytes &&
        heading.notes_bytes <= entry.left_bytes && bytes_of_rows(&heading) == entry.left_bytes) {
        frs_rows_reserve(rows, heading.n, heading.timed);
        rows->n = heading.n;
        rows->n_users = (uint32_t)heading.n_users;
        rows->n_items = (uint32_t)heading.n_items;
        rows->rated = heading.rated;
        for (int i = 0; i < 2; i++)
            rows->given_starts[i] = heading.given_starts[i];
        rows->layout = load_text(&entry, heading.layout_bytes);
        rows->notes = load_text(&entry, heading.notes_bytes);
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
    const char *notes = rows->notes ? rows->notes : "";
    struct heading heading = {
        .n = rows->n,
        .n_users = rows->n_users,
        .n_items = rows->n_items,
        .timed = rows->times != NULL,
        .rated = rows->rated,
        .given_starts = {rows->given_starts[0], rows->given_starts[1]},
        .layout_bytes = strlen(rows->layout),
        .notes_bytes = strlen(notes),
    };
    frs_cache_create(&entry, rows_kind, key);
    frs_cache_write(&entry, &heading, sizeof heading);
    frs_cache_write(&entry, rows->layout, heading.layout_bytes);
    frs_cache_write(&entry, notes, heading.notes_bytes);
    frs_cache_write(&entry, rows->users, rows->n * sizeof *rows->users);
    frs_cache_write(&entry, rows->items, rows->n * sizeof *rows->items);
    frs_cache_write(&entry, rows->values, rows->n * sizeof *rows->values);
    if (rows->times)
        frs_cache_write(&entry, rows->times, rows->n * sizeof *rows->times);
    frs_cache_end_write(&entry);
}

/* Whether the files are worth keeping, and can be read. */
static bool digest_files(const char *const paths[FRS_DATA_FILES], struct frs_digest digests[FRS_DATA_FILES]) {
    struct stat info;
    if (stat(paths[FRS_FILE_ALL], &info) != 0 || info.st_size < LEAST_BYTES)
        return false;
    for (int i = 0; i < FRS_DATA_FILES; i++)
        if (paths[i] && frs_input_digest(paths[i], &digests[i]))
            return false;
    return true;
}

/* A file may change between its digest and its reading. */
static bool same_files(const char *const paths[FRS_DATA_FILES], const struct frs_digest a[FRS_DATA_FILES],
    const struct frs_digest b[FRS_DATA_FILES]) {
    for (int i = 0; i < FRS_DATA_FILES; i++)
        if (paths[i] && memcmp(a[i].bytes, b[i].bytes, sizeof a[i].bytes) != 0)
            return false;
    return true;
}

/* As used: keys that reading would have read. */
static void claim_keys(const struct frs_values *data) {
    static const char *const keys[] = {
        "csv_user", "csv_item", "csv_value", "csv_time", "csv_separator", "csv_where", NULL};
    for (int i = 0; keys[i]; i++)
        (void)frs_values_text(data, keys[i]);
    (void)frs_values_bool(data, "csv_header");
    (void)frs_values_bool(data, "csv_quotes");
}

enum frs_status frs_cached_rows(const struct frs_values *data, const char *const paths[FRS_DATA_FILES],
    struct frs_rows *rows, struct frs_read_ids *ids, struct frs_digest digests[FRS_DATA_FILES],
    struct frs_errors *errors) {
    struct frs_digest found[FRS_DATA_FILES];
    if (ids || !frs_cache_folder() || !digest_files(paths, found))
        return frs_read_rows(data, paths, rows, ids, digests, errors);
    struct frs_digest key = key_of_rows(data, paths, found);
    if (load_rows(&key, rows)) {
        memcpy(digests, found, sizeof found);
        claim_keys(data);
        return FRS_OK;
    }
    enum frs_status status = frs_read_rows(data, paths, rows, ids, digests, errors);
    if (status == FRS_OK && same_files(paths, found, digests))
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
