/* FedRAS's uplink: where more rows changed than there are groups, k-means puts rows into groups, and every
 * row becomes the mean of its group. Otherwise rows are sent as they are (group_format.h). */
#include "algorithms/codecs/group_format.h"
#include "algorithms/codecs/row_set.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

enum kmeans { PROJECTED, LLOYD };
enum of { CHANGE, VALUES };

static const char *const kmeans_names[] = {[PROJECTED] = "projected", [LLOYD] = "lloyd", NULL};
static const char *const of_names[] = {[CHANGE] = "change", [VALUES] = "values", NULL};

struct settings {
    struct frs_group_count count;
    enum kmeans kmeans;
    enum of of;
};

static const struct frs_param params[] = {
    FRS_GROUP_COUNT_PARAMS,
    {.key = "kmeans",
        .type = FRS_CHOICE,
        .initial = "projected",
        .choices = kmeans_names,
        .help = "projected: on the leading direction of the rows, fast; lloyd: random rows as start, at most "
                "10 iterations"},
    {.key = "of",
        .type = FRS_CHOICE,
        .initial = "change",
        .choices = of_names,
        .help = "what is grouped where rows replace others (method fedmf): their change, or the rows "
                "themselves (FedRAS-E)"},
    {0},
};

static void *create(const struct frs_values *values) {
    struct settings *settings = frs_alloc(1, sizeof *settings);
    settings->count = frs_group_count_read(values);
    settings->kmeans = (enum kmeans)frs_values_choice(values, "kmeans");
    settings->of = (enum of)frs_values_choice(values, "of");
    return settings;
}

static struct frs_budgets budgets(const void *context, const struct frs_part *shape) {
    return frs_group_budgets(&((const struct settings *)context)->count, shape);
}

static size_t predicted_bytes(const void *context, const struct frs_part *shape, uint32_t budget) {
    (void)context;
    return frs_group_predicted_bytes(shape, budget);
}

static size_t encode(const void *context, const struct frs_rows *rows, const struct frs_encoding *how,
    struct frs_buffer *out) {
    const struct settings *settings = context;
    size_t dim = rows->dim, most = frs_group_raw(&settings->count, how->budget, rows->n_rows, dim);
    struct frs_touched touched = frs_touched(rows, how->base, how->arena);
    const float *base = settings->of == CHANGE ? how->base : NULL;
    float *values = frs_touched_changes(rows, &touched, base, how->arena);
    if (touched.n <= most)
        return frs_rows_put_raw(out, touched.ids, values, touched.n, rows->n_rows, dim);
    struct frs_groups groups = settings->kmeans == PROJECTED
                                   ? frs_kmeans_projected(values, touched.n, dim, most, how->arena)
                                   : frs_kmeans(values, touched.n, dim, most, how->rng, how->arena);
    frs_encoding_spent(how, groups.flop);
    return frs_groups_put(out, touched.ids, touched.n, rows->n_rows, dim, &groups);
}

static bool decode(const void *context, struct frs_reader *in, size_t n_rows, size_t dim, const float *base,
    struct frs_arena *arena, struct frs_rows *out) {
    const struct settings *settings = context;
    if (!frs_groups_take(in, n_rows, dim, arena, out))
        return false;
    if (settings->of == CHANGE)
        frs_add_base((float *)(uintptr_t)out->values, out->ids, out->n, dim, base);
    return true;
}

const struct frs_codec frs_codec_groups = {
    .plugin = {.name = "groups",
        .summary = "rows in groups by k-means, one centre for each group and an index for each row",
        .source = "Lu et al. 2025 (FedRAS), algorithm 1, KmeansCompress",
        .params = params},
    .reveals_rows = true,
    .create = create,
    .budgets = budgets,
    .predicted_bytes = predicted_bytes,
    .encode = encode,
    .decode = decode,
};
