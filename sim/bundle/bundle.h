/* Bundle: one file with all that is needed to repeat a run, or every run of a sweep, on another machine.
 *
 *   format   "fedrecsim-bundle-1"
 *   version  of the program that wrote the file
 *   plan     plan.json of a sweep; absent: the bundle has one run
 *   runs     [{name, manifest, summary, results {NAME: {text} or {digest}}}], names are unique; results up
 *            to FRS_BUNDLE_TEXT_BYTES are there themselves, of others the digest is
 *   data     {DIGEST: bytes in base64} of the files that runs have read; absent: it has none
 *
 * It is JSON and contains no path to write to: whatever a bundle says, it names files to read only. */
#ifndef FRS_BUNDLE_BUNDLE_H
#define FRS_BUNDLE_BUNDLE_H

#include "sim/base/status.h"

#include <jansson.h>
#include <stdbool.h>

#define FRS_BUNDLE_FORMAT "fedrecsim-bundle-1"

enum { FRS_BUNDLE_TEXT_BYTES = 1 << 16 };

struct frs_bundle_request {
    const char *folder; /* of a run or a sweep */
    const char *out;    /* name of the file; NULL: that of the folder, with .bundle.json */
    bool with_data;     /* puts in the files that runs have read, but plug-ins and programs */
};

struct frs_bundle_written {
    char *path; /* its name */
    size_t n_runs;
    char *code; /* the plug-ins and programs that its runs have executed, which are not in it; "": none */
};

/* Writes the file, or nothing. Runs have to be complete, and with data their files unchanged. Texts of
 * *written are freed by the caller, also on failure. */
enum frs_status frs_bundle_write(const struct frs_bundle_request *request, struct frs_bundle_written *written,
    struct frs_errors *errors) FRS_MUST_CHECK;

struct frs_bundle {
    json_t *root;
    const json_t *runs, *data; /* of the root; data may be NULL */
};

/* Reads a bundle and checks all of it: format, types, unique names, the digest of every file in `data`, and
 * that the manifests are of a format that this program reads. Freed by frs_bundle_fini, also on failure. */
enum frs_status frs_bundle_read(
    const char *path, struct frs_bundle *bundle, struct frs_errors *errors) FRS_MUST_CHECK;
void frs_bundle_fini(struct frs_bundle *bundle);

/* Whether a key of a manifest's files names code: a plug-in, or a word of the command of an external method.
 * What loads it checks its digest and asks for consent. */
bool frs_bundle_is_code(const char *key);

#endif
