#include "sim/results/quality_table.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/base/settings/params.h"
#include "sim/setup/notes/candidates_note.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void print_row(FILE *out, const char *name, const char *text) {
    frs_print_line(out, "  %-22s %s", name, text);
}

/* One line of figures, each column as wide as its head. */
struct line {
    char text[256];
    size_t n;
};

enum { LEAST_WIDTH = 6 };

static void add_cell(struct line *line, const char *head, const char *cell) {
    int width = (int)(strlen(head) > LEAST_WIDTH ? strlen(head) : LEAST_WIDTH);
    if (line->n < sizeof line->text)
        line->n += (size_t)snprintf(line->text + line->n, sizeof line->text - line->n, "%s%-*s",
            line->n > 0 ? "   " : "", width, cell);
}

static void trim(struct line *line) {
    while (line->n > 0 && line->n < sizeof line->text && line->text[line->n - 1] == ' ')
        line->text[--line->n] = '\0';
}

/* The figures of one cut-off, by their heads; those without a cut-off are in the first one. */
enum { HEADS = 7 };
static size_t heads_of(const struct frs_setup *setup, size_t at, char heads[HEADS][32]) {
    static const char *const names[HEADS - 1] = {"HR", "NDCG", "Recall", "Precision", "MRR", "MAP"};
    for (size_t i = 0; i < HEADS - 1; i++)
        snprintf(heads[i], sizeof heads[i], "%s@%zu", names[i], setup->ranking.k[at]);
    snprintf(heads[HEADS - 1], sizeof heads[HEADS - 1], "AUC");
    return at == 0 ? HEADS : HEADS - 1;
}

static void print_scores(
    const struct frs_setup *setup, const char *name, const struct frs_scores *scores, size_t at, FILE *out) {
    const struct frs_at_k *of = &scores->at[at];
    const double values[HEADS] = {
        of->hit, of->ndcg, of->recall, of->precision, of->mrr, of->map, scores->auc};
    char heads[HEADS][32], cell[32];
    struct line line = {0};
    size_t n = heads_of(setup, at, heads);
    for (size_t i = 0; i < n; i++) {
        if (isfinite(values[i]))
            snprintf(cell, sizeof cell, "%.4f", values[i]);
        else
            snprintf(cell, sizeof cell, "-");
        add_cell(&line, heads[i], cell);
    }
    trim(&line);
    print_row(out, name, line.text);
}

static void print_pair(const char *name, const struct frs_scores *scores, FILE *out) {
    char line[64];
    if (isfinite(frs_scores_hit(scores)))
        snprintf(line, sizeof line, "%.4f   %.4f", frs_scores_hit(scores), scores->at[0].ndcg);
    else
        snprintf(line, sizeof line, "%.4f   %.4f", scores->mae, scores->rmse);
    print_row(out, name, line);
}

/* `at` is FIRST_TWO for the table of two figures. */
#define FIRST_TWO SIZE_MAX
static void print_one(const struct frs_outputs *outputs, const char *name, const struct frs_scores *scores,
    size_t at, FILE *out) {
    if (at == FIRST_TWO)
        print_pair(name, scores, out);
    else
        print_scores(outputs->setup, name, scores, at, out);
}

static void print_rows(const struct frs_outputs *outputs, size_t at, FILE *out) {
    const struct frs_simulation_result *result = outputs->result;
    print_one(outputs, "before training", &result->initial.test, at, out);
    print_one(outputs, "last round", &result->last.test, at, out);
    if (result->best_round > 0) {
        char *name = frs_format("round %u (validation)", result->best_round);
        print_one(outputs, name, &result->best.test, at, out);
        free(name);
    }
    for (size_t i = 0; i < outputs->baselines->n; i++)
        print_one(outputs, outputs->baselines->results[i].name, &outputs->baselines->results[i].quality.test,
            at, out);
}

/* With one held-out item and one cut-off, HR and NDCG say what the other figures at K do. */
static bool says_more(const struct frs_setup *setup) {
    const struct frs_data *data = setup->training.data;
    uint32_t n_users = data->population.n_clients * frs_users_per_client(&data->population);
    const char *target = frs_values_text(frs_scenario_section(setup->scenario, "evaluation"), "target");
    if (setup->ranking.n > 1)
        return true;
    for (uint32_t user = 0; user < n_users; user++)
        if (data->test.start[user + 1] - data->test.start[user] > 1)
            return true;
    return strstr(target, "recall@") || strstr(target, "precision@") || strstr(target, "mrr@") ||
           strstr(target, "map@") || strstr(target, "auc");
}

static void print_note(const struct frs_setup *setup, FILE *out) {
    char *note = frs_candidates_note(setup);
    if (note)
        print_row(out, "candidates", note);
    free(note);
}

static void print_all(const struct frs_outputs *outputs, const char *protocol, FILE *out) {
    const struct frs_setup *setup = outputs->setup;
    print_row(out, "quality", protocol);
    print_note(setup, out);
    for (size_t at = 0; at < setup->ranking.n; at++) {
        char heads[HEADS][32];
        struct line line = {0};
        size_t n = heads_of(setup, at, heads);
        for (size_t i = 0; i < n; i++)
            add_cell(&line, heads[i], heads[i]);
        trim(&line);
        print_row(out, "", line.text);
        print_rows(outputs, at, out);
    }
}

void frs_quality_table_print(const struct frs_outputs *outputs, FILE *out) {
    const struct frs_setup *setup = outputs->setup;
    const struct frs_data *data = setup->training.data;
    char protocol[128], line[192];
    snprintf(protocol, sizeof protocol, "(protocol %s, %s candidates, order %s)", frs_data_protocol(data),
        data->n_negatives ? "sampled" : "all", data->order);
    fputc('\n', out);
    if (!data->explicit_feedback && says_more(setup)) {
        print_all(outputs, protocol, out);
        return;
    }
    if (data->explicit_feedback)
        snprintf(line, sizeof line, "MAE      RMSE");
    else
        snprintf(line, sizeof line, "HR@%-4zu  NDCG@%zu   %s", setup->k, setup->k, protocol);
    print_row(out, "quality", line);
    print_note(setup, out);
    print_rows(outputs, FIRST_TWO, out);
}
