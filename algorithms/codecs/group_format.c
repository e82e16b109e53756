#include "algorithms/codecs/group_format.h"
#include "algorithms/codecs/bits.h"
#include "algorithms/codecs/row_set.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <string.h>

struct frs_group_count frs_group_count_read(const struct frs_values *values) {
    struct frs_group_count count = {.groups = (uint32_t)frs_values_int(values, "groups")};
    count.compression_rate = frs_values_real(values, "compression_rate");
    return count;
}

size_t frs_group_count(const struct frs_group_count *count, size_t n_rows) {
    size_t groups =
        count->groups > 0 ? count->groups : (size_t)lround((double)n_rows * (1 - count->compression_rate));
    return groups < 1 ? 1 : groups > n_rows ? n_rows : groups;
}

size_t frs_groups_put(struct frs_buffer *out, const uint32_t *ids, size_t n, size_t n_rows, size_t dim,
    const struct frs_groups *groups) {
    frs_row_set_put(out, ids, n, n_rows);
    frs_buffer_put_u32(out, (uint32_t)groups->n_groups);
    frs_bits_put(out, groups->group, n, frs_bits_for(groups->n_groups));
    frs_buffer_put_floats(out, groups->centres, groups->n_groups * dim);
    return groups->n_groups * dim * sizeof(float);
}

size_t frs_rows_put_raw(
    struct frs_buffer *out, const uint32_t *ids, const float *values, size_t n, size_t n_rows, size_t dim) {
    frs_row_set_put(out, ids, n, n_rows);
    frs_buffer_put_u32(out, 0);
    frs_buffer_put_floats(out, values, n * dim);
    return n * dim * sizeof(float);
}

size_t frs_groups_bytes(size_t n_rows, size_t dim, size_t n, size_t groups) {
    size_t map_bytes = (n_rows + 7) / 8, which = 5 + (4 * n <= map_bytes ? 4 * n : map_bytes);
    return which + 4 + (groups ? (n * frs_bits_for(groups) + 7) / 8 + 4 * groups * dim : 4 * n * dim);
}

static bool worth_grouping(size_t groups, size_t n_rows, size_t dim) {
    return frs_groups_bytes(n_rows, dim, n_rows, groups) < frs_groups_bytes(n_rows, dim, n_rows, 0);
}

size_t frs_group_raw(const struct frs_group_count *count, uint32_t budget, size_t n_rows, size_t dim) {
    size_t groups = budget ? budget : frs_group_count(count, n_rows);
    return worth_grouping(groups, n_rows, dim) ? groups : n_rows;
}

struct frs_budgets frs_group_budgets(const struct frs_group_count *count, const struct frs_part *shape) {
    return (struct frs_budgets){
        .min = 1, .max = (uint32_t)frs_group_count(count, shape->n_rows), .unit = "rows"};
}

size_t frs_group_predicted_bytes(const struct frs_part *shape, uint32_t budget) {
    size_t n_rows = shape->n_rows, dim = shape->dim;
    return frs_groups_bytes(n_rows, dim, n_rows, worth_grouping(budget, n_rows, dim) ? budget : 0);
}

/* Every group has a member, or its centre would be sent for nothing. */
static bool are_sound(const uint32_t *group, size_t n, size_t n_groups, struct frs_arena *arena) {
    uint8_t *used = frs_arena_take_zeroed(arena, n_groups, 1);
    size_t n_used = 0;
    for (size_t i = 0; i < n; i++) {
        if (group[i] >= n_groups)
            return false;
        n_used += !used[group[i]];
        used[group[i]] = 1;
    }
    return n_used == n_groups;
}

bool frs_groups_take(
    struct frs_reader *in, size_t n_rows, size_t dim, struct frs_arena *arena, struct frs_rows *out) {
    const uint32_t *ids;
    size_t n;
    if (!frs_row_set_take(in, n_rows, arena, &ids, &n))
        return false;
    size_t n_groups = frs_reader_u32(in);
    if (in->failed || n_groups > n)
        return false;
    float *values = frs_arena_take(arena, n * dim, sizeof *values);
    *out = (struct frs_rows){.n_rows = n_rows, .dim = dim, .n = n, .ids = ids, .values = values};
    if (n_groups == 0) {
        frs_reader_floats(in, values, n * dim);
        return !in->failed;
    }
    uint32_t *group = frs_arena_take(arena, n, sizeof *group);
    float *centres = frs_arena_take(arena, n_groups * dim, sizeof *centres);
    if (!frs_bits_take(in, group, n, frs_bits_for(n_groups)) || !are_sound(group, n, n_groups, arena))
        return false;
    frs_reader_floats(in, centres, n_groups * dim);
    for (size_t i = 0; i < n; i++)
        memcpy(values + i * dim, centres + group[i] * dim, dim * sizeof *values);
    return !in->failed;
}
