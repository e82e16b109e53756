#include "sim/setup/declared.h"
#include "sim/base/memory.h"
#include "sim/base/settings/params.h"

#include <math.h>
#include <stdlib.h>

/* Clients at even places, whose mean stands for all. */
#define ASKED 1000u

static bool read_amount(struct frs_declared_amount *amount, const struct frs_distribution_section *section,
    const struct frs_strata *strata, enum frs_purpose purpose, struct frs_errors *errors) {
    bool good = frs_kinds_read(&amount->kinds, section->values, strata, errors);
    amount->purpose = purpose;
    amount->distributions = frs_alloc(amount->kinds.n, sizeof *amount->distributions);
    for (size_t kind = 0; good && kind < amount->kinds.n; kind++) {
        frs_kinds_look_at(&amount->kinds, section->values, kind);
        good = frs_distribution_read(section->plugin, section->values, &amount->distributions[kind], errors);
    }
    return good;
}

static bool read_works(struct frs_declared *declared, const struct frs_values *method,
    const struct frs_strata *strata, struct frs_errors *errors) {
    if (!frs_kinds_read(&declared->kinds, method, strata, errors))
        return false;
    declared->works = frs_alloc(declared->kinds.n, sizeof *declared->works);
    for (size_t kind = 0; kind < declared->kinds.n; kind++) {
        frs_kinds_look_at(&declared->kinds, method, kind);
        declared->works[kind] = (struct frs_declared_work){.samples = frs_values_real(method, "work_samples"),
            .time_s = frs_values_real(method, "work_time"),
            .post_flop = frs_values_real(method, "post_work")};
    }
    return true;
}

static double draw(
    const struct frs_declared *declared, const struct frs_declared_amount *amount, uint32_t client) {
    return frs_distribution_draw(
        &amount->distributions[frs_kind_of(&amount->kinds, client)], declared->seed, client, amount->purpose);
}

static struct frs_work work_of(const struct frs_workload *workload, uint32_t client) {
    /* The workload is the first member. */
    const struct frs_declared *declared = (const struct frs_declared *)(const void *)workload;
    const struct frs_declared_work *work = &declared->works[frs_kind_of(&declared->kinds, client)];
    return (struct frs_work){.down_bytes = (uint64_t)llround(draw(declared, &declared->down, client)),
        .up_bytes = (uint64_t)llround(draw(declared, &declared->up, client)),
        .flop = draw(declared, &declared->flop, client),
        .samples = work->samples,
        .time_s = work->time_s,
        .post_flop = work->post_flop};
}

static struct frs_work mean(const struct frs_workload *workload, uint32_t n_clients) {
    uint32_t n = n_clients < ASKED ? n_clients : ASKED;
    double down_bytes = 0, up_bytes = 0;
    struct frs_work mean = {0};
    for (uint32_t i = 0; i < n; i++) {
        struct frs_work work = workload->of(workload, (uint32_t)((uint64_t)i * n_clients / n));
        down_bytes += (double)work.down_bytes / n;
        up_bytes += (double)work.up_bytes / n;
        mean.flop += work.flop / n;
        mean.samples += work.samples / n;
        mean.time_s += work.time_s / n;
        mean.post_flop += work.post_flop / n;
    }
    mean.down_bytes = (uint64_t)llround(down_bytes);
    mean.up_bytes = (uint64_t)llround(up_bytes);
    return mean;
}

struct frs_declared *frs_declared_read(const struct frs_declared_sections *sections,
    const struct frs_strata *strata, uint32_t n_clients, struct frs_errors *errors) {
    struct frs_declared *declared = frs_alloc(1, sizeof *declared);
    declared->workload.of = work_of;
    declared->seed = strata->seed;
    bool good = read_amount(&declared->down, &sections->down, strata, FRS_RNG_SIZE_DOWN, errors);
    good = read_amount(&declared->up, &sections->up, strata, FRS_RNG_SIZE_UP, errors) && good;
    good = read_amount(&declared->flop, &sections->work, strata, FRS_RNG_WORK, errors) && good;
    good = read_works(declared, sections->method, strata, errors) && good;
    if (good) {
        declared->workload.mean = mean(&declared->workload, n_clients);
        return declared;
    }
    frs_declared_destroy(declared);
    return NULL;
}

static void fini_amount(struct frs_declared_amount *amount) {
    for (size_t kind = 0; amount->distributions && kind < amount->kinds.n; kind++)
        frs_distribution_fini(&amount->distributions[kind]);
    free(amount->distributions);
}

void frs_declared_destroy(struct frs_declared *declared) {
    if (!declared)
        return;
    fini_amount(&declared->down);
    fini_amount(&declared->up);
    fini_amount(&declared->flop);
    free(declared->works);
    free(declared);
}
