/* Player: a process that waits beside a run, and simulates what-ifs of it once it has ended. A process has
 * one SimGrid engine, and the run uses that of its own; so every what-if is played by a process of its own,
 * forked from the player, which has the data of the run and nothing of what it has trained. */
#ifndef FRS_WHAT_IF_PLAYER_H
#define FRS_WHAT_IF_PLAYER_H

#include "sim/setup/setup.h"
#include "sim/what_if/order.h"

#include <signal.h>

struct frs_what_if_player;

/* Forks the player, before the process has threads: the data-set cache has to be open, and libraries loaded.
 * In the player `setup` is freed. NULL where no process could be made. */
struct frs_what_if_player *frs_what_if_player_start(struct frs_setup *setup);

/* Ends it. NULL is ignored. */
void frs_what_if_player_end(struct frs_what_if_player *player);

/* Has what is ordered played, once, and fills `answers` [FRS_VARIATIONS]. Stops as soon as it is
 * interrupted. */
void frs_what_if_player_play(struct frs_what_if_player *player, const struct frs_what_if_order *order,
    const volatile sig_atomic_t *interrupted, struct frs_what_if_answer *answers);

#endif
