#include "tests/algorithms/codecs/codec_fixture.h"
#include "sim/base/numbers/rng.h"
#include "sim/base/settings/params.h"

struct frs_codec_choice choose_codec(const char *name, const char *const *settings) {
    for (size_t i = 0; frs_codecs[i]; i++) {
        struct frs_codec_choice choice = {.codec = frs_codecs[i]};
        if (strcmp(choice.codec->plugin.name, name) != 0)
            continue;
        struct frs_values values = frs_values_of(choice.codec->plugin.params, settings);
        choice.settings = choice.codec->create ? choice.codec->create(&values) : NULL;
        frs_values_fini(&values);
        return choice;
    }
    ck_abort_msg("no codec %s", name);
    return (struct frs_codec_choice){0};
}

struct codec_table codec_random_table(struct frs_rng *rng, bool has_base) {
    size_t n_rows = 1 + frs_rng_below(rng, CODEC_MAX_ROWS), dim = 1 + frs_rng_below(rng, CODEC_MAX_DIM);
    size_t n = frs_rng_below(rng, (uint32_t)n_rows + 1);
    struct codec_table t = {.ids = random_subset(rng, (uint32_t)n_rows, (uint32_t)n),
        .values = frs_alloc(n * dim + 1, sizeof(float))};
    frs_rng_fill_normal(rng, t.values, n * dim, 1);
    if (has_base) {
        t.base = frs_alloc(n_rows * dim, sizeof(float));
        frs_rng_fill_normal(rng, t.base, n_rows * dim, 1);
    }
    t.rows = (struct frs_rows){.n_rows = n_rows, .dim = dim, .n = n, .ids = t.ids, .values = t.values};
    return t;
}

void codec_free_table(struct codec_table *t) {
    free(t->ids);
    free(t->values);
    free(t->base);
}

bool codec_decode(struct frs_codec_choice codec, const uint8_t *bytes, size_t n, const struct codec_table *t,
    struct frs_arena *arena, struct frs_rows *rows) {
    struct frs_reader in = frs_reader_init(bytes, n);
    return codec.codec->decode(codec.settings, &in, t->rows.n_rows, t->rows.dim, t->base, arena, rows) &&
           !in.failed && in.at == in.n;
}
