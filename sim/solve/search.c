#include "sim/solve/search.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Settings are counted from the end where the search begins: 0 is the one that is wanted most. */
struct walk {
    const struct frs_search *search;
    bool *tried; /* [n] by place */
    size_t left; /* of the budget */
    bool
        widest; /* whose turn it is, as long as none is good: the widest gap, or a place beside the nearest */
};

static size_t setting_at(const struct walk *walk, size_t place) {
    return walk->search->wanted == FRS_LARGEST ? walk->search->n - 1 - place : place;
}

static bool is_good(const struct walk *walk, size_t place) {
    return walk->tried[place] && walk->search->is_good(walk->search->context, setting_at(walk, place));
}

/* Without any budget left it stays untried. */
static enum frs_status try_one(struct walk *walk, size_t place, struct frs_errors *errors) {
    size_t setting = setting_at(walk, place);
    if (walk->tried[place] || walk->left == 0)
        return FRS_OK;
    walk->tried[place] = true;
    walk->left--;
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

/* ---- answers ---- */

static size_t count_untried(const struct walk *walk, size_t before) {
    size_t n = 0;
    for (size_t i = 0; i < before; i++)
        n += !walk->tried[i];
    return n;
}

static void answer(const struct walk *walk, size_t place, struct frs_found *found) {
    size_t next = place;
    while (next > 0 && (next == place || !walk->tried[next]))
        next--;
    bool has_next = place > 0 && walk->tried[next];
    *found = (struct frs_found){.any = true,
        .setting = setting_at(walk, place),
        .has_next = has_next,
        .next = has_next ? setting_at(walk, next) : 0,
        .by_halving = found->by_halving,
        .untried = count_untried(walk, place)};
}

static size_t first_good(const struct walk *walk) {
    size_t i = 0;
    while (i < walk->search->n && !is_good(walk, i))
        i++;
    return i;
}

/* The first good one of those tried. */
static void look_through(const struct walk *walk, struct frs_found *found) {
    size_t first = first_good(walk);
    found->by_halving = false;
    found->untried = count_untried(walk, walk->search->n);
    if (first < walk->search->n)
        answer(walk, first, found);
}

static void choose_best(const struct walk *walk, struct frs_found *found) {
    const struct frs_search *search = walk->search;
    found->by_halving = false;
    for (size_t i = 0; i < search->n; i++)
        if (search->is_good(search->context, i) &&
            (!found->any || search->is_better(search->context, found->setting, i)))
            *found = (struct frs_found){.any = true, .setting = i};
}

/* ---- where the figure rises or falls all the way ---- */

/* Halves between place `bad` and place `good`, which have been tried. *halved: the figures on the way
 * allowed halving. */
static enum frs_status halve(
    struct walk *walk, size_t bad, size_t good, bool *halved, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    while (
        status == FRS_OK && *halved && good - bad > 1 && (walk->left > 0 || walk->tried[(bad + good) / 2])) {
        size_t middle = bad + (good - bad) / 2;
        status = try_one(walk, middle, errors);
        if (status == FRS_OK && is_good(walk, middle))
            good = middle;
        else
            bad = middle;
        *halved = status == FRS_OK && !turns_round(walk);
    }
    *halved = *halved && good - bad == 1;
    return status;
}

/* ---- where it does not ---- */

/* Untried places from `begin` on, as many as there are in a row before `limit`. */
static size_t gap_at(const struct walk *walk, size_t begin, size_t limit) {
    size_t n = 0;
    while (begin + n < limit && !walk->tried[begin + n])
        n++;
    return n;
}

/* The middle of the widest gap before `limit`; `limit` without any. */
static size_t in_widest_gap(const struct walk *walk, size_t limit) {
    size_t widest = 0, middle = limit;
    for (size_t i = 0; i < limit; i++) {
        size_t n = gap_at(walk, i, limit);
        if (n > widest) {
            widest = n;
            middle = i + n / 2;
        }
        i += n;
    }
    return middle;
}

/* Returns the middle of the wider gap beside the tried place that is nearest to being good, among those
 * with a gap. */
static size_t beside_nearest(const struct walk *walk, size_t limit) {
    double least = INFINITY;
    size_t found = limit, before = 0;
    for (size_t i = 0; i < limit; i++) {
        if (!walk->tried[i])
            continue;
        size_t left = i - before, right = gap_at(walk, i + 1, limit);
        before = i + 1;
        double distance = walk->search->distance(walk->search->context, setting_at(walk, i));
        if ((left == 0 && right == 0) || !(distance < least))
            continue;
        least = distance;
        found = left > right ? i - left + left / 2 : i + 1 + right / 2;
    }
    return found;
}

/* The place to try next; the number of settings where none would change the answer. */
static size_t choose_place(struct walk *walk) {
    size_t n = walk->search->n, good = first_good(walk), bad = good, place = n;
    while (bad > 0 && good < n && (bad == good || !walk->tried[bad]))
        bad--;
    if (good < n && good - bad > 1)
        return bad + (good - bad) / 2;
    if (good == n && !walk->widest)
        place = beside_nearest(walk, n);
    walk->widest = !walk->widest;
    if (place == n) {
        size_t limit = good < n ? good : n;
        place = in_widest_gap(walk, limit);
        place = place == limit ? n : place;
    }
    return place;
}

static enum frs_status explore(struct walk *walk, struct frs_errors *errors) {
    enum frs_status status = FRS_OK;
    if (walk->left >= count_untried(walk, walk->search->n))
        return try_all(walk, errors);
    while (status == FRS_OK && walk->left > 0) {
        size_t place = choose_place(walk);
        if (place == walk->search->n)
            break;
        status = try_one(walk, place, errors);
    }
    return status;
}

/* ---- all of it ---- */

static enum frs_status search(struct walk *walk, struct frs_found *found, struct frs_errors *errors) {
    size_t last = walk->search->n - 1;
    enum frs_status status = try_one(walk, 0, errors);
    if (status == FRS_OK && is_good(walk, 0)) {
        answer(walk, 0, found);
        return FRS_OK;
    }
    if (status == FRS_OK)
        status = try_one(walk, last, errors);
    bool halved = status == FRS_OK && is_good(walk, last);
    if (halved)
        status = halve(walk, 0, last, &halved, errors);
    if (status == FRS_OK && halved)
        answer(walk, first_good(walk), found);
    if (status != FRS_OK || halved)
        return status;
    status = explore(walk, errors);
    if (status == FRS_OK)
        look_through(walk, found);
    return status;
}

enum frs_status frs_search_run(
    const struct frs_search *what, struct frs_found *found, struct frs_errors *errors) {
    struct walk walk = {
        what, frs_alloc(what->n, sizeof *walk.tried), what->budget ? what->budget : what->n, true};
    *found = (struct frs_found){.by_halving = true};
    for (size_t i = 0; what->known && i < what->n; i++)
        if (what->known[setting_at(&walk, i)]) {
            walk.tried[i] = true;
            walk.left -= walk.left > 0;
        }
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
