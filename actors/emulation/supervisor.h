/* Supervisor: the first process of a process namespace, in which all other processes of an emulation live.
 * It creates network namespaces and devices, starts router, edges and clients, and watches them. When it
 * ends, everything ends: the processes with their namespace, and network namespaces and devices with their
 * processes. It ends when the server does, or when one of its processes does. */
#ifndef FRS_ACTORS_EMULATION_SUPERVISOR_H
#define FRS_ACTORS_EMULATION_SUPERVISOR_H

#include "actors/emulation/router.h"
#include "actors/emulation/tls.h"
#include "sim/base/status.h"

#include <sys/types.h>

struct frs_supervisor_settings {
    size_t n_lines, n_edges;
    bool restarts;                 /* an idle connection begins in slow start again */
    const struct frs_tls *tls;     /* NULL: plain */
    struct frs_router_links links; /* borrowed until the processes have started */
};

/* The server's side of everything. */
struct frs_supervisor {
    pid_t process; /* the supervisor's parent, which waits for it */
    int life;      /* says why it ends; ends with the supervisor */
    int listener;  /* accepts connections of lines and edges, in the server's network namespace */
    int router;    /* struct frs_router_order */
    int orders[FRS_EMULATED_LINES];
    int edges[FRS_EMULATED_EDGES]; /* struct frs_edge_order, struct frs_report */
    struct frs_mailbox *mailboxes[FRS_EMULATED_LINES];
    struct frs_router_record *record;
    size_t n_lines, n_edges;
};

/* Starts the supervisor, before any thread is started. Fails with FRS_ERR_INPUT, and a line, where rights
 * or devices are missing. */
enum frs_status frs_supervisor_start(const struct frs_supervisor_settings *settings,
    struct frs_supervisor *supervisor, struct frs_errors *errors) FRS_MUST_CHECK;

/* Ends all processes. */
void frs_supervisor_stop(struct frs_supervisor *supervisor);

/* What the supervisor said before it ended, into `text`; "it was killed" where it could not. */
void frs_supervisor_last_words(const struct frs_supervisor *supervisor, char *text, size_t size);

#endif
