#include "algorithms/own_models.h"

#include <math.h>

/* Sums over the clients of one table. */
struct sums {
    double *apart;     /* Σ (x_i − w), */
    double *moved;     /* and Σ (t − τ_i) Δ_i, [n_rows × dim] */
    uint32_t *senders; /* [n_rows] whose rows are in the sums */
    bool by_row;
};

static void add_apart(struct sums *sums, size_t row, size_t dim, const float *own, const float *table) {
    for (size_t k = row * dim; own && k < (row + 1) * dim; k++)
        sums->apart[k] += (double)own[k] - (double)table[k];
}

static void add_moved(
    struct sums *sums, size_t row, size_t dim, const float *sent, const float *own, double rounds) {
    for (size_t k = 0; k < dim; k++) {
        double base = own ? (double)own[row * dim + k] : 0;
        sums->moved[row * dim + k] += rounds * ((double)sent[k] - base);
    }
}

/* `own` NULL: the client has the server's tables, and its rows are changes. */
static void add(
    struct sums *sums, const struct frs_rows *sent, const float *own, const float *table, double rounds) {
    for (size_t r = 0; r < sent->n; r++) {
        size_t row = sent->ids ? sent->ids[r] : r;
        add_moved(sums, row, sent->dim, sent->values + r * sent->dim, own, rounds);
        if (sums->by_row)
            add_apart(sums, row, sent->dim, own, table);
        sums->senders[row]++;
    }
    for (size_t row = 0; !sums->by_row && row < sent->n_rows; row++)
        add_apart(sums, row, sent->dim, own, table);
}

static struct sums sum_up(const struct frs_own_models *own, const struct frs_contribution *contributions,
    size_t n, size_t part, struct frs_arena *arena) {
    size_t n_rows = own->parts[part].n_rows, length = n_rows * own->parts[part].dim;
    const float *table = frs_model_tables(own->model).part[part];
    struct sums sums = {.apart = frs_arena_take_zeroed(arena, length, sizeof(double)),
        .moved = frs_arena_take_zeroed(arena, length, sizeof(double)),
        .senders = frs_arena_take_zeroed(arena, n_rows, sizeof(uint32_t)),
        .by_row = frs_model_weighting(own->model, part) == FRS_PER_ITEM};
    for (size_t i = 0; i < n; i++) {
        const struct frs_tables *base = contributions[i].base;
        add(&sums, &contributions[i].parts[part], base ? base->part[part] : NULL, table,
            contributions[i].rounds > 0 ? contributions[i].rounds : 1);
    }
    return sums;
}

/* Over how many clients the mean of a row is; 0: no client has sent it. */
static double divisor(const struct sums *sums, size_t row, size_t n) {
    return sums->by_row ? sums->senders[row] : (double)n;
}

static double squares(const struct sums *sums, const struct frs_part *part, size_t n) {
    double sum = 0;
    for (size_t row = 0; row < part->n_rows; row++)
        for (size_t k = row * part->dim; sums->senders[row] > 0 && k < (row + 1) * part->dim; k++) {
            double mean = sums->moved[k] / divisor(sums, row, n);
            sum += mean * mean;
        }
    return sum;
}

static struct frs_rows change_of(
    const struct sums *sums, const struct frs_part *part, size_t n, double rate, struct frs_arena *arena) {
    struct frs_rows rows = {.n_rows = part->n_rows, .dim = part->dim};
    uint32_t *ids = frs_arena_take(arena, part->n_rows, sizeof *ids);
    float *values = frs_arena_take(arena, part->n_rows * part->dim, sizeof *values);
    for (size_t row = 0; row < part->n_rows; row++) {
        double by = divisor(sums, row, n);
        if (by == 0)
            continue;
        for (size_t k = 0; k < part->dim; k++)
            values[rows.n * part->dim + k] =
                (float)((sums->apart[row * part->dim + k] + rate * sums->moved[row * part->dim + k]) / by);
        ids[rows.n++] = (uint32_t)row;
    }
    rows.ids = ids;
    rows.values = values;
    return rows;
}

void frs_own_models_take(const struct frs_own_models *own, const struct frs_contribution *contributions,
    size_t n, struct frs_arena *arena, struct frs_contribution *one) {
    struct sums sums[FRS_MAX_PARTS];
    double length = 0;
    for (size_t part = 0; part < own->n_parts; part++) {
        sums[part] = sum_up(own, contributions, n, part, arena);
        length += squares(&sums[part], &own->parts[part], n);
    }
    double rate = own->rate * own->correction->shorten(own->state, sqrt(length));
    for (size_t part = 0; part < own->n_parts; part++)
        one->parts[part] = change_of(&sums[part], &own->parts[part], n, rate, arena);
}
