#include "actors/links/link_stars.h"
#include "actors/extremes.h"
#include "actors/links/shared_link.h"
#include "sim/base/errors.h"
#include "sim/base/heap.h"
#include "sim/base/memory.h"

#include <math.h>
#include <stdlib.h>

/* With access links flows have small numbers of their own in each link, not their places: a link's memory
 * follows its own flows. */
struct numbers {
    uint32_t *places; /* [n] of the flow with this number */
    uint32_t *free;   /* [n_free] */
    size_t n, n_free, capacity, free_capacity;
};

struct star {
    struct frs_shared_link *links[2]; /* down, up */
    struct numbers numbers[2];
    bool changed[2]; /* since its next end was looked up last */
};

struct frs_link_stars {
    struct star *stars; /* [n] */
    uint32_t n;
    /* With several stars: next ends, by 2 · star + up, and the links whose ends have to be looked up anew. */
    struct frs_heap ends;
    struct frs_heap_places places;
    uint32_t *changed; /* [n_changed] */
    size_t n_changed, capacity;
};

struct frs_link_stars *frs_link_stars_create(
    const double server_bytes_per_s[2], const double (*access_bytes_per_s)[2], uint32_t n_access) {
    struct frs_link_stars *stars = frs_alloc(1, sizeof *stars);
    *stars = (struct frs_link_stars){.n = 1 + n_access};
    stars->ends.places = &stars->places;
    stars->stars = frs_alloc(stars->n, sizeof *stars->stars);
    for (uint32_t i = 0; i < stars->n; i++)
        for (int up = 0; up < 2; up++)
            stars->stars[i].links[up] =
                frs_shared_link_create(i == 0 ? server_bytes_per_s[up] : access_bytes_per_s[i - 1][up]);
    return stars;
}

void frs_link_stars_destroy(struct frs_link_stars *stars) {
    if (!stars)
        return;
    for (uint32_t i = 0; i < stars->n; i++)
        for (int up = 0; up < 2; up++) {
            frs_shared_link_destroy(stars->stars[i].links[up]);
            free(stars->stars[i].numbers[up].places);
            free(stars->stars[i].numbers[up].free);
        }
    frs_heap_fini(&stars->ends);
    frs_heap_places_fini(&stars->places);
    free(stars->stars);
    free(stars->changed);
    free(stars);
}

/* Its next end may be another. */
static struct frs_shared_link *touch(struct frs_link_stars *stars, uint32_t star, bool up) {
    struct star *of = &stars->stars[star];
    if (stars->n > 1 && !of->changed[up]) {
        stars->changed =
            frs_grow(stars->changed, stars->n_changed + 1, &stars->capacity, sizeof *stars->changed);
        stars->changed[stars->n_changed++] = 2 * star + up;
        of->changed[up] = true;
    }
    return of->links[up];
}

static uint32_t number(struct frs_link_stars *stars, uint32_t star, bool up, uint32_t place) {
    struct numbers *numbers = &stars->stars[star].numbers[up];
    if (stars->n == 1)
        return place;
    uint32_t flow = numbers->n_free > 0 ? numbers->free[--numbers->n_free] : (uint32_t)numbers->n++;
    numbers->places = frs_grow(numbers->places, numbers->n, &numbers->capacity, sizeof *numbers->places);
    numbers->places[flow] = place;
    return flow;
}

/* Gives the number of a flow that has ended back, and returns its place. */
static uint32_t unnumber(struct frs_link_stars *stars, uint32_t star, bool up, uint32_t flow) {
    struct numbers *numbers = &stars->stars[star].numbers[up];
    if (stars->n == 1)
        return flow;
    numbers->free =
        frs_grow(numbers->free, numbers->n_free + 1, &numbers->free_capacity, sizeof *numbers->free);
    numbers->free[numbers->n_free++] = flow;
    return numbers->places[flow];
}

uint32_t frs_link_stars_add(struct frs_link_stars *stars, uint32_t star, bool up, uint32_t place,
    double now_s, double bytes_per_s, double bytes) {
    uint32_t flow = number(stars, star, up, place);
    frs_shared_link_add(touch(stars, star, up), flow, now_s, bytes_per_s, bytes);
    return flow;
}

double frs_link_stars_remove(
    struct frs_link_stars *stars, uint32_t star, bool up, uint32_t flow, double now_s) {
    unnumber(stars, star, up, flow);
    return frs_shared_link_remove(touch(stars, star, up), flow, now_s);
}

size_t frs_link_stars_n(const struct frs_link_stars *stars, bool up) {
    return frs_shared_link_n(stars->stars[0].links[up]);
}

void frs_link_stars_set_capacity(struct frs_link_stars *stars, bool up, double now_s, double bytes_per_s) {
    frs_shared_link_set_capacity(touch(stars, 0, up), now_s, bytes_per_s);
}

double frs_link_stars_peak(const struct frs_link_stars *stars, bool up) {
    return frs_shared_link_peak(stars->stars[0].links[up]);
}

double frs_link_stars_next_s(struct frs_link_stars *stars) {
    if (stars->n == 1)
        return frs_smaller(frs_shared_link_next_s(stars->stars[0].links[0]),
            frs_shared_link_next_s(stars->stars[0].links[1]));
    while (stars->n_changed > 0) {
        uint32_t link = stars->changed[--stars->n_changed];
        struct star *star = &stars->stars[link / 2];
        double next_s = frs_shared_link_next_s(star->links[link % 2]);
        star->changed[link % 2] = false;
        if (next_s < INFINITY)
            frs_heap_put(&stars->ends, link, next_s, link);
        else
            frs_heap_remove(&stars->ends, link);
    }
    const struct frs_heap_entry *top = frs_heap_top(&stars->ends);
    return top ? top->key : INFINITY;
}

/* Ends a flow of this link that is due by then, if there is one. */
static bool pop_of(struct frs_link_stars *stars, uint32_t star, bool up, double until_s, uint32_t *place) {
    uint32_t flow;
    if (!frs_shared_link_pop(stars->stars[star].links[up], until_s, &flow))
        return false;
    touch(stars, star, up);
    *place = unnumber(stars, star, up, flow);
    return true;
}

static bool pop_access(struct frs_link_stars *stars, double now_s, uint32_t *place) {
    while (frs_link_stars_next_s(stars) <= now_s) {
        uint32_t link = frs_heap_top(&stars->ends)->item;
        if (pop_of(stars, link / 2, link % 2, now_s, place))
            return true;
        touch(stars, link / 2, link % 2);
        FRS_INVARIANT(frs_link_stars_next_s(stars) > now_s || frs_heap_top(&stars->ends)->item != link,
            "link %u holds back an end", link);
    }
    return false;
}

bool frs_link_stars_pop(
    struct frs_link_stars *stars, const double server_until_s[2], double now_s, uint32_t *place) {
    return pop_of(stars, 0, false, server_until_s[0], place) ||
           pop_of(stars, 0, true, server_until_s[1], place) ||
           (stars->n > 1 && pop_access(stars, now_s, place));
}

double frs_link_stars_carried(const struct frs_link_stars *stars, bool server, bool up, double *slack_bytes) {
    double sum = 0;
    *slack_bytes = 0;
    for (uint32_t i = server ? 0 : 1; i < (server ? 1 : stars->n); i++) {
        double slack;
        sum += frs_shared_link_carried(stars->stars[i].links[up], &slack);
        *slack_bytes += slack;
    }
    return sum;
}
