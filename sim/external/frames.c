#include "sim/external/frames.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"
#include "sim/base/text.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- words ----------------------------------------------------------------------------------- */

/* What is left of a line. */
struct words {
    const char *at, *end;
};

static bool take(struct words *line, const char **word, size_t *n) {
    while (line->at < line->end && *line->at == ' ')
        line->at++;
    *word = line->at;
    while (line->at < line->end && *line->at != ' ')
        line->at++;
    *n = (size_t)(line->at - *word);
    return *n > 0;
}

static bool is_next(struct words *line, const char *expected) {
    struct words before = *line;
    const char *word;
    size_t n;
    if (take(line, &word, &n) && strlen(expected) == n && memcmp(word, expected, n) == 0)
        return true;
    *line = before;
    return false;
}

static bool is_empty(struct words line) {
    const char *word;
    size_t n;
    return !take(&line, &word, &n);
}

/* Freed by the caller; NULL: there is none. */
static char *take_text(struct words *line) {
    const char *word;
    size_t n;
    return take(line, &word, &n) ? frs_format("%.*s", (int)n, word) : NULL;
}

/* The rest of the line, freed by the caller. */
static char *take_rest(struct words *line) {
    while (line->at < line->end && *line->at == ' ')
        line->at++;
    char *rest = frs_format("%.*s", (int)(line->end - line->at), line->at);
    line->at = line->end;
    return rest;
}

static bool take_number(struct words *line, double *number) {
    const char *word;
    char copy[64], *end;
    size_t n;
    if (!take(line, &word, &n) || n >= sizeof copy)
        return false;
    memcpy(copy, word, n);
    copy[n] = '\0';
    *number = strtod(copy, &end);
    return end == copy + n && !strchr(copy, 'x') && !strchr(copy, 'X');
}

static bool take_count(struct words *line, double most, size_t *count) {
    double number;
    if (!take_number(line, &number) || !(number >= 0 && number <= most) || number != floor(number))
        return false;
    *count = (size_t)number;
    return true;
}

/* The next line of a block; false at its end. */
static bool next_line(const char **lines, struct words *line) {
    const char *end = strchr(*lines, '\n');
    if (!end)
        return false;
    *line = (struct words){*lines, end};
    *lines = end + 1;
    return true;
}

static bool complain(char *why, size_t size, struct words line, const char *what) {
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

static bool take_choices(struct words *line, struct frs_param *param) {
    char *text = take_text(line);
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
static const char *read_key(struct words *line, struct frs_param *param) {
    double limits[2];
    char *name = take_text(line);
    param->key = name;
    if (!name || !is_name(name))
        return "a key's name is a lower-case letter, and then at most 30 letters, digits and underscores";
    if (frs_external_has_key(name))
        return "every external method has a key of this name already";
    param->type = is_next(line, "int")      ? FRS_INT
                  : is_next(line, "real")   ? FRS_REAL
                  : is_next(line, "bool")   ? FRS_BOOL
                  : is_next(line, "choice") ? FRS_CHOICE
                  : is_next(line, "text")   ? FRS_TEXT
                                            : FRS_SHARE;
    if (param->type == FRS_SHARE)
        return "the type of a key is int, real, bool, choice or text";
    char *initial = take_text(line);
    param->initial = initial;
    if (!initial)
        return "a key needs a default";
    if (param->type == FRS_TEXT && strcmp(initial, "-") == 0)
        *initial = '\0';
    bool ranges = param->type == FRS_INT || param->type == FRS_REAL;
    if (ranges && !(take_number(line, &limits[0]) && take_number(line, &limits[1]) && isfinite(limits[0]) &&
                      isfinite(limits[1]) && limits[0] < limits[1] && fabs(limits[0]) <= 1e15 &&
                      fabs(limits[1]) <= 1e15))
        return "behind the default of a number stand its smallest and its largest value";
    if (ranges) {
        param->min = limits[0];
        param->max = limits[1];
    }
    if (param->type == FRS_CHOICE && !take_choices(line, param))
        return "behind the default of a choice stand its choices, as a|b|c";
    param->help = take_rest(line);
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
    struct frs_param *params, size_t *n, struct words *line, char *reason, size_t size) {
    struct frs_param param = {0};
    const char *wrong = *n == FRS_EXTERNAL_MOST_KEYS ? "there are more than 64 keys" : read_key(line, &param);
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

static const char *read_trait(struct words *line, struct frs_external_traits *traits) {
    if (is_next(line, "feedback")) {
        traits->predicts_ratings = is_next(line, "explicit");
        return traits->predicts_ratings || is_next(line, "implicit") ? NULL : "allowed: implicit or explicit";
    }
    if (is_next(line, "sends")) {
        traits->sends_updates = is_next(line, "updates");
        return traits->sends_updates || is_next(line, "states") ? NULL : "allowed: states or updates";
    }
    if (is_next(line, "work")) {
        traits->measured = is_next(line, "measured");
        return traits->measured || is_next(line, "counted") ? NULL : "allowed: counted or measured";
    }
    if (is_next(line, "limits_epochs"))
        return traits->limits_epochs = true, NULL;
    if (is_next(line, "works_after_upload"))
        return traits->works_on = true, NULL;
    return "allowed: feedback, sends, work, limits_epochs, works_after_upload, key, end";
}

static const char *check_hello(const struct frs_external_traits *traits, size_t n) {
    const struct frs_param *epochs = NULL;
    for (size_t i = 0; i < n; i++)
        if (strcmp(traits->params[i].key, "epochs") == 0)
            epochs = &traits->params[i];
    if (epochs && (epochs->type != FRS_INT || epochs->min < 1))
        return "its key epochs has to be an integer of at least 1";
    return traits->limits_epochs && !epochs ? "it limits epochs, but has no key epochs" : NULL;
}

bool frs_frames_hello(const char *lines, struct frs_external_traits *traits, char *why, size_t size) {
    struct frs_param *params = frs_alloc(FRS_EXTERNAL_MOST_KEYS + 1, sizeof *params);
    struct words line = {lines, lines}, whole;
    const char *wrong = NULL;
    char reason[512];
    size_t n = 0, version;
    *traits = (struct frs_external_traits){.params = params};
    bool is_there = next_line(&lines, &line);
    whole = line;
    if (!is_there || !is_next(&line, "external") || !take_count(&line, 1e6, &version))
        wrong = "expected \"external 1\"";
    else if (version != FRS_EXTERNAL_VERSION)
        wrong = "this program speaks version 1 of the protocol";
    while (!wrong && next_line(&lines, &line)) {
        whole = line;
        wrong = is_next(&line, "key") ? add_key(params, &n, &line, reason, sizeof reason)
                                      : read_trait(&line, traits);
        if (!wrong && !is_empty(line))
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

static const char *read_start(struct words *line, struct frs_external_table *table, bool *given) {
    if (is_next(line, "zeros"))
        return NULL;
    if (is_next(line, "normal")) {
        table->start = FRS_NORMAL;
        return take_number(line, &table->sd) && table->sd >= 0 && table->sd <= 1e6
                   ? NULL
                   : "behind normal stands the standard deviation, from 0 to 1e6";
    }
    *given = table->shared && is_next(line, "given");
    return *given ? NULL : "first values are zeros, normal SD, or those given (of a shared table)";
}

static const char *read_table(struct words *line, struct frs_external_table *table, bool *given) {
    char *name = take_text(line);
    bool named = name && is_name(name);
    if (named)
        memcpy(table->name, name, strlen(name) + 1);
    free(name);
    if (!named)
        return "a table's name is a lower-case letter, and then at most 30 letters, digits and underscores";
    table->shared = is_next(line, "shared");
    if (!table->shared && !is_next(line, "private"))
        return "behind a table's name stands shared or private";
    table->rows = 1;
    if (table->shared && (!take_count(line, FRS_EXTERNAL_MOST_ROWS, &table->rows) || table->rows < 1))
        return "a shared table has from 1 to 2e9 rows";
    if (!take_count(line, FRS_EXTERNAL_MOST_DIM, &table->dim) || table->dim < 1)
        return "a table has from 1 to 1e8 columns";
    const char *wrong = read_start(line, table, given);
    table->alike = !table->shared && is_next(line, "alike");
    table->undivided = table->shared && is_next(line, "undivided");
    return wrong ? wrong : is_empty(*line) ? NULL : "there are words too many";
}

static bool has_table(const struct frs_external_tables *tables, const char *name) {
    for (size_t i = 0; i < tables->n; i++)
        if (strcmp(tables->table[i].name, name) == 0)
            return true;
    return false;
}

bool frs_frames_tables(
    const char *lines, struct frs_external_tables *tables, bool *given, char *why, size_t size) {
    struct words line;
    size_t n_shared = 0;
    *tables = (struct frs_external_tables){0};
    memset(given, 0, FRS_MAX_TABLES * sizeof *given);
    while (next_line(&lines, &line)) {
        struct words whole = line;
        struct frs_external_table table = {0};
        if (tables->n == FRS_MAX_TABLES)
            return complain(why, size, whole, "there are more than 8 tables");
        const char *wrong = is_next(&line, "table") ? read_table(&line, &table, &given[tables->n])
                                                    : "expected a table, or end";
        n_shared += table.shared;
        if (!wrong && has_table(tables, table.name))
            wrong = "there is a table of this name already";
        if (!wrong && n_shared > FRS_MAX_PARTS)
            wrong = "there are more than 4 shared tables";
        if (wrong)
            return complain(why, size, whole, wrong);
        tables->table[tables->n++] = table;
    }
    if (n_shared > 0)
        return true;
    snprintf(why, size, "has no shared table: nothing would be sent");
    return false;
}

/* ---- trained --------------------------------------------------------------------------------- */

static const char *read_numbers(struct words *line, struct frs_frame_trained *trained) {
    double *const numbers[] = {
        &trained->processed, &trained->flop, &trained->post_flop, &trained->post_processed};
    size_t epochs;
    if (!take_number(line, &trained->loss))
        return "behind trained stands the loss";
    if (!isfinite(trained->loss))
        return "its loss is not finite";
    if (!take_count(line, 1e9, &epochs))
        return "behind the loss stand the epochs that it has run";
    trained->epochs = (uint32_t)epochs;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!take_number(line, numbers[i]) || !(*numbers[i] >= 0 && *numbers[i] <= 1e18))
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
    struct words *line, const struct frs_external_tables *tables, struct frs_frame_trained *trained) {
    size_t part = 0;
    for (size_t i = 0; i < tables->n; i++) {
        const struct frs_external_table *table = &tables->table[i];
        if (!table->shared)
            continue;
        trained->all[part] = is_next(line, "all");
        if (!trained->all[part] && !take_count(line, (double)table->rows, &trained->n[part]))
            return "for each shared table it says how many of its rows are sent, or all";
        if (trained->all[part])
            trained->n[part] = table->rows;
        part++;
    }
    return is_empty(*line) ? NULL : "there are words too many";
}

bool frs_frames_trained(const char *text, const struct frs_external_tables *tables,
    const struct frs_external_traits *traits, uint32_t limit, struct frs_frame_trained *trained, char *why,
    size_t size) {
    struct words line = {text, text + strlen(text)}, whole = line;
    *trained = (struct frs_frame_trained){0};
    const char *wrong = is_next(&line, "trained") ? read_numbers(&line, trained) : "expected \"trained ...\"";
    if (!wrong)
        wrong = read_changes(&line, tables, trained);
    if (!wrong)
        wrong = check_work(trained, traits, limit);
    return wrong ? complain(why, size, whole, wrong) : true;
}

const char *frs_frames_error(const char *line) {
    return strncmp(line, "error ", 6) == 0 ? line + 6 : NULL;
}
