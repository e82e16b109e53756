/* Recommenders without federation against programs of their own: the loss alone is written down here, in
 * double precision; its gradients are central differences, and Adam steps all values by them. Every user
 * has so few free items that each positive draws all of them as negatives, and one batch holds all samples,
 * so that no draw but the initial values matters. */
#include "algorithms/non_federated.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"
#include "tests/support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USERS = 4, ITEMS = 6, MOST = 400 };

static const uint32_t first_items[] = {0, 1, 3}, second_items[] = {1, 2}, third_items[] = {0, 2, 4, 5},
                      fourth_items[] = {5};
static const float ones[] = {1, 1, 1, 1};

static const struct frs_client_data clients[USERS] = {{0, first_items, ones, 3, first_items, 3},
    {1, second_items, ones, 2, second_items, 2}, {2, third_items, ones, 4, third_items, 4},
    {3, fourth_items, ones, 1, fourth_items, 1}};

static const struct frs_population population = {
    .n_clients = USERS, .n_items = ITEMS, .clients = clients, .seed = 9};

/* What is to be minimised, of n values. */
struct subject {
    const char *name;
    size_t n;
    double (*loss)(const double *x);
    double (*score)(const double *x, uint32_t user, uint32_t item);
};

static bool has(uint32_t user, uint32_t item) {
    for (size_t i = 0; i < clients[user].n; i++)
        if (clients[user].items[i] == item)
            return true;
    return false;
}

/* A positive once, a negative once for each positive of its user. */
static double mean_cross_entropy(const struct subject *subject, const double *x) {
    double sum = 0, n = 0;
    for (uint32_t u = 0; u < USERS; u++)
        for (uint32_t i = 0; i < ITEMS; i++) {
            double s = subject->score(x, u, i), times = has(u, i) ? 1 : (double)clients[u].n;
            sum += times * log1p(exp(has(u, i) ? -s : s));
            n += times;
        }
    return sum / n;
}

static void find_gradient(const struct subject *subject, double *x, double *gradient) {
    for (size_t i = 0; i < subject->n; i++) {
        double kept = x[i], h = 1e-5;
        x[i] = kept + h;
        double above = subject->loss(x);
        x[i] = kept - h;
        gradient[i] = (above - subject->loss(x)) / (2 * h);
        x[i] = kept;
    }
}

/* Kingma & Ba 2015, algorithm 1. */
static void minimise(const struct subject *subject, double *x, double rate, int steps) {
    double m[MOST] = {0}, v[MOST] = {0}, gradient[MOST];
    for (int t = 1; t <= steps; t++) {
        find_gradient(subject, x, gradient);
        for (size_t i = 0; i < subject->n; i++) {
            m[i] = 0.9 * m[i] + 0.1 * gradient[i];
            v[i] = 0.999 * v[i] + 0.001 * gradient[i] * gradient[i];
            x[i] -= rate * (m[i] / (1 - pow(0.9, t))) / (sqrt(v[i] / (1 - pow(0.999, t))) + 1e-8);
        }
    }
}

static void check(const struct subject *subject, const struct frs_population *data, const double *x,
    const char *const *settings, double tolerance) {
    const struct frs_non_federated_model *baseline = frs_non_federated_model_find(subject->name);
    struct frs_values values = frs_values_of(baseline->plugin.params, settings);
    void *model = baseline->fit(&values, data, NULL);
    double worst = 0;
    for (uint32_t u = 0; u < USERS; u++)
        for (uint32_t i = 0; i < ITEMS; i++) {
            float score;
            baseline->score(model, u, &i, 1, &score);
            worst = fmax(worst, fabs((double)score - subject->score(x, u, i)));
        }
    printf("%s: scores differ by %.2g at most\n", subject->name, worst);
    ck_assert_double_lt(worst, tolerance);
    baseline->destroy(model);
    frs_values_fini(&values);
}

static struct frs_rng first_draws(void) {
    return frs_rng_stream(population.seed, FRS_RNG_SERVER, 0, 0, FRS_RNG_NON_FEDERATED);
}

static size_t draw_normal(struct frs_rng *rng, double *x, size_t n, double sd) {
    float drawn[MOST];
    frs_rng_fill_normal(rng, drawn, n, sd);
    for (size_t i = 0; i < n; i++)
        x[i] = (double)drawn[i];
    return n;
}

/* NCF with d 3 and hidden layers of 8 and 2: users (p, p'), items (q', q), W_1 b_1 W_2 b_2 W_3 b_3, h. */
enum { D = 3, H1 = 8, H2 = 2, NETWORK = H1 * (2 * D + 1) + H2 * (H1 + 1) + H2 + 1 };

static const double *dense(const double *w, const double *in, int n_in, int n_out, bool relu, double *out) {
    for (int o = 0; o < n_out; o++) {
        out[o] = w[n_in * n_out + o];
        for (int i = 0; i < n_in; i++)
            out[o] += w[o * n_in + i] * in[i];
        if (relu && out[o] < 0)
            out[o] = 0;
    }
    return w + n_out * (n_in + 1);
}

static double ncf_score(const double *x, uint32_t user, uint32_t item) {
    const double *p = x + user * 2 * D, *q = x + (USERS + item) * 2 * D, *w = x + (USERS + ITEMS) * 2 * D;
    double in[2 * D], first[H1], second[H2], out[1], score;
    memcpy(in, p + D, D * sizeof *in);
    memcpy(in + D, q, D * sizeof *in);
    w = dense(w, in, 2 * D, H1, true, first);
    w = dense(w, first, H1, H2, true, second);
    w = dense(w, second, H2, 1, false, out);
    score = out[0];
    for (int k = 0; k < D; k++)
        score += w[k] * p[k] * q[D + k];
    return score;
}

static double ncf_loss(const double *x);
static const struct subject ncf = {"ncf", (USERS + ITEMS) * 2 * D + NETWORK + D, ncf_loss, ncf_score};

static double ncf_loss(const double *x) {
    return mean_cross_entropy(&ncf, x);
}

static size_t draw_layer(struct frs_rng *rng, double *x, int n_in, int n_out) {
    int n = n_in * n_out;
    for (int i = 0; i < n; i++)
        x[i] = sqrt(6.0 / (n_in + n_out)) * (2 * frs_rng_unit(rng) - 1);
    for (int o = 0; o < n_out; o++)
        x[n + o] = 0;
    return (size_t)n + (size_t)n_out;
}

START_TEST(ncf_by_differences) {
    double x[MOST];
    struct frs_rng rng = first_draws();
    size_t at = draw_normal(&rng, x, USERS * 2 * D, 0.5);
    at += draw_normal(&rng, x + at, ITEMS * 2 * D, 0.5);
    at += draw_layer(&rng, x + at, 2 * D, H1);
    at += draw_layer(&rng, x + at, H1, H2);
    at += draw_layer(&rng, x + at, H2, 1);
    for (int k = 0; k < D; k++)
        x[at++] = sqrt(6.0 / (D + 1)) * (2 * frs_rng_unit(&rng) - 1);
    ck_assert_uint_eq(at, ncf.n);
    minimise(&ncf, x, 0.01, 20);
    check(&ncf, &population, x,
        (const char *const[]){"dim", "3", "layers", "8,2", "epochs", "20", "batch", "1000", "learning_rate",
            "0.01", "init", "0.5", "negatives", "100", NULL},
        1e-5);
}
END_TEST

/* LightGCN with d 3 and two layers: embeddings of users, then of items, averaged along the graph. */
enum { NODES = USERS + ITEMS };

static double degree(uint32_t node) {
    double n = 0;
    for (uint32_t other = 0; other < NODES; other++)
        n += (node < USERS && other >= USERS && has(node, other - USERS)) ||
             (other < USERS && node >= USERS && has(other, node - USERS));
    return n;
}

static void average(const double *x, double *averaged) {
    double layer[NODES * D], next[NODES * D];
    memcpy(layer, x, sizeof layer);
    memcpy(averaged, x, sizeof layer);
    for (int l = 0; l < 2; l++) {
        memset(next, 0, sizeof next);
        for (uint32_t u = 0; u < USERS; u++)
            for (uint32_t i = 0; i < ITEMS; i++)
                for (int k = 0; k < D && has(u, i); k++) {
                    double weight = 1 / sqrt(degree(u) * degree(USERS + i));
                    next[u * D + k] += weight * layer[(USERS + i) * D + k];
                    next[(USERS + i) * D + k] += weight * layer[u * D + k];
                }
        memcpy(layer, next, sizeof layer);
        for (int i = 0; i < NODES * D; i++)
            averaged[i] += layer[i];
    }
    for (int i = 0; i < NODES * D; i++)
        averaged[i] /= 3;
}

static double dot(const double *x, const double *y) {
    double sum = 0;
    for (int k = 0; k < D; k++)
        sum += x[k] * y[k];
    return sum;
}

static double lightgcn_score(const double *x, uint32_t user, uint32_t item) {
    double averaged[NODES * D];
    average(x, averaged);
    return dot(averaged + user * D, averaged + (USERS + item) * D);
}

static double lightgcn_bce(const double *x);
static const struct subject lightgcn = {"lightgcn", NODES *D, lightgcn_bce, lightgcn_score};

static double norm(const double *x, uint32_t node) {
    return dot(x + node * D, x + node * D);
}

#define L2 0.1

static double lightgcn_bce(const double *x) {
    double norms = 0, n = 0;
    for (uint32_t u = 0; u < USERS; u++)
        for (uint32_t i = 0; i < ITEMS; i++) {
            double times = has(u, i) ? 1 : (double)clients[u].n;
            norms += times * (norm(x, u) + norm(x, USERS + i)) / 2;
            n += times;
        }
    return mean_cross_entropy(&lightgcn, x) + L2 * norms / n;
}

START_TEST(lightgcn_bce_by_differences) {
    double x[MOST];
    struct frs_rng rng = first_draws();
    for (size_t node = 0; node < NODES; node++)
        draw_normal(&rng, x + node * D, D, 0.5);
    minimise(&lightgcn, x, 0.01, 20);
    check(&lightgcn, &population, x,
        (const char *const[]){"dim", "3", "layers", "2", "loss", "bce", "epochs", "20", "batch", "1000",
            "learning_rate", "0.01", "init", "0.5", "negatives", "100", "l2", "0.1", NULL},
        1e-5);
}
END_TEST

/* Every user may draw one item alone as a negative. */
static const uint32_t free_item[USERS] = {4, 0, 1, 2};

static double lightgcn_pairs(const double *x) {
    double averaged[NODES * D], sum = 0, n = 0;
    average(x, averaged);
    for (uint32_t u = 0; u < USERS; u++)
        for (size_t i = 0; i < clients[u].n; i++, n++) {
            uint32_t positive = USERS + clients[u].items[i], negative = USERS + free_item[u];
            double apart = dot(averaged + u * D, averaged + positive * D) -
                           dot(averaged + u * D, averaged + negative * D);
            sum += log1p(exp(-apart)) + L2 * (norm(x, u) + norm(x, positive) + norm(x, negative)) / 2;
        }
    return sum / n;
}

static const struct subject pairs = {"lightgcn", NODES *D, lightgcn_pairs, lightgcn_score};

START_TEST(lightgcn_bpr_by_differences) {
    double x[MOST];
    uint32_t excluded[USERS][ITEMS - 1];
    struct frs_client_data strict[USERS];
    for (uint32_t u = 0; u < USERS; u++) {
        for (uint32_t i = 0, n = 0; i < ITEMS; i++)
            if (i != free_item[u])
                excluded[u][n++] = i;
        strict[u] = clients[u];
        strict[u].excluded = excluded[u];
        strict[u].n_excluded = ITEMS - 1;
    }
    struct frs_population with_one_free = population;
    with_one_free.clients = strict;
    struct frs_rng rng = first_draws();
    for (size_t node = 0; node < NODES; node++)
        draw_normal(&rng, x + node * D, D, 0.5);
    minimise(&pairs, x, 0.01, 20);
    check(&pairs, &with_one_free, x,
        (const char *const[]){"dim", "3", "layers", "2", "epochs", "20", "batch", "1000", "learning_rate",
            "0.01", "init", "0.5", "l2", "0.1", NULL},
        1e-5);
}
END_TEST

/* CentRAP with d 3: user vectors, the shared table, the tables of users. Plain steps along the gradient of
 * the sum over a batch; without the absolute values, whose threshold a test by hand has. */
enum { SHARED = USERS * D, OWN = SHARED + ITEMS * D };

static double pull_apart; /* lambda of the epoch */

static double centrap_score(const double *x, uint32_t user, uint32_t item) {
    double sum = 0;
    for (int k = 0; k < D; k++)
        sum += x[user * D + k] * (x[OWN + (user * ITEMS + item) * D + k] + x[SHARED + item * D + k]);
    return sum;
}

static double centrap_loss(const double *x) {
    double sum = 0;
    for (uint32_t u = 0; u < USERS; u++)
        for (uint32_t i = 0; i < ITEMS; i++) {
            double s = centrap_score(x, u, i), times = has(u, i) ? 1 : (double)clients[u].n, distance = 0;
            for (int k = 0; k < D; k++)
                distance += pow(x[OWN + (u * ITEMS + i) * D + k] - x[SHARED + i * D + k], 2);
            sum += times * (log1p(exp(has(u, i) ? -s : s)) - pull_apart * distance);
        }
    return sum;
}

static const struct subject centrap = {"centrap", OWN + USERS *ITEMS *D, centrap_loss, centrap_score};

START_TEST(centrap_by_differences) {
    double x[MOST], gradient[MOST];
    struct frs_rng rng = first_draws();
    draw_normal(&rng, x + SHARED, ITEMS * D, 0.2);
    draw_normal(&rng, x, USERS * D, 0.3);
    for (uint32_t u = 0; u < USERS; u++) {
        struct frs_rng own = frs_rng_stream(population.seed, u, 0, 3, FRS_RNG_NON_FEDERATED);
        draw_normal(&own, x + OWN + u * ITEMS * D, ITEMS * D, 0.2);
    }
    for (int epoch = 1; epoch <= 20; epoch++) {
        pull_apart = 0.05 * tanh(epoch / 10.0);
        find_gradient(&centrap, x, gradient);
        for (int i = 0; i < (int)centrap.n; i++)
            x[i] -= (i < SHARED ? 0.01 : 0.1) * gradient[i];
    }
    check(&centrap, &population, x,
        (const char *const[]){"dim", "3", "epochs", "20", "batch", "1000", "learning_rate", "0.1",
            "user_learning_rate", "0.01", "lambda", "0.05", "mu", "0", "init", "0.2", "user_init", "0.3",
            "negatives", "100", NULL},
        1e-4);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("baselines by differences");
    TCase *tests = tcase_create("baselines");
    tcase_add_test(tests, ncf_by_differences);
    tcase_add_test(tests, lightgcn_bce_by_differences);
    tcase_add_test(tests, lightgcn_bpr_by_differences);
    tcase_add_test(tests, centrap_by_differences);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
