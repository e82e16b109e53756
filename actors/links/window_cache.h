/* Window cache: the windows of messages that are alone on their links (actors/links/uncontended_flow.h).
 * Simulating one takes a few hundred instructions for each packet, but many are alike: those of clients with
 * one kind of link, and those of a client whose link does not change. So the windows of each are computed
 * once and copied from then on. A message that follows another is simulated each time: what is under way
 * before it is its connection's own. The result does not depend on what is in the cache. For several
 * threads at the same time: the ledger asks for the windows of a round while the next one is simulated. */
#ifndef FRS_ACTORS_LINKS_WINDOW_CACHE_H
#define FRS_ACTORS_LINKS_WINDOW_CACHE_H

#include "actors/windows.h"

struct frs_window_cache;

/* Empty. It grows to at most FRS_WINDOW_CACHE_MOST messages, a few hundred bytes each. */
#define FRS_WINDOW_CACHE_MOST 4096u
struct frs_window_cache *frs_window_cache_create(void);
void frs_window_cache_destroy(struct frs_window_cache *cache);

/* As frs_uncontended_flow_windows: the caller frees windows->of. `cache` is a struct frs_window_cache *, or
 * NULL for none; its type is that of frs_sender_rules. */
void frs_window_cache_windows(
    void *cache, const struct frs_uncontended_flow *flow, struct frs_windows *windows);

#endif
