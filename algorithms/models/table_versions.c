#include "algorithms/models/table_versions.h"
#include "sim/base/arena.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* The smaller, the more is in common, and the more memory goes into knowing where blocks are. */
#define BLOCK_BYTES 512u

struct block {
    uint32_t n_versions;
    struct block *next;          /* while it is free */
    _Alignas(16) float values[]; /* [rows × dim] */
};

struct version {
    uint64_t number;
    uint32_t n_holders;    /* 0: the place is free */
    struct block **blocks; /* [n_blocks]; NULL where it is */
};

struct frs_table_versions {
    size_t n_rows, dim, block_rows, n_blocks;
    struct version *list;
    size_t n, capacity, n_values;
    struct frs_arena arena; /* of blocks, */
    struct block *free;     /* and those that can be used again */
};

struct frs_table_versions *frs_table_versions_create(size_t n_rows, size_t dim) {
    struct frs_table_versions *versions = frs_alloc(1, sizeof *versions);
    size_t block_rows = BLOCK_BYTES / sizeof(float) / dim;
    block_rows = block_rows > 0 ? block_rows : 1;
    *versions = (struct frs_table_versions){.n_rows = n_rows,
        .dim = dim,
        .block_rows = block_rows,
        .n_blocks = (n_rows + block_rows - 1) / block_rows};
    return versions;
}

/* Values of a block; the last one may have fewer rows. */
static size_t values_of(const struct frs_table_versions *versions, size_t block) {
    size_t left = versions->n_rows - block * versions->block_rows;
    return (left < versions->block_rows ? left : versions->block_rows) * versions->dim;
}

static void forget(struct frs_table_versions *versions, struct version *version) {
    for (size_t b = 0; version->blocks && b < versions->n_blocks; b++) {
        struct block *block = version->blocks[b];
        if (--block->n_versions > 0)
            continue;
        versions->n_values -= values_of(versions, b);
        block->next = versions->free;
        versions->free = block;
    }
    free(version->blocks);
    *version = (struct version){0};
}

void frs_table_versions_destroy(struct frs_table_versions *versions) {
    if (!versions)
        return;
    for (size_t i = 0; i < versions->n; i++)
        forget(versions, &versions->list[i]);
    frs_arena_fini(&versions->arena);
    free(versions->list);
    free(versions);
}

static const struct version *newest(const struct frs_table_versions *versions) {
    const struct version *found = NULL;
    for (size_t i = 0; i < versions->n; i++)
        if (versions->list[i].blocks && (!found || versions->list[i].number > found->number))
            found = &versions->list[i];
    return found;
}

static struct block *take_block(struct frs_table_versions *versions, const float *values, size_t n) {
    struct block *block = versions->free;
    if (block)
        versions->free = block->next;
    else
        block = frs_arena_take_packed(
            &versions->arena, sizeof *block + versions->block_rows * versions->dim * sizeof *values);
    block->n_versions = 0;
    memcpy(block->values, values, n * sizeof *values);
    versions->n_values += n;
    return block;
}

static struct block **make_blocks(struct frs_table_versions *versions, const float *table) {
    const struct version *other = newest(versions);
    struct block **blocks = frs_alloc(versions->n_blocks, sizeof *blocks);
    for (size_t b = 0; b < versions->n_blocks; b++) {
        const float *values = table + b * versions->block_rows * versions->dim;
        size_t n = values_of(versions, b);
        blocks[b] = other ? other->blocks[b] : NULL;
        if (!blocks[b] || memcmp(blocks[b]->values, values, n * sizeof *values) != 0)
            blocks[b] = take_block(versions, values, n);
        blocks[b]->n_versions++;
    }
    return blocks;
}

/* The place of a version, newest first; a free one or a new one where it is not there. */
static uint32_t place_of(struct frs_table_versions *versions, uint64_t number) {
    uint32_t free_place = (uint32_t)versions->n;
    for (size_t i = versions->n; i-- > 0;) {
        if (versions->list[i].n_holders == 0)
            free_place = (uint32_t)i;
        else if (versions->list[i].number == number)
            return (uint32_t)i;
    }
    if (free_place == versions->n) {
        versions->list =
            frs_grow(versions->list, versions->n + 1, &versions->capacity, sizeof *versions->list);
        versions->list[versions->n++] = (struct version){0};
    }
    return free_place;
}

uint32_t frs_table_versions_hold(struct frs_table_versions *versions, const float *table, uint64_t number) {
    uint32_t place = place_of(versions, number);
    struct version *version = &versions->list[place];
    if (version->n_holders++ == 0) {
        version->blocks = make_blocks(versions, table);
        version->number = number;
    }
    return place;
}

void frs_table_versions_let_go(struct frs_table_versions *versions, uint32_t place) {
    struct version *version = &versions->list[place];
    if (--version->n_holders == 0)
        forget(versions, version);
}

bool frs_table_versions_has(const struct frs_table_versions *versions, uint32_t place) {
    return place < versions->n && versions->list[place].blocks;
}

const float *frs_table_versions_row(const struct frs_table_versions *versions, uint32_t place, size_t row) {
    const struct block *block = versions->list[place].blocks[row / versions->block_rows];
    return block->values + row % versions->block_rows * versions->dim;
}

size_t frs_table_versions_held(const struct frs_table_versions *versions) {
    size_t n = 0;
    for (size_t i = 0; i < versions->n; i++)
        n += versions->list[i].n_holders > 0;
    return n;
}

size_t frs_table_versions_values(const struct frs_table_versions *versions) {
    return versions->n_values;
}

size_t frs_table_versions_bytes(const struct frs_table_versions *versions) {
    return versions->arena.total +
           frs_table_versions_held(versions) * versions->n_blocks * sizeof(struct block *);
}

/* ---- archive: whole tables, one after the other ---------------------------------------------- */

static void save(
    const struct frs_table_versions *versions, const struct version *version, struct frs_archive *archive) {
    for (size_t b = 0; b < versions->n_blocks; b++)
        frs_archive_bytes(archive, version->blocks[b]->values, values_of(versions, b) * sizeof(float));
}

static void load(struct frs_table_versions *versions, struct version *version, struct frs_archive *archive) {
    size_t n = versions->n_rows * versions->dim;
    float *table = frs_alloc_lazily(n, sizeof *table);
    frs_archive_bytes(archive, table, n * sizeof *table);
    if (archive->in->failed)
        *version = (struct version){0};
    else
        version->blocks = make_blocks(versions, table);
    free(table);
}

static void forget_all(struct frs_table_versions *versions, size_t n) {
    for (size_t i = 0; i < versions->n; i++)
        forget(versions, &versions->list[i]);
    versions->list = frs_grow(versions->list, n, &versions->capacity, sizeof *versions->list);
    for (size_t i = 0; i < n; i++)
        versions->list[i] = (struct version){0};
    versions->n = n;
}

void frs_table_versions_archive(
    struct frs_table_versions *versions, size_t most, struct frs_archive *archive) {
    bool loads = frs_archive_loads(archive);
    size_t n = versions->n;
    frs_archive_size(archive, &n);
    if (loads && (archive->in->failed || n > most)) {
        archive->in->failed = 1;
        return;
    }
    if (loads)
        forget_all(versions, n);
    for (size_t i = 0; i < n; i++) {
        struct version *version = &versions->list[i];
        frs_archive_u64(archive, &version->number);
        frs_archive_u32(archive, &version->n_holders);
        if (version->n_holders > 0 && loads)
            load(versions, version, archive);
        else if (version->n_holders > 0)
            save(versions, version, archive);
    }
}
