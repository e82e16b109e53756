/* Bundles, which come from other people. One is refused in a line, or all that is read of it later has its
 * type; then the files that it brings along are unpacked, each into the scratch folder alone and with the
 * bytes of its digest, whatever the bundle calls them. */
#include "sim/base/errors.h"
#include "sim/base/files/input.h"
#include "sim/bundle/bundle.h"
#include "sim/bundle/found_files.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_file.h"

#include <stdlib.h>

static void check_file(const struct frs_found_files *found, size_t i, const json_t *data) {
    const struct frs_found_file *file = &found->list[i];
    struct frs_digest digest;
    char text[FRS_DIGEST_TEXT];
    FRS_INVARIANT(
        !frs_input_digest(file->here, &digest) && strcmp(frs_digest_text(&digest, text), file->digest) == 0,
        "%s is another file", file->here);
    if (!json_object_get(data, file->digest))
        return; /* it was on this machine */
    size_t n = strlen(found->scratch);
    FRS_INVARIANT(strncmp(file->here, found->scratch, n) == 0 && file->here[n] == '/' &&
                      !strstr(file->here + n, "/../"),
        "%s is outside", file->here);
}

static void check_run(const struct frs_bundle *bundle, const json_t *run, struct frs_found_files *found) {
    const json_t *manifest = json_object_get(run, "manifest");
    struct frs_errors errors = {0};
    FRS_INVARIANT(json_string_value(json_object_get(run, "name")) &&
                      json_is_object(json_object_get(manifest, "scenario")) &&
                      json_is_object(json_object_get(run, "results")),
        "a run without its parts");
    enum frs_status status = frs_found_files_look(
        found, manifest, &(struct frs_places_of_files){.data = bundle->data}, "bundle", &errors);
    fuzz_check_errors(status != FRS_OK, &errors);
    for (size_t i = 0; i < found->n; i++)
        check_file(found, i, bundle->data);
    frs_errors_clear(&errors);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static struct fuzz_file file;
    struct frs_bundle bundle;
    struct frs_found_files found = {0};
    struct frs_errors errors = {0};
    size_t i;
    json_t *run;
    enum frs_status status = frs_bundle_read(fuzz_file_write(&file, data, size), &bundle, &errors);
    fuzz_check_errors(status != FRS_OK, &errors);
    FRS_INVARIANT(status != FRS_OK || json_array_size(bundle.runs) > 0, "no run");
    if (status == FRS_OK)
        json_array_foreach(bundle.runs, i, run) check_run(&bundle, run, &found);
    frs_found_files_fini(&found);
    frs_bundle_fini(&bundle);
    frs_errors_clear(&errors);
    return 0;
}
