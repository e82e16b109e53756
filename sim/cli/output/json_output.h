/* What --json prints: one object of a format that docs/schemas describes, and nothing else on stdout. */
#ifndef FRS_CLI_JSON_OUTPUT_H
#define FRS_CLI_JSON_OUTPUT_H

#include <jansson.h>

/* Of the option --json in tables of options; others without a letter begin at 256. */
enum { FRS_KEY_JSON = 700 };

#define FRS_JSON_OPTION(group)                                                                               \
    { "json", FRS_KEY_JSON, NULL, 0, "Print one JSON object, and nothing else (docs/schemas)", group }

/* An object that names its format, "fedrecsim-list-1". */
json_t *frs_cli_json(const char *format);

/* Prints the object, and frees it. */
void frs_cli_json_print(json_t *object);

#endif
