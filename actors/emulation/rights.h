/* Rights: what a process of an emulation gives up once it is set up. It keeps what it needs to move bytes. */
#ifndef FRS_ACTORS_EMULATION_RIGHTS_H
#define FRS_ACTORS_EMULATION_RIGHTS_H

#include <stdbool.h>

enum frs_rights {
    FRS_RIGHTS_OF_PACKETS, /* descriptors that are open: reading, writing, waiting */
    FRS_RIGHTS_OF_SOCKETS, /* and connections of TCP/IP, in the network namespace the process is in */
    FRS_RIGHTS_OF_EDGES,   /* and taking such connections on a socket that listens */
    FRS_RIGHTS_OF_KEEPER,  /* as of packets, and waiting for child processes */
};

/* Call in a process with one thread, after its priority was set. It gives up, for good, all capabilities, any
 * new rights by executing a file (no_new_privs), and, by a filter of seccomp, every system call but those
 * listed in rights.c: no file can be opened, no program executed and no process made from then on; such a
 * call fails with EPERM. Returns false where the system has no filters; the capabilities are gone all the
 * same. Programs that were built with sanitizers have no filter, because these need calls of their own. */
bool frs_rights_drop(enum frs_rights rights);

#endif
