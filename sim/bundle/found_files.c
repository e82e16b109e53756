#include "sim/bundle/found_files.h"
#include "sim/base/errors.h"
#include "sim/base/files/base64.h"
#include "sim/base/files/create.h"
#include "sim/base/files/input.h"
#include "sim/base/memory.h"
#include "sim/base/settings/path.h"
#include "sim/base/threads/scratch.h"
#include "sim/bundle/bundle.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* A file that is looked for, and the first one of its name that is another. */
struct wanted {
    const char *path, *digest, *where, *key;
    char *other, other_digest[FRS_DIGEST_TEXT];
};

/* Takes `candidate`; returns it where it is the file, and NULL otherwise. */
static char *take_if_same(struct wanted *wanted, char *candidate) {
    struct frs_digest digest;
    char text[FRS_DIGEST_TEXT];
    if (!candidate || !*candidate || frs_input_digest(candidate, &digest)) {
        free(candidate);
        return NULL;
    }
    if (strcmp(frs_digest_text(&digest, text), wanted->digest) == 0)
        return candidate;
    if (wanted->other) {
        free(candidate);
    } else {
        wanted->other = candidate;
        memcpy(wanted->other_digest, text, sizeof text);
    }
    return NULL;
}

/* The last part of a path; NULL where it names no file. A bundle chooses it, and it must not lead anywhere.
 */
static const char *last_part(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return *name && strcmp(name, ".") != 0 && strcmp(name, "..") != 0 ? name : NULL;
}

/* Where the part after the last ".." begins: what comes before it leads out of any folder. */
static const char *inner_end(const char *path) {
    const char *start = path;
    for (const char *at = path; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (strncmp(at, "..", 2) == 0 && (at[2] == '/' || at[2] == '\0'))
            start = at + 2;
    }
    return start;
}

/* Below a folder, by the longest end of the path that is there. */
static char *find_below(struct wanted *wanted, const char *folder) {
    char *here = NULL;
    for (const char *end = inner_end(wanted->path); end && !here; end = strchr(end, '/')) {
        end += strspn(end, "/");
        if (*end)
            here = take_if_same(wanted, frs_format("%s/%s", folder, end));
    }
    return here;
}

static char *expanded(const char *text) {
    char reason[320];
    return text ? frs_path_expand(text, reason, sizeof reason) : NULL;
}

static char *find(struct wanted *wanted, const json_t *manifest, const char *folder) {
    const json_t *scenario = json_object_get(manifest, "scenario");
    char *here = take_if_same(wanted, expanded(json_string_value(json_object_get(scenario, wanted->key))));
    if (!here)
        here = take_if_same(wanted, frs_strdup(wanted->path));
    if (!here && folder)
        here = find_below(wanted, folder);
    char *of_data = here ? NULL : expanded("$FEDRECSIM_DATA");
    if (of_data)
        here = find_below(wanted, of_data);
    free(of_data);
    return here;
}

static enum frs_status refuse(const struct wanted *wanted, struct frs_errors *errors) {
    char *advice =
        frs_format("allowed: the one with the digest %s, there, in a folder named by --data DIR, or "
                   "below $FEDRECSIM_DATA",
            wanted->digest);
    if (wanted->other)
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: %s: %s is another file than the run read (digest %s); %s",
            wanted->where, wanted->key, wanted->other, wanted->other_digest, advice);
    else
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: %s: %s, which the run read, is not here; %s",
            wanted->where, wanted->key, wanted->path, advice);
    free(advice);
    return FRS_ERR_INPUT;
}

/* Writes a file of the bundle into a folder of its own, under its own name: some formats are known by it. */
static enum frs_status unpack(struct frs_found_files *found, const struct wanted *wanted, const char *coded,
    char **here, struct frs_errors *errors) {
    const char *name = last_part(wanted->path);
    if (!name)
        return frs_errors_add(
            errors, FRS_ERR_INPUT, "%s: %s: \"%s\" names no file", wanted->where, wanted->key, wanted->path);
    if (!found->scratch && !(found->scratch = frs_scratch_create(errors)))
        return FRS_ERR_RUN;
    size_t n;
    void *bytes = frs_base64_read(coded, &n);
    FRS_INVARIANT(bytes, "the bundle was checked");
    char *folder = frs_format("%s/%zu", found->scratch, found->n);
    *here = frs_format("%s/%s", folder, name);
    FILE *file = mkdir(folder, 0700) == 0 ? frs_create(*here) : NULL;
    bool whole = file && fwrite(bytes, 1, n, file) == n;
    int reason = errno;
    if (file && fclose(file) != 0)
        whole = false;
    enum frs_status status =
        whole ? FRS_OK : frs_errors_add(errors, FRS_ERR_RUN, "%s: %s", *here, strerror(reason));
    free(folder);
    free(bytes);
    return status;
}

static enum frs_status look_for(struct frs_found_files *found, struct wanted *wanted, const json_t *manifest,
    const struct frs_places_of_files *places, struct frs_errors *errors) {
    if (frs_found_files_get(found, wanted->path, wanted->digest))
        return FRS_OK;
    const char *coded = json_string_value(json_object_get(places->data, wanted->digest));
    char *here = NULL;
    enum frs_status status = FRS_OK;
    if (coded)
        status = unpack(found, wanted, coded, &here, errors);
    else if (!(here = find(wanted, manifest, places->folder)))
        status = refuse(wanted, errors);
    free(wanted->other);
    if (status != FRS_OK) {
        free(here);
        return status;
    }
    found->list = frs_grow(found->list, found->n + 1, &found->capacity, sizeof *found->list);
    found->list[found->n++] =
        (struct frs_found_file){frs_strdup(wanted->path), frs_strdup(wanted->digest), here};
    return FRS_OK;
}

enum frs_status frs_found_files_look(struct frs_found_files *found, const json_t *manifest,
    const struct frs_places_of_files *places, const char *where, struct frs_errors *errors) {
    const char *key;
    json_t *file;
    enum frs_status status = FRS_OK;
    json_object_foreach(json_object_get(manifest, "files"), key, file) {
        struct wanted wanted = {.path = json_string_value(json_object_get(file, "path")),
            .digest = json_string_value(json_object_get(file, "digest")),
            .where = where,
            .key = key};
        if (status == FRS_OK && wanted.path && wanted.digest && !frs_bundle_is_code(key))
            status = look_for(found, &wanted, manifest, places, errors);
    }
    return status;
}

const char *frs_found_files_get(const struct frs_found_files *found, const char *path, const char *digest) {
    for (size_t i = 0; i < found->n; i++)
        if (strcmp(found->list[i].path, path) == 0 && strcmp(found->list[i].digest, digest) == 0)
            return found->list[i].here;
    return NULL;
}

void frs_found_files_fini(struct frs_found_files *found) {
    for (size_t i = 0; i < found->n; i++) {
        free(found->list[i].path);
        free(found->list[i].digest);
        free(found->list[i].here);
    }
    free(found->list);
    if (found->scratch)
        frs_scratch_remove(found->scratch);
    *found = (struct frs_found_files){0};
}
