/* Functions that compose and write manifest.json and summary.json. */
#ifndef FRS_RESULTS_JSON_FILE_H
#define FRS_RESULTS_JSON_FILE_H

#include "analysis/read/json.h"
#include "sim/ledger/run_directory.h"

#include <jansson.h>
#include <stdint.h>

void frs_json_set_text(json_t *object, const char *key, const char *text);
void frs_json_set_count(json_t *object, const char *key, uint64_t value);
/* A figure that does not exist is left out rather than written as 0. */
void frs_json_set_real(json_t *object, const char *key, double value);
/* A new, empty object under this key, which belongs to `object`. */
json_t *frs_json_add_object(json_t *object, const char *key);

/* Writes a file of a run directory; takes `root`. */
enum frs_status frs_json_write(const struct frs_run_directory *directory, const char *name, json_t *root,
    struct frs_errors *errors) FRS_MUST_CHECK;

#endif
