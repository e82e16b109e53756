#include "sim/results/report/what_if_file.h"
#include "sim/base/memory.h"
#include "sim/results/json_file.h"
#include "sim/results/report/writers.h"
#include "sim/what_if/bottleneck.h"

#include <math.h>
#include <stdlib.h>

static void set_settings(json_t *object, const struct frs_variation *variation) {
    json_t *settings = frs_json_add_object(object, "settings");
    for (size_t i = 0; i < variation->n; i++)
        frs_json_set_text(settings, variation->keys[i], variation->texts[i]);
}

static json_t *object_of(const struct frs_what_if *what_if) {
    json_t *object = json_object();
    frs_json_set_text(object, "name", what_if->variation.label);
    frs_json_set_text(object, "of", what_if->variation.of);
    set_settings(object, &what_if->variation);
    if (what_if->left_out) {
        frs_json_set_text(object, "reason", what_if->left_out);
        return object;
    }
    frs_json_set_count(object, "rounds", what_if->rounds);
    frs_json_set_count(object, "rounds_without", what_if->rounds_without);
    frs_json_set_real(object, "seconds", what_if->seconds);
    frs_json_set_real(object, "seconds_without", what_if->seconds_without);
    frs_json_set_real(object, "change_percent", 100 * frs_what_if_change(what_if));
    json_object_set_new(object, "trained", json_boolean(what_if->trained));
    return object;
}

enum frs_status frs_write_what_ifs(
    const struct frs_run_directory *directory, const struct frs_outputs *outputs, struct frs_errors *errors) {
    const struct frs_what_ifs *what_ifs = outputs->what_ifs;
    if (!what_ifs)
        return FRS_OK;
    json_t *root = json_object(), *simulated = json_array(), *left_out = json_array();
    frs_json_set_count(root, "rounds", what_ifs->n_rounds);
    if (what_ifs->why_none)
        frs_json_set_text(root, "none", what_ifs->why_none);
    frs_what_if_bottleneck_set(root, what_ifs);
    char *sentence = frs_what_if_sentence(what_ifs);
    if (sentence)
        frs_json_set_text(root, "sentence", sentence);
    free(sentence);
    for (size_t i = 0; i < what_ifs->n; i++)
        frs_json_append(what_ifs->list[i].left_out ? left_out : simulated, object_of(&what_ifs->list[i]));
    frs_json_set(root, "what_if", simulated);
    frs_json_set(root, "left_out", left_out);
    return frs_json_write(directory, "what_if.json", root, errors);
}

void frs_what_if_bottleneck_set(json_t *root, const struct frs_what_ifs *what_ifs) {
    const struct frs_what_if *best = what_ifs ? frs_what_ifs_bottleneck(what_ifs) : NULL;
    if (!best)
        return;
    json_t *object = frs_json_add_object(root, "bottleneck");
    frs_json_set_text(object, "of", best->variation.of);
    frs_json_set_text(object, "what_if", best->variation.label);
    frs_json_set_real(object, "change_percent", 100 * frs_what_if_change(best));
}

/* ---- for people ------------------------------------------------------------------------------ */

static int compare_changes(const void *a, const void *b) {
    const struct frs_what_if *left = *(const struct frs_what_if *const *)a,
                             *right = *(const struct frs_what_if *const *)b;
    double x = frs_what_if_change(left), y = frs_what_if_change(right);
    bool remedy = left->variation.is_remedy;
    return remedy != right->variation.is_remedy ? remedy - !remedy : (x > y) - (x < y);
}

/* "latency ½: −24 %", "… (first 20 rounds)" where the others have another number of rounds. */
static char *text_of(const struct frs_what_if *what_if, size_t rounds_of_others, size_t n_rounds) {
    double percent = 100 * frs_what_if_change(what_if);
    char *rounds = what_if->rounds_without == rounds_of_others ? frs_strdup("")
                   : what_if->rounds_without == n_rounds
                       ? frs_strdup(" (all rounds)")
                       : frs_format(" (first %zu rounds)", what_if->rounds_without);
    char *text = frs_format("%s: −%.0f %%%s%s", what_if->variation.label, fabs(percent), rounds,
        what_if->variation.selects_others ? " (bytes and quality not measured)" : "");
    free(rounds);
    return text;
}

/* Those that save a hundredth or more, as a list; empty where none does. */
static char *list_of(const struct frs_what_if *const *simulated, size_t n, size_t n_rounds) {
    char *list = frs_strdup("");
    for (size_t i = 0; i < n; i++) {
        if (frs_what_if_change(simulated[i]) > -FRS_WHAT_IF_LEAST_SAVING)
            continue;
        char *text = text_of(simulated[i], simulated[0]->rounds_without, n_rounds),
             *longer = frs_format("%s%s%s", list, *list ? ", " : "", text);
        free(text);
        free(list);
        list = longer;
    }
    return list;
}

char *frs_what_if_sentence(const struct frs_what_ifs *what_ifs) {
    const struct frs_what_if *simulated[FRS_VARIATIONS],
        *best = what_ifs ? frs_what_ifs_bottleneck(what_ifs) : NULL;
    size_t n = 0;
    for (size_t i = 0; what_ifs && i < what_ifs->n; i++)
        if (!what_ifs->list[i].left_out)
            simulated[n++] = &what_ifs->list[i];
    if (n == 0)
        return NULL;
    qsort(simulated, n, sizeof *simulated, compare_changes);
    size_t rounds = simulated[0]->rounds_without;
    char *list = list_of(simulated, n, what_ifs->n_rounds), *sentence,
         *of = rounds < what_ifs->n_rounds
                   ? frs_format(" in the first %zu of %zu rounds", rounds, what_ifs->n_rounds)
                   : frs_strdup("");
    if (best)
        sentence =
            frs_format("The bottleneck is %s; time saved%s, measured: %s.", best->variation.of, of, list);
    else if (*list)
        sentence = frs_format("No faster link or device saves 1 %% of the time%s; measured: %s.", of, list);
    else
        sentence = frs_format("No faster link or device saves 1 %% of the time%s (measured).", of);
    free(of);
    free(list);
    return sentence;
}
