#include "sim/cli/output/json_output.h"
#include "analysis/read/json.h"

#include <stdio.h>

json_t *frs_cli_json(const char *format) {
    json_t *object = json_object();
    frs_json_set(object, "format", json_string(format));
    return object;
}

void frs_cli_json_print(json_t *object) {
    json_dumpf(object, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(15));
    fputc('\n', stdout);
    json_decref(object);
}
