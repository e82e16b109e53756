#include "platforms/fleet/fleet_columns.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/settings/units.h"
#include "sim/base/text.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

const struct frs_fleet_figure_info frs_fleet_figures[FRS_FLEET_FIGURES] = {
    [FRS_FLEET_DOWN] = {"down", "down_bytes_per_s", "downlinks", FRS_RATE, 1},
    [FRS_FLEET_UP] = {"up", "up_bytes_per_s", "uplinks", FRS_RATE, 1},
    [FRS_FLEET_LATENCY] = {"latency", "latency_s", "latencies", FRS_TIME, 0},
    [FRS_FLEET_SPEED] = {"speed", "speed_flop_per_s", "speeds", FRS_SPEED, 1},
    [FRS_FLEET_MEMORY] = {"memory", "memory_bytes", "memory", FRS_BYTES, 1},
    [FRS_FLEET_OVERHEAD] = {"overhead", "overhead_s", "overheads", FRS_TIME, 0},
    [FRS_FLEET_PER_SAMPLE] = {"per_sample", "per_sample_s", "times per sample", FRS_TIME, 0},
};

/* "bytes_per_s", "B_s", "Mbit_per_s" and "Mbit_s" are "B/s" and "Mbit/s". */
static bool read_unit(const char *text, enum frs_dimension dimension, char unit[FRS_FLEET_UNIT]) {
    static const char bytes[] = "bytes", *const per_second[] = {"_per_s", "_s"};
    bool spelled = strncmp(text, bytes, strlen(bytes)) == 0;
    int n = snprintf(unit, FRS_FLEET_UNIT, "%s%s", spelled ? "B" : "", text + spelled * strlen(bytes));
    if (n < 0 || n >= FRS_FLEET_UNIT)
        return false;
    for (size_t i = 0; i < 2; i++) {
        size_t length = strlen(unit), ending = strlen(per_second[i]);
        if (length > ending && strcmp(unit + length - ending, per_second[i]) == 0) {
            strcpy(unit + length - ending, "/s");
            break;
        }
    }
    char one[32];
    double value;
    snprintf(one, sizeof one, "1 %s", unit);
    return isalpha((unsigned char)*unit) && frs_units_parse(one, dimension, &value) == FRS_OK;
}

bool frs_fleet_column(const char *name, enum frs_fleet_figure *figure, char unit[FRS_FLEET_UNIT]) {
    for (size_t i = 0; i < FRS_FLEET_FIGURES; i++) {
        size_t length = strlen(frs_fleet_figures[i].name);
        *figure = (enum frs_fleet_figure)i;
        if (strncmp(name, frs_fleet_figures[i].name, length) == 0 && name[length] == '_' &&
            read_unit(name + length + 1, frs_fleet_figures[i].dimension, unit))
            return true;
    }
    return false;
}

/* ---- names of others ------------------------------------------------------------------------- */

/* Takes the next "column of the file = column of a fleet" away from *rest: a name before a = may have commas.
 */
static char *next_part(char **rest) {
    char *part = *rest, *comma = part ? strchr(part, ',') : NULL;
    while (comma && !memchr(part, '=', (size_t)(comma - part)) && strchr(comma, '='))
        comma = strchr(comma + 1, ',');
    if (comma)
        *comma = '\0';
    *rest = comma ? comma + 1 : NULL;
    return part;
}

/* What the user calls the column `name` of the file, freed by the caller; NULL: nothing. */
static char *renamed(const char *names, const char *name) {
    char *all = frs_strdup(names), *found = NULL;
    char *rest = all, *part;
    while (!found && (part = next_part(&rest))) {
        char *is = strrchr(part, '=');
        if (!is)
            continue;
        char *from = part + strspn(part, " "), *end = is;
        while (end > from && end[-1] == ' ')
            end--;
        char *to = is + 1 + strspn(is + 1, " ");
        to[strcspn(to, " ")] = '\0';
        if (strlen(name) == (size_t)(end - from) && strncmp(name, from, strlen(name)) == 0)
            found = frs_strdup(to);
    }
    free(all);
    return found;
}

/* Every part of `names` has to name a column of the file. */
static bool check_names(
    struct frs_csv *csv, const char *section, const char *names, struct frs_errors *errors) {
    char *all = frs_strdup(names), *rest = all, *part;
    bool ok = true;
    if (strcmp(names, "known") == 0 || !*names)
        rest = NULL;
    while (ok && rest && (part = next_part(&rest))) {
        char *is = strrchr(part, '='), *from = part + strspn(part, " "), *end = is ? is : from + strlen(from);
        while (end > from && end[-1] == ' ')
            end--;
        *end = '\0';
        ok = false;
        for (size_t i = 0; is && i < csv->n_columns; i++)
            ok |= strcmp(csv->names[i], from) == 0;
        char shown[48];
        if (!ok)
            frs_csv_error(csv, errors, "%s.fleet_columns: \"%s\" %s", section,
                frs_text_line(from, shown, sizeof shown),
                is ? "is no column of this file"
                   : "is not \"column of the file = column of a fleet\"; allowed: known, or such parts with "
                     "commas between them");
    }
    free(all);
    return ok;
}

/* ---- the first line -------------------------------------------------------------------------- */

static size_t kind_of(const char *name, bool links, bool has_own_class, struct frs_fleet_column *column) {
    enum frs_fleet_figure figure;
    column->share = 1;
    if (strcmp(name, "client") == 0)
        return FRS_COLUMN_CLIENT;
    if (strcmp(name, "weight") == 0)
        return FRS_COLUMN_WEIGHT;
    if (strcmp(name, "class") == 0)
        return has_own_class ? FRS_COLUMN_FOREIGN : FRS_COLUMN_CLASS;
    if (strcmp(name, "network_class") == 0)
        return links ? FRS_COLUMN_CLASS : FRS_COLUMN_FOREIGN;
    if (strcmp(name, "device_class") == 0)
        return links ? FRS_COLUMN_FOREIGN : FRS_COLUMN_CLASS;
    if (strncmp(name, "rtt_", 4) == 0 && read_unit(name + 4, FRS_TIME, column->unit)) {
        column->share = 0.5;
        return FRS_FLEET_LATENCY;
    }
    return frs_fleet_column(name, &figure, column->unit) ? (size_t)figure : FRS_COLUMN_KINDS;
}

static char *more(char *list, const char *name, const char *mark) {
    char shown[48], *longer = frs_format("%s%s%s%s%s", list ? list : "", list ? ", " : "", mark,
                        frs_text_line(name, shown, sizeof shown), mark);
    free(list);
    return longer;
}

/* All of them in one line. */
static bool unknown_columns(struct frs_csv *csv, const char *section, const struct frs_fleet_column *columns,
    struct frs_errors *errors) {
    const char *names[FRS_FLEET_FIGURES + 7] = {
        "client", "class", "network_class", "device_class", "weight", "rtt_s"};
    char allowed[400] = "client, class", *list = NULL, *places = NULL, place[24];
    const char *first = NULL;
    size_t n = 0;
    for (size_t figure = 0; figure < FRS_FLEET_FIGURES; figure++) {
        names[6 + figure] = frs_fleet_figures[figure].usual;
        snprintf(allowed + strlen(allowed), sizeof allowed - strlen(allowed), ", %s%s",
            frs_fleet_figures[figure].usual,
            figure == FRS_FLEET_LATENCY ? " (one way) or rtt_s (both ways, such as a ping)" : "");
    }
    for (size_t i = 0; i < csv->n_columns; i++) {
        if (columns[i].kind != FRS_COLUMN_KINDS)
            continue;
        snprintf(place, sizeof place, "%zu", i + 1);
        list = more(list, csv->names[i], "\"");
        places = more(places, place, "");
        first = first ? first : csv->names[i];
        n++;
    }
    const char *nearest = n == 1 ? frs_text_nearest(first, names) : NULL;
    frs_csv_error(csv, errors,
        "column%s %s: %s %s not known%s%s%s; allowed: %s, weight, or other units, such as down_Mbit_s and "
        "latency_ms; %s.fleet_columns names those of others",
        n == 1 ? "" : "s", places, list, n == 1 ? "is" : "are", nearest ? "; did you mean \"" : "",
        nearest ? nearest : "", nearest ? "\"?" : "", allowed, section);
    free(list);
    free(places);
    return false;
}

static bool says_twice(
    struct frs_csv *csv, const struct frs_fleet_column *columns, struct frs_errors *errors) {
    for (size_t i = 1; i < csv->n_columns; i++)
        for (size_t before = 0; before < i; before++)
            if (columns[before].kind == columns[i].kind && columns[i].kind < FRS_COLUMN_FOREIGN)
                return frs_csv_error(csv, errors,
                           "column %zu: \"%s\" says the same as column %zu, \"%s\"; allowed: one of them",
                           i + 1, csv->names[i], before + 1, csv->names[before]) ||
                       true;
    return false;
}

static void take(struct frs_csv *csv, const struct frs_fleet_column *columns, struct frs_fleet *fleet) {
    for (size_t i = 0; i < csv->n_columns; i++) {
        if (columns[i].kind < FRS_FLEET_FIGURES)
            fleet->has[columns[i].kind] = true;
        fleet->has_client |= columns[i].kind == FRS_COLUMN_CLIENT;
        fleet->has_weight |= columns[i].kind == FRS_COLUMN_WEIGHT;
        char place[32];
        snprintf(place, sizeof place, "column %zu", i + 1);
        if (columns[i].kind == FRS_COLUMN_KINDS)
            fleet->foreign = more(fleet->foreign, *csv->names[i] ? csv->names[i] : place, "");
    }
}

bool frs_fleet_read_columns(struct frs_csv *csv, const char *section, const char *names, unsigned figures,
    struct frs_fleet_column *columns, struct frs_fleet *fleet, struct frs_errors *errors) {
    bool links = figures & FRS_FLEET_OF_LINKS, any_unknown = false;
    if (!check_names(csv, section, names, errors))
        return false;
    for (size_t i = 0; i < csv->n_columns; i++)
        fleet->has_own_class |= strcmp(csv->names[i], links ? "network_class" : "device_class") == 0;
    for (size_t i = 0; i < csv->n_columns; i++) {
        char *other = renamed(names, csv->names[i]);
        columns[i].kind = kind_of(other ? other : csv->names[i], links, fleet->has_own_class, &columns[i]);
        bool is_wrong = other && columns[i].kind == FRS_COLUMN_KINDS;
        char shown[48];
        if (is_wrong)
            frs_csv_error(csv, errors,
                "%s.fleet_columns: \"%s\" is no column of a fleet; allowed: client, class, weight, "
                "down_Mbit_s, up_Mbit_s, latency_ms, rtt_ms and the like",
                section, frs_text_line(other, shown, sizeof shown));
        free(other);
        if (is_wrong)
            return false;
        any_unknown |= columns[i].kind == FRS_COLUMN_KINDS;
    }
    if (any_unknown && !*names)
        return unknown_columns(csv, section, columns, errors);
    if (says_twice(csv, columns, errors))
        return false;
    take(csv, columns, fleet);
    return true;
}
