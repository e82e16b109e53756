#include "actors/peers/max_min.h"
#include "sim/base/heap.h"
#include "sim/base/memory.h"

#include <stdlib.h>
#include <string.h>

#define UNSET (-1.0)

struct frs_max_min {
    uint32_t n_links;
    double *bytes_per_s;
    double *left;     /* [n_links] that flows with a rate leave of it; */
    uint32_t *n_open; /* its flows without one; */
    uint32_t *start;  /* [n_links + 1] of its flows in `flows` */
    uint32_t *flows;  /* [2 · n] */
    size_t capacity;
    struct frs_heap shares; /* of links with open flows: what each of these would get */
    struct frs_heap_places places;
};

struct frs_max_min *frs_max_min_create(const double *bytes_per_s, uint32_t n_links) {
    struct frs_max_min *max_min = frs_alloc(1, sizeof *max_min);
    max_min->n_links = n_links;
    max_min->bytes_per_s = frs_alloc(n_links, sizeof *max_min->bytes_per_s);
    memcpy(max_min->bytes_per_s, bytes_per_s, n_links * sizeof *bytes_per_s);
    max_min->left = frs_alloc(n_links, sizeof *max_min->left);
    max_min->n_open = frs_alloc(n_links, sizeof *max_min->n_open);
    max_min->start = frs_alloc((size_t)n_links + 1, sizeof *max_min->start);
    max_min->shares.places = &max_min->places;
    return max_min;
}

void frs_max_min_destroy(struct frs_max_min *max_min) {
    if (!max_min)
        return;
    frs_heap_fini(&max_min->shares);
    frs_heap_places_fini(&max_min->places);
    free(max_min->bytes_per_s);
    free(max_min->left);
    free(max_min->n_open);
    free(max_min->start);
    free(max_min->flows);
    free(max_min);
}

static void put(struct frs_max_min *max_min, uint32_t link) {
    if (max_min->n_open[link] > 0)
        frs_heap_put(&max_min->shares, link, max_min->left[link] / max_min->n_open[link], link);
    else
        frs_heap_remove(&max_min->shares, link);
}

static void list_flows(struct frs_max_min *max_min, const uint32_t (*links)[2], uint32_t n) {
    max_min->flows = frs_grow(max_min->flows, 2 * (size_t)n + 1, &max_min->capacity, sizeof *max_min->flows);
    memset(max_min->n_open, 0, max_min->n_links * sizeof *max_min->n_open);
    for (uint32_t i = 0; i < n; i++)
        for (int end = 0; end < 2; end++)
            max_min->n_open[links[i][end]]++;
    max_min->start[0] = 0;
    for (uint32_t link = 0; link < max_min->n_links; link++) {
        max_min->start[link + 1] = max_min->start[link] + max_min->n_open[link];
        max_min->n_open[link] = 0;
    }
    for (uint32_t i = 0; i < n; i++)
        for (int end = 0; end < 2; end++) {
            uint32_t link = links[i][end];
            max_min->flows[max_min->start[link] + max_min->n_open[link]++] = i;
        }
}

void frs_max_min_solve(struct frs_max_min *max_min, const uint32_t (*links)[2], uint32_t n, double *rates) {
    list_flows(max_min, links, n);
    memcpy(max_min->left, max_min->bytes_per_s, max_min->n_links * sizeof *max_min->left);
    for (uint32_t i = 0; i < n; i++)
        rates[i] = UNSET;
    for (uint32_t link = 0; link < max_min->n_links; link++)
        put(max_min, link);
    const struct frs_heap_entry *fullest;
    while ((fullest = frs_heap_top(&max_min->shares))) {
        uint32_t link = fullest->item;
        double share = fullest->key;
        for (uint32_t at = max_min->start[link]; at < max_min->start[link + 1]; at++) {
            uint32_t flow = max_min->flows[at];
            if (rates[flow] != UNSET)
                continue;
            uint32_t other = links[flow][links[flow][0] == link];
            rates[flow] = share;
            max_min->left[other] = max_min->left[other] > share ? max_min->left[other] - share : 0;
            max_min->n_open[other]--;
            put(max_min, other);
        }
        max_min->n_open[link] = 0;
        put(max_min, link);
    }
}
