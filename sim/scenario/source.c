/* Reads the text of a scenario, from a file or from standard input. */
#include "sim/base/files/input.h"
#include "sim/base/memory.h"
#include "sim/scenario/scenario_internal.h"

#include <stdlib.h>
#include <string.h>

/* Standard input can be read only once, but a scenario is loaded several times: a sweep loads it for every
 * cell. */
static struct {
    char *bytes;
    size_t n;
} kept;

static const char *read_standard_input(char **bytes, size_t *n) {
    const char *reason =
        kept.bytes ? NULL : frs_input_read_stream(stdin, FRS_INPUT_SCENARIO, &kept.bytes, &kept.n);
    if (reason)
        return reason;
    *n = kept.n;
    *bytes = frs_alloc(*n + 1, 1);
    memcpy(*bytes, kept.bytes, *n);
    return NULL;
}

bool frs_source_is_stream(const char *path) {
    return strcmp(path, "-") == 0;
}

const char *frs_source_read(const char *path, char **bytes, size_t *n) {
    *bytes = NULL;
    if (strcmp(path, FRS_SCENARIO_NO_FILE) == 0) {
        *bytes = frs_strdup("");
        *n = 0;
        return NULL;
    }
    const char *reason = frs_source_is_stream(path) ? read_standard_input(bytes, n)
                                                    : frs_input_read(path, FRS_INPUT_SCENARIO, bytes, n);
    if (reason || strlen(*bytes) == *n)
        return reason;
    free(*bytes);
    *bytes = NULL;
    return "has a zero byte, so it is not a text file";
}
