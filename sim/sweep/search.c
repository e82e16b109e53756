#include "sim/sweep/search.h"
#include "sim/base/memory.h"

#include <stdint.h>
#include <stdlib.h>

/* Settings are counted from the end where the search begins: 0 is the one that is wanted most. */
struct walk {
    const struct frs_search *search;
    bool *tried; /* [n] */
};

static size_t setting_at(const struct walk *walk, size_t place) {
    return walk->search->wanted == FRS_LARGEST ? walk->search->n - 1 - place : place;
}

static bool is_good(const struct walk *walk, size_t place) {
    return walk->search->is_good(walk->search->context, setting_at(walk, place));
}

static enum frs_status try_one(struct walk *walk, size_t place, struct frs_errors *errors) {
    size_t setting = setting_at(walk, place);
    if (walk->tried[place])
        return FRS_OK;
    walk->tried[place] = true;
    return walk->search->try(walk->search->context, &setting, 1, errors);
}

static enum frs_status try_all(struct walk *walk, struct frs_errors *errors) {
    size_t *settings = frs_alloc(walk->search->n, sizeof *settings);
    for (size_t i = 0; i < walk->search->n; i++) {
        settings[i] = i;
        walk->tried[i] = true;
    }
    enum frs_status status = walk->search->try(walk->search->context, settings, walk->search->n, errors);
    free(settings);
    return status;
}

/* Whether what has been tried goes up here and down there. */
static bool turns_round(const struct walk *walk) {
    size_t last = SIZE_MAX;
    int direction = 0;
    for (size_t i = 0; i < walk->search->n; i++) {
        if (!walk->tried[i])
            continue;
        int step = last == SIZE_MAX ? 0
                                    : walk->search->step(
                                          walk->search->context, setting_at(walk, last), setting_at(walk, i));
        if (step * direction < 0)
            return true;
        direction = step ? step : direction;
        last = i;
    }
    return false;
}

static void answer(const struct walk *walk, size_t place, struct frs_found *found) {
    *found = (struct frs_found){.any = true,
        .setting = setting_at(walk, place),
        .has_next = place > 0,
        .next = place > 0 ? setting_at(walk, place - 1) : 0,
        .by_halving = found->by_halving};
}

/* The first good one of all. */
static void look_through(const struct walk *walk, struct frs_found *found) {
    found->by_halving = false;
    for (size_t i = 0; i < walk->search->n && !found->any; i++)
        if (is_good(walk, i))
            answer(walk, i, found);
}

static void choose_best(const struct walk *walk, struct frs_found *found) {
    const struct frs_search *search = walk->search;
    found->by_halving = false;
    for (size_t i = 0; i < search->n; i++)
        if (search->is_good(search->context, i) &&
            (!found->any || search->is_better(search->context, found->setting, i)))
            *found = (struct frs_found){.any = true, .setting = i};
}

/* Between place `bad` and place `good`, which have been tried. *halved: what was seen on the way allowed it. */
static enum frs_status halve(struct walk *walk, size_t bad, size_t good, bool *halved,
    struct frs_found *found, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    while (status == FRS_OK && *halved && good - bad > 1) {
        size_t middle = bad + (good - bad) / 2;
        status = try_one(walk, middle, errors);
        if (status == FRS_OK && is_good(walk, middle))
            good = middle;
        else
            bad = middle;
        *halved = status == FRS_OK && !turns_round(walk);
    }
    if (status == FRS_OK && *halved)
        answer(walk, good, found);
    return status;
}

static enum frs_status search(struct walk *walk, struct frs_found *found, struct frs_errors *errors) {
    size_t last = walk->search->n - 1;
    bool halved = true;
    enum frs_status status = try_one(walk, 0, errors);
    if (status == FRS_OK && is_good(walk, 0)) {
        answer(walk, 0, found);
        return FRS_OK;
    }
    if (status == FRS_OK)
        status = try_one(walk, last, errors);
    if (status == FRS_OK && is_good(walk, last)) {
        status = halve(walk, 0, last, &halved, found, errors);
    } else if (status == FRS_OK) {
        status = try_one(walk, last / 2, errors);
        halved = status == FRS_OK && !is_good(walk, last / 2) && !turns_round(walk);
    }
    if (status != FRS_OK || halved)
        return status;
    status = try_all(walk, errors);
    if (status == FRS_OK)
        look_through(walk, found);
    return status;
}

enum frs_status frs_search_run(
    const struct frs_search *what, struct frs_found *found, struct frs_errors *errors) {
    struct walk walk = {what, frs_alloc(what->n, sizeof *walk.tried)};
    *found = (struct frs_found){.by_halving = true};
    enum frs_status status;
    if (what->wanted == FRS_BEST) {
        status = try_all(&walk, errors);
        if (status == FRS_OK)
            choose_best(&walk, found);
    } else {
        status = search(&walk, found, errors);
    }
    free(walk.tried);
    return status;
}
