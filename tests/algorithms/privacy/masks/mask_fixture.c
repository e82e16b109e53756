#include "tests/algorithms/privacy/masks/mask_fixture.h"
#include "algorithms/privacy/masks/mask.h"

struct frs_mask_round mask_round(
    size_t n, size_t degree, double threshold, size_t n_values, unsigned bits, uint32_t seed) {
    struct frs_rng rng = test_rng(seed);
    struct frs_mask_round round = {
        .graph = frs_neighbours_draw(n, degree, &rng), .round = seed, .n_values = n_values, .bits = bits};
    round.threshold = frs_mask_threshold(threshold, round.graph.degree);
    return round;
}

static const enum frs_mask_reached reached_of[] = {[STAYS] = FRS_REACHED_UNMASKING,
    [BEFORE_KEYS] = FRS_REACHED_NOTHING,
    [BEFORE_SHARES] = FRS_REACHED_KEYS,
    [BEFORE_MASKED] = FRS_REACHED_SHARES,
    [BEFORE_UNMASKING] = FRS_REACHED_MASKED};

enum frs_mask_reached mask_reached(enum mask_vanishes vanishes) {
    return reached_of[vanishes];
}

static struct frs_rng stream(const void *context, uint32_t place) {
    const struct mask_play *play = context;
    return frs_rng_stream(77, place, play->round->round, 0, FRS_RNG_TEST);
}

static void seen(
    const void *context, enum frs_mask_kind kind, uint32_t place, const struct frs_buffer *message) {
    const struct mask_play *play = context;
    if (play->seen)
        play->seen(play->context, kind, place, message);
    if (play->survived && kind == FRS_MASK_MASKED)
        play->survived[place] = true;
}

bool mask_play(struct mask_play *play, uint32_t *sums) {
    size_t n = play->round->graph.n, m = play->round->n_values;
    enum frs_mask_reached *reached = frs_alloc(n, sizeof *reached);
    uint32_t *numbers = frs_alloc(n * m + 1, sizeof *numbers), **rows = frs_alloc(n, sizeof *rows);
    memcpy(numbers, play->numbers, n * m * sizeof *numbers);
    for (size_t i = 0; i < n; i++) {
        rows[i] = numbers + i * m;
        reached[i] = mask_reached(play->vanishes[i]);
        if (play->survived)
            play->survived[i] = false;
    }
    bool whole = frs_mask_play(&(struct frs_mask_play){.round = play->round,
                                   .reached = reached,
                                   .numbers = rows,
                                   .stream = stream,
                                   .seen = seen,
                                   .context = play},
        sums, &play->client_tally, &play->server_tally);
    free(rows);
    free(numbers);
    free(reached);
    return whole;
}

void mask_plain_sum(const struct mask_play *play, uint32_t *sums) {
    size_t n = play->round->graph.n, m = play->round->n_values;
    memset(sums, 0, m * sizeof *sums);
    for (size_t u = 0; u < n; u++)
        for (size_t i = 0; play->survived[u] && i < m; i++)
            sums[i] += play->numbers[u * m + i];
    frs_mask_reduce(sums, m, play->round->bits);
}
