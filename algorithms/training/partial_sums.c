#include "algorithms/training/partial_sums.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum frs_weighting frs_partial_sums_weighting(const struct frs_training_setup *setup) {
    return frs_learner_averaging(setup->learner) == FRS_AVERAGES_EVENLY
               ? FRS_UNIFORM
               : ((const struct frs_model *)setup->model)->weighting;
}

const char *frs_partial_sums_why_not(const struct frs_training_setup *setup) {
    enum frs_averaging averaging = frs_learner_averaging(setup->learner);
    const struct frs_codec *codec = setup->uplink_codec.codec;
    if (averaging != FRS_AVERAGES_WEIGHTED && averaging != FRS_AVERAGES_EVENLY)
        return "its server does more than add uploads; allowed: false, or a method whose server averages "
               "(fedmf, fedmf_update, colr, pfedclr)";
    if (frs_partial_sums_weighting(setup) == FRS_PER_ITEM || frs_training_counted(setup) != 0)
        return "a mean by item needs to know which clients changed it; allowed: false, or method.aggregation "
               "= "
               "\"data_size\" or \"uniform\"";
    if (!codec->lossless || !codec->fixed_size)
        return "a sum of what codec.uplink has left out, or of a choice of rows, is none of the uploads' "
               "sizes; "
               "allowed: false, or codec.uplink = \"dense\"";
    if (setup->mechanisms.n > 0)
        return "privacy mechanisms work on single uploads; allowed: false, or no mechanism";
    if (setup->server_step.correction.is_there)
        return "a correction needs single uploads; allowed: false, or method.server.correction = \"none\"";
    if (setup->information_loss)
        return "evaluation.information_loss compares single uploads; allowed: false";
    if (frs_training_reads_uploads(setup))
        return "evaluation.structure reads single uploads; allowed: false";
    return NULL;
}

static double weight_of(const struct frs_contribution *contribution, enum frs_weighting weighting) {
    return weighting == FRS_DATA_SIZE ? (double)contribution->samples : 1;
}

double frs_partial_sums_weight(
    const struct frs_training_setup *setup, const struct frs_contribution *contribution) {
    return weight_of(contribution, frs_partial_sums_weighting(setup));
}

/* values += weight · (row − row of the base) for the rows of an upload. */
static void add_change(
    const struct frs_contribution *contribution, size_t part, double weight, double *values) {
    const struct frs_rows *rows = &contribution->parts[part];
    const float *base = contribution->base ? contribution->base->part[part] : NULL;
    for (size_t i = 0; i < rows->n; i++) {
        size_t at = (rows->ids ? rows->ids[i] : i) * rows->dim;
        for (size_t k = 0; k < rows->dim; k++)
            values[at + k] +=
                weight * ((double)rows->values[i * rows->dim + k] - (base ? (double)base[at + k] : 0));
    }
}

/* The uploads of a round, and what they were trained on. */
struct uploads {
    const struct frs_contribution *contributions;
    size_t n;
    const uint32_t *edges;       /* [n] */
    double *const *const *moved; /* [n]; NULL: models of edges are the server's */
    enum frs_weighting weighting;
};

/* What the edge's model had moved before counts with the weight of all its uploads. */
static void add_moves(
    const struct uploads *uploads, size_t first, size_t part, size_t length, double *values) {
    const double *moved = uploads->moved && uploads->moved[first] ? uploads->moved[first][part] : NULL;
    double weight = 0;
    if (!moved)
        return;
    for (size_t c = first; c < uploads->n; c++)
        if (uploads->edges[c] == uploads->edges[first])
            weight += weight_of(&uploads->contributions[c], uploads->weighting);
    for (size_t i = 0; i < length; i++)
        values[i] += weight * moved[i];
}

/* The sum of the contributions of one edge, as the server decodes it: every row, in single precision. */
static struct frs_rows sum_of(
    const struct uploads *uploads, size_t first, size_t part, double *values, struct frs_arena *arena) {
    const struct frs_contribution *contributions = uploads->contributions;
    const struct frs_rows *shape = &contributions[first].parts[part];
    size_t length = shape->n_rows * shape->dim;
    float *decoded = frs_arena_take(arena, length, sizeof *decoded);
    double own = weight_of(&contributions[first], uploads->weighting);
    memset(values, 0, length * sizeof *values);
    for (size_t c = first; c < uploads->n; c++)
        if (uploads->edges[c] == uploads->edges[first])
            add_change(&contributions[c], part, weight_of(&contributions[c], uploads->weighting), values);
    add_moves(uploads, first, part, length, values);
    for (size_t i = 0; i < length; i++)
        decoded[i] = (float)((double)(float)values[i] / own);
    return (struct frs_rows){
        .n_rows = shape->n_rows, .dim = shape->dim, .n = shape->n_rows, .values = decoded};
}

void frs_partial_sums(const struct frs_training_setup *setup, struct frs_contribution *contributions,
    size_t n, double *const *const *moved, struct frs_arena *arena) {
    struct frs_part shapes[FRS_MAX_PARTS];
    size_t n_parts = frs_model_parts(setup->model, FRS_UPLOAD, shapes), most = 0;
    uint32_t *edges = frs_alloc(n + 1, sizeof *edges);
    const struct uploads uploads = {contributions, n, edges, moved, frs_partial_sums_weighting(setup)};
    bool *is_first = frs_alloc(n + 1, sizeof *is_first);
    size_t *leaders = frs_alloc(setup->n_edges, sizeof *leaders); /* places from 1; 0: none yet */
    struct frs_rows(*sums)[FRS_MAX_PARTS] = frs_alloc(n + 1, sizeof *sums);
    for (size_t part = 0; part < n_parts; part++)
        most = shapes[part].n_rows * shapes[part].dim > most ? shapes[part].n_rows * shapes[part].dim : most;
    double *values = frs_alloc(most + 1, sizeof *values);
    for (size_t c = 0; c < n; c++)
        edges[c] = setup->edge_of_client[contributions[c].client];
    for (size_t c = 0; c < n; c++) {
        is_first[c] = leaders[edges[c]] == 0 && weight_of(&contributions[c], uploads.weighting) > 0;
        leaders[edges[c]] = is_first[c] ? c + 1 : leaders[edges[c]];
        for (size_t part = 0; part < n_parts && is_first[c]; part++)
            sums[c][part] = sum_of(&uploads, c, part, values, arena);
    }
    for (size_t c = 0; c < n; c++) {
        contributions[c].base = NULL;
        for (size_t part = 0; part < n_parts; part++)
            if (is_first[c])
                contributions[c].parts[part] = sums[c][part];
            else
                contributions[c].parts[part].n = 0;
    }
    free(edges);
    free(is_first);
    free(leaders);
    free(sums);
    free(values);
}
