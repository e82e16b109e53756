/* Contract of privacy mechanisms, in each place that the key `at` can choose, behind a clip that bounds
 * updates. */
#include "algorithms/messages/message.h"
#include "algorithms/privacy_mechanism.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/selftest/draws.h"
#include "sim/selftest/entry.h"
#include "sim/selftest/kinds.h"
#include "sim/selftest/uploads.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MECHANISM_H "algorithms/privacy_mechanism.h, "

enum { ROWS = 40, DIM = 6, STREAMS = 20 };

static const struct frs_privacy_setup usual_setup = {
    .n_values = ROWS * DIM, .n_rounds = 20, .n_clients = 100, .cohort = 10};

/* A mechanism behind a clip, or a clip alone. */
struct subject {
    struct frs_check *check;
    const struct frs_privacy_mechanism *mechanism;
    struct frs_privacy_mechanism_list list;
    void *settings;
    enum frs_privacy_place place;
};

/* Returns the n-th choice of the key `at`, from 0, or NULL behind the last one. Without such a key, the
 * only choice is "". */
static const char *place_of(const struct frs_plugin *plugin, size_t n) {
    for (const struct frs_param *p = plugin->params; p && p->key; p++)
        if (strcmp(p->key, "at") == 0 && p->type == FRS_CHOICE)
            return p->choices[n];
    return n == 0 ? "" : NULL;
}

/* The n-th key from 1 that is a number and off by default; n 0, or none: NULL. */
static const char *key_that_is_off(const struct frs_plugin *plugin, size_t n) {
    for (const struct frs_param *p = plugin->params; p && p->key && n > 0; p++)
        if (p->type == FRS_REAL && p->initial && strtod(p->initial, NULL) == 0 && --n == 0)
            return p->key;
    return NULL;
}

/* Creates a mechanism with its defaults in this place, and with one number switched on that is off by
 * default (NULL: none). Returns NULL after setting *why, which the caller frees. */
static void *create_with(struct frs_check *check, const struct frs_privacy_mechanism *mechanism,
    const char *at, const char *on, const struct frs_privacy_setup *setup, char **why) {
    const char *settings[5] = {NULL};
    size_t n = 0;
    if (*at) {
        settings[n++] = "at";
        settings[n++] = at;
    }
    if (on) {
        settings[n++] = on;
        settings[n] = "1";
    }
    struct frs_values values = frs_trial_values(check, &mechanism->plugin, settings);
    struct frs_errors errors = {0};
    void *made = mechanism->create(&values, setup, &errors);
    frs_clause(check, MECHANISM_H "create", "create gives settings, or adds an error and gives NULL");
    FRS_HOLDS(
        check, !made == (errors.n > 0), "it gave %s with %zu errors", made ? "settings" : "NULL", errors.n);
    if (!made && !*why)
        *why = frs_strdup(errors.lines[0]);
    frs_errors_clear(&errors);
    frs_values_fini(&values);
    return made;
}

/* Where the defaults are refused, what is off is tried one after the other. */
static void append(struct subject *s, const struct frs_privacy_mechanism *mechanism, const char *at,
    struct frs_privacy_setup *setup) {
    char *why = NULL;
    s->settings = create_with(s->check, mechanism, at, NULL, setup, &why);
    for (size_t n = 1; !s->settings && key_that_is_off(&mechanism->plugin, n); n++)
        s->settings =
            create_with(s->check, mechanism, at, key_that_is_off(&mechanism->plugin, n), setup, &why);
    if (!s->settings)
        frs_check_impossible(s->check, "its settings are refused: %s", why);
    free(why);
    s->list.of[s->list.n++] = (struct frs_privacy_choice){mechanism, s->settings};
    if (mechanism->bound)
        setup->bound = mechanism->bound(s->settings);
}

static const struct frs_privacy_mechanism *clip(void) {
    for (size_t i = 0; frs_privacy_mechanisms[i]; i++)
        if (strcmp(frs_privacy_mechanisms[i]->plugin.name, "clip") == 0)
            return frs_privacy_mechanisms[i];
    return NULL;
}

static struct subject begin(
    struct frs_check *check, const struct frs_privacy_mechanism *mechanism, const char *at) {
    struct subject s = {.check = check, .mechanism = mechanism};
    struct frs_privacy_setup setup = usual_setup;
    if (mechanism != clip())
        append(&s, clip(), "", &setup);
    append(&s, mechanism, at, &setup);
    s.place = mechanism->place(s.settings);
    return s;
}

static void end(struct subject *s) {
    frs_privacy_mechanism_list_fini(&s->list);
}

/* ---- values ----------------------------------------------------------------------------------- */

/* Random rows of a table; their base, and the rows as they would replace its own. */
struct scene {
    struct frs_arena arena;
    struct frs_rows update, state;
    struct frs_tables base;
};

static struct scene draw(uint32_t stream) {
    struct scene scene = {.arena = {0}};
    struct frs_rng rng = frs_check_rng(stream);
    uint32_t n = 1 + frs_rng_below(&rng, ROWS), *ids = frs_random_subset(&rng, ROWS, n);
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

/* On the client, or on the server where the mechanism stands there. */
static void apply(
    const struct subject *s, struct frs_rows *rows, const struct frs_tables *base, struct frs_arena *arena) {
    struct frs_rng rng = frs_check_rng(99);
    frs_privacy_values(&s->list, s->place == FRS_PRIVACY_DECODED ? FRS_PRIVACY_DECODED : FRS_PRIVACY_VALUES,
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

/* A change gives the same result whether it is sent as an update or as the rows it leads to, and the same
 * stream gives the same noise. */
static void states_and_updates_alike(struct subject *s) {
    struct frs_check *check = s->check;
    for (uint32_t stream = 0; stream < STREAMS; stream++) {
        struct scene scene = draw(stream);
        struct frs_rows update = scene.update, again = scene.update, state = scene.state;
        apply(s, &update, NULL, &scene.arena);
        apply(s, &again, NULL, &scene.arena);
        apply(s, &state, &scene.base, &scene.arena);
        frs_clause(check, MECHANISM_H "values", "the same stream gives the same values");
        FRS_HOLDS(check,
            update.n == again.n &&
                memcmp(update.values, again.values, update.n * DIM * sizeof *update.values) == 0,
            "%zu rows differ", update.n);
        frs_clause(check, MECHANISM_H "values",
            "an update is protected alike, whether changes are sent or the rows they lead to");
        FRS_HOLDS(check, update.n == state.n, "%zu rows and %zu", update.n, state.n);
        for (size_t row = 0; row < ROWS; row++)
            for (size_t k = 0; k < DIM; k++) {
                float base = scene.base.part[0][row * DIM + k], change = value_at(&update, row, k, 0),
                      moved = value_at(&state, row, k, base) - base;
                FRS_HOLDS(check, fabsf(change - moved) <= 1e-4F,
                    "value %zu of row %zu changes by %g, and by %g", k, row, (double)change, (double)moved);
            }
        frs_arena_fini(&scene.arena);
    }
}

static void updates_are_within_their_bound(struct subject *s) {
    if (!s->mechanism->bound)
        return;
    struct scene scene = draw(5);
    struct frs_bound bound = s->mechanism->bound(s->settings);
    struct frs_rows update = scene.update;
    double squares = 0, sum = 0, largest = 0;
    apply(s, &update, NULL, &scene.arena);
    for (size_t i = 0; i < update.n * DIM; i++) {
        squares += (double)update.values[i] * (double)update.values[i];
        sum += fabs((double)update.values[i]);
        largest = fmax(largest, fabs((double)update.values[i]));
    }
    double norm = bound.norm == FRS_BOUND_L2      ? sqrt(squares)
                  : bound.norm == FRS_BOUND_L1    ? sum
                  : bound.norm == FRS_BOUND_VALUE ? largest
                                                  : 0;
    frs_clause(s->check, MECHANISM_H "bound", "updates are within the bound that the mechanism states");
    FRS_HOLDS(
        s->check, norm <= bound.size * (1 + 1e-6), "the norm is %g, and the bound %g", norm, bound.size);
    frs_arena_fini(&scene.arena);
}

/* ---- claims ----------------------------------------------------------------------------------- */

static void it_stands_in_one_place(struct subject *s) {
    const struct frs_privacy_mechanism *m = s->mechanism;
    bool on_values = m->values && s->place == FRS_PRIVACY_VALUES;
    bool on_decoded = m->values && m->values_flop > 0 && s->place == FRS_PRIVACY_DECODED;
    bool on_messages = (m->sealed_bytes || m->masks) && s->place == FRS_PRIVACY_MESSAGE;
    bool on_sums = m->noise_sd && s->place == FRS_PRIVACY_AGGREGATE;
    frs_clause(s->check, MECHANISM_H "place", "the mechanism has what the place that it stands in needs");
    FRS_HOLDS(s->check, on_values + on_decoded + on_messages + on_sums == 1, "it has not, in place %d",
        (int)s->place);
    frs_clause(s->check, MECHANISM_H "modelled", "what is modelled stands on messages");
    FRS_HOLDS(s->check, !m->modelled || on_messages, "it stands in place %d", (int)s->place);
    if (!m->guarantee)
        return;
    struct frs_guarantee g = m->guarantee(s->settings);
    frs_clause(s->check, MECHANISM_H "guarantee",
        "a guarantee is local where noise is the client's, and there alone");
    FRS_HOLDS(
        s->check, g.local == on_values, "local is %s in place %d", g.local ? "true" : "false", (int)s->place);
    double one = frs_privacy_account(&g, 1, 20).epsilon, ten = frs_privacy_account(&g, 10, 20).epsilon;
    frs_clause(s->check, MECHANISM_H "guarantee", "epsilon is finite, above 0, and grows with releases");
    FRS_HOLDS(s->check, one > 0 && one < ten && isfinite(ten), "%g for one release, %g for ten", one, ten);
}

/* The deviation of noise on a sum is finite, and grows with the largest weight. */
static void noise_grows_with_weight(struct subject *s) {
    if (s->place != FRS_PRIVACY_AGGREGATE)
        return;
    double little = s->mechanism->noise_sd(s->settings, 0.1), much = s->mechanism->noise_sd(s->settings, 0.5);
    frs_clause(s->check, MECHANISM_H "noise_sd",
        "noise on a sum is finite, and no less where an upload weighs more");
    FRS_HOLDS(s->check, little >= 0 && little <= much && isfinite(much), "%g at a weight of 0.1, %g at 0.5",
        little, much);
}

/* Never fewer bytes than the values had, never fewer for more of them, and as many units as bytes tell. */
static void sizes_never_fall_with_values(struct subject *s) {
    uint64_t before = 0;
    for (size_t n = 0; s->mechanism->sealed_bytes && n < 100000; n = n * 2 + 1) {
        uint64_t bytes = s->mechanism->sealed_bytes(s->settings, n);
        frs_clause(s->check, MECHANISM_H "sealed_bytes",
            "a sealed size is at least four bytes for each value, and never falls");
        FRS_HOLDS(s->check, bytes >= 4 * n && bytes >= before, "%llu bytes for %zu values, %llu before",
            (unsigned long long)bytes, n, (unsigned long long)before);
        double units = s->mechanism->units(s->settings, (double)bytes),
               more = s->mechanism->units(s->settings, (double)bytes + 50);
        frs_clause(s->check, MECHANISM_H "units", "a longer message has no fewer units");
        FRS_HOLDS(s->check, units >= 0 && more >= units, "%g in %llu bytes, %g in 50 more", units,
            (unsigned long long)bytes, more);
        before = bytes;
    }
}

/* ---- messages --------------------------------------------------------------------------------- */

/* A mark for each row is among what is sealed, where averages are by item. */
static void check_marks(struct subject *s, const struct frs_codec_choice *plain,
    struct frs_codec_choice codec, struct scene *scene, size_t nominal, size_t sealed_bytes) {
    struct frs_buffer marked = {0}, bare = {0};
    size_t values = 0;
    struct frs_encoding how = {.arena = &scene->arena};
    codec.counted = 1;
    size_t counted = frs_message_put_parts(&marked, &codec, &scene->update, 1, NULL, how);
    how.values = &values;
    plain->codec->encode(plain->settings, &scene->update, &how, &bare);
    size_t expected = (size_t)(s->mechanism->sealed_bytes(s->settings, values + ROWS) -
                               s->mechanism->sealed_bytes(s->settings, values));
    frs_clause(s->check, MECHANISM_H "sealed_bytes", "a sealed message has the sealed size of what is in it");
    FRS_HOLDS(s->check, counted == nominal && marked.n - sealed_bytes == expected,
        "%zu bytes for %d marks instead of %zu, behind %s", marked.n - sealed_bytes, ROWS, expected,
        plain->codec->plugin.name);
    frs_buffer_fini(&bare);
    frs_buffer_fini(&marked);
}

/* Sealed messages decode to the same values as plain ones, are at least as large, and are refused when a
 * byte is missing. */
static void check_sealed(struct subject *s, const struct frs_codec *of) {
    const struct frs_part shape = {"items", ROWS, DIM};
    struct frs_codec_choice plain = frs_trial_codec(s->check, of), codec = plain;
    codec.seal = frs_privacy_in(&s->list, FRS_PRIVACY_MESSAGE);
    struct scene scene = draw(7);
    struct frs_buffer a = {0}, b = {0};
    struct frs_rows x, y;
    const char *name = of->plugin.name;
    struct frs_encoding how = {.arena = &scene.arena};
    size_t nominal = frs_message_put_parts(&a, &plain, &scene.update, 1, NULL, how),
           sealed_nominal = frs_message_put_parts(&b, &codec, &scene.update, 1, NULL, how);
    frs_clause(s->check, MECHANISM_H "sealed_bytes",
        "a sealed message weighs more than a plain one, and as many nominal bytes");
    FRS_HOLDS(s->check, sealed_nominal == nominal && b.n >= a.n + 8,
        "%zu bytes (%zu nominal), %zu (%zu) plain, behind %s", b.n, sealed_nominal, a.n, nominal, name);
    struct frs_reader in = frs_reader_init(a.bytes, a.n), sealed = frs_reader_init(b.bytes, b.n);
    bool decoded = frs_message_parts(&in, &plain, &shape, 1, NULL, &scene.arena, &x) &&
                   frs_message_parts(&sealed, &codec, &shape, 1, NULL, &scene.arena, &y);
    frs_clause(s->check, MECHANISM_H "sealed_bytes", "a sealed message decodes to what a plain one does");
    FRS_HOLDS(s->check,
        decoded && sealed.at == b.n && x.n == y.n &&
            memcmp(x.values, y.values, x.n * DIM * sizeof *x.values) == 0,
        "it does not, behind %s", name);
    check_marks(s, &plain, codec, &scene, nominal, b.n);
    frs_clause(s->check, MECHANISM_H "sealed_bytes", "a sealed message that was cut short is refused");
    for (size_t cut = 1; cut <= b.n && cut < 3000; cut++) {
        sealed = frs_reader_init(b.bytes, b.n - cut);
        FRS_HOLDS(s->check, !frs_message_parts(&sealed, &codec, &shape, 1, NULL, &scene.arena, &y),
            "the first %zu of %zu bytes are accepted, behind %s", b.n - cut, b.n, name);
    }
    frs_buffer_fini(&a);
    frs_buffer_fini(&b);
    frs_arena_fini(&scene.arena);
    free(plain.settings);
}

static void sealed_messages_are_sound(struct subject *s) {
    for (size_t i = 0; s->mechanism->sealed_bytes && frs_codec_plugins[i]; i++) {
        const struct frs_codec *codec = (const struct frs_codec *)(const void *)frs_codec_plugins[i];
        if (codec->sends_values)
            check_sealed(s, codec);
    }
}

/* ---- the entry -------------------------------------------------------------------------------- */

static void create_and_free(void *context, const struct frs_values *values) {
    const struct frs_privacy_mechanism *mechanism = context;
    struct frs_privacy_setup setup = usual_setup;
    struct frs_errors errors = {0};
    setup.bound = (struct frs_bound){FRS_BOUND_L2, 1};
    free(mechanism->create(values, &setup, &errors));
    frs_errors_clear(&errors);
}

void frs_check_mechanism(struct frs_check *check, const struct frs_plugin *plugin) {
    if (strcmp(plugin->name, "none") == 0) /* the empty place of a list, and no mechanism */
        return;
    /* The plug-in is the first member of its mechanism. */
    const struct frs_privacy_mechanism *mechanism =
        (const struct frs_privacy_mechanism *)(const void *)plugin;
    const struct frs_key_reader reader = {
        .where = MECHANISM_H "create", .read = create_and_free, .context = (void *)(uintptr_t)mechanism};
    frs_check_keys(check, plugin, &reader);
    for (size_t p = 0; place_of(plugin, p); p++) {
        struct subject s = begin(check, mechanism, place_of(plugin, p));
        it_stands_in_one_place(&s);
        states_and_updates_alike(&s);
        updates_are_within_their_bound(&s);
        noise_grows_with_weight(&s);
        sizes_never_fall_with_values(&s);
        sealed_messages_are_sound(&s);
        end(&s);
    }
}
