/* Connection: one end of a TCP connection, optionally with TLS. Never waits. */
#ifndef FRS_ACTORS_EMULATION_CONNECTION_H
#define FRS_ACTORS_EMULATION_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct frs_tls; /* actors/emulation/tls.h */

struct frs_connection {
    int fd;       /* -1: there is none */
    void *tls;    /* NULL: plain */
    short wants;  /* what poll() has to wait for before the last call is worth repeating */
    bool greeted; /* TLS is set up, or not used */
};

/* A socket for CUBIC that sends what it has at once; -1 with errno. */
int frs_connection_socket(void);

/* From the end of a client or an edge: begins to connect; false with errno. */
bool frs_connection_open(
    struct frs_connection *connection, uint32_t address, uint16_t port, const struct frs_tls *tls);
/* From the server's end: takes what was accepted. */
void frs_connection_take(struct frs_connection *connection, int fd, const struct frs_tls *tls);

/* Goes on with what opens a connection: 1 it is open, 0 not yet, -1 it broke, or is not under CUBIC. */
int frs_connection_greet(struct frs_connection *connection);

/* Bytes moved; 0: none at present; -1: it broke, or the other end has closed it. */
ssize_t frs_connection_read(struct frs_connection *connection, void *bytes, size_t n);
ssize_t frs_connection_write(struct frs_connection *connection, const void *bytes, size_t n);

/* Breaks it off, if there is one: the other end is told. */
void frs_connection_break(struct frs_connection *connection);

#endif
