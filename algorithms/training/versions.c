#include "algorithms/training/versions.h"
#include "sim/base/files/archive.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

static size_t table_bytes(const struct frs_versions *versions, size_t part) {
    return versions->shapes[part].n_rows * versions->shapes[part].dim * sizeof(float);
}

static void free_version(const struct frs_versions *versions, struct frs_version *version) {
    for (size_t i = 0; version->detached && i < versions->n_parts; i++)
        free(version->tables.part[i]);
    for (size_t i = 0; i < FRS_MAX_PARTS; i++)
        free(version->moved[i]);
    free(version);
}

void frs_versions_fini(struct frs_versions *versions) {
    for (struct frs_version *version; (version = versions->first); free_version(versions, version))
        versions->first = version->next;
}

struct frs_version *frs_versions_add(struct frs_versions *versions, const struct frs_tables *tables) {
    struct frs_version *version = frs_alloc(1, sizeof *version), **end = &versions->first;
    *version = (struct frs_version){.tables = *tables, .n_users = 1};
    while (*end)
        end = &(*end)->next;
    *end = version;
    return version;
}

void frs_versions_release(struct frs_versions *versions, struct frs_version *version) {
    if (--version->n_users > 0)
        return;
    struct frs_version **at = &versions->first;
    while (*at != version)
        at = &(*at)->next;
    *at = version->next;
    free_version(versions, version);
}

void frs_versions_release_all(struct frs_versions *versions) {
    for (struct frs_version *version = versions->first, *next; version; version = next) {
        next = version->next;
        frs_versions_release(versions, version);
    }
}

static void own_tables(const struct frs_versions *versions, struct frs_version *version) {
    for (size_t i = 0; i < versions->n_parts; i++)
        version->tables.part[i] = frs_alloc_aligned(table_bytes(versions, i) / sizeof(float), sizeof(float));
    version->detached = true;
}

void frs_versions_detach(struct frs_versions *versions) {
    for (struct frs_version *version = versions->first; version; version = version->next) {
        struct frs_tables tables = version->tables;
        if (version->detached)
            continue;
        own_tables(versions, version);
        for (size_t i = 0; i < versions->n_parts; i++)
            memcpy(version->tables.part[i], tables.part[i], table_bytes(versions, i));
    }
}

size_t frs_versions_place(const struct frs_versions *versions, const struct frs_version *wanted) {
    size_t place = 0;
    for (const struct frs_version *version = versions->first; version != wanted; version = version->next)
        place++;
    return place;
}

struct frs_version *frs_versions_at(const struct frs_versions *versions, size_t place) {
    struct frs_version *version = versions->first;
    while (version && place-- > 0)
        version = version->next;
    return version;
}

static void archive_version(
    const struct frs_versions *versions, struct frs_version *version, struct frs_archive *archive) {
    if (frs_archive_loads(archive))
        own_tables(versions, version);
    frs_archive_bytes(archive, &version->course, sizeof version->course);
    version->finite = true; /* or the run would have ended */
    frs_archive_u64(archive, &version->round_seed);
    frs_archive_u32(archive, &version->number);
    frs_archive_size(archive, &version->n_changes);
    frs_archive_u32(archive, &version->since);
    for (size_t i = 0; i < versions->n_parts; i++)
        frs_archive_bytes(archive, version->tables.part[i], table_bytes(versions, i));
}

/* Versions that only the trainer uses are made anew when they are needed. */
static size_t n_archived(const struct frs_versions *versions) {
    size_t n = 0;
    for (const struct frs_version *version = versions->first; version; version = version->next)
        n++;
    return n;
}

void frs_versions_archive(struct frs_versions *versions, struct frs_archive *archive) {
    size_t n = n_archived(versions);
    frs_archive_size(archive, &n);
    if (!frs_archive_loads(archive)) {
        for (struct frs_version *version = versions->first; version; version = version->next)
            archive_version(versions, version, archive);
        return;
    }
    for (size_t i = 0; i < n && !archive->in->failed; i++)
        archive_version(versions, frs_versions_add(versions, &(struct frs_tables){0}), archive);
}
