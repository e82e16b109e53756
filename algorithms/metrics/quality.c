#include "algorithms/metrics/quality.h"
#include "sim/base/decimal.h"

#include <math.h>
#include <string.h>

struct frs_scores frs_no_scores(void) {
    struct frs_scores none = {.auc = NAN, .mae = NAN, .rmse = NAN};
    for (size_t i = 0; i < FRS_CUT_OFFS_MOST; i++)
        none.at[i] = (struct frs_at_k){NAN, NAN, NAN, NAN, NAN, NAN};
    return none;
}

double frs_scores_hit(const struct frs_scores *scores) {
    return scores->at[0].hit;
}

size_t frs_scores_figures(const struct frs_scores *scores, const struct frs_list_rules *ranking,
    struct frs_score_figure figures[FRS_FIGURES_MOST]) {
    size_t n = 0;
    for (size_t i = 0; i < ranking->n; i++) {
        const struct frs_at_k *at = &scores->at[i];
        const struct {
            const char *name;
            double value;
        } all[] = {{"hr", at->hit}, {"ndcg", at->ndcg}, {"recall", at->recall}, {"precision", at->precision},
            {"mrr", at->mrr}, {"map", at->map}};
        char cut_off[FRS_DECIMAL_CHARS];
        frs_decimal_count(cut_off, ranking->k[i]);
        for (size_t f = 0; f < sizeof all / sizeof *all; f++) {
            struct frs_score_figure *figure = &figures[n++];
            *figure = (struct frs_score_figure){.value = all[f].value};
            /* Without printf, which was a third of a run of one round: every row of clients.csv asks. */
            strcpy(stpcpy(stpcpy(figure->name, all[f].name), "@"), cut_off);
        }
    }
    figures[n++] = (struct frs_score_figure){.name = "auc", .value = scores->auc};
    figures[n++] = (struct frs_score_figure){.name = "mae", .value = scores->mae, .predicts = true};
    figures[n++] = (struct frs_score_figure){.name = "rmse", .value = scores->rmse, .predicts = true};
    return n;
}
