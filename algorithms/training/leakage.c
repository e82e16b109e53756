#include "algorithms/training/leakage.h"
#include "sim/base/memory.h"
#include "sim/base/order.h"
#include "algorithms/training/leakage_readers.h"

#include <math.h>
#include <stdlib.h>

static bool is_own(const struct frs_client_data *data, uint32_t item) {
    return bsearch(&item, data->items, data->n, sizeof *data->items, frs_compare_uint32s) != NULL;
}

static void find(struct frs_leakage *leakage, double found) {
    for (size_t reader = 0; reader < FRS_READERS; reader++)
        leakage->found[reader] += found;
}

/* The table that the client had been sent, where its upload has rows of the same length: the base of the
 * state in its rows, or of the gradients. NULL: there is none. */
static const float *sent_table(
    const struct frs_training_setup *setup, const struct frs_contribution *contribution) {
    struct frs_part parts[FRS_MAX_PARTS] = {{0}};
    if (contribution->base)
        return contribution->base->part[0];
    (void)frs_model_parts(setup->model, FRS_STATE, parts);
    return parts[0].dim == contribution->parts[0].dim ? frs_model_tables(setup->model).part[0] : NULL;
}

static void read_values(struct frs_leakage *leakage, const struct frs_training_setup *setup,
    const struct frs_contribution *contribution) {
    const struct frs_client_data *data = &setup->data->population.clients[contribution->client];
    const float *sent = sent_table(setup, contribution);
    struct frs_changes changes =
        frs_changes_of(&contribution->parts[0], contribution->base ? contribution->base->part[0] : NULL);
    struct frs_score *scores = frs_alloc_lazily(changes.n + 1, sizeof *scores);
    size_t own = 0;
    for (size_t i = 0; i < changes.n && changes.n <= data->n; i++)
        own += is_own(data, changes.items[i]);
    find(leakage, (double)own); /* as many as the client has, or fewer: there is nothing to choose */
    for (enum frs_reads reader = 0; reader < FRS_READERS && changes.n > data->n; reader++) {
        if (reader == FRS_READS_LINE && !sent)
            continue;
        frs_readers_score(&changes, reader, sent, scores);
        frs_readers_choose(scores, changes.n, data->n);
        for (size_t i = 0; i < data->n; i++)
            leakage->found[reader] += is_own(data, scores[i].item);
    }
    leakage->items += changes.n;
    leakage->interactions += data->n;
    free(scores);
    frs_changes_fini(&changes);
}

/* Places tell which rows were sent: as good as any n of them. */
static void read_places(struct frs_leakage *leakage, const struct frs_training_setup *setup,
    const struct frs_contribution *contribution) {
    const struct frs_client_data *data = &setup->data->population.clients[contribution->client];
    const struct frs_rows *rows = &contribution->parts[0];
    size_t own = 0;
    for (size_t i = 0; i < rows->n; i++)
        own += is_own(data, rows->ids[i]);
    leakage->items += rows->n;
    leakage->interactions += data->n;
    find(leakage, rows->n > data->n ? (double)own * (double)data->n / (double)rows->n : (double)own);
}

static void read_sums(struct frs_leakage *leakage, const struct frs_training_setup *setup,
    const struct frs_contribution *contributions, size_t n) {
    uint32_t n_items = setup->data->population.n_items, *touched = frs_alloc(n_items, sizeof *touched);
    for (size_t c = 0; c < n; c++) {
        const struct frs_rows *rows = &contributions[c].parts[0];
        for (size_t i = 0; i < rows->n; i++)
            touched[rows->ids ? rows->ids[i] : i]++;
    }
    for (uint32_t item = 0; item < n_items; item++) {
        leakage->sums += touched[item] > 0;
        leakage->sums_of_few += touched[item] > 0 && touched[item] < FRS_FEW;
    }
    free(touched);
}

struct frs_leakage_turns frs_leakage_turns(const struct frs_leakage *leakage, size_t n) {
    size_t most = leakage->uploads < FRS_READ_MANY ? FRS_READ_UPLOADS : 1;
    size_t step = n > most ? (n + most - 1) / most : 1;
    return (struct frs_leakage_turns){.first = leakage->uploads % step, .step = step};
}

/* Where clients hold several users, or send something other than a table of items, there is nothing to
 * find. */
static bool is_readable(const struct frs_training_setup *setup, const struct frs_contribution *contribution) {
    return !setup->data->population.users && contribution->parts[0].n_rows == setup->data->population.n_items;
}

void frs_leakage_upload(struct frs_leakage *leakage, const struct frs_training_setup *setup,
    const struct frs_contribution *contribution) {
    enum frs_sight sight = frs_privacy_sight(&setup->mechanisms);
    if (!is_readable(setup, contribution))
        return;
    leakage->uploads++;
    if (sight == FRS_SEES_VALUES)
        read_values(leakage, setup, contribution);
    else if (sight == FRS_SEES_CIPHERTEXTS && setup->uplink_codec.codec->reveals_rows)
        read_places(leakage, setup, contribution);
    else
        leakage->interactions += setup->data->population.clients[contribution->client].n;
}

void frs_leakage_add(struct frs_leakage *leakage, const struct frs_training_setup *setup,
    const struct frs_contribution *contributions, size_t n) {
    struct frs_leakage_turns turns = frs_leakage_turns(leakage, n);
    if (is_readable(setup, &contributions[0]) && frs_privacy_sight(&setup->mechanisms) == FRS_SEES_SUMS)
        read_sums(leakage, setup, contributions, n);
    for (size_t c = turns.first; c < n; c += turns.step)
        frs_leakage_upload(leakage, setup, &contributions[c]);
}

double frs_leakage_found(const struct frs_leakage *leakage) {
    double most = 0;
    for (size_t reader = 0; reader < FRS_READERS; reader++)
        most = fmax(most, leakage->found[reader]);
    return most;
}

void frs_leakage_archive(struct frs_leakage *leakage, struct frs_archive *archive) {
    frs_archive_bytes(archive, leakage, sizeof *leakage);
}
