/* SimGrid's functions, in a table that is filled when a simulation is about to start. The library loads
 * those of ns-3, too, and takes four times as long to load as everything else before main, and most
 * commands simulate nothing.
 *
 * A function that is used for the first time is added to FRS_SIMGRID_FUNCTIONS. */
#ifndef FRS_ACTORS_SIMGRID_H
#define FRS_ACTORS_SIMGRID_H

#include "sim/base/status.h"

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/link.h>
#include <simgrid/plugins/load.h>
#include <simgrid/semaphore.h>
#include <simgrid/version.h>

#define FRS_SIMGRID_FUNCTIONS(EACH)                                                                          \
    EACH(simgrid_init)                                                                                       \
    EACH(simgrid_load_platform)                                                                              \
    EACH(simgrid_run)                                                                                        \
    EACH(simgrid_run_until)                                                                                  \
    EACH(simgrid_get_clock)                                                                                  \
    EACH(sg_version_get)                                                                                     \
    EACH(sg_actor_init)                                                                                      \
    EACH(sg_actor_start_)                                                                                    \
    EACH(sg_actor_set_data)                                                                                  \
    EACH(sg_actor_self)                                                                                      \
    EACH(sg_actor_self_get_data)                                                                             \
    EACH(sg_actor_execute)                                                                                   \
    EACH(sg_actor_sleep_for)                                                                                 \
    EACH(sg_actor_sleep_until)                                                                               \
    EACH(sg_actor_suspend)                                                                                   \
    EACH(sg_actor_resume)                                                                                    \
    EACH(sg_actor_yield)                                                                                     \
    EACH(sg_actor_kill)                                                                                      \
    EACH(sg_host_by_name)                                                                                    \
    EACH(sg_host_count)                                                                                      \
    EACH(sg_host_list)                                                                                       \
    EACH(sg_host_get_name)                                                                                   \
    EACH(sg_host_get_route_bandwidth)                                                                        \
    EACH(sg_host_get_route_latency)                                                                          \
    EACH(sg_host_sendto)                                                                                     \
    EACH(sg_link_by_name)                                                                                    \
    EACH(sg_link_get_bandwidth)                                                                              \
    EACH(sg_link_set_bandwidth)                                                                              \
    EACH(sg_link_get_latency)                                                                                \
    EACH(sg_link_set_latency)                                                                                \
    EACH(sg_link_load_plugin_init)                                                                           \
    EACH(sg_link_load_track)                                                                                 \
    EACH(sg_link_get_cum_load)                                                                               \
    EACH(sg_sem_init)                                                                                        \
    EACH(sg_sem_acquire)                                                                                     \
    EACH(sg_sem_acquire_timeout)                                                                             \
    EACH(sg_sem_release)                                                                                     \
    EACH(sg_sem_destroy)

struct frs_simgrid {
#define FRS_SIMGRID_POINTER(function) __typeof__(function) *function;
    FRS_SIMGRID_FUNCTIONS(FRS_SIMGRID_POINTER)
#undef FRS_SIMGRID_POINTER
};

extern struct frs_simgrid frs_simgrid;

/* Fills the table, before its first use and before processes are forked that will all need it; a second
 * call does nothing. If the library is missing or lacks a function, returns FRS_ERR_RUN and adds one line,
 * and the table must not be used. */
enum frs_status frs_simgrid_load(struct frs_errors *errors) FRS_MUST_CHECK;

#endif
