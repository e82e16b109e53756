/* Found files: where the files of a manifest lie on this machine. Each is known by its digest, so that it is
 * the same file wherever it is found. */
#ifndef FRS_BUNDLE_FOUND_FILES_H
#define FRS_BUNDLE_FOUND_FILES_H

#include "sim/base/status.h"

#include <jansson.h>
#include <stddef.h>

struct frs_found_files {
    struct frs_found_file {
        char *path, *digest; /* as the manifest has them */
        char *here;          /* where it lies here */
    } * list;
    size_t n, capacity;
    char *scratch; /* folder of those that a bundle brought along, or NULL */
};

/* Where to look. */
struct frs_places_of_files {
    const json_t *data; /* of a bundle: {DIGEST: base64}, or NULL */
    const char *folder; /* that the user names (--data), or NULL */
};

/* Looks for the files that a manifest names, except code: in the bundle; where its scenario leads to on this
 * machine; at the manifest's path; and below the user's folder, then the one of FEDRECSIM_DATA, by the
 * longest end of that path that is there. Files found for an earlier manifest are not read again. A file that
 * is nowhere is an error that begins with `where`. Those that a bundle brings along are put into a scratch
 * folder. */
enum frs_status frs_found_files_look(struct frs_found_files *found, const json_t *manifest,
    const struct frs_places_of_files *places, const char *where, struct frs_errors *errors) FRS_MUST_CHECK;

/* Where a file lies that the call above has found. */
const char *frs_found_files_get(const struct frs_found_files *found, const char *path, const char *digest);

/* Removes the scratch folder, too. */
void frs_found_files_fini(struct frs_found_files *found);

#endif
