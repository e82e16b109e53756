/* JSON: files of this program, and values in them that have to be there. */
#ifndef FRS_ANALYSIS_READ_JSON_H
#define FRS_ANALYSIS_READ_JSON_H

#include "sim/base/status.h"

#include <jansson.h>
#include <stdint.h>

/* The object in a file; NULL after adding an error with path:line. */
json_t *frs_json_read(const char *path, struct frs_errors *errors);

/* Return the value under `key`. If it is missing or has another type, add an error "PATH: KEY ..." and
 * return NULL or failure. The text is a copy, freed with free(). */
char *frs_json_text(const json_t *object, const char *path, const char *key, struct frs_errors *errors);
enum frs_status frs_json_count(const json_t *object, const char *path, const char *key, uint64_t *value,
    struct frs_errors *errors) FRS_MUST_CHECK;
const json_t *frs_json_list(
    const json_t *object, const char *path, const char *key, struct frs_errors *errors);

/* Both take `value`. Texts are UTF-8 and numbers finite by then, so that one Jansson cannot make is a bug. */
void frs_json_set(json_t *object, const char *key, json_t *value);
void frs_json_append(json_t *array, json_t *value);

#endif
