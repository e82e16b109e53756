/* A libconfig file into a list of assignments. */
#include "sim/base/memory.h"
#include "sim/base/settings/texts.h"
#include "sim/base/text.h"
#include "sim/base/utf8.h"
#include "sim/scenario/scenario_internal.h"

#include <libconfig.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct reader {
    struct frs_scenario *scenario;
    bool scans;
    struct frs_scan scan; /* of a text that is scanned */
};

static char *place_of(const struct reader *reader, size_t line) {
    return reader->scans ? frs_splice_place(&reader->scan.splice, line)
                         : frs_format("%s:%zu", reader->scenario->path, line);
}

static char *place(const struct reader *reader, const config_setting_t *setting) {
    return place_of(reader, config_setting_source_line(setting));
}

static enum frs_written written_of(const config_setting_t *setting) {
    switch (config_setting_type(setting)) {
    case CONFIG_TYPE_INT:
    case CONFIG_TYPE_INT64:
        return FRS_WRITTEN_INTEGER;
    case CONFIG_TYPE_FLOAT:
        return FRS_WRITTEN_REAL;
    case CONFIG_TYPE_BOOL:
        return FRS_WRITTEN_BOOLEAN;
    case CONFIG_TYPE_ARRAY:
    case CONFIG_TYPE_LIST:
        return FRS_WRITTEN_LIST;
    case CONFIG_TYPE_GROUP:
        return FRS_WRITTEN_GROUP;
    default:
        return FRS_WRITTEN_TEXT;
    }
}

/* The elements of a list, separated by semicolons. NULL when one of them is not text, or empty. */
static char *list_text(const config_setting_t *setting) {
    char *text = frs_strdup("");
    for (int i = 0; i < config_setting_length(setting); i++) {
        const char *element = config_setting_get_string_elem(setting, i);
        if (!element || !*element) {
            free(text);
            return NULL;
        }
        char *written = frs_text_escape(element), *longer = frs_format("%s%s%s", text, i ? ";" : "", written);
        free(written);
        free(text);
        text = longer;
    }
    return text;
}

/* The elements of a list of integers, separated by commas. NULL when one of them is something else. */
static char *integers_text(const config_setting_t *setting) {
    char *text = frs_strdup("");
    for (int i = 0; i < config_setting_length(setting); i++) {
        const config_setting_t *element = config_setting_get_elem(setting, (unsigned)i);
        if (written_of(element) != FRS_WRITTEN_INTEGER) {
            free(text);
            return NULL;
        }
        char *longer = frs_format("%s%s%lld", text, i ? "," : "", config_setting_get_int64(element));
        free(text);
        text = longer;
    }
    return text;
}

static char *text_of(const config_setting_t *setting) {
    char number[32];
    switch (written_of(setting)) {
    case FRS_WRITTEN_INTEGER:
        return frs_format("%lld", config_setting_get_int64(setting));
    case FRS_WRITTEN_REAL:
        return frs_strdup(frs_text_number(config_setting_get_float(setting), number, sizeof number));
    case FRS_WRITTEN_BOOLEAN:
        return frs_strdup(config_setting_get_bool(setting) ? "true" : "false");
    case FRS_WRITTEN_LIST:
        return list_text(setting);
    case FRS_WRITTEN_TEXT:
        return frs_strdup(config_setting_get_string(setting) ? config_setting_get_string(setting) : "");
    default:
        return frs_strdup("");
    }
}

static void add_value(struct reader *reader, const config_setting_t *setting, const char *path) {
    struct frs_scenario *scenario = reader->scenario;
    const char *literal = frs_scan_literal(&reader->scan, path);
    char *where = place(reader, setting), *text = literal ? frs_strdup(literal) : text_of(setting);
    struct frs_assignment *assignment =
        frs_assignments_add(&scenario->assignments, FRS_LAYER_FILE, path, written_of(setting), text, where);
    assignment->mixed_list = !text;
    if (!text && (text = integers_text(setting))) {
        free(assignment->text);
        assignment->text = frs_strdup(text);
    }
    free(where);
    free(text);
    frs_assignments_locate(scenario, scenario->assignments.n - 1);
}

static void read_group(struct reader *reader, const config_setting_t *group, const char *path);

/* The places of a list are sections of their own: privacy = ( { … }, "clip" ) is privacy.1 and privacy.2. */
static void read_places(struct reader *reader, const config_setting_t *list, const char *path) {
    for (int i = 0; i < config_setting_length(list); i++) {
        const config_setting_t *element = config_setting_get_elem(list, (unsigned)i);
        char *full = frs_format("%s.%d", path, i + 1);
        size_t section = frs_states_find(reader->scenario, full, strlen(full));
        if (config_setting_is_group(element) && section != SIZE_MAX) {
            free(reader->scenario->states[section].where);
            reader->scenario->states[section].where = place(reader, element);
            read_group(reader, element, full);
        } else {
            add_value(reader, element, full);
        }
        free(full);
    }
}

static bool has_places(const struct reader *reader, const config_setting_t *setting, const char *path) {
    char *first = frs_format("%s.1", path);
    bool has = config_setting_is_list(setting) && frs_states_is_group(reader->scenario, first);
    free(first);
    return has;
}

static void read_setting(struct reader *reader, const config_setting_t *setting, const char *path) {
    struct frs_scenario *scenario = reader->scenario;
    char *name = frs_strdup(config_setting_name(setting)), *full;
    name[strcspn(name, (const char[]){FRS_SPLICE_STAR, '\0'})] =
        '\0'; /* the rest of a section that is there */
    full = frs_scenario_join(path, name);
    if (has_places(reader, setting, full)) {
        read_places(reader, setting, full);
        free(full);
        free(name);
        return;
    }
    size_t parent = frs_states_find(scenario, path, strlen(path));
    struct frs_state *state = parent == SIZE_MAX ? NULL : &scenario->states[parent];
    bool is_key = state && frs_state_own(state, name);
    bool is_section = !is_key && frs_states_is_group(scenario, full);
    bool is_plugin = !is_key && state && frs_state_plugin(state, name);
    if (config_setting_is_group(setting) && (is_section || is_plugin)) {
        size_t section = frs_states_find(scenario, full, strlen(full));
        if (section != SIZE_MAX && !scenario->states[section].where)
            scenario->states[section].where = place(reader, setting);
        read_group(reader, setting, full);
    } else {
        add_value(reader, setting, full);
    }
    free(full);
    free(name);
}

static void read_group(struct reader *reader, const config_setting_t *group, const char *path) {
    for (int i = 0; i < config_setting_length(group); i++)
        read_setting(reader, config_setting_get_elem(group, (unsigned)i), path);
}

/* @include is relative to the scenario file, not to the current folder. */
static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? strndup(path, slash == path ? 1 : (size_t)(slash - path)) : NULL;
}

static enum frs_status parse(struct reader *reader, const char *text, struct frs_errors *errors) {
    config_t config;
    config_init(&config);
    enum frs_status status = FRS_OK;
    if (config_read_string(&config, text)) {
        read_group(reader, config_root_setting(&config), "");
    } else {
        char *where = place_of(reader, (size_t)config_error_line(&config));
        status = frs_errors_add(errors, FRS_ERR_INPUT, "%s: %s", where, config_error_text(&config));
        free(where);
    }
    config_destroy(&config);
    return status;
}

/* Whatever passes the scan should pass libconfig, too; if it does not, libconfig has the last word. */
static enum frs_status scan_and_parse(
    struct frs_scenario *scenario, const char *text, struct frs_errors *errors) {
    struct reader reader = {.scenario = scenario, .scans = true};
    char *folder = folder_of(scenario->source);
    frs_scan_init(&reader.scan, scenario->path, text, folder);
    enum frs_status status = reader.scan.errors.status;
    for (size_t i = 0; i < reader.scan.errors.n; i++)
        frs_errors_add(errors, FRS_ERR_INPUT, "%s", reader.scan.errors.lines[i]);
    if (status == FRS_OK) {
        char *spliced = frs_splice_text(&reader.scan.splice);
        status = parse(&reader, spliced, errors);
        free(spliced);
    }
    frs_scan_fini(&reader.scan);
    free(folder);
    return status;
}

enum frs_status frs_scenario_read_file(
    struct frs_scenario *scenario, bool explains, struct frs_errors *errors) {
    char *text, shown[128];
    size_t n;
    if (!frs_utf8_is_sound(scenario->path))
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: a path has to be UTF-8 text",
            frs_text_line(scenario->path, shown, sizeof shown));
    const char *reason = frs_source_read(scenario->source, &text, &n);
    if (reason)
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: cannot be read: %s", scenario->path, reason);
    enum frs_status status = explains || frs_scenario_may_be_misread(text)
                                 ? scan_and_parse(scenario, text, errors)
                                 : parse(&(struct reader){.scenario = scenario}, text, errors);
    free(text);
    return status;
}
