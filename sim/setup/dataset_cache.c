#include "sim/setup/dataset_cache.h"
#include "sim/base/clock.h"
#include "sim/base/memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Data that are kept, and what to know them by. */
struct entry {
    struct frs_data *data;
    size_t bytes, n_takers;
    uint64_t taken; /* when last, counted in takings */
    char *key;      /* seed, and every setting that data come from */
    bool *read;     /* [settings] those that loading read */
};

static struct {
    bool open;
    size_t most, room_bytes;
    double longest_s; /* that loading took */
    uint64_t n_taken;
    struct entry *entries; /* [n] */
    size_t n, capacity;
    struct frs_starts *starts;
} shelf;

#define MOST_STARTS_BYTES ((size_t)64 << 20)

static void drop(size_t i) {
    struct entry *entry = &shelf.entries[i];
    frs_data_destroy(entry->data);
    free(entry->key);
    free(entry->read);
    *entry = shelf.entries[--shelf.n];
}

/* Those nobody has, the longest unused first, until data like the largest would have room beside the others: what
 * is loaded before the others are gone takes memory beside them. */
static void make_room(void) {
    for (;;) {
        size_t bytes = 0, largest = 0, oldest = SIZE_MAX;
        for (size_t i = 0; i < shelf.n; i++) {
            const struct entry *entry = &shelf.entries[i];
            bytes += entry->bytes;
            largest = entry->bytes > largest ? entry->bytes : largest;
            if (entry->n_takers == 0 && (oldest == SIZE_MAX || entry->taken < shelf.entries[oldest].taken))
                oldest = i;
        }
        if (bytes + largest <= shelf.room_bytes || oldest == SIZE_MAX)
            return;
        drop(oldest);
    }
}

void frs_shelf_open(size_t most, size_t room_bytes) {
    FRS_INVARIANT(!shelf.open, "the shelf is open already");
    shelf.open = true;
    shelf.most = most;
    shelf.room_bytes = room_bytes;
    shelf.longest_s = 0;
    shelf.starts = frs_starts_create(MOST_STARTS_BYTES);
}

void frs_shelf_close(void) {
    while (shelf.n > 0) {
        FRS_INVARIANT(
            shelf.entries[0].n_takers == 0, "%zu have not given their data back", shelf.entries[0].n_takers);
        drop(0);
    }
    free(shelf.entries);
    frs_starts_destroy(shelf.starts);
    shelf.entries = NULL;
    shelf.starts = NULL;
    shelf.capacity = 0;
    shelf.open = false;
}

double frs_shelf_longest_s(void) {
    return shelf.longest_s;
}

bool frs_shelf_is_open(void) {
    return shelf.open;
}

void frs_shelf_keep_starts(bool keeps) {
    if (shelf.starts)
        frs_starts_open(shelf.starts, keeps);
}

bool frs_shelf_wants_starts(void) {
    return shelf.starts && !frs_starts_full(shelf.starts);
}

static void print_values(FILE *out, const struct frs_values *values) {
    for (size_t i = 0; i < values->n; i++) {
        char *text = frs_value_format(&values->values[i]);
        fprintf(out, "%s\n", text);
        free(text);
    }
}

static char *key_of(
    const struct frs_values *data, const struct frs_values *evaluation, uint64_t seed, bool counts) {
    char *key = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&key, &n);
    FRS_INVARIANT(out, "cannot open a stream in memory");
    fprintf(out, "%" PRIu64 "\n%d\n", seed, counts);
    print_values(out, data);
    print_values(out, evaluation);
    fclose(out);
    return key;
}

/* Loading would have read the same keys. */
static void exchange_reads(const struct frs_values *values, bool *read, bool keeps) {
    for (size_t i = 0; i < values->n; i++)
        if (keeps)
            read[i] = values->values[i].read;
        else
            values->values[i].read = values->values[i].read || read[i];
}

static struct entry *find(const char *key) {
    for (size_t i = 0; i < shelf.n; i++)
        if (strcmp(shelf.entries[i].key, key) == 0)
            return &shelf.entries[i];
    return NULL;
}

/* Loads what nobody has loaded; NULL on failure. */
static struct entry *load(const struct frs_values *data, const struct frs_values *evaluation, uint64_t seed,
    bool counts, const char *key, enum frs_status *status, struct frs_errors *errors) {
    struct frs_data *loaded;
    double began_s = frs_wall_s();
    make_room();
    *status = counts ? frs_data_count(data, evaluation, seed, shelf.most, &loaded, errors)
                     : frs_data_sketch(data, evaluation, seed, shelf.most, &loaded, errors);
    if (*status != FRS_OK)
        return NULL;
    shelf.longest_s = fmax(shelf.longest_s, frs_wall_s() - began_s);
    loaded->population.starts = shelf.starts;
    shelf.entries = frs_grow(shelf.entries, shelf.n + 1, &shelf.capacity, sizeof *shelf.entries);
    struct entry *entry = &shelf.entries[shelf.n++];
    *entry = (struct entry){.data = loaded,
        .bytes = frs_data_bytes(loaded),
        .key = frs_strdup(key),
        .read = frs_alloc(data->n + evaluation->n, sizeof *entry->read)};
    exchange_reads(data, entry->read, true);
    exchange_reads(evaluation, entry->read + data->n, true);
    return entry;
}

enum frs_status frs_shelf_take(const struct frs_values *data, const struct frs_values *evaluation,
    uint64_t seed, bool counts, struct frs_data **out, struct frs_errors *errors) {
    if (!shelf.open)
        return counts ? frs_data_count(data, evaluation, seed, 0, out, errors)
                      : frs_data_load(data, evaluation, seed, out, errors);
    enum frs_status status = FRS_OK;
    char *key = key_of(data, evaluation, seed, counts);
    struct entry *entry = find(key);
    *out = NULL;
    if (entry) {
        exchange_reads(data, entry->read, false);
        exchange_reads(evaluation, entry->read + data->n, false);
    } else
        entry = load(data, evaluation, seed, counts, key, &status, errors);
    if (entry) {
        entry->n_takers++;
        entry->taken = ++shelf.n_taken;
        *out = entry->data;
    }
    free(key);
    return status;
}

void frs_shelf_return(struct frs_data *data) {
    for (size_t i = 0; i < shelf.n; i++)
        if (data && shelf.entries[i].data == data) {
            shelf.entries[i].n_takers--;
            return;
        }
    frs_data_destroy(data);
}
