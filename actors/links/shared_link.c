#include "actors/links/shared_link.h"
#include "sim/base/heap.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define NO_GROUP UINT32_MAX

struct flow {
    uint32_t group; /* NO_GROUP: not flowing */
    double entry;   /* W of its group when it came */
    double tag;     /* W at which it ends */
};

/* Flows of one capacity. */
struct group {
    double capacity;
    bool shared;
    double service;        /* W at the reference */
    double reference;      /* a time when capped, a value of V when shared */
    struct frs_heap flows; /* by tag */
};

struct frs_shared_link {
    double capacity;
    double now_s, virtual_now; /* V */
    double most_capacity;      /* ever */
    double capped_sum;         /* Σ capacities of capped flows */
    double carried, slack;     /* bytes */
    double peak;               /* bytes per second */
    size_t n_shared, n;
    bool dirty; /* flows came or went since the groups were last put on their sides */
    struct flow *flows;
    size_t n_flows, flows_capacity;
    struct frs_heap_places flow_places;
    struct group *groups;
    size_t n_groups, groups_capacity;
    uint32_t *free_groups;
    size_t n_free, free_capacity;
    struct frs_heap capped_by_end, capped_by_capacity, shared_by_end, shared_by_capacity;
    struct frs_heap_places places[4];
    uint32_t *table; /* capacity → group, open addressing, NO_GROUP: empty */
    size_t table_size;
};

struct frs_shared_link *frs_shared_link_create(double capacity_bytes_per_s) {
    struct frs_shared_link *link = frs_alloc(1, sizeof *link);
    link->capacity = link->most_capacity = capacity_bytes_per_s;
    link->capped_by_end.places = &link->places[0];
    link->capped_by_capacity.places = &link->places[1];
    link->shared_by_end.places = &link->places[2];
    link->shared_by_capacity.places = &link->places[3];
    link->table_size = 16;
    link->table = frs_alloc(link->table_size, sizeof *link->table);
    memset(link->table, 0xff, link->table_size * sizeof *link->table);
    return link;
}

void frs_shared_link_destroy(struct frs_shared_link *link) {
    if (!link)
        return;
    for (size_t g = 0; g < link->n_groups; g++)
        frs_heap_fini(&link->groups[g].flows);
    frs_heap_fini(&link->capped_by_end);
    frs_heap_fini(&link->capped_by_capacity);
    frs_heap_fini(&link->shared_by_end);
    frs_heap_fini(&link->shared_by_capacity);
    for (size_t i = 0; i < 4; i++)
        frs_heap_places_fini(&link->places[i]);
    frs_heap_places_fini(&link->flow_places);
    free(link->flows);
    free(link->groups);
    free(link->free_groups);
    free(link->table);
    free(link);
}

/* Groups by capacity. */

static size_t slot_of(const struct frs_shared_link *link, double capacity) {
    uint64_t bits;
    memcpy(&bits, &capacity, sizeof bits);
    return (size_t)((bits * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & (link->table_size - 1);
}

static void insert(struct frs_shared_link *link, uint32_t g) {
    size_t at = slot_of(link, link->groups[g].capacity);
    while (link->table[at] != NO_GROUP)
        at = (at + 1) & (link->table_size - 1);
    link->table[at] = g;
}

static size_t find(const struct frs_shared_link *link, double capacity) {
    size_t at = slot_of(link, capacity);
    while (link->table[at] != NO_GROUP && link->groups[link->table[at]].capacity != capacity)
        at = (at + 1) & (link->table_size - 1);
    return at;
}

static void grow_table(struct frs_shared_link *link) {
    uint32_t *old = link->table;
    size_t old_size = link->table_size;
    link->table_size *= 2;
    link->table = frs_alloc(link->table_size, sizeof *link->table);
    memset(link->table, 0xff, link->table_size * sizeof *link->table);
    for (size_t i = 0; i < old_size; i++)
        if (old[i] != NO_GROUP)
            insert(link, old[i]);
    free(old);
}

/* Closes the gap that an entry leaves by moving later ones of the same chain up. */
static void erase(struct frs_shared_link *link, double capacity) {
    size_t mask = link->table_size - 1, gap = find(link, capacity);
    for (size_t at = (gap + 1) & mask; link->table[at] != NO_GROUP; at = (at + 1) & mask) {
        size_t home = slot_of(link, link->groups[link->table[at]].capacity);
        if (((at - home) & mask) >= ((at - gap) & mask)) {
            link->table[gap] = link->table[at];
            gap = at;
        }
    }
    link->table[gap] = NO_GROUP;
}

/* Service and sides. */

static double service_now(const struct frs_shared_link *link, const struct group *group) {
    return group->shared ? group->service + (link->virtual_now - group->reference)
                         : group->service + group->capacity * (link->now_s - group->reference);
}

static double share(const struct frs_shared_link *link) {
    return (link->capacity - link->capped_sum) / (double)link->n_shared;
}

/* Flows that are not capped fill the link. */
static double rate_of_all(const struct frs_shared_link *link) {
    return link->n_shared > 0 ? link->capacity : link->capped_sum;
}

/* The end of a flow is a time, and is found from counters: both have the precision of a number. */
static void add_slack(struct frs_shared_link *link, const struct flow *flow) {
    double own = link->groups[flow->group].capacity,
           rate = own < link->most_capacity ? own : link->most_capacity;
    link->slack += 4 * DBL_EPSILON * (rate * link->now_s + flow->tag + link->virtual_now);
}

static void put_end(struct frs_shared_link *link, uint32_t g) {
    const struct group *group = &link->groups[g];
    double left = frs_heap_top(&group->flows)->key - group->service;
    if (group->shared)
        frs_heap_put(&link->shared_by_end, g, group->reference + left, g);
    else
        frs_heap_put(&link->capped_by_end, g, group->reference + left / group->capacity, g);
}

static void enter_side(struct frs_shared_link *link, uint32_t g, bool shared) {
    struct group *group = &link->groups[g];
    group->shared = shared;
    group->reference = shared ? link->virtual_now : link->now_s;
    if (shared) {
        link->n_shared += group->flows.n;
        frs_heap_put(&link->shared_by_capacity, g, group->capacity, g);
    } else {
        link->capped_sum += group->capacity * (double)group->flows.n;
        frs_heap_put(&link->capped_by_capacity, g, -group->capacity, g);
    }
    put_end(link, g);
}

static void leave_side(struct frs_shared_link *link, uint32_t g) {
    struct group *group = &link->groups[g];
    group->service = service_now(link, group);
    if (group->shared) {
        link->n_shared -= group->flows.n;
        frs_heap_remove(&link->shared_by_end, g);
        frs_heap_remove(&link->shared_by_capacity, g);
    } else {
        link->capped_sum -= group->capacity * (double)group->flows.n;
        frs_heap_remove(&link->capped_by_end, g);
        frs_heap_remove(&link->capped_by_capacity, g);
        if (!frs_heap_top(&link->capped_by_capacity))
            link->capped_sum = 0; /* forgets rounding of fractional capacities */
    }
}

static void move(struct frs_shared_link *link, uint32_t g, bool shared) {
    leave_side(link, g);
    if (shared && link->n_shared == 0)
        link->virtual_now = 0;
    enter_side(link, g, shared);
}

/* Puts every group on its side: it is capped if its capacity is at most the share of the uncapped groups.
 * Compares products, not quotients, so that whole-byte capacities are decided exactly. */
static void rebalance(struct frs_shared_link *link) {
    const struct frs_heap_entry *top;
    link->dirty = false;
    while ((top = frs_heap_top(&link->capped_by_capacity))) {
        double left = link->capacity - link->capped_sum;
        bool fits = link->n_shared > 0 ? -top->key * (double)link->n_shared <= left : left >= 0;
        if (fits)
            break;
        move(link, top->item, true);
    }
    while ((top = frs_heap_top(&link->shared_by_capacity)) &&
           top->key * (double)link->n_shared <= link->capacity - link->capped_sum)
        move(link, top->item, false);
}

/* All groups are on their sides for the time from link->now_s to now_s. */
static void advance(struct frs_shared_link *link, double now_s) {
    if (now_s <= link->now_s)
        return;
    if (link->dirty)
        rebalance(link);
    if (link->n_shared > 0)
        link->virtual_now += share(link) * (now_s - link->now_s);
    double rate = rate_of_all(link);
    link->carried += rate * (now_s - link->now_s);
    link->peak = rate > link->peak ? rate : link->peak;
    link->now_s = now_s;
}

static struct flow *flow_at(struct frs_shared_link *link, uint32_t id) {
    link->flows = frs_grow(link->flows, (size_t)id + 1, &link->flows_capacity, sizeof *link->flows);
    while (link->n_flows <= id)
        link->flows[link->n_flows++] = (struct flow){.group = NO_GROUP};
    return &link->flows[id];
}

static uint32_t new_group(struct frs_shared_link *link, double capacity) {
    uint32_t g;
    if (link->n_free > 0) {
        g = link->free_groups[--link->n_free];
    } else {
        link->groups =
            frs_grow(link->groups, link->n_groups + 1, &link->groups_capacity, sizeof *link->groups);
        g = (uint32_t)link->n_groups++;
        link->groups[g] = (struct group){.flows = {.places = &link->flow_places}};
    }
    if (2 * (link->n_groups - link->n_free + 1) > link->table_size)
        grow_table(link);
    link->groups[g].capacity = capacity;
    link->groups[g].service = 0;
    insert(link, g);
    return g;
}

void frs_shared_link_add(
    struct frs_shared_link *link, uint32_t id, double now_s, double capacity_bytes_per_s, double bytes) {
    FRS_INVARIANT(capacity_bytes_per_s > 0 && bytes > 0, "flow %u of %g bytes at %g bytes/s", id, bytes,
        capacity_bytes_per_s);
    advance(link, now_s);
    struct flow *flow = flow_at(link, id);
    FRS_INVARIANT(flow->group == NO_GROUP, "flow %u is already there", id);
    uint32_t g = link->table[find(link, capacity_bytes_per_s)];
    bool fresh = g == NO_GROUP;
    if (fresh)
        g = new_group(link, capacity_bytes_per_s);
    struct group *group = &link->groups[g];
    double service = fresh ? 0 : service_now(link, group);
    *flow = (struct flow){.group = g, .entry = service, .tag = service + bytes};
    frs_heap_put(&group->flows, id, flow->tag, id);
    if (fresh) {
        enter_side(link, g, false);
    } else {
        if (group->shared)
            link->n_shared++;
        else
            link->capped_sum += group->capacity;
        put_end(link, g);
    }
    link->n++;
    link->dirty = true;
}

void frs_shared_link_set_capacity(struct frs_shared_link *link, double now_s, double capacity_bytes_per_s) {
    advance(link, now_s);
    link->capacity = capacity_bytes_per_s;
    if (capacity_bytes_per_s > link->most_capacity)
        link->most_capacity = capacity_bytes_per_s;
    link->dirty = true;
}

/* Takes a flow out of its group, and an empty group out of the link. */
static void drop(struct frs_shared_link *link, uint32_t id) {
    uint32_t g = link->flows[id].group;
    struct group *group = &link->groups[g];
    add_slack(link, &link->flows[id]);
    link->flows[id].group = NO_GROUP;
    link->n--;
    link->dirty = true;
    if (group->flows.n > 1) {
        frs_heap_remove(&group->flows, id);
        if (group->shared)
            link->n_shared--;
        else
            link->capped_sum -= group->capacity;
        put_end(link, g);
        return;
    }
    leave_side(link, g);
    frs_heap_remove(&group->flows, id);
    erase(link, group->capacity);
    link->free_groups =
        frs_grow(link->free_groups, link->n_free + 1, &link->free_capacity, sizeof *link->free_groups);
    link->free_groups[link->n_free++] = g;
}

double frs_shared_link_remove(struct frs_shared_link *link, uint32_t id, double now_s) {
    FRS_INVARIANT(id < link->n_flows && link->flows[id].group != NO_GROUP, "flow %u is not there", id);
    advance(link, now_s);
    struct flow flow = link->flows[id];
    double received = service_now(link, &link->groups[flow.group]) - flow.entry,
           whole = flow.tag - flow.entry;
    drop(link, id);
    return received < 0 ? 0 : received > whole ? whole : received;
}

double frs_shared_link_next_s(struct frs_shared_link *link) {
    if (link->dirty)
        rebalance(link);
    double next_s = INFINITY;
    const struct frs_heap_entry *top = frs_heap_top(&link->capped_by_end);
    if (top)
        next_s = top->key;
    top = frs_heap_top(&link->shared_by_end);
    if (top) {
        double left = top->key - link->virtual_now;
        double end_s = link->now_s + (left > 0 ? left / share(link) : 0);
        next_s = end_s < next_s ? end_s : next_s;
    }
    return next_s < link->now_s ? link->now_s : next_s;
}

int frs_shared_link_pop(struct frs_shared_link *link, double now_s, uint32_t *id) {
    double next_s = frs_shared_link_next_s(link);
    if (next_s > now_s)
        return 0;
    const struct frs_heap_entry *capped = frs_heap_top(&link->capped_by_end);
    bool is_capped = capped && capped->key <= next_s;
    uint32_t g = is_capped ? capped->item : frs_heap_top(&link->shared_by_end)->item;
    advance(link, next_s);
    struct group *group = &link->groups[g];
    /* A flow that ends has received everything, whatever rounding says: counters snap to its tag. */
    double tag = frs_heap_top(&group->flows)->key;
    *id = frs_heap_top(&group->flows)->item;
    if (group->shared) {
        double due = group->reference + (tag - group->service);
        if (link->virtual_now < due)
            link->virtual_now = due;
    }
    drop(link, *id);
    return 1;
}

double frs_shared_link_rate(struct frs_shared_link *link, uint32_t id) {
    if (link->dirty)
        rebalance(link);
    const struct group *group = &link->groups[link->flows[id].group];
    return group->shared ? share(link) : group->capacity;
}

double frs_shared_link_peak(const struct frs_shared_link *link) {
    return link->peak;
}

size_t frs_shared_link_n(const struct frs_shared_link *link) {
    return link->n;
}

double frs_shared_link_carried(const struct frs_shared_link *link, double *slack_bytes) {
    *slack_bytes = link->slack;
    return link->carried;
}
