#include "sim/sweep/shard.h"
#include "sim/base/errors.h"
#include "sim/base/files/create.h"
#include "sim/base/files/input.h"
#include "sim/base/memory.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

bool frs_shard_parse(const char *text, struct frs_shard *shard) {
    struct frs_shard read;
    int end = 0;
    char first = *text;
    if (first < '1' || first > '9' || sscanf(text, "%5zu/%5zu%n", &read.number, &read.n, &end) != 2 ||
        text[end])
        return false;
    if (read.number < 1 || read.number > read.n || read.n > FRS_MAX_SHARDS)
        return false;
    *shard = read;
    return true;
}

enum frs_status frs_shard_write(
    const char *folder, const struct frs_shard *shard, struct frs_errors *errors) {
    char *path = frs_format("%s/shard", folder);
    bool good = true;
    if (shard->n == 0) {
        good = unlink(path) == 0 || errno == ENOENT;
    } else {
        FILE *file = frs_create(path);
        if (file)
            fprintf(file, "%zu/%zu\n", shard->number, shard->n);
        good = file && fclose(file) == 0;
    }
    enum frs_status status =
        good ? FRS_OK : frs_errors_add(errors, FRS_ERR_RUN, "%s: %s", path, strerror(errno));
    free(path);
    return status;
}

struct frs_shard frs_shard_of_folder(const char *folder) {
    char *path = frs_format("%s/shard", folder), text[16];
    struct frs_shard shard = {0};
    FILE *file = NULL;
    if (!frs_input_open(path, &file) && fscanf(file, "%15s", text) == 1)
        (void)frs_shard_parse(text, &shard);
    if (file)
        fclose(file);
    free(path);
    return shard;
}

char *frs_shards_missing(const char *const *folders, size_t n) {
    bool *is_there = frs_alloc(FRS_MAX_SHARDS + 1, sizeof *is_there);
    size_t n_shards = frs_shard_of_folder(folders[0]).n;
    for (size_t i = 0; i < n; i++) {
        struct frs_shard shard = frs_shard_of_folder(folders[i]);
        if (shard.n != n_shards)
            n_shards = 0; /* whole sweeps, or parts of another cut: any points may be there */
        is_there[shard.number] = true;
    }
    char *missing = NULL;
    for (size_t number = 1; number <= n_shards; number++) {
        if (is_there[number])
            continue;
        char *longer =
            frs_format("%s%s%zu/%zu", missing ? missing : "", missing ? ", " : "", number, n_shards);
        free(missing);
        missing = longer;
    }
    free(is_there);
    return missing;
}

struct place {
    size_t leader, point;
};

static int by_leader(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    if (x->leader != y->leader)
        return x->leader < y->leader ? -1 : 1;
    return (x->point > y->point) - (x->point < y->point);
}

void frs_shard_points(const struct frs_shard *shard, const size_t *leader, size_t n_points, bool *owns) {
    struct place *places = frs_alloc(n_points, sizeof *places);
    for (size_t i = 0; i < n_points; i++) {
        places[i] = (struct place){leader[i], i};
        owns[i] = shard->n == 0;
    }
    qsort(places, n_points, sizeof *places, by_leader);
    for (size_t i = 0; i < n_points && shard->n > 0; i++)
        owns[places[i].point] = i * shard->n / n_points + 1 == shard->number;
    free(places);
}
