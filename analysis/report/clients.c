/* Groups of clients. The file is read row by row: there may be a million of them. */
#include "analysis/report/report_internal.h"
#include "analysis/statistics/permutation_test.h"
#include "sim/base/errors.h"
#include "sim/base/files/csv.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { UPLINK, ITEMS, PARTICIPATIONS, DELIVERED, LOST, UNAVAILABLE, DOWN, UP, N_FIGURES };
static const char *const figures[N_FIGURES] = {"up_bytes_per_s", "train_items", "participations", "delivered",
    "lost", "unavailable", "down_bytes", "up_bytes"};

enum { MOST_CLASSES = 256 };

/* The measure, by the columns that a run may have it in. */
enum { HIT, RMSE, N_QUALITIES };

struct client {
    double figures[N_FIGURES], quality[N_QUALITIES];
    size_t class[2]; /* of the network and of the device: places in `names` */
};

struct clients {
    struct client *list;
    size_t n, capacity;
    char **names;
    size_t n_names, names_capacity;
    char *hit; /* "hr@10" */
    size_t columns[N_FIGURES], quality[N_QUALITIES], class[2];
    uint64_t seed;                    /* of the run */
    struct frs_group_member *members; /* [n] of the family that is being added */
    size_t n_members;
};

static size_t name_place(struct clients *clients, const char *name) {
    for (size_t i = 0; i < clients->n_names; i++)
        if (strcmp(clients->names[i], name) == 0)
            return i;
    clients->names =
        frs_grow(clients->names, clients->n_names + 1, &clients->names_capacity, sizeof *clients->names);
    clients->names[clients->n_names] = frs_strdup(name);
    return clients->n_names++;
}

static bool find(struct frs_csv *csv, const char *name, size_t *column, struct frs_errors *errors) {
    for (*column = 0; *column < csv->n_columns; ++*column)
        if (strcmp(csv->names[*column], name) == 0)
            return true;
    frs_errors_add(errors, FRS_ERR_INPUT, "%s: has no column \"%s\": it is of another version of the program",
        csv->path, name);
    return false;
}

static bool find_columns(struct clients *clients, struct frs_csv *csv, struct frs_errors *errors) {
    static const char *const classes[] = {"network_class", "device_class"};
    for (size_t i = 0; i < N_FIGURES; i++)
        if (!find(csv, figures[i], &clients->columns[i], errors))
            return false;
    for (size_t i = 0; i < 2; i++)
        if (!find(csv, classes[i], &clients->class[i], errors))
            return false;
    for (size_t i = 0; i < csv->n_columns && !clients->hit; i++)
        if (strncmp(csv->names[i], "hr@", 3) == 0)
            clients->hit = frs_strdup(csv->names[i]);
    return find(csv, clients->hit ? clients->hit : "hr@10", &clients->quality[HIT], errors) &&
           find(csv, "rmse", &clients->quality[RMSE], errors);
}

static bool read_number(struct frs_csv *csv, size_t column, double *value, struct frs_errors *errors) {
    *value = NAN;
    return !*csv->fields[column] || frs_csv_number(csv, column, csv->names[column], value, errors);
}

static bool read_row(struct clients *clients, struct frs_csv *csv, struct frs_errors *errors) {
    clients->list = frs_grow(clients->list, clients->n + 1, &clients->capacity, sizeof *clients->list);
    struct client *client = &clients->list[clients->n++];
    for (size_t i = 0; i < N_FIGURES; i++)
        if (!read_number(csv, clients->columns[i], &client->figures[i], errors))
            return false;
    for (size_t i = 0; i < N_QUALITIES; i++)
        if (!read_number(csv, clients->quality[i], &client->quality[i], errors))
            return false;
    for (size_t i = 0; i < 2; i++)
        client->class[i] = name_place(clients, csv->fields[clients->class[i]]);
    return clients->n_names <= MOST_CLASSES ||
           frs_csv_error(csv, errors, "more than %d classes of networks and devices", MOST_CLASSES);
}

static bool read_all(struct clients *clients, const char *path, struct frs_errors *errors) {
    struct frs_csv csv;
    bool good = frs_csv_open_any(&csv, path, errors) && find_columns(clients, &csv, errors);
    while (good && frs_csv_next(&csv, errors))
        good = read_row(clients, &csv, errors);
    good = good && !csv.failed;
    frs_csv_close(&csv);
    return good;
}

/* ---- groups ---- */

struct group {
    size_t clients, never, quality_clients;
    double sums[N_FIGURES], quality;
};

static void add(struct group *group, const struct client *client, int quality) {
    group->clients++;
    group->never += !(client->figures[DELIVERED] > 0);
    for (size_t i = 0; i < N_FIGURES; i++)
        group->sums[i] += client->figures[i];
    if (isfinite(client->quality[quality])) {
        group->quality += client->quality[quality];
        group->quality_clients++;
    }
}

/* The same, and as a member of number `place` of its family. */
static void add_member(
    struct clients *clients, struct group *group, size_t place, const struct client *client, int quality) {
    add(group, client, quality);
    if (isfinite(client->quality[quality]))
        clients->members[clients->n_members++] =
            (struct frs_group_member){client->quality[quality], 1, place};
}

/* The interval of hit rates with as many interactions as clients; each client counts once, as in the mean. */
static struct frs_group_interval interval_of(
    const struct clients *clients, const struct group *group, size_t place, int quality) {
    double n = (double)group->quality_clients;
    if (group->quality_clients == 0)
        return (struct frs_group_interval){NAN, NAN};
    return quality == HIT ? frs_group_share_interval(group->quality / n, n)
                          : frs_group_mean_interval(clients->members, clients->n_members, place);
}

static json_t *group_object(const char *name, const struct group *group) {
    json_t *object = json_object();
    frs_json_set(object, "name", frs_report_text(name));
    frs_json_set(object, "clients", json_integer((json_int_t)group->clients));
    frs_json_set(object, "never", json_integer((json_int_t)group->never));
    for (size_t i = PARTICIPATIONS; i < N_FIGURES; i++)
        frs_json_set(object, figures[i], frs_report_number(group->sums[i]));
    frs_json_set(object, "quality",
        frs_report_number(group->quality_clients ? group->quality / (double)group->quality_clients : NAN));
    frs_json_set(object, "quality_clients", json_integer((json_int_t)group->quality_clients));
    return object;
}

/* Appends it with its interval; its number is its place in the list. */
static void append_group(
    const struct clients *clients, json_t *list, const char *name, const struct group *group, int quality) {
    struct frs_group_interval interval = interval_of(clients, group, json_array_size(list), quality);
    json_t *object = group_object(name, group);
    frs_json_set(object, "low", frs_report_number(interval.low));
    frs_json_set(object, "high", frs_report_number(interval.high));
    frs_json_append(list, object);
}

/* With the chance that its groups differ as much in quality when they have nothing to do with it. */
static void add_family(struct clients *clients, json_t *families, const char *name, json_t *groups) {
    size_t n_members = clients->n_members;
    clients->n_members = 0;
    if (json_array_size(groups) < 2) {
        json_decref(groups);
        return;
    }
    double chance = frs_group_chance(clients->members, n_members, json_array_size(groups), clients->seed);
    json_t *family = json_object();
    frs_json_set(family, "name", json_string(name));
    frs_json_set(family, "chance", frs_report_number(chance));
    frs_json_set(family, "groups", groups);
    frs_json_append(families, family);
}

/* Members in the order of the clients, as the summary of the run has them: permutations are then the same. */
static json_t *by_class(struct clients *clients, size_t which, int quality) {
    json_t *list = json_array();
    struct group *groups = frs_alloc(clients->n_names + 1, sizeof *groups);
    size_t *places = frs_alloc(clients->n_names + 1, sizeof *places), n = 0;
    for (size_t i = 0; i < clients->n; i++)
        groups[clients->list[i].class[which]].clients = 1;
    for (size_t name = 0; name < clients->n_names; name++) {
        places[name] = n;
        n += groups[name].clients;
        groups[name].clients = 0;
    }
    for (size_t i = 0; i < clients->n; i++) {
        size_t name = clients->list[i].class[which];
        add_member(clients, &groups[name], places[name], &clients->list[i], quality);
    }
    for (size_t name = 0; name < clients->n_names; name++)
        if (groups[name].clients > 0)
            append_group(clients, list, clients->names[name], &groups[name], quality);
    free(places);
    free(groups);
    return list;
}

struct standing {
    double value;
    size_t client;
};

static int by_value(const void *a, const void *b) {
    const struct standing *x = a, *y = b;
    if (x->value != y->value)
        return (x->value > y->value) - (x->value < y->value);
    return (x->client > y->client) - (x->client < y->client);
}

/* Four groups of equal size, as in summary.json; where all are alike, there are none. */
static json_t *by_quartile(struct clients *clients, size_t figure, const char *const names[4], int quality) {
    json_t *list = json_array();
    struct standing *order = frs_alloc(clients->n + 1, sizeof *order);
    struct group groups[4] = {0};
    for (size_t i = 0; i < clients->n; i++) {
        double value = clients->list[i].figures[figure];
        order[i] = (struct standing){isnan(value) ? INFINITY : value, i};
    }
    qsort(order, clients->n, sizeof *order, by_value);
    for (size_t i = 0; i < clients->n; i++)
        add_member(clients, &groups[i * 4 / clients->n], i * 4 / clients->n, &clients->list[order[i].client],
            quality);
    bool alike = clients->n < 4 || order[0].value == order[clients->n - 1].value;
    for (size_t i = 0; i < 4 && !alike; i++)
        append_group(clients, list, names[i], &groups[i], quality);
    free(order);
    return list;
}

/* Deciles of the clients with uploads that were used, by how many, and those without one. */
static json_t *by_heard(struct clients *clients, int quality) {
    static const char *const names[] = {"never", "decile heard least", "2nd decile", "3rd decile",
        "4th decile", "5th decile", "6th decile", "7th decile", "8th decile", "9th decile",
        "decile heard most"};
    enum { N_NAMES = sizeof names / sizeof *names };
    struct standing *order = frs_alloc(clients->n + 1, sizeof *order);
    struct group groups[N_NAMES] = {0};
    size_t places[N_NAMES] = {0}, n_places = 0, n_heard = 0, n_before = 0;
    json_t *list = json_array();
    for (size_t i = 0; i < clients->n; i++) {
        order[i] = (struct standing){clients->list[i].figures[DELIVERED], i};
        n_heard += order[i].value > 0;
    }
    qsort(order, clients->n, sizeof *order, by_value);
    for (size_t i = 0; i < clients->n; i++) {
        bool heard = order[i].value > 0;
        size_t name = heard ? 1 + n_before * 10 / n_heard : 0;
        if (groups[name].clients == 0)
            places[name] = n_places++;
        add_member(clients, &groups[name], places[name], &clients->list[order[i].client], quality);
        n_before += heard;
    }
    for (size_t name = 0; name < N_NAMES; name++)
        if (groups[name].clients > 0)
            append_group(clients, list, names[name], &groups[name], quality);
    free(order);
    return list;
}

/* Ranks come before ratings: a run has the one or the other. */
static int quality_of(const struct clients *clients) {
    for (size_t i = 0; i < clients->n; i++)
        if (isfinite(clients->list[i].quality[HIT]))
            return HIT;
    for (size_t i = 0; i < clients->n; i++)
        if (isfinite(clients->list[i].quality[RMSE]))
            return RMSE;
    return N_QUALITIES;
}

static json_t *groups_of(struct clients *clients, bool by_how_often) {
    static const char *const uplinks[] = {
        "slowest quarter", "second quarter", "third quarter", "fastest quarter"};
    static const char *const items[] = {
        "quarter with the fewest", "second quarter", "third quarter", "quarter with the most"};
    int found = quality_of(clients), quality = found == N_QUALITIES ? HIT : found;
    json_t *object = json_object(), *families = json_array();
    struct group all = {0};
    for (size_t i = 0; i < clients->n; i++)
        add(&all, &clients->list[i], quality);
    add_family(clients, families, "network class", by_class(clients, 0, quality));
    add_family(clients, families, "device class", by_class(clients, 1, quality));
    add_family(clients, families, "uplink", by_quartile(clients, UPLINK, uplinks, quality));
    add_family(clients, families, "interactions to train on", by_quartile(clients, ITEMS, items, quality));
    if (by_how_often)
        add_family(clients, families, "uploads used", by_heard(clients, quality));
    frs_json_set(object, "quality",
        found == N_QUALITIES ? json_null() : json_string(found == HIT ? clients->hit : "rmse"));
    frs_json_set(object, "all", group_object("all", &all));
    frs_json_set(object, "families", families);
    return object;
}

static void fini(struct clients *clients) {
    for (size_t i = 0; i < clients->n_names; i++)
        free(clients->names[i]);
    free(clients->names);
    free(clients->list);
    free(clients->members);
    free(clients->hit);
}

/* ---- families that clients.csv does not tell --------------------------------------------------- */

static double figure_of(const struct frs_run_results *run, const char *group, const char *figure) {
    char *name = frs_format("groups.taste_quartile.%s.%s", group, figure);
    double value = frs_metrics_get(&run->metrics, name);
    free(name);
    return value;
}

/* Quartiles of taste, as the summary has them. */
static void add_tastes(json_t *object, const struct frs_run_results *run) {
    static const char *const numbers[] = {"1", "2", "3", "4"}, *const names[] = {"quarter with the rarest",
                                                                   "second quarter", "third quarter",
                                                                   "quarter with the most usual"};
    const char *quality = json_string_value(json_object_get(object, "quality"));
    json_t *family = json_object(), *groups = json_array();
    for (size_t i = 0; i < 4 && isfinite(figure_of(run, "1", "clients")); i++) {
        json_t *group = json_object();
        double value = quality ? figure_of(run, numbers[i], quality) : NAN,
               n = figure_of(run, numbers[i], "evaluated");
        bool hit = quality && strcmp(quality, "rmse") != 0;
        struct frs_group_interval interval =
            hit && n >= 1 ? frs_group_share_interval(value, n) : (struct frs_group_interval){NAN, NAN};
        frs_json_set(group, "name", json_string(names[i]));
        frs_json_set(group, "clients", frs_report_number(figure_of(run, numbers[i], "clients")));
        frs_json_set(
            group, "participations", frs_report_number(figure_of(run, numbers[i], "participations")));
        frs_json_set(group, "delivered", frs_report_number(figure_of(run, numbers[i], "delivered")));
        frs_json_set(group, "quality", frs_report_number(value));
        frs_json_set(group, "quality_clients", frs_report_number(n));
        frs_json_set(group, "low", frs_report_number(interval.low));
        frs_json_set(group, "high", frs_report_number(interval.high));
        frs_json_append(groups, group);
    }
    frs_json_set(family, "name", json_string("taste"));
    frs_json_set(family, "chance", frs_report_number(run->taste_chance));
    frs_json_set(family, "groups", groups);
    if (json_array_size(groups) > 0)
        frs_json_append(json_object_get(object, "families"), family);
    else
        json_decref(family);
}

json_t *frs_report_clients(const struct frs_run_results *run, struct frs_errors *errors) {
    struct clients clients = {0};
    char *path = frs_format("%s/clients.csv", run->path);
    json_t *object = NULL;
    double found = 0, participations = frs_metrics_get(&run->metrics, "participations");
    bool good = read_all(&clients, path, errors);
    for (size_t i = 0; good && i < clients.n; i++)
        found += clients.list[i].figures[PARTICIPATIONS];
    if (good && (found != participations || clients.n != run->n_clients))
        frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: has %zu clients with %.0f participations, and the run %llu with %.0f: the folder is not "
            "whole",
            path, clients.n, found, (unsigned long long)run->n_clients, participations);
    else if (good) {
        clients.members = frs_alloc(clients.n + 1, sizeof *clients.members);
        clients.seed = run->seed;
        object = groups_of(&clients, isfinite(frs_metrics_get(&run->metrics, "group_gaps.heard_decile.gap")));
    }
    free(path);
    if (object)
        add_tastes(object, run);
    fini(&clients);
    return object;
}
