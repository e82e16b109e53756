/* Codec rank_one on the uploads it is made for; what every codec has to keep to is in tests/contract. */
#include "sim/base/numbers/rng.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

extern const struct frs_codec frs_codec_rank_one;
extern const struct frs_learner frs_learner_pfedclr;

static void encode(const struct frs_rows *rows, const float *base, struct frs_buffer *out, size_t *nominal) {
    *nominal = encode_rows((struct frs_codec_choice){.codec = &frs_codec_rank_one}, rows, base, out);
}

static struct frs_rows decode(const struct frs_buffer *message, const struct frs_rows *shape,
    const float *base, struct frs_arena *arena) {
    struct frs_reader in = frs_reader_init(message->bytes, message->n);
    struct frs_rows rows;
    ck_assert(frs_codec_rank_one.decode(NULL, &in, shape->n_rows, shape->dim, base, arena, &rows));
    ck_assert(!in.failed && in.at == in.n);
    return rows;
}

/* Rows 1 and 3 of five have moved by ½ and −¼ along (+, −, 0). Two ids of 4 bytes would be longer than a
 * map of one, so 5 + 1 bytes; signs 1, 2, 0 in two bits each, lowest first: 0b001001; then the two moves.
 * The learner sends row 2, too, but it has not changed. */
START_TEST(message_by_hand) {
    static const uint32_t ids[] = {1, 2, 3};
    static const float base[] = {0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0};
    static const float values[] = {1.5f, 1.5f, 3, 4, 5, 6, 6.75f, 8.25f, 9};
    static const uint8_t expected[] = {2, 0, 0, 0, 1, 0x0a, 0x09, 0, 0, 0, 0x3f, 0, 0, 0x80, 0xbe};
    struct frs_rows rows = {.n_rows = 5, .dim = 3, .n = 3, .ids = ids, .values = values};
    struct frs_buffer message = {0};
    struct frs_arena arena = {0};
    size_t nominal;
    encode(&rows, base, &message, &nominal);
    ck_assert_uint_eq(message.n, sizeof expected);
    ck_assert_mem_eq(message.bytes, expected, sizeof expected);
    ck_assert_uint_eq(nominal, 1 + 8);
    struct frs_rows received = decode(&message, &rows, base, &arena);
    ck_assert_uint_eq(received.n, 2);
    ck_assert_mem_eq(received.ids, ((const uint32_t[]){1, 3}), 8);
    ck_assert_mem_eq(received.values, values, 12);
    ck_assert_mem_eq(received.values + 3, values + 6, 12);
    frs_buffer_fini(&message);
    frs_arena_fini(&arena);
}
END_TEST

/* A row that does not move along the signs of the row that moved furthest is sent as its mean move along
 * them: (1, 1) and (.25, .75) become (1, 1) and (.5, .5). */
START_TEST(other_updates_are_cut_down) {
    static const float values[] = {1, 1, .25f, .75f};
    struct frs_rows rows = {.n_rows = 2, .dim = 2, .n = 2, .values = values};
    struct frs_buffer message = {0};
    struct frs_arena arena = {0};
    size_t nominal;
    encode(&rows, NULL, &message, &nominal);
    struct frs_rows received = decode(&message, &rows, NULL, &arena);
    ck_assert_mem_eq(received.values, ((const float[]){1, 1, .5f, .5f}), 16);
    frs_buffer_fini(&message);
    frs_arena_fini(&arena);
}
END_TEST

/* Rows moved by any number along any signs come back bit for bit, whatever rounding hid of the number. */
START_TEST(moves_along_signs_are_lossless) {
    struct frs_rng rng = test_rng(90);
    for (int repeat = 0; repeat < 2000; repeat++) {
        enum { ROWS = 12, DIM = 9 };
        float base[ROWS * DIM], values[ROWS * DIM], signs[DIM];
        for (size_t k = 0; k < DIM; k++)
            signs[k] = frs_rng_below(&rng, 8) ? (frs_rng_below(&rng, 2) ? 1 : -1) : 0;
        signs[frs_rng_below(&rng, DIM)] = 1;
        frs_rng_fill_normal(&rng, base, ROWS * DIM, repeat % 2 ? 1 : 1e-3);
        for (size_t i = 0; i < ROWS; i++) {
            float move = (float)(frs_rng_normal(&rng) * pow(10, -(double)frs_rng_below(&rng, 9)));
            for (size_t k = 0; k < DIM; k++)
                values[i * DIM + k] = base[i * DIM + k] + signs[k] * (i == 0 ? .3f : move);
        }
        struct frs_rows rows = {.n_rows = ROWS, .dim = DIM, .n = ROWS, .values = values};
        struct frs_buffer message = {0};
        struct frs_arena arena = {0};
        size_t nominal;
        encode(&rows, base, &message, &nominal);
        struct frs_rows received = decode(&message, &rows, base, &arena);
        for (size_t i = 0; i < received.n; i++)
            memcpy(base + received.ids[i] * DIM, received.values + i * DIM, DIM * sizeof(float));
        ck_assert_mem_eq(base, values, sizeof values);
        frs_buffer_fini(&message);
        frs_arena_fini(&arena);
    }
}
END_TEST

/* Uploads of pfedclr: exact under epsilon = relative; under absolute the message misses less than two
 * parts in a hundred of the update (in the Frobenius norm). */
START_TEST(uploads_of_pfedclr) {
    struct frs_population population = make_population(8, 60, 11);
    const char *epsilon = _i ? "absolute" : "relative";
    void *model = make_model(&frs_learner_pfedclr, &population, SETTINGS("epsilon", epsilon));
    struct frs_tables tables = frs_model_tables(model);
    for (uint32_t client = 0; client < 8; client++) {
        struct frs_arena arena = {0};
        struct frs_buffer message = {0};
        struct frs_trained trained =
            train_client(&frs_learner_pfedclr, model, &population, client, 0, 0, &arena);
        struct frs_rows *upload = &trained.upload[0];
        size_t nominal, n = 0;
        encode(upload, tables.part[0], &message, &nominal);
        struct frs_rows received = decode(&message, upload, tables.part[0], &arena);
        double move = 0, error = 0;
        for (size_t i = 0; i < received.n; i++, n++) {
            while (upload->ids[n] != received.ids[i])
                n++;
            for (size_t k = 0; k < 16; k++) {
                float sent = upload->values[n * 16 + k], got = received.values[i * 16 + k];
                move += pow((double)(sent - tables.part[0][received.ids[i] * 16 + k]), 2);
                error += pow((double)(sent - got), 2);
            }
        }
        ck_assert_double_le(sqrt(error), _i ? .02 * sqrt(move) : 0);
        ck_assert_uint_eq(message.n, 5 + (received.n <= 2 ? 4 * received.n : 8) + 4 + 4 * received.n);
        frs_buffer_fini(&message);
        frs_arena_fini(&arena);
    }
    frs_model_destroy(model);
    free_population(&population);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("rank_one");
    TCase *tests = tcase_create("rank_one");
    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, message_by_hand);
    tcase_add_test(tests, other_updates_are_cut_down);
    tcase_add_test(tests, moves_along_signs_are_lossless);
    tcase_add_loop_test(tests, uploads_of_pfedclr, 0, 2);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
