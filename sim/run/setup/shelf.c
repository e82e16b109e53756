#include "sim/run/setup/shelf.h"
#include "sim/base/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    bool open;
    size_t most;
    struct frs_data *data; /* NULL: none */
    size_t n_takers;
    char *key;  /* seed, and every setting that data come from */
    bool *read; /* [settings] those that loading read */
} shelf;

static void clear(void) {
    frs_data_destroy(shelf.data);
    free(shelf.key);
    free(shelf.read);
    shelf.data = NULL;
    shelf.key = NULL;
    shelf.read = NULL;
}

void frs_shelf_open(size_t most) {
    FRS_INVARIANT(!shelf.open, "the shelf is open already");
    shelf.open = true;
    shelf.most = most;
}

void frs_shelf_close(void) {
    FRS_INVARIANT(shelf.n_takers == 0, "%zu have not given their data back", shelf.n_takers);
    clear();
    shelf.open = false;
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

enum frs_status frs_shelf_take(const struct frs_values *data, const struct frs_values *evaluation,
    uint64_t seed, bool counts, struct frs_data **out, struct frs_errors *errors) {
    if (!shelf.open)
        return counts ? frs_data_count(data, evaluation, seed, 0, out, errors)
                      : frs_data_load(data, evaluation, seed, out, errors);
    char *key = key_of(data, evaluation, seed, counts);
    bool same = shelf.data && strcmp(key, shelf.key) == 0, full = shelf.data && shelf.n_takers > 0;
    enum frs_status status = FRS_OK;
    if (!same) {
        if (!full) /* before others are loaded: both at once would take more memory than a run */
            clear();
        status = counts ? frs_data_count(data, evaluation, seed, shelf.most, out, errors)
                        : frs_data_sketch(data, evaluation, seed, shelf.most, out, errors);
    }
    if (same) {
        exchange_reads(data, shelf.read, false);
        exchange_reads(evaluation, shelf.read + data->n, false);
        *out = shelf.data;
    } else if (status == FRS_OK && !full) {
        shelf.read = frs_alloc(data->n + evaluation->n, sizeof *shelf.read);
        exchange_reads(data, shelf.read, true);
        exchange_reads(evaluation, shelf.read + data->n, true);
        shelf.key = key;
        shelf.data = *out;
        key = NULL;
    }
    shelf.n_takers += status == FRS_OK && *out == shelf.data;
    free(key);
    return status;
}

void frs_shelf_return(struct frs_data *data) {
    if (data && data == shelf.data)
        shelf.n_takers--;
    else
        frs_data_destroy(data);
}
