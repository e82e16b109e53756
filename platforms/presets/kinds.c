#include "platforms/presets/kinds.h"
#include "sim/base/settings/by_class.h"
#include "sim/base/settings/params.h"
#include "sim/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const keys[FRS_SORTS] = {
    [FRS_BY_DEVICE] = "devices.classes", [FRS_BY_NETWORK] = "network.classes"};
static const char *const tables[FRS_SORTS] = {
    [FRS_BY_DEVICE] = "devices.fleet", [FRS_BY_NETWORK] = "network.fleet"};

/* Where the classes of a sort come from. */
static const char *key_of(const struct frs_strata *strata, enum frs_sort sort) {
    return strata->sorts[sort].names ? tables[sort] : keys[sort];
}

static size_t n_classes(const struct frs_strata *strata, enum frs_sort sort) {
    if (strata && strata->sorts[sort].names)
        return strata->sorts[sort].n_names;
    return strata && strata->sorts[sort].classes ? strata->sorts[sort].classes->n : 0;
}

static const char *class_name(const struct frs_strata *strata, enum frs_sort sort, size_t class) {
    return strata->sorts[sort].names ? strata->sorts[sort].names[class]
                                     : strata->sorts[sort].classes->presets[class]->plugin.name;
}

static bool has_part(const struct frs_class_part *parts, size_t n, const char *name) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(parts[i].name, name) == 0)
            return true;
    return false;
}

/* Whether the name is that of a class, even one without clients, as where shares vary. */
static bool is_class(const struct frs_strata *strata, enum frs_sort sort, const char *name) {
    for (size_t i = 0; i < n_classes(strata, sort); i++)
        if (strcmp(class_name(strata, sort, i), name) == 0)
            return true;
    if (n_classes(strata, sort) == 0 || strata->sorts[sort].names)
        return false;
    const struct frs_classes *classes = strata->sorts[sort].classes;
    for (size_t i = 0; i < classes->n_empty; i++)
        if (strcmp(classes->empty[i]->plugin.name, name) == 0)
            return true;
    return false;
}

static void list_classes(const struct frs_strata *strata, char *text, size_t size) {
    *text = '\0';
    for (enum frs_sort sort = 0; sort < FRS_SORTS; sort++)
        for (size_t i = 0; i < n_classes(strata, sort); i++) {
            size_t used = strlen(text);
            snprintf(text + used, size - used, "%s%s", used > 0 ? " | " : "", class_name(strata, sort, i));
        }
    size_t used = strlen(text);
    snprintf(text + used, size - used, "%s", used > 0 ? " | " FRS_OTHER_CLASSES : "");
}

/* Which sort of classes a value names; FRS_SORTS: errors were added, or it names "others" alone. */
static enum frs_sort sort_of(const struct frs_values *values, const char *key,
    const struct frs_class_part *parts, size_t n, const struct frs_strata *strata, struct frs_errors *errors,
    bool *good) {
    enum frs_sort sort = FRS_SORTS;
    const char *first = NULL;
    char allowed[512], line[64];
    for (size_t i = 0; i < n; i++) {
        if (strcmp(parts[i].name, FRS_OTHER_CLASSES) == 0)
            continue;
        bool device = is_class(strata, FRS_BY_DEVICE, parts[i].name),
             network = is_class(strata, FRS_BY_NETWORK, parts[i].name);
        enum frs_sort own = device ? FRS_BY_DEVICE : FRS_BY_NETWORK;
        frs_text_line(parts[i].name, line, sizeof line);
        list_classes(strata, allowed, sizeof allowed);
        *good = false;
        if (!device && !network && !*allowed)
            frs_values_error(values, key, errors,
                "\"%s\" is not a class, and clients have no classes here; allowed: one value for everybody, "
                "or classes with devices.classes, network.classes or a column class of a table",
                line);
        else if (!device && !network)
            frs_values_error(
                values, key, errors, "\"%s\" is not a class of this scenario; allowed: %s", line, allowed);
        else if (device && network)
            frs_values_error(values, key, errors,
                "\"%s\" is a class of devices and of networks here, and cannot be told apart", line);
        else if (first && own != sort)
            frs_values_error(values, key, errors,
                "\"%s\" and \"%s\" are classes of different sorts; allowed: those of %s, or those of %s",
                first, line, key_of(strata, FRS_BY_DEVICE), key_of(strata, FRS_BY_NETWORK));
        else
            *good = true;
        if (!*good)
            return FRS_SORTS;
        sort = own;
        first = parts[i].name;
    }
    return sort;
}

/* Every class has a value. */
static bool is_complete(const struct frs_values *values, const char *key, const struct frs_class_part *parts,
    size_t n, const struct frs_strata *strata, enum frs_sort sort, struct frs_errors *errors) {
    if (has_part(parts, n, FRS_OTHER_CLASSES))
        return true;
    for (size_t i = 0; i < n_classes(strata, sort); i++) {
        const char *name = class_name(strata, sort, i);
        if (has_part(parts, n, name))
            continue;
        frs_values_error(values, key, errors,
            "says nothing of class \"%s\"; allowed: a value for every class of %s, or one for \"%s\"", name,
            key_of(strata, sort), FRS_OTHER_CLASSES);
        return false;
    }
    return true;
}

static bool read_value(struct frs_kinds *kinds, const struct frs_values *values,
    const struct frs_value *value, struct frs_errors *errors) {
    struct frs_class_part *parts;
    size_t n = frs_class_parts(value->param, value->by_class, &parts);
    const char *key = value->param->key;
    bool good = true;
    enum frs_sort sort = sort_of(values, key, parts, n, kinds->strata, errors, &good);
    if (good && sort < FRS_SORTS) {
        good = is_complete(values, key, parts, n, kinds->strata, sort, errors);
        kinds->n_of[sort] = n_classes(kinds->strata, sort);
    }
    frs_class_parts_free(parts, n);
    return good;
}

bool frs_kinds_read(struct frs_kinds *kinds, const struct frs_values *values, const struct frs_strata *strata,
    struct frs_errors *errors) {
    bool good = true;
    *kinds = (struct frs_kinds){.strata = strata, .n_of = {1, 1}, .n = 1};
    for (size_t i = 0; i < values->n; i++)
        if (values->values[i].by_class)
            good = read_value(kinds, values, &values->values[i], errors) && good;
    if (!good)
        *kinds = (struct frs_kinds){.n_of = {1, 1}, .n = 1};
    kinds->n = kinds->n_of[FRS_BY_DEVICE] * kinds->n_of[FRS_BY_NETWORK];
    return good;
}

void frs_kinds_look_at(const struct frs_kinds *kinds, const struct frs_values *values, size_t kind) {
    const char *names[FRS_SORTS];
    size_t n = 0, classes[FRS_SORTS] = {kind % kinds->n_of[FRS_BY_DEVICE], kind / kinds->n_of[FRS_BY_DEVICE]};
    for (enum frs_sort sort = 0; sort < FRS_SORTS; sort++)
        if (n_classes(kinds->strata, sort) > 0)
            names[n++] = class_name(kinds->strata, sort, classes[sort]);
    frs_values_look_at(values, names, n);
}

size_t frs_kind_of(const struct frs_kinds *kinds, uint32_t client) {
    const struct frs_strata *strata = kinds->strata;
    size_t class[FRS_SORTS] = {0};
    for (enum frs_sort sort = 0; sort < FRS_SORTS; sort++)
        if (kinds->n_of[sort] > 1)
            class[sort] = strata->sorts[sort].class_of(strata->sorts[sort].platform, strata->seed, client);
    return class[FRS_BY_DEVICE] + kinds->n_of[FRS_BY_DEVICE] * class[FRS_BY_NETWORK];
}
