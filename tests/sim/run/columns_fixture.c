#include "tests/sim/run/columns_fixture.h"
#include "analysis/columns/columns.h"
#include "analysis/statistics/metric_names.h"
#include "sim/base/memory.h"
#include "tests/support.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check_column(const char *directory, const char *file, const char *name) {
    ck_assert_msg(frs_result_column_is_known(file, name), "%s/%s: %s is not in analysis/columns/columns.def",
        directory, file, name);
}

static void check_csv(const char *directory, const char *file) {
    char *path = frs_format("%s/%s", directory, file), *line = NULL, *name;
    size_t n = 0;
    FILE *in = fopen(path, "r");
    if (in && getline(&line, &n, in) > 0)
        for (char *rest = line; (name = strsep(&rest, ",\n")) && *name;)
            check_column(directory, file, name);
    if (in)
        fclose(in);
    free(line);
    free(path);
}

/* Of events so many lines are read. A quoted text is the name of a member where a colon follows. */
enum { EVENTS = 500 };

static void check_events(const char *directory) {
    char *path = frs_format("%s/events.ndjson", directory), *line = NULL;
    size_t n = 0;
    FILE *in = fopen(path, "r");
    for (int i = 0; in && i < EVENTS && getline(&line, &n, in) > 0; i++)
        for (char *at = line, *end; (at = strchr(at, '"')) && (end = strchr(at + 1, '"')); at = end + 1)
            if (end[1] == ':') {
                *end = '\0';
                check_column(directory, "events.ndjson", at + 1);
            }
    if (in)
        fclose(in);
    free(line);
    free(path);
}

/* Members of summary.json that are neither metrics nor groups of them. */
static void check_members(const char *directory) {
    char *path = frs_format("%s/summary.json", directory);
    json_t *root = json_load_file(path, 0, NULL), *value;
    const char *key;
    json_object_foreach(root, key, value) {
        bool of_metrics = json_is_number(value);
        char *begin = frs_format("%s.", key);
        for (const struct frs_metric_entry *entry = frs_metric_table; entry->name && !of_metrics; entry++)
            of_metrics = strncmp(entry->name, begin, strlen(begin)) == 0;
        if (!of_metrics && strcmp(key, "metrics") != 0)
            check_column(directory, "summary.json", key);
        free(begin);
    }
    json_decref(root);
    free(path);
}

void check_columns_are_documented(const char *directory) {
    check_csv(directory, "rounds.csv");
    check_csv(directory, "clients.csv");
    check_events(directory);
    check_members(directory);
}
