#include "sim/setup/dataset_cache.h"
#include "sim/base/clock.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

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
    struct frs_initial_values *starts;
} cache;

static void drop(size_t i) {
    struct entry *entry = &cache.entries[i];
    frs_data_destroy(entry->data);
    free(entry->key);
    free(entry->read);
    *entry = cache.entries[--cache.n];
}

/* Frees data sets that are not in use, the longest unused first, until a further one as large as the
 * largest would fit beside the others: loading takes memory before the others are freed. */
static void make_room(void) {
    for (;;) {
        size_t bytes = 0, largest = 0, oldest = SIZE_MAX;
        for (size_t i = 0; i < cache.n; i++) {
            const struct entry *entry = &cache.entries[i];
            bytes += entry->bytes;
            largest = entry->bytes > largest ? entry->bytes : largest;
            if (entry->n_takers == 0 && (oldest == SIZE_MAX || entry->taken < cache.entries[oldest].taken))
                oldest = i;
        }
        if (bytes + largest <= cache.room_bytes || oldest == SIZE_MAX)
            return;
        drop(oldest);
    }
}

void frs_dataset_cache_open(size_t most, size_t room_bytes) {
    FRS_INVARIANT(!cache.open, "the cache is open already");
    cache.open = true;
    cache.most = most;
    cache.room_bytes = room_bytes;
    cache.longest_s = 0;
    cache.starts = frs_initial_values_create();
}

void frs_dataset_cache_close(void) {
    while (cache.n > 0) {
        FRS_INVARIANT(
            cache.entries[0].n_takers == 0, "%zu have not given their data back", cache.entries[0].n_takers);
        drop(0);
    }
    free(cache.entries);
    frs_initial_values_destroy(cache.starts);
    cache.entries = NULL;
    cache.starts = NULL;
    cache.capacity = 0;
    cache.open = false;
}

double frs_dataset_cache_longest_s(void) {
    return cache.longest_s;
}

bool frs_dataset_cache_is_open(void) {
    return cache.open;
}

void frs_dataset_cache_keep_initial_values(size_t most_bytes) {
    if (cache.starts)
        frs_initial_values_open(cache.starts, most_bytes);
}

bool frs_dataset_cache_wants_initial_values(void) {
    return cache.starts && !frs_initial_values_full(cache.starts);
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
    for (size_t i = 0; i < cache.n; i++)
        if (strcmp(cache.entries[i].key, key) == 0)
            return &cache.entries[i];
    return NULL;
}

/* Loads a data set that is not in the cache; NULL on failure. */
static struct entry *load(const struct frs_values *data, const struct frs_values *evaluation, uint64_t seed,
    bool counts, const char *key, enum frs_status *status, struct frs_errors *errors) {
    struct frs_data *loaded;
    double began_s = frs_wall_s();
    make_room();
    *status = counts ? frs_data_count(data, evaluation, seed, cache.most, &loaded, errors)
                     : frs_data_sketch(data, evaluation, seed, cache.most, &loaded, errors);
    if (*status != FRS_OK)
        return NULL;
    cache.longest_s = fmax(cache.longest_s, frs_wall_s() - began_s);
    loaded->population.starts = cache.starts;
    cache.entries = frs_grow(cache.entries, cache.n + 1, &cache.capacity, sizeof *cache.entries);
    struct entry *entry = &cache.entries[cache.n++];
    *entry = (struct entry){.data = loaded,
        .bytes = frs_data_bytes(loaded),
        .key = frs_strdup(key),
        .read = frs_alloc(data->n + evaluation->n, sizeof *entry->read)};
    exchange_reads(data, entry->read, true);
    exchange_reads(evaluation, entry->read + data->n, true);
    return entry;
}

enum frs_status frs_dataset_cache_take(const struct frs_values *data, const struct frs_values *evaluation,
    uint64_t seed, bool counts, struct frs_data **out, struct frs_errors *errors) {
    if (!cache.open)
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
        entry->taken = ++cache.n_taken;
        *out = entry->data;
    }
    free(key);
    return status;
}

void frs_dataset_cache_return(struct frs_data *data) {
    for (size_t i = 0; i < cache.n; i++)
        if (data && cache.entries[i].data == data) {
            cache.entries[i].n_takers--;
            return;
        }
    frs_data_destroy(data);
}
