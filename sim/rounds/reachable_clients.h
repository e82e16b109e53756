/* Reachable clients: an index of the clients that can be selected, for runs in which one client is
 * selected whenever another has ended.
 *
 * A client is in one of three states: it is taken (under way, or of no use any more), it can be selected,
 * or it is offline. For the last two states the index keeps the time at which they end, so that the cost
 * of an event grows with the changes since the previous event, not with the number of clients. It works
 * only for availability that is defined by times (frs_reachability_goes_by_time), or that the server does
 * not see. */
#ifndef FRS_ROUNDS_REACHABLE_CLIENTS_H
#define FRS_ROUNDS_REACHABLE_CLIENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frs_reachable_clients;

/* Whether a client that is not taken can be selected at now_s. Until *until_s, which is later than now_s,
 * the answer stays the same. */
typedef bool frs_reachable_at(const void *context, uint32_t client, double now_s, double *until_s);

/* Every client is taken. `context` is borrowed. */
struct frs_reachable_clients *frs_reachable_clients_create(
    uint32_t n_clients, frs_reachable_at *at, const void *context);

void frs_reachable_clients_destroy(struct frs_reachable_clients *reachable);

/* It is under way, or ruled out; and it is so no longer. Either may be said twice. */
void frs_reachable_clients_take(struct frs_reachable_clients *reachable, uint32_t client);
void frs_reachable_clients_give(struct frs_reachable_clients *reachable, uint32_t client);

/* Brings the index up to a time; times never decrease. The calls below refer to that time. */
void frs_reachable_clients_until(struct frs_reachable_clients *reachable, double now_s);

bool frs_reachable_clients_has(const struct frs_reachable_clients *reachable, uint32_t client);

/* Clients that can be selected, in any order; valid until the index changes. */
const uint32_t *frs_reachable_clients_list(const struct frs_reachable_clients *reachable, size_t *n);

/* The first time at which an offline client comes online; INFINITY: never. */
double frs_reachable_clients_next_s(const struct frs_reachable_clients *reachable);

#endif
