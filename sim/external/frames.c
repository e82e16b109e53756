#include "sim/external/frames.h"
#include "sim/base/limits.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/base/text.h"
#include "sim/external/words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool complain(char *why, size_t size, struct frs_words line, const char *what) {
    char shown[160], *copy = frs_format("%.*s", (int)(line.end - line.at), line.at);
    snprintf(why, size, "answered \"%s\": %s", frs_text_line(copy, shown, sizeof shown), what);
    free(copy);
    return false;
}

/* A lower-case letter, and then letters, digits and underscores. */
static bool is_name(const char *name) {
    size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_");
    return name[0] >= 'a' && name[0] <= 'z' && name[n] == '\0' && n < FRS_EXTERNAL_NAME;
}

/* ---- hello ----------------------------------------------------------------------------------- */

static void free_param(const struct frs_param *param) {
    for (size_t i = 0; param->choices && param->choices[i]; i++)
        free((void *)param->choices[i]);
    free((void *)param->choices);
    free((void *)param->key);
    free((void *)param->initial);
    free((void *)param->help);
}

void frs_frames_keys_free(struct frs_external_traits *traits) {
    for (const struct frs_param *param = traits->params; param && param->key; param++)
        free_param(param);
    free((void *)traits->params);
    traits->params = NULL;
}

static bool take_choices(struct frs_words *line, struct frs_param *param) {
    char *text = frs_words_text(line);
    if (!text)
        return false;
    const char **choices = frs_alloc(strlen(text) + 2, sizeof *choices);
    size_t n = 0;
    for (char *at = text, *next; at; at = next) {
        next = strchr(at, '|');
        if (next)
            *next++ = '\0';
        choices[n++] = frs_strdup(at);
    }
    free(text);
    param->choices = choices;
    for (size_t i = 0; i < n; i++)
        if (!is_name(choices[i]))
            return false;
    return true;
}

/* Reads "NAME int DEFAULT MIN MAX HELP", "NAME choice DEFAULT a|b HELP" and so on into a param, whose
 * texts are freed in any case. */
static const char *read_key(struct frs_words *line, struct frs_param *param) {
    double limits[2];
    char *name = frs_words_text(line);
    param->key = name;
    if (!name || !is_name(name))
        return "a key's name is a lower-case letter, and then at most 30 letters, digits and underscores";
    if (frs_external_has_key(name))
        return "every external method has a key of this name already";
    param->type = frs_words_is(line, "int")      ? FRS_INT
                  : frs_words_is(line, "real")   ? FRS_REAL
                  : frs_words_is(line, "bool")   ? FRS_BOOL
                  : frs_words_is(line, "choice") ? FRS_CHOICE
                  : frs_words_is(line, "text")   ? FRS_TEXT
                                                 : FRS_SHARE;
    if (param->type == FRS_SHARE)
        return "the type of a key is int, real, bool, choice or text";
    char *initial = frs_words_text(line);
    param->initial = initial;
    if (!initial)
        return "a key needs a default";
    if (param->type == FRS_TEXT && strcmp(initial, "-") == 0)
        *initial = '\0';
    bool ranges = param->type == FRS_INT || param->type == FRS_REAL;
    if (ranges && !(frs_words_number(line, &limits[0]) && frs_words_number(line, &limits[1]) &&
                      isfinite(limits[0]) && isfinite(limits[1]) && limits[0] < limits[1] &&
                      fabs(limits[0]) <= 1e15 && fabs(limits[1]) <= 1e15))
        return "behind the default of a number stand its smallest and its largest value";
    if (ranges) {
        param->min = limits[0];
        param->max = limits[1];
    }
    if (param->type == FRS_CHOICE && !take_choices(line, param))
        return "behind the default of a choice stand its choices, as a|b|c";
    param->help = frs_words_rest(line);
    return *param->help ? NULL : "a key ends with a phrase that says what it sets";
}

/* Why the default is none, or NULL. */
static const char *check_default(const struct frs_param *param, char *reason, size_t size) {
    struct frs_value scratch = {.param = param};
    if (frs_param_parse(param, param->initial, &scratch, reason, size) != FRS_OK)
        return reason;
    if (frs_type_is_text(param->type))
        free(scratch.text);
    return NULL;
}

static bool has_key(const struct frs_param *params, size_t n, const char *key) {
    for (size_t i = 0; i < n; i++)
        if (strcmp(params[i].key, key) == 0)
            return true;
    return false;
}

static const char *add_key(
    struct frs_param *params, size_t *n, struct frs_words *line, char *reason, size_t size) {
    struct frs_param param = {0};
    const char *wrong = *n == FRS_EXTERNAL_MOST_KEYS
                            ? "there are more than " FRS_LIMIT_TEXT(FRS_LIMIT_OWN_KEYS) " keys"
                            : read_key(line, &param);
    if (!wrong && has_key(params, *n, param.key))
        wrong = "there is a key of this name already";
    if (!wrong)
        wrong = check_default(&param, reason, size);
    if (wrong)
        free_param(&param);
    else
        params[(*n)++] = param;
    return wrong;
}

static const char *read_trait(struct frs_words *line, struct frs_external_traits *traits) {
    if (frs_words_is(line, "feedback")) {
        traits->predicts_ratings = frs_words_is(line, "explicit");
        return traits->predicts_ratings || frs_words_is(line, "implicit") ? NULL
                                                                          : "allowed: implicit or explicit";
    }
    if (frs_words_is(line, "sends")) {
        traits->sends_updates = frs_words_is(line, "updates");
        return traits->sends_updates || frs_words_is(line, "states") ? NULL : "allowed: states or updates";
    }
    if (frs_words_is(line, "work")) {
        traits->measured = frs_words_is(line, "measured");
        return traits->measured || frs_words_is(line, "counted") ? NULL : "allowed: counted or measured";
    }
    if (frs_words_is(line, "limits_epochs"))
        return traits->limits_epochs = true, NULL;
    if (frs_words_is(line, "works_after_upload"))
        return traits->works_on = true, NULL;
    if (frs_words_is(line, "takes_budgets"))
        return traits->takes_budgets = true, NULL;
    return "allowed: feedback, sends, work, limits_epochs, works_after_upload, takes_budgets, key, end";
}

static const char *check_hello(const struct frs_external_traits *traits, size_t n) {
    const struct frs_param *epochs = NULL;
    for (size_t i = 0; i < n; i++)
        if (strcmp(traits->params[i].key, "epochs") == 0)
            epochs = &traits->params[i];
    if (epochs && (epochs->type != FRS_INT || epochs->min < 1))
        return "its key epochs has to be an integer of at least 1";
    if (traits->takes_budgets && !traits->sends_updates)
        return "it takes budgets, which is for updates: \"sends updates\"";
    return traits->limits_epochs && !epochs ? "it limits epochs, but has no key epochs" : NULL;
}

bool frs_frames_hello(const char *lines, struct frs_external_traits *traits, char *why, size_t size) {
    struct frs_param *params = frs_alloc(FRS_EXTERNAL_MOST_KEYS + 1, sizeof *params);
    struct frs_words line = {lines, lines}, whole;
    const char *wrong = NULL;
    char reason[512];
    size_t n = 0, version;
    *traits = (struct frs_external_traits){.params = params};
    bool is_there = frs_words_line(&lines, &line);
    whole = line;
    if (!is_there || !frs_words_is(&line, "external") || !frs_words_count(&line, 1e6, &version))
        wrong = "expected \"external 2\"";
    else if (version != FRS_EXTERNAL_VERSION)
        wrong = "this fedrecsim speaks version 2 of the protocol";
    while (!wrong && frs_words_line(&lines, &line)) {
        whole = line;
        wrong = frs_words_is(&line, "key") ? add_key(params, &n, &line, reason, sizeof reason)
                                           : read_trait(&line, traits);
        if (!wrong && !frs_words_are_over(line))
            wrong = "there are words too many";
    }
    bool is_whole = !wrong;
    if (!wrong)
        wrong = check_hello(traits, n);
    if (!wrong)
        return true;
    if (is_whole)
        snprintf(why, size, "its hello is wrong: %s", wrong);
    else
        complain(why, size, whole, wrong);
    frs_frames_keys_free(traits);
    return false;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static const char *read_start(struct frs_words *line, struct frs_external_table *table, bool *given) {
    if (frs_words_is(line, "zeros"))
        return NULL;
    if (frs_words_is(line, "normal")) {
        table->start = FRS_NORMAL;
        return frs_words_number(line, &table->sd) && table->sd >= 0 && table->sd <= 1e6
                   ? NULL
                   : "behind normal stands the standard deviation, from 0 to 1e6";
    }
    *given = table->shared && frs_words_is(line, "given");
    return *given ? NULL : "first values are zeros, normal SD, or those given (of a shared table)";
}

/* "undivided", "own", "alike" and "by_budget", in any order. */
static const char *read_flags(struct frs_words *line, struct frs_external_table *table) {
    while (!frs_words_are_over(*line)) {
        bool *flag = table->shared && frs_words_is(line, "undivided")   ? &table->undivided
                     : table->shared && frs_words_is(line, "own")       ? &table->own
                     : table->shared && frs_words_is(line, "by_budget") ? &table->by_budget
                     : !table->shared && frs_words_is(line, "alike")    ? &table->alike
                                                                        : NULL;
        if (!flag || *flag)
            return "there are words too many";
        *flag = true;
    }
    return NULL;
}

static const char *read_table(struct frs_words *line, struct frs_external_table *table, bool *given) {
    char *name = frs_words_text(line);
    bool named = name && is_name(name);
    if (named)
        memcpy(table->name, name, strlen(name) + 1);
    free(name);
    if (!named)
        return "a table's name is a lower-case letter, and then at most 30 letters, digits and underscores";
    table->shared = frs_words_is(line, "shared");
    if (!table->shared && !frs_words_is(line, "private"))
        return "behind a table's name stands shared or private";
    if (!frs_words_count(line, FRS_EXTERNAL_MOST_ROWS, &table->rows) || table->rows < 1)
        return "a table has from 1 to 2e9 rows";
    if (!frs_words_count(line, FRS_EXTERNAL_MOST_DIM, &table->dim) || table->dim < 1)
        return "a table has from 1 to 1e8 columns";
    const char *wrong = read_start(line, table, given);
    if (!wrong)
        wrong = read_flags(line, table);
    if (!wrong && !table->shared && table->rows > 1 && (table->start != FRS_ZEROS || table->alike))
        return "a private table of several rows begins with zeros";
    return wrong;
}

static const char *read_budgets(struct frs_words *line, struct frs_external_tables *tables) {
    size_t min, max;
    if (tables->budgets.max > 0)
        return "there are budgets already";
    if (!frs_words_count(line, FRS_EXTERNAL_MOST_DIM, &min) ||
        !frs_words_count(line, FRS_EXTERNAL_MOST_DIM, &max) || min < 1 || max < min)
        return "behind budgets stand the smallest and the largest, from 1 to 1e8";
    if (!frs_words_number(line, &tables->fixed_work) || !(tables->fixed_work >= 0 && tables->fixed_work <= 1))
        return "behind the budgets stands the share of the work that is the same under all of them, from 0 "
               "to 1";
    tables->budgets = (struct frs_budgets){(uint32_t)min, (uint32_t)max, "columns"};
    return frs_words_are_over(*line) ? NULL : "there are words too many";
}

static bool has_table(const struct frs_external_tables *tables, const char *name) {
    for (size_t i = 0; i < tables->n; i++)
        if (strcmp(tables->table[i].name, name) == 0)
            return true;
    return false;
}

static const char *add_table(struct frs_words *line, struct frs_external_tables *tables, bool *given) {
    struct frs_external_table table = {0};
    if (tables->n == FRS_MAX_TABLES)
        return "there are more than 8 tables";
    const char *wrong = read_table(line, &table, &given[tables->n]);
    if (!wrong && has_table(tables, table.name))
        return "there is a table of this name already";
    if (!wrong)
        tables->table[tables->n++] = table;
    return wrong;
}

/* What is wrong with all of them together. */
static const char *check_tables(
    const struct frs_external_tables *tables, const struct frs_external_traits *traits) {
    size_t n_shared = 0, n_kept = 0, n_by_budget = 0;
    for (size_t i = 0; i < tables->n; i++) {
        const struct frs_external_table *table = &tables->table[i];
        n_shared += table->shared;
        n_kept += frs_external_keeps_rows(table);
        n_by_budget += table->by_budget;
        if (table->own && traits->sends_updates)
            return "has a table that clients have their own versions of, which is for \"sends states\"";
        if (table->by_budget && table->dim < tables->budgets.max)
            return "has a table of fewer columns than the largest budget";
    }
    if (n_shared == 0)
        return "has no shared table: nothing would be sent";
    if (n_shared > FRS_MAX_PARTS)
        return "has more than 4 shared tables";
    if (n_kept > FRS_EXTERNAL_MOST_KEPT)
        return "has more than 4 tables that are own, or private with several rows";
    if (traits->takes_budgets != (tables->budgets.max > 0))
        return traits->takes_budgets ? "takes budgets, but does not say which: \"budgets MIN MAX SHARE\""
                                     : "names budgets, but its hello does not say takes_budgets";
    if (traits->takes_budgets != (n_by_budget > 0))
        return traits->takes_budgets ? "takes budgets, but has no table by_budget"
                                     : "has a table by_budget, but its hello does not say takes_budgets";
    return NULL;
}

bool frs_frames_tables(const char *lines, const struct frs_external_traits *traits,
    struct frs_external_tables *tables, bool *given, char *why, size_t size) {
    struct frs_words line;
    *tables = (struct frs_external_tables){0};
    memset(given, 0, FRS_MAX_TABLES * sizeof *given);
    while (frs_words_line(&lines, &line)) {
        struct frs_words whole = line;
        const char *wrong = frs_words_is(&line, "table")     ? add_table(&line, tables, given)
                            : frs_words_is(&line, "budgets") ? read_budgets(&line, tables)
                                                             : "expected a table, budgets, or end";
        if (wrong)
            return complain(why, size, whole, wrong);
    }
    const char *wrong = check_tables(tables, traits);
    if (wrong)
        snprintf(why, size, "%s", wrong);
    return !wrong;
}

/* ---- trained --------------------------------------------------------------------------------- */

static const char *read_numbers(struct frs_words *line, struct frs_frame_trained *trained) {
    double *const numbers[] = {
        &trained->processed, &trained->flop, &trained->post_flop, &trained->post_processed};
    size_t epochs;
    if (!frs_words_number(line, &trained->loss))
        return "behind trained stands the loss";
    if (!isfinite(trained->loss))
        return "its loss is not finite";
    if (!frs_words_count(line, 1e9, &epochs))
        return "behind the loss stand the epochs that it has run";
    trained->epochs = (uint32_t)epochs;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!frs_words_number(line, numbers[i]) || !(*numbers[i] >= 0 && *numbers[i] <= 1e18))
            return "behind the epochs stand samples, operations, and of both what follows the upload, from 0 "
                   "to 1e18";
    return NULL;
}

static const char *check_work(
    const struct frs_frame_trained *trained, const struct frs_external_traits *traits, uint32_t limit) {
    if (trained->post_flop > trained->flop || trained->post_processed > trained->processed)
        return "more follows the upload than there is in all";
    if (!traits->works_on && (trained->post_flop > 0 || trained->post_processed > 0))
        return "work follows the upload, but its hello does not say works_after_upload";
    if (!traits->measured && !(trained->flop > 0))
        return "it has counted no operations; a method that counts none says \"work measured\"";
    if (traits->measured && trained->flop > 0)
        return "it counts operations, but its hello says \"work measured\"";
    return traits->limits_epochs && limit > 0 && trained->epochs > limit
               ? "it has run more epochs than it was allowed"
               : NULL;
}

static const char *read_changes(
    struct frs_words *line, const struct frs_external_tables *tables, struct frs_frame_trained *trained) {
    for (size_t i = 0; i < tables->n; i++) {
        const struct frs_external_table *table = &tables->table[i];
        trained->n[i] = table->rows;
        trained->all[i] = !frs_external_counts_rows(table) || frs_words_is(line, "all");
        if (!trained->all[i] && !frs_words_count(line, (double)table->rows, &trained->n[i]))
            return "for each table but private ones of one row it says how many rows changed, or all";
    }
    return frs_words_are_over(*line) ? NULL : "there are words too many";
}

bool frs_frames_trained(const char *text, const struct frs_external_tables *tables,
    const struct frs_external_traits *traits, uint32_t limit, struct frs_frame_trained *trained, char *why,
    size_t size) {
    struct frs_words line = {text, text + strlen(text)}, whole = line;
    *trained = (struct frs_frame_trained){0};
    const char *wrong =
        frs_words_is(&line, "trained") ? read_numbers(&line, trained) : "expected \"trained ...\"";
    if (!wrong)
        wrong = read_changes(&line, tables, trained);
    if (!wrong)
        wrong = check_work(trained, traits, limit);
    return wrong ? complain(why, size, whole, wrong) : true;
}

const char *frs_frames_error(const char *line) {
    return strncmp(line, "error ", 6) == 0 ? line + 6 : NULL;
}
