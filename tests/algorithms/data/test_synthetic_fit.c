/* The built-in data sets beside the real ones that they imitate. Every figure in the tables of
 * docs/built-in-data.md, of the real set (where FEDRECSIM_DATA has it) and of the built-in one, equals the
 * page's, and the built-in figure is within the stated tolerance. */
#include "sim/base/order.h"
#include "algorithms/data/synthetic.h"
#include "tests/algorithms/data/fixture.h"

#include <math.h>
#include <stdio.h>

struct figure {
    const char *name;
    int decimals;
    double real, tolerance; /* a share of the real value, */
    double absolute;        /* or as it is */
};

enum {
    USERS_10,
    USERS_50,
    USERS_90,
    USERS_99,
    ITEMS_10,
    ITEMS_50,
    ITEMS_90,
    ITEMS_99,
    HALVES,
    TIES,
    STARS_1,
    STARS_2,
    STARS_3,
    STARS_4,
    STARS_5,
    STARS_MEAN,
    STARS_SD,
    KNOWN_LIKED,
    ITEM_MEANS,
    USER_MEANS,
    POPULARITY,
    POPULARITY_FULL,
    N_COUNTED,
    KNN = N_COUNTED,
    KNN_FULL,
    MF,
    MF_FULL,
    RMSE_MEANS,
    RMSE_SVDPP,
    N_FIGURES
};

/* As the page has them. */
static const struct figure ml_100k[N_FIGURES] = {
    [USERS_10] = {"interactions of a user, 10th percentile", 0, 23, .1, 0},
    [USERS_50] = {"50th", 0, 65, .1, 0},
    [USERS_90] = {"90th", 0, 245, .1, 0},
    [USERS_99] = {"99th", 0, 448, .1, 0},
    [ITEMS_10] = {"interactions of an item, 10th percentile", 0, 2, .0, 1},
    [ITEMS_50] = {"50th", 0, 27, .1, 0},
    [ITEMS_90] = {"90th", 0, 169, .1, 0},
    [ITEMS_99] = {"99th", 0, 378, .1, 0},
    [HALVES] = {"popularity in the first and the second half of the calendar, correlation", 2, .11, 0, .12},
    [TIES] = {"users whose two newest interactions have one time", 2, .44, 0, .04},
    [STARS_1] = {"ratings of 1", 3, .061, 0, .02},
    [STARS_2] = {"of 2", 3, .114, 0, .02},
    [STARS_3] = {"of 3", 3, .271, 0, .02},
    [STARS_4] = {"of 4", 3, .342, 0, .02},
    [STARS_5] = {"of 5", 3, .212, 0, .02},
    [STARS_MEAN] = {"mean rating", 2, 3.53, 0, .05},
    [STARS_SD] = {"their standard deviation", 2, 1.13, 0, .05},
    [KNOWN_LIKED] = {"an item's mean rating and the logarithm of its ratings (20 or more), correlation", 2,
        .47, 0, .08},
    [ITEM_MEANS] = {"standard deviation of items' mean ratings (20 or more)", 2, .53, 0, .05},
    [USER_MEANS] = {"standard deviation of users' mean ratings", 2, .44, 0, .05},
    [POPULARITY] = {"HR@10 of popularity, 99 negatives", 3, .401, 0, .05},
    [POPULARITY_FULL] = {"HR@10 of popularity, all items", 3, .084, 0, .02},
    [KNN] = {"HR@10 of item_knn, 99 negatives", 3, .611, 0, .07},
    [KNN_FULL] = {"HR@10 of item_knn, all items", 3, .110, 0, .02},
    [MF] = {"HR@10 of centralised_mf, 99 negatives", 3, .622, 0, .05},
    [MF_FULL] = {"HR@10 of centralised_mf, all items", 3, .136, 0, .02},
    [RMSE_MEANS] = {"RMSE of item_mean", 3, .947, 0, .015},
    [RMSE_SVDPP] = {"RMSE of svdpp", 3, .922, 0, .015},
};

/* The baselines are those of a run of ML-1M's size: too long for a test of every day. */
static const struct figure ml_1m[N_COUNTED] = {
    [USERS_10] = {"interactions of a user, 10th percentile", 0, 27, .15, 0},
    [USERS_50] = {"50th", 0, 96, .1, 0},
    [USERS_90] = {"90th", 0, 400, .1, 0},
    [USERS_99] = {"99th", 0, 909, .1, 0},
    [ITEMS_10] = {"interactions of an item, 10th percentile", 0, 7, .0, 3},
    [ITEMS_50] = {"50th", 0, 123, .1, 0},
    [ITEMS_90] = {"90th", 0, 730, .1, 0},
    [ITEMS_99] = {"99th", 0, 1785, .1, 0},
    [HALVES] = {"popularity in the first and the second half of the calendar, correlation", 2, .88, 0, .05},
    [TIES] = {"users whose two newest interactions have one time", 2, .21, 0, .03},
    [STARS_1] = {"ratings of 1", 3, .056, 0, .02},
    [STARS_2] = {"of 2", 3, .108, 0, .02},
    [STARS_3] = {"of 3", 3, .261, 0, .02},
    [STARS_4] = {"of 4", 3, .349, 0, .03},
    [STARS_5] = {"of 5", 3, .226, 0, .03},
    [STARS_MEAN] = {"mean rating", 2, 3.58, 0, .08},
    [STARS_SD] = {"their standard deviation", 2, 1.12, 0, .05},
    [KNOWN_LIKED] = {"an item's mean rating and the logarithm of its ratings (20 or more), correlation", 2,
        .37, 0, .08},
    [ITEM_MEANS] = {"standard deviation of items' mean ratings (20 or more)", 2, .61, 0, .05},
    [USER_MEANS] = {"standard deviation of users' mean ratings", 2, .43, 0, .05},
    [POPULARITY] = {"HR@10 of popularity, 99 negatives", 3, .447, 0, .05},
    [POPULARITY_FULL] = {"HR@10 of popularity, all items", 3, .040, 0, .015},
};

/* The value at place ⌈q·n⌉ of those above 0. */
static double percentile(const double *counts, size_t n, int percent) {
    double *sorted = frs_alloc(n, sizeof *sorted);
    size_t kept = 0;
    for (size_t i = 0; i < n; i++)
        if (counts[i] > 0)
            sorted[kept++] = counts[i];
    qsort(sorted, kept, sizeof *sorted, frs_compare_doubles);
    double value = sorted[(kept * (size_t)percent + 99) / 100 - 1];
    free(sorted);
    return value;
}

struct moments {
    double n, x, y, xx, yy, xy;
};

static void add(struct moments *of, double x, double y) {
    of->n++;
    of->x += x;
    of->y += y;
    of->xx += x * x;
    of->yy += y * y;
    of->xy += x * y;
}

static double deviation(const struct moments *of) {
    return sqrt(of->xx / of->n - pow(of->x / of->n, 2));
}

static double correlation(const struct moments *of) {
    double xy = of->xy / of->n - of->x * of->y / of->n / of->n;
    return xy / deviation(of) / sqrt(of->yy / of->n - pow(of->y / of->n, 2));
}

/* Figures of all rows: how many interactions users and items have, and what their ratings are. */
static void count_rows(const struct frs_rows *rows, double *figures) {
    double *users = frs_alloc(rows->n_users, sizeof *users), *items = frs_alloc(rows->n_items, sizeof *items);
    double *of_user = frs_alloc(rows->n_users, sizeof *users),
           *of_item = frs_alloc(rows->n_items, sizeof *items);
    struct moments stars = {0}, known = {0}, means = {0};
    for (size_t i = 0; i < rows->n; i++) {
        users[rows->users[i]]++;
        items[rows->items[i]]++;
        of_user[rows->users[i]] += (double)rows->values[i];
        of_item[rows->items[i]] += (double)rows->values[i];
        figures[STARS_1 + (int)rows->values[i] - 1] += 1 / (double)rows->n;
        add(&stars, (double)rows->values[i], 0);
    }
    static const int percents[] = {10, 50, 90, 99};
    for (int i = 0; i < 4; i++) {
        figures[USERS_10 + i] = percentile(users, rows->n_users, percents[i]);
        figures[ITEMS_10 + i] = percentile(items, rows->n_items, percents[i]);
    }
    for (uint32_t item = 0; item < rows->n_items; item++)
        if (items[item] >= 20)
            add(&known, of_item[item] / items[item], log(items[item]));
    for (uint32_t user = 0; user < rows->n_users; user++)
        if (users[user] > 0)
            add(&means, of_user[user] / users[user], 0);
    figures[STARS_MEAN] = stars.x / stars.n;
    figures[STARS_SD] = deviation(&stars);
    figures[KNOWN_LIKED] = correlation(&known);
    figures[ITEM_MEANS] = deviation(&known);
    figures[USER_MEANS] = deviation(&means);
    free(users);
    free(items);
    free(of_user);
    free(of_item);
}

/* Compares the logarithms of the shares that the 200 most popular items have in the older and the newer half
 * of all interactions. */
static double compare_halves(const struct frs_rows *rows) {
    double *times = frs_alloc(rows->n, sizeof *times), *ranked = frs_alloc(rows->n_items, sizeof *ranked);
    double *halves[2] = {frs_alloc(rows->n_items, sizeof(double)), frs_alloc(rows->n_items, sizeof(double))};
    memcpy(times, rows->times, rows->n * sizeof *times);
    qsort(times, rows->n, sizeof *times, frs_compare_doubles);
    double median = times[rows->n / 2];
    for (size_t i = 0; i < rows->n; i++)
        halves[rows->times[i] >= median][rows->items[i]]++;
    for (uint32_t item = 0; item < rows->n_items; item++)
        ranked[item] = halves[0][item] + halves[1][item];
    qsort(ranked, rows->n_items, sizeof *ranked, frs_compare_doubles);
    double least = ranked[rows->n_items - 200];
    struct moments both = {0};
    for (uint32_t item = 0; item < rows->n_items; item++)
        if (halves[0][item] + halves[1][item] >= least)
            add(&both, log(halves[0][item] + .5), log(halves[1][item] + .5));
    free(times);
    free(ranked);
    free(halves[0]);
    free(halves[1]);
    return correlation(&both);
}

/* Users, items, ratings and times in a row of a MovieLens file. */
static void read_rows(const char *path, struct frs_rows *rows) {
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    *rows = (struct frs_rows){0};
    unsigned user, item;
    float value;
    double time;
    while (fscanf(file, "%u%*[:\t]%u%*[:\t]%f%*[:\t]%lf", &user, &item, &value, &time) == 4) {
        if (rows->n == rows->capacity)
            frs_rows_reserve(rows, 2 * rows->n + 1024, true);
        rows->users[rows->n] = user;
        rows->items[rows->n] = item;
        rows->values[rows->n] = value;
        rows->times[rows->n++] = time;
        rows->n_users = rows->n_users > user ? rows->n_users : user + 1;
        rows->n_items = rows->n_items > item ? rows->n_items : item + 1;
    }
    fclose(file);
}

static double rmse_of(const char *name, const struct frs_data *data) {
    const struct frs_non_federated_model *baseline = frs_non_federated_model_find(name);
    void *model = fit(baseline, data, NULL);
    size_t n = data->test.start[data->population.n_clients];
    double squares = 0;
    for (uint32_t client = 0; client < data->population.n_clients; client++)
        for (size_t i = data->test.start[client]; i < data->test.start[client + 1]; i++) {
            float score;
            baseline->score(model, client, &data->test.items[i], 1, &score);
            squares += pow((double)(score - data->test.ratings[i]), 2) / (double)n;
        }
    baseline->destroy(model);
    return sqrt(squares);
}

/* The quality of non-federated baselines. `settings` ends with room for two more. */
static void measure_quality(const char **settings, bool all, double *figures) {
    struct frs_data *data = load(settings, NO_SETTINGS, 1);
    figures[TIES] = (double)data->n_ties_test / data->population.n_clients;
    figures[POPULARITY] = quality_of("popularity", data, false).hit;
    figures[POPULARITY_FULL] = quality_of("popularity", data, true).hit;
    if (all) {
        figures[KNN] = quality_of("item_knn", data, false).hit;
        figures[KNN_FULL] = quality_of("item_knn", data, true).hit;
        figures[MF] = quality_of("centralised_mf", data, false).hit;
        figures[MF_FULL] = quality_of("centralised_mf", data, true).hit;
    }
    frs_data_destroy(data);
    if (!all)
        return;
    int n = 0;
    while (settings[n])
        n++;
    settings[n] = "feedback", settings[n + 1] = "explicit", settings[n + 2] = "split",
    settings[n + 3] = "ratio";
    data = load(settings, NO_SETTINGS, 1);
    figures[RMSE_MEANS] = rmse_of("item_mean", data);
    figures[RMSE_SVDPP] = rmse_of("svdpp", data);
    frs_data_destroy(data);
}

/* The row of the page's table: | name | real | ours |. */
static void check_page(const char *page, const struct figure *figure, const char *set, double ours) {
    char *row = frs_format(
        "| %s | %.*f | %.*f |", figure->name, figure->decimals, figure->real, figure->decimals, ours);
    printf("%s\n", row);
    const char *table = strstr(page, set);
    ck_assert_msg(table && strstr(table, row), "not in docs/built-in-data.md under \"%s\": %s", set, row);
    free(row);
}

static char *read_page(void) {
    char *path = frs_format("%s/docs/built-in-data.md", frs_test_source_dir());
    FILE *file = fopen(path, "r");
    ck_assert_msg(file, "%s", path);
    char *text = frs_alloc(1, 100000);
    ck_assert_uint_gt(fread(text, 1, 99999, file), 0);
    fclose(file);
    free(path);
    return text;
}

static void check_set(
    enum frs_synthetic which, const char *format, const char *file, const struct figure *figures) {
    const char *set = frs_synthetic_preset(which)->name;
    bool all = which == FRS_SYNTHETIC_ML_100K;
    size_t n = all ? N_FIGURES : N_COUNTED;
    double ours[N_FIGURES] = {0}, real[N_FIGURES] = {0};
    struct frs_rows rows;
    frs_synthetic_generate(frs_synthetic_preset(which), 1, &rows);
    count_rows(&rows, ours);
    ours[HALVES] = compare_halves(&rows);
    frs_rows_fini(&rows);
    measure_quality((const char *[12]){"synthetic", set}, all, ours);
    char *page = read_page(), *heading = frs_format("## `%s`", set);
    for (size_t i = 0; i < n; i++) {
        check_page(page, &figures[i], heading, ours[i]);
        ck_assert_double_eq_tol(
            ours[i], figures[i].real, fmax(figures[i].tolerance * figures[i].real, figures[i].absolute));
    }
    free(page);
    free(heading);
    char *path = frs_test_data_file(set, file);
    if (!path)
        return;
    read_rows(path, &rows);
    count_rows(&rows, real);
    real[HALVES] = compare_halves(&rows);
    frs_rows_fini(&rows);
    measure_quality((const char *[12]){"format", format, "path", path}, all, real);
    for (size_t i = 0; i < n; i++)
        ck_assert_msg(fabs(real[i] - figures[i].real) <= .51 * pow(10, -figures[i].decimals),
            "%s, %s: %f, not %f", set, figures[i].name, real[i], figures[i].real);
    free(path);
}

START_TEST(like_movielens_100k) {
    check_set(FRS_SYNTHETIC_ML_100K, "movielens-100k", "ml-100k/u.data", ml_100k);
}
END_TEST

START_TEST(like_movielens_1m) {
    check_set(FRS_SYNTHETIC_ML_1M, "movielens-1m", "ml-1m/ratings.dat", ml_1m);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("synthetic_fit");
    TCase *tests = tcase_create("synthetic_fit");
    tcase_set_timeout(tests, 300);
    frs_test_add_figures(tests, like_movielens_100k);
    frs_test_add_figures(tests, like_movielens_1m);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
