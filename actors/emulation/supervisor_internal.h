/* What the parts of a supervisor share. */
#ifndef FRS_ACTORS_EMULATION_SUPERVISOR_INTERNAL_H
#define FRS_ACTORS_EMULATION_SUPERVISOR_INTERNAL_H

#include "actors/emulation/supervisor.h"

/* The supervisor's side. */
struct birth {
    const struct frs_supervisor_settings *settings;
    struct frs_supervisor *supervisor;
    int life, router;
    int orders[FRS_EMULATED_LINES], edges[FRS_EMULATED_EDGES];
    int tuns[FRS_EMULATED_LINES], edge_tuns[FRS_EMULATED_EDGES], server_tun;
    pid_t clients[FRS_EMULATED_LINES], edge_processes[FRS_EMULATED_EDGES], router_process;
    bool own_users; /* without being root */
    uid_t user;
    gid_t group;
};

/* Says what is lacking, with errno, and ends. */
_Noreturn void frs_supervisor_give_up(const struct birth *birth, const char *what);

/* ---- supervisor_children.c ------------------------------------------------------------------- */

/* Each enters a network namespace of its own; the devices belong to the router, which comes last. The
 * server's namespace is the last one that is entered, and its listening socket is returned. */
void frs_supervisor_start_client(struct birth *birth, uint32_t line);
void frs_supervisor_start_edge(struct birth *birth, uint32_t edge);
int frs_supervisor_enter_server(struct birth *birth);
void frs_supervisor_start_router(struct birth *birth);

#endif
