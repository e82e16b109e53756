/* What holds for every privacy mechanism of the registry, whatever it does. */
#include "algorithms/messages/message.h"
#include "algorithms/privacy_mechanism.h"
#include "sim/base/errors.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"
#include "tests/algorithms/fixture.h"

#include <math.h>

extern const struct frs_codec frs_codec_dense, frs_codec_touched_rows, frs_codec_topk, frs_codec_sparse;

enum { ROWS = 40, DIM = 6 };

static const char *const no_settings[] = {NULL};
static const char *const of_noise[] = {"noise", "1", NULL},
                         *const of_server[] = {"at", "server", "noise", "1", NULL},
                         *const of_scale[] = {"scale", "1", NULL},
                         *const of_decoded[] = {"at", "server", NULL};

/* A privacy mechanism with settings that it works with, behind a clip. */
struct subject {
    struct frs_privacy_mechanism_list list;
    const struct frs_privacy_mechanism *mechanism;
    void *settings;
    enum frs_privacy_place place;
};

static const char *const *settings_of(const struct frs_privacy_mechanism *mechanism, size_t variant) {
    if (strcmp(mechanism->plugin.name, "laplace") == 0)
        return of_scale;
    if (strcmp(mechanism->plugin.name, "gaussian") == 0)
        return variant ? of_server : of_noise;
    if (strcmp(mechanism->plugin.name, "clip") == 0 && variant)
        return of_decoded;
    return no_settings;
}

static void append(struct subject *s, const struct frs_privacy_mechanism *mechanism,
    const char *const *settings, struct frs_privacy_setup *setup) {
    struct frs_errors errors = {0};
    struct frs_values values = frs_values_of(mechanism->plugin.params, settings);
    s->settings = mechanism->create(&values, setup, &errors);
    ck_assert_msg(s->settings, "%s: %s", mechanism->plugin.name, errors.n ? errors.lines[0] : "");
    s->list.of[s->list.n++] = (struct frs_privacy_choice){mechanism, s->settings};
    if (mechanism->bound)
        setup->bound = mechanism->bound(s->settings);
    frs_errors_clear(&errors);
    frs_values_fini(&values);
}

static struct subject begin(size_t i, size_t variant) {
    struct subject s = {.mechanism = frs_privacy_mechanisms[i]};
    struct frs_privacy_setup setup = {.n_values = ROWS * DIM, .n_rounds = 20, .n_clients = 100, .cohort = 10};
    append(&s, frs_privacy_mechanisms[0],
        i > 0 ? no_settings : settings_of(frs_privacy_mechanisms[0], variant), &setup);
    ck_assert_str_eq(frs_privacy_mechanisms[0]->plugin.name, "clip");
    if (i > 0)
        append(&s, s.mechanism, settings_of(s.mechanism, variant), &setup);
    s.place = s.mechanism->place(s.settings);
    return s;
}

static void end(struct subject *s) {
    frs_privacy_mechanism_list_fini(&s->list);
}

/* Random rows of a table; their base, and the rows as they would replace its own. */
struct scene {
    struct frs_arena arena;
    struct frs_rows update, state;
    struct frs_tables base;
};

static struct scene draw(uint32_t stream) {
    struct scene scene = {.arena = {0}};
    struct frs_rng rng = test_rng(stream);
    uint32_t n = 1 + frs_rng_below(&rng, ROWS), *ids = random_subset(&rng, ROWS, n);
    uint32_t *kept = frs_arena_take(&scene.arena, n, sizeof *kept);
    float *update = frs_arena_take(&scene.arena, n * DIM, sizeof *update);
    float *state = frs_arena_take(&scene.arena, n * DIM, sizeof *state);
    scene.base.part[0] = frs_arena_take(&scene.arena, ROWS * DIM, sizeof(float));
    memcpy(kept, ids, n * sizeof *kept);
    free(ids);
    for (size_t i = 0; i < ROWS * DIM; i++)
        scene.base.part[0][i] = (float)frs_rng_normal(&rng);
    for (size_t i = 0; i < n * DIM; i++) {
        update[i] = (float)frs_rng_normal(&rng);
        state[i] = scene.base.part[0][kept[i / DIM] * DIM + i % DIM] + update[i];
    }
    scene.update = (struct frs_rows){.n_rows = ROWS, .dim = DIM, .n = n, .ids = kept, .values = update};
    scene.state = scene.update;
    scene.state.values = state;
    return scene;
}

static void apply(
    const struct subject *s, struct frs_rows *rows, const struct frs_tables *base, struct frs_arena *arena) {
    struct frs_rng rng = test_rng(99);
    frs_privacy_values(&s->list, FRS_PRIVACY_VALUES,
        &(struct frs_protected_update){
            .parts = rows, .n_parts = 1, .base = base, .rng = &rng, .arena = arena});
}

static float value_at(const struct frs_rows *rows, size_t row, size_t k, float absent) {
    if (!rows->ids)
        return rows->values[row * DIM + k];
    for (size_t i = 0; i < rows->n; i++)
        if (rows->ids[i] == row)
            return rows->values[i * DIM + k];
    return absent;
}

/* A change is a change, whether it is sent as such or as the rows it leads to; and the same stream gives the
 * same. */
START_TEST(states_and_updates_alike) {
    for (size_t i = 0; frs_privacy_mechanisms[i]; i++)
        for (uint32_t stream = 0; stream < 20; stream++) {
            struct subject s = begin(i, 0);
            struct scene scene = draw(stream);
            struct frs_rows update = scene.update, again = scene.update, state = scene.state;
            apply(&s, &update, NULL, &scene.arena);
            apply(&s, &again, NULL, &scene.arena);
            apply(&s, &state, &scene.base, &scene.arena);
            ck_assert_uint_eq(update.n, state.n);
            ck_assert_mem_eq(update.values, again.values, update.n * DIM * sizeof *update.values);
            for (size_t row = 0; row < ROWS; row++)
                for (size_t k = 0; k < DIM; k++) {
                    float base = scene.base.part[0][row * DIM + k];
                    ck_assert_float_eq_tol(
                        value_at(&update, row, k, 0), value_at(&state, row, k, base) - base, 1e-4f);
                }
            frs_arena_fini(&scene.arena);
            end(&s);
        }
}
END_TEST

/* Who bounds updates bounds them; who does not leaves rows of its caller alone. */
START_TEST(updates_are_within_their_bound) {
    for (size_t i = 0; frs_privacy_mechanisms[i]; i++) {
        struct subject s = begin(i, 0);
        struct scene scene = draw(5);
        if (s.mechanism->bound) {
            struct frs_bound bound = s.mechanism->bound(s.settings);
            double squares = 0;
            struct frs_rows update = scene.update;
            apply(&s, &update, NULL, &scene.arena);
            for (size_t k = 0; k < update.n * DIM; k++)
                squares += (double)update.values[k] * (double)update.values[k];
            ck_assert_int_eq(bound.norm, FRS_BOUND_L2);
            ck_assert_double_le(sqrt(squares), bound.size * (1 + 1e-6));
        }
        frs_arena_fini(&scene.arena);
        end(&s);
    }
}
END_TEST

/* A claim is finite, grows with the number of releases, and is of a privacy mechanism that says where it
 * stands. */
START_TEST(claims_are_finite_and_grow) {
    for (size_t i = 0; frs_privacy_mechanisms[i]; i++)
        for (size_t variant = 0; variant < 2; variant++) {
            struct subject s = begin(i, variant);
            bool on_values = s.mechanism->values && s.place == FRS_PRIVACY_VALUES;
            bool on_decoded =
                s.mechanism->values && s.mechanism->values_flop > 0 && s.place == FRS_PRIVACY_DECODED;
            bool on_messages =
                (s.mechanism->sealed_bytes || s.mechanism->masks) && s.place == FRS_PRIVACY_MESSAGE;
            bool on_sums = s.mechanism->noise_sd && s.place == FRS_PRIVACY_AGGREGATE;
            ck_assert_int_eq(on_values + on_decoded + on_messages + on_sums, 1);
            ck_assert(!s.mechanism->modelled || on_messages);
            if (s.mechanism->guarantee) {
                struct frs_guarantee g = s.mechanism->guarantee(s.settings);
                ck_assert_int_eq(g.local, on_values);
                double one = frs_privacy_account(&g, 1, 20).epsilon,
                       ten = frs_privacy_account(&g, 10, 20).epsilon;
                ck_assert(one > 0 && one < ten && isfinite(ten));
            }
            end(&s);
        }
}
END_TEST

static const struct frs_codec *const sealable[] = {
    &frs_codec_dense, &frs_codec_touched_rows, &frs_codec_sparse, &frs_codec_topk};

/* Sealed messages decode to what plain ones do, weigh at least as much, and are refused when a byte is
 * missing. */
START_TEST(sealed_messages_decode_and_damage_is_refused) {
    struct frs_values none = frs_values_of(frs_codec_topk.plugin.params, no_settings);
    void *topk = frs_codec_topk.create(&none);
    struct frs_part shape = {"items", ROWS, DIM};
    for (size_t i = 0; frs_privacy_mechanisms[i]; i++) {
        struct subject s = begin(i, 0);
        for (size_t c = 0; s.mechanism->sealed_bytes && c < sizeof sealable / sizeof *sealable; c++) {
            struct frs_codec_choice plain = {
                .codec = sealable[c], .settings = sealable[c] == &frs_codec_topk ? topk : NULL};
            struct frs_codec_choice codec = plain;
            codec.seal = frs_privacy_in(&s.list, FRS_PRIVACY_MESSAGE);
            struct scene scene = draw(7);
            struct frs_buffer a = {0}, b = {0};
            struct frs_rows x, y;
            struct frs_encoding how = {.arena = &scene.arena};
            size_t nominal = frs_message_put_parts(&a, &plain, &scene.update, 1, NULL, how);
            ck_assert_uint_eq(frs_message_put_parts(&b, &codec, &scene.update, 1, NULL, how), nominal);
            ck_assert_uint_ge(b.n, a.n + 8);
            struct frs_reader in = frs_reader_init(a.bytes, a.n), sealed = frs_reader_init(b.bytes, b.n);
            ck_assert(frs_message_parts(&in, &plain, &shape, 1, NULL, &scene.arena, &x));
            ck_assert(frs_message_parts(&sealed, &codec, &shape, 1, NULL, &scene.arena, &y));
            ck_assert_uint_eq(sealed.at, b.n);
            ck_assert_uint_eq(x.n, y.n);
            ck_assert_mem_eq(x.values, y.values, x.n * DIM * sizeof *x.values);
            codec.counted = 1; /* a mark for each row besides */
            struct frs_buffer marked = {0}, none_sent = {0};
            ck_assert_uint_eq(frs_message_put_parts(&marked, &codec, &scene.update, 1, NULL, how), nominal);
            size_t sealed_values = 0;
            how.values = &sealed_values;
            plain.codec->encode(plain.settings, &scene.update, &how, &none_sent);
            ck_assert_uint_eq(marked.n - b.n, s.mechanism->sealed_bytes(s.settings, sealed_values + ROWS) -
                                                  s.mechanism->sealed_bytes(s.settings, sealed_values));
            frs_buffer_fini(&none_sent);
            frs_buffer_fini(&marked);
            for (size_t cut = 1; cut <= b.n && cut < 3000; cut++) {
                sealed = frs_reader_init(b.bytes, b.n - cut);
                ck_assert(!frs_message_parts(&sealed, &codec, &shape, 1, NULL, &scene.arena, &y));
            }
            frs_buffer_fini(&a);
            frs_buffer_fini(&b);
            frs_arena_fini(&scene.arena);
        }
        end(&s);
    }
    free(topk);
    frs_values_fini(&none);
}
END_TEST

/* Never fewer bytes than the values had, never fewer for more of them, and as many units as bytes tell. */
START_TEST(sizes_never_fall_with_values) {
    for (size_t i = 0; frs_privacy_mechanisms[i]; i++) {
        struct subject s = begin(i, 0);
        uint64_t before = 0;
        for (size_t n = 0; s.mechanism->sealed_bytes && n < 100000; n = n * 2 + 1) {
            uint64_t bytes = s.mechanism->sealed_bytes(s.settings, n);
            ck_assert_uint_ge(bytes, 4 * n);
            ck_assert_uint_ge(bytes, before);
            ck_assert_double_ge(s.mechanism->units(s.settings, (double)bytes + 50),
                s.mechanism->units(s.settings, (double)bytes));
            before = bytes;
        }
        end(&s);
    }
}
END_TEST

int main(void) {
    Suite *suite = suite_create("every privacy mechanism");
    TCase *tests = tcase_create("every privacy mechanism");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, states_and_updates_alike);
    tcase_add_test(tests, updates_are_within_their_bound);
    tcase_add_test(tests, claims_are_finite_and_grow);
    tcase_add_test(tests, sealed_messages_decode_and_damage_is_refused);
    tcase_add_test(tests, sizes_never_fall_with_values);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
