/* PFedCLR's local training beside a program that can do nothing else: d 16, rank 2, ten epochs of Adam in
 * batches of 256 (its table 1), all of it known to the compiler, written once for AVX-512 and once for AVX2.
 *
 *   bench_pfedclr [clients' data: a preset of data.synthetic, ml-100k]
 *
 * Both train the same clients from the same tables, a round each in turn, one thread; only training is timed,
 * drawing negatives included. Prints microseconds of processor time per participation of both, of the parts
 * of the single-purpose program, and how far its results are from those of the learner on the same samples.
 *
 * What the single-purpose program does otherwise: a batch's rows are read from its tally, in registers;
 * count, coefficient, moments and step of 16 (8) rows stay in registers; reciprocals for divisions; a
 * generator of 64 bits for negatives and shuffles, where a run has a stream per purpose that other players
 * repeat; no losses but the last, no counts of operations, no checks, no other optimiser, decay, bias,
 * ablation or length. */
#if defined __x86_64__ && !defined __clang__
#include "algorithms/data/data.h"
#include "algorithms/learner.h"
#include "algorithms/model.h"
#include "algorithms/samples.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/numbers/levels.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

#include <immintrin.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    DIM = 16,
    RANK = 2,
    EPOCHS = 10,
    BATCH = 256,
    NEGATIVES = 4,
    MOST_ROWS = 4096,
    MOST_SAMPLES = 32768,
    TERMS = 5
};
/* Arrays at a distance of a power of two would meet in the same sets of the caches. */
enum { SLOTS = MOST_ROWS + 80 };
#define RATE 0.01
#define CALIBRATION_RATE 1e-4
#define LIMIT 0.2f
#define BETA1 0.9f
#define BETA2 0.999f
#define EPSILON 1e-8f

enum part { DRAWING, SHUFFLING, STEP_1, STEP_2, N_PARTS };
static const char *const part_names[] = {"drawing", "shuffling", "step 1", "step 2"};

/* One client's participation; rows up to a multiple of 16, zeros behind them. */
static struct work {
    size_t n_rows, stride, n;
    uint32_t ids[SLOTS], samples[MOST_SAMPLES];
    _Alignas(64) float p[DIM], b[RANK][DIM];
    _Alignas(64) float q[SLOTS][DIM]; /* in rows; one more than there are is zeros */
    _Alignas(64) float a[RANK * SLOTS];
    _Alignas(64) uint32_t tally[SLOTS];
    _Alignas(64) float score[SLOTS], m[SLOTS], v[SLOTS], moved[TERMS * SLOTS];
    _Alignas(64) float am[RANK * SLOTS], av[RANK * SLOTS];
    _Alignas(64) float coefficient[SLOTS], some[SLOTS];
    _Alignas(64)
        uint32_t rows[SLOTS]; /* of the batch, whole registers; those behind the last name the row of zeros */
    size_t n_batch;
    float pm[DIM], pv[DIM], bm[RANK][DIM], bv[RANK][DIM];
    uint64_t state;           /* of the generator */
    struct frs_rng *shuffle;  /* in its place, where results are compared; or NULL */
    struct frs_samples drawn; /* the same samples as frs_samples_shuffle sees them */
    double part_s[N_PARTS], loss;
} work;

/* Columns lie one behind the other: at a distance of a power of two they would meet in the same sets of the
 * caches. */
#define COLUMN(name, k) (work.name + (k) * (work.stride + 16))

static double now_s(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static uint64_t next(void) { /* splitmix64 */
    uint64_t z = work.state += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static uint32_t below(uint32_t n) {
    return (uint32_t)((next() >> 32) * n >> 32);
}

static struct step { float rate, epsilon; } step_of(double rate, unsigned t) {
    double root = sqrt((1 - pow(0.999, t)) / 0.001);
    return (struct step){(float)(rate * root * 0.1 / (1 - pow(0.9, t))), (float)(1e-8 * root)};
}

static uint64_t taken[MOST_ROWS / 64], occurs[MOST_ROWS / 64];
static uint32_t row_of[MOST_ROWS];

/* Items become rows in ascending order. */
static void number_rows(uint32_t n_items) {
    memset(occurs, 0, sizeof occurs);
    work.n_rows = 0;
    for (size_t i = 0; i < work.n; i++)
        occurs[work.samples[i] / 128] |= UINT64_C(1) << work.samples[i] / 2 % 64;
    for (uint32_t w = 0; w <= n_items / 64; w++)
        for (uint64_t bits = occurs[w]; bits; bits &= bits - 1) {
            uint32_t item = 64 * w + (uint32_t)__builtin_ctzll(bits);
            row_of[item] = (uint32_t)work.n_rows;
            work.ids[work.n_rows++] = item;
        }
    for (size_t i = 0; i < work.n; i++)
        work.samples[i] = row_of[work.samples[i] / 2] << 1 | (work.samples[i] & 1);
    work.stride = (work.n_rows + 15) / 16 * 16;
}

static void draw(const struct frs_client_data *data, uint32_t n_items) {
    memset(taken, 0, sizeof taken);
    for (size_t i = 0; i < data->n_excluded; i++)
        taken[data->excluded[i] / 64] |= UINT64_C(1) << data->excluded[i] % 64;
    work.n = 0;
    for (size_t i = 0; i < data->n; i++)
        work.samples[work.n++] = data->items[i] << 1 | 1;
    for (size_t i = 0; i < data->n; i++) {
        uint32_t four[NEGATIVES];
        for (size_t j = 0; j < NEGATIVES; j++) {
            bool again;
            do {
                four[j] = below(n_items);
                again = taken[four[j] / 64] >> four[j] % 64 & 1;
                for (size_t k = 0; k < j; k++)
                    again |= four[k] == four[j];
            } while (again);
            work.samples[work.n++] = four[j] << 1;
        }
    }
    number_rows(n_items);
}

static void shuffle(void) {
    if (work.shuffle) {
        frs_samples_shuffle(&work.drawn, BATCH, work.shuffle);
        memcpy(work.samples, work.drawn.samples, work.n * sizeof *work.samples);
        return;
    }
    size_t n = work.n;
    for (uint64_t word = 0; n > BATCH; n--) { /* two draws of a word */
        word = n % 2 || n == work.n ? next() : word << 32;
        uint32_t j = (uint32_t)((word >> 32) * n >> 32), kept = work.samples[n - 1];
        work.samples[n - 1] = work.samples[j];
        work.samples[j] = kept;
    }
}

static void count(size_t at, size_t n) {
    memset(work.tally, 0, work.stride * sizeof *work.tally);
    for (size_t i = 0; i < n; i++)
        work.tally[work.samples[at + i] >> 1] += 1 + ((work.samples[at + i] & 1) << 24);
}

static const float nearest[TERMS] = {0.99999961f, -0.99990158f, 0.99598040f, -0.94108384f, 0.62738923f};

/* --- the kernels, once for each width --- */

#pragma GCC push_options
#pragma GCC target("arch=x86-64-v4,prefer-vector-width=512")
#define WIDTH 16
#define NAME(name) name##_512
#define WIDE_PD __m512d
#define WIDE_INT __m512i
typedef __m512 wide_512;
#define V(operation) _mm512_##operation
#include "tests/bench/pfedclr_kernels.h"
#undef WIDTH
#undef NAME
#undef V
#undef WIDE_PD
#undef WIDE_INT
#pragma GCC pop_options
#pragma GCC push_options
#pragma GCC target("arch=x86-64-v3")
#define WIDTH 8
#define NAME(name) name##_256
#define WIDE_PD __m256d
#define WIDE_INT __m256i
typedef __m256 wide_256;
#define V(operation) _mm256_##operation
#include "tests/bench/pfedclr_kernels.h"
#undef WIDTH
#undef NAME
#undef V
#undef WIDE_PD
#undef WIDE_INT
#pragma GCC pop_options

/* --- both, in turn --- */

/* What a client keeps in the single-purpose program. */
static struct kept {
    float p[DIM], b[RANK][DIM];
    float *a; /* [n_items × RANK] */
} * kept;

static void begin(const float *table, uint32_t client) {
    memcpy(work.p, kept[client].p, sizeof work.p);
    memcpy(work.b, kept[client].b, sizeof work.b);
    for (size_t i = 0; i < work.n_rows; i++) {
        for (size_t k = 0; k < DIM; k++)
            work.q[i][k] = table[work.ids[i] * DIM + k];
        for (size_t j = 0; j < RANK; j++)
            COLUMN(a, j)[i] = kept[client].a[work.ids[i] * RANK + j];
    }
    for (size_t i = work.n_rows; i < work.stride + 16; i++) {
        memset(work.q[i], 0, sizeof work.q[i]);
        work.tally[i] = 0;
        work.coefficient[i] = 0;
        for (size_t j = 0; j < RANK; j++)
            COLUMN(a, j)[i] = 0;
    }
}

static void end(uint32_t client) {
    memcpy(kept[client].p, work.p, sizeof work.p);
    memcpy(kept[client].b, work.b, sizeof work.b);
    for (size_t i = 0; i < work.n_rows; i++)
        for (size_t j = 0; j < RANK; j++)
            kept[client].a[work.ids[i] * RANK + j] = COLUMN(a, j)[i];
}

static void single(
    const struct frs_client_data *data, const float *table, uint32_t n_items, bool wide, bool timed) {
    double before_s = timed ? now_s() : 0;
    unsigned flags = _mm_getcsr();
    _mm_setcsr(flags | 0x8040); /* denormals are zeros, as for the learner */
    if (!work.shuffle)
        draw(data, n_items);
    begin(table, data->client);
    if (timed)
        work.part_s[DRAWING] += now_s() - before_s;
    if (wide)
        train_512(timed);
    else
        train_256(timed);
    end(data->client);
    _mm_setcsr(flags);
}

static void complain(const struct frs_errors *errors) {
    frs_errors_print(errors, stderr);
    exit(2);
}

static struct frs_data *load(const char *synthetic) {
    const char *const keys[] = {"synthetic", synthetic, NULL}, *const none[] = {NULL};
    struct frs_values data = frs_values_of(frs_data_params, keys),
                      evaluation = frs_values_of(frs_evaluation_params, none);
    struct frs_errors errors = {0};
    struct frs_data *loaded;
    if (frs_data_load(&data, &evaluation, 1, &loaded, &errors))
        complain(&errors);
    frs_values_fini(&data);
    frs_values_fini(&evaluation);
    return loaded;
}

struct bench {
    const struct frs_learner *learner;
    void *model;
    const struct frs_population *population;
    struct frs_tables tables;
    struct frs_arena arena;
    uint32_t round;
};

static struct frs_trained general(struct bench *bench, uint32_t client) {
    struct frs_training training = {.data = &bench->population->clients[client],
        .tables = &bench->tables,
        .round = bench->round,
        .budget = frs_learner_budgets(bench->learner, bench->model).max};
    struct frs_trained trained;
    frs_arena_reset(&bench->arena);
    frs_learner_train(bench->learner, bench->model, &training, &bench->arena, &trained);
    return trained;
}

/* Of the first participation of some clients, with the learner's samples: the greatest difference of p, B, A
 * and Q_u, as a share of the greatest step. */
static double compare(struct bench *bench, bool wide) {
    double difference = 0, moved = 0;
    for (uint32_t client = 0; client < bench->population->n_clients; client += 7) {
        const struct frs_client_data *data = &bench->population->clients[client];
        struct frs_trained trained = general(bench, client);
        struct frs_arena arena = {0};
        struct frs_rng negatives = frs_rng_stream(
                           bench->population->seed, client, bench->round, 0, FRS_RNG_NEGATIVES),
                       order =
                           frs_rng_stream(bench->population->seed, client, bench->round, 0, FRS_RNG_SHUFFLE);
        work.drawn = frs_samples_draw(data, bench->population->n_items, NEGATIVES, &negatives, &arena);
        work.shuffle = &order;
        work.n = work.drawn.n;
        work.n_rows = work.drawn.n_rows;
        work.stride = (work.n_rows + 15) / 16 * 16;
        memcpy(work.samples, work.drawn.samples, work.n * sizeof *work.samples);
        memcpy(work.ids, work.drawn.ids, work.n_rows * sizeof *work.ids);
        struct kept before = kept[client];
        single(data, bench->tables.part[0], bench->population->n_items, wide, false);
        for (size_t i = 0; i < work.n_rows; i++)
            for (size_t k = 0; k < DIM; k++) {
                double was = (double)bench->tables.part[0][work.ids[i] * DIM + k],
                       is = (double)trained.upload[0].values[i * DIM + k];
                difference = fmax(difference, fabs(is - (double)work.q[i][k]));
                moved = fmax(moved, fabs(is - was));
            }
        const float *p = trained.kept.rows[0], *b = trained.kept.rows[1];
        for (size_t k = 0; k < DIM; k++) {
            difference = fmax(difference, fabs((double)p[k] - (double)work.p[k]));
            moved = fmax(moved, fabs((double)p[k] - (double)before.p[k]));
            for (size_t j = 0; j < RANK; j++)
                difference = fmax(difference, fabs((double)b[k * RANK + j] - (double)work.b[j][k]));
        }
        for (size_t i = 0; i < work.n_rows; i++)
            for (size_t j = 0; j < RANK; j++) {
                difference = fmax(difference,
                    fabs((double)trained.kept.stored[1].values[i * RANK + j] - (double)COLUMN(a, j)[i]));
                kept[client].a[work.ids[i] * RANK + j] = 0; /* where it began */
            }
        memcpy(kept[client].p, before.p, sizeof before.p);
        memcpy(kept[client].b, before.b, sizeof before.b);
        frs_arena_fini(&arena);
    }
    work.shuffle = NULL;
    return difference / moved;
}

static const float *values_of(const struct frs_model *model, const char *name) {
    size_t i = 0;
    while (strcmp(model->tables[i].name, name) != 0)
        i++;
    return model->tables[i].values;
}

static void take_kept(const struct bench *bench) {
    uint32_t n = bench->population->n_clients, n_items = bench->population->n_items;
    kept = frs_alloc(n, sizeof *kept);
    for (uint32_t client = 0; client < n; client++) {
        struct kept *k = &kept[client];
        const float *p = values_of(bench->model, "users") + client * DIM,
                    *b = values_of(bench->model, "B") + client * DIM * RANK;
        memcpy(k->p, p, sizeof k->p);
        for (size_t i = 0; i < DIM; i++)
            for (size_t j = 0; j < RANK; j++)
                k->b[j][i] = b[i * RANK + j];
        k->a = frs_alloc((size_t)n_items * RANK, sizeof *k->a);
    }
}

static void print_parts(const char *name, double us) {
    printf("%s: %.1f us", name, us);
    double n = work.part_s[N_PARTS - 1] > 0 ? 1 : 0;
    for (size_t i = 0; i < N_PARTS && n > 0; i++)
        printf("%s %s %.1f", i ? "," : " (", part_names[i], 1e6 * work.part_s[i]);
    printf("%s\n", n > 0 ? ")" : "");
}

int main(int argc, char **argv) {
    struct frs_data *data = load(argc > 1 ? argv[1] : "ml-100k");
    const char *const none[] = {NULL};
    struct frs_learner_setup setup = {.population = &data->population, .negatives_per_positive = NEGATIVES};
    struct frs_errors errors = {0};
    if (!FRS_RUNS_V3() || data->population.n_items > MOST_ROWS) {
        fprintf(stderr, "bench_pfedclr: needs AVX2, and data of at most %d items\n", MOST_ROWS);
        return 2;
    }
    struct bench bench = {.population = &data->population};
    for (size_t i = 0; frs_learners[i]; i++)
        if (strcmp(frs_learners[i]->plugin.name, "pfedclr") == 0)
            bench.learner = frs_learners[i];
    struct frs_values values = frs_values_of(bench.learner->plugin.params, none);
    bench.model = bench.learner->create(&values, &setup, &errors);
    if (!bench.model)
        complain(&errors);
    bench.tables = frs_model_tables(bench.model);
    take_kept(&bench);
    uint32_t n = data->population.n_clients, n_items = data->population.n_items;
    bool runs_512 = FRS_RUNS_V4();
    double difference[2] = {compare(&bench, false), runs_512 ? compare(&bench, true) : 0};
    enum { ROUNDS = 12 };
    double us[3][ROUNDS] = {{0}};
    for (size_t round = 0; round < ROUNDS; round++, bench.round++) {
        double began_s = now_s();
        for (uint32_t u = 0; u < n; u++)
            (void)general(&bench, u);
        us[0][round] = 1e6 * (now_s() - began_s) / n;
        for (int wide = 0; wide <= runs_512; wide++) {
            began_s = now_s();
            for (uint32_t u = 0; u < n; u++)
                single(&data->population.clients[u], bench.tables.part[0], n_items, wide, false);
            us[1 + wide][round] = 1e6 * (now_s() - began_s) / n;
        }
    }
    const char *const names[] = {"learner", "single-purpose, AVX2", "single-purpose, AVX-512"};
    for (int i = 0; i < 2 + runs_512; i++) {
        double least = INFINITY, sum = 0;
        for (size_t round = 0; round < ROUNDS; round++) {
            least = fmin(least, us[i][round]);
            sum += us[i][round] / ROUNDS;
        }
        printf("%-24s %7.1f us a participation, %7.1f in the fastest round", names[i], sum, least);
        if (i > 0)
            printf("; results differ by %.1e of the largest step", difference[i - 1]);
        printf("\n");
    }
    for (uint32_t u = 0; u < n; u++)
        single(&data->population.clients[u], bench.tables.part[0], n_items, runs_512, true);
    for (size_t i = 0; i < N_PARTS; i++)
        work.part_s[i] /= n;
    print_parts("parts of the single-purpose program, clocks included",
        1e6 * (work.part_s[0] + work.part_s[1] + work.part_s[2] + work.part_s[3]));
    frs_arena_fini(&bench.arena);
    frs_model_destroy(bench.model);
    frs_values_fini(&values);
    frs_data_destroy(data);
    return 0;
}

#else
#include <stdio.h>

int main(void) {
    fprintf(stderr, "bench_pfedclr: is for x86-64 and GCC\n");
    return 2;
}
#endif
