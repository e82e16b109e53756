/* FedRAS's downlink: cluster-and-split with a number of groups that adapts to the similarity within them
 * (cluster.h, group_format.h).
 *
 * k-means forms (1 − α)·C_e groups. Then groups are split until their lowest average cosine similarity
 * exceeds its mean over past messages at C_e groups, or until there are (1 + α)·C_e groups. The first
 * message has C_e groups. The server remembers those past values; a client remembers nothing, so each of
 * its messages counts as a first one. A client's budget replaces C_e, and k-means begins with at most that
 * many groups. */
#include "algorithms/codecs/group_format.h"
#include "algorithms/codecs/row_set.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <math.h>

struct settings {
    struct frs_group_count count;
    double alpha;
    size_t n_sets;
};

struct memory {
    double sum, n; /* of the recorded similarities */
};

static const struct frs_param params[] = {
    FRS_GROUP_COUNT_PARAMS,
    {.key = "alpha",
        .type = FRS_REAL,
        .initial = "0.2",
        .min = 0,
        .max = 0.99,
        .help = "how far the number of groups may move away from what is expected, as a share of it"},
    {.key = "sets",
        .type = FRS_INT,
        .initial = "1",
        .min = 1,
        .max = FRS_MAX_SETS,
        .help = "downlink: groupings of so many sizes, evenly from (1 - alpha) to (1 + alpha) times what is "
                "expected; a client gets the largest within the budget of its uploads"},
    {0},
};

static void *create(const struct frs_values *values) {
    struct settings *settings = frs_alloc(1, sizeof *settings);
    settings->count = frs_group_count_read(values);
    settings->alpha = frs_values_real(values, "alpha");
    settings->n_sets = (size_t)frs_values_int(values, "sets");
    return settings;
}

static size_t sets(const void *context, const struct frs_part *shape, uint32_t *sizes) {
    const struct settings *settings = context;
    double expected = (double)frs_group_count(&settings->count, shape->n_rows), n = (double)settings->n_sets;
    sizes[0] = 0;
    for (size_t i = 0; i < settings->n_sets && settings->n_sets > 1; i++) {
        double size = round(expected * (1 + settings->alpha * (2 * (double)i / (n - 1) - 1)));
        sizes[i] = size < 1 ? 1 : size > (double)shape->n_rows ? (uint32_t)shape->n_rows : (uint32_t)size;
    }
    return settings->n_sets;
}

static struct frs_budgets budgets(const void *context, const struct frs_part *shape) {
    return frs_group_budgets(&((const struct settings *)context)->count, shape);
}

static size_t predicted_bytes(const void *context, const struct frs_part *shape, uint32_t budget) {
    (void)context;
    return frs_group_predicted_bytes(shape, budget);
}

static struct frs_groups find_groups(const struct settings *settings, const float *values, size_t n,
    const struct frs_rows *rows, const struct frs_encoding *how) {
    struct memory none = {0}, *memory = how->memory ? how->memory : &none;
    double expected = (double)frs_group_count(&settings->count, rows->n_rows), recorded;
    size_t least = (size_t)(expected * (1 - settings->alpha));
    struct frs_split_settings split = {.expected = (size_t)expected,
        .most = (size_t)(expected * (1 + settings->alpha)),
        .threshold = memory->n > 0 ? memory->sum / memory->n : NAN};
    if (how->budget) {
        least = least < how->budget ? least : how->budget;
        split = (struct frs_split_settings){.expected = how->budget, .most = how->budget, .threshold = NAN};
    }
    struct frs_groups start =
        frs_kmeans_two_level(values, n, rows->dim, least > 1 ? least : 1, how->rng, how->arena);
    struct frs_groups groups = frs_split_groups(values, n, rows->dim, &start, &split, how->arena, &recorded);
    frs_encoding_spent(how, start.flop + groups.flop);
    if (isfinite(recorded) && !how->budget) {
        memory->sum += recorded;
        memory->n++;
    }
    return groups;
}

static size_t encode(const void *context, const struct frs_rows *rows, const struct frs_encoding *how,
    struct frs_buffer *out) {
    const struct settings *settings = context;
    struct frs_touched touched = frs_touched(rows, how->base, how->arena);
    float *values = frs_touched_changes(rows, &touched, how->base, how->arena);
    if (touched.n <= frs_group_raw(&settings->count, how->budget, rows->n_rows, rows->dim))
        return frs_rows_put_raw(out, touched.ids, values, touched.n, rows->n_rows, rows->dim);
    struct frs_groups groups = find_groups(settings, values, touched.n, rows, how);
    return frs_groups_put(out, touched.ids, touched.n, rows->n_rows, rows->dim, &groups);
}

static bool decode(const void *context, struct frs_reader *in, size_t n_rows, size_t dim, const float *base,
    struct frs_arena *arena, struct frs_rows *out) {
    (void)context;
    if (!frs_groups_take(in, n_rows, dim, arena, out))
        return false;
    frs_add_base((float *)(uintptr_t)out->values, out->ids, out->n, dim, base);
    return true;
}

const struct frs_codec frs_codec_adaptive_groups = {
    .plugin = {.name = "adaptive_groups",
        .summary = "rows in groups whose number adapts to how similar their members are",
        .source = "Lu et al. 2025 (FedRAS), section 4.3, AdaCompress",
        .params = params},
    .reveals_rows = true,
    .memory_bytes = sizeof(struct memory),
    .create = create,
    .sets = sets,
    .budgets = budgets,
    .predicted_bytes = predicted_bytes,
    .encode = encode,
    .decode = decode,
};
