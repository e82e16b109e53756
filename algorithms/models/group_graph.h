/* Group graph: the graph over which a group of clients propagates (SemiDFEGL). Each client has the star of
 * its own items, and all clients of the group are connected to the group's common items:
 *
 *   u⁰ = p        u^{l+1} = a (Σ own y^l + Σ common x^l)     a = 1/√(own + common) for the client's degree
 *   y⁰ = e        y^{l+1} = a u^l                            an own item, whose only neighbour is the client
 *   x⁰ = e        x^{l+1} = b Σ over the group a_v u_v^l     a common item, b = 1/√(clients of the group)
 *
 * and what predicts are means over the layers 0 … L (LightGCN, He et al. 2020): f_u for the client, and e +
 * what its neighbours add for an item, over L + 1. An item that is both an own and a common one has both
 * additions: its node in the star is the client's copy.
 *
 * From layer 1 on all common items are alike, so that a vector stands for them, and of the other clients one
 * knows only `others`: b Σ over the others a_v u_v^{l−1} for the layers l = 1 … L. Pure. */
#ifndef FRS_ALGORITHMS_MODELS_GROUP_GRAPH_H
#define FRS_ALGORITHMS_MODELS_GROUP_GRAPH_H

#include "sim/base/arena.h"

#include <stdbool.h>

/* A client as its group sees it. */
struct frs_group_member {
    const float *p, *own_sum; /* [dim] its vector; Σ e of its own items */
    float own;                /* how many these are */
};

/* A group as one of its clients sees it. */
struct frs_group_view {
    size_t clients;          /* of the group, itself included; 0: it has no group */
    size_t common;           /* common items; 0 without a group */
    const float *common_sum; /* [dim] Σ e of them */
    const float *others;     /* [layers × dim] */
};

/* What a client predicts with, all over L + 1. */
struct frs_group_means {
    float *user;   /* [dim] f_u */
    float *own;    /* [dim] what is added to an own item's e / (L + 1), */
    float *common; /* [dim] and to a common item's */
};

/* others [n × layers × dim] of the n ≥ 1 clients of a group, added up in double precision in their order. */
void frs_group_graph_spread(const struct frs_group_member *members, size_t n, const float *common_sum,
    size_t common, size_t layers, size_t dim, float *others, struct frs_arena *arena);

/* How the clients of a group hear of each other where they send their layers themselves. */
struct frs_group_hearing {
    void *context;
    /* a_v u_v^l of client `from`, [dim], on its way: becomes what its receivers use. */
    void (*carry)(void *context, size_t layer, size_t from, float *vector);
    /* Whether client `to` hears of `from` in this layer. */
    bool (*heard)(void *context, size_t layer, size_t from, size_t to);
};

/* The same where each client adds up what it has heard itself: its next layer follows from that. b stays
 * 1/√n whoever is missing. */
void frs_group_graph_exchange(const struct frs_group_member *members, size_t n, const float *common_sum,
    size_t common, size_t layers, size_t dim, const struct frs_group_hearing *hearing, float *others,
    struct frs_arena *arena);

/* The client's own means, under what it knows of its group. */
void frs_group_graph_forward(const struct frs_group_member *member, const struct frs_group_view *view,
    size_t layers, size_t dim, const struct frs_group_means *means, struct frs_arena *arena);

/* The gradients of a loss with respect to p and to `own_sum` [dim each], from those with respect to the
 * means; what comes from others is constant. */
void frs_group_graph_backward(const struct frs_group_member *member, const struct frs_group_view *view,
    size_t layers, size_t dim, const struct frs_group_means *slopes, float *p, float *own_sum,
    struct frs_arena *arena);

/* Operations as they are run: of a forward pass; of a backward pass; of spreading among n clients. */
double frs_group_graph_forward_flop(size_t layers, size_t dim);
double frs_group_graph_backward_flop(size_t layers, size_t dim);
double frs_group_graph_spread_flop(size_t n, size_t layers, size_t dim);

#endif
