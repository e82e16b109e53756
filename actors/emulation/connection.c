#include "actors/emulation/connection.h"
#include "actors/emulation/tls.h"

#include <arpa/inet.h>
#include <errno.h>
#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static void tune(int fd) {
    static const char name[] = "cubic";
    int on = 1;
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, sizeof name - 1);
}

int frs_connection_socket(void) {
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    if (fd >= 0)
        tune(fd);
    return fd;
}

static bool wrap(struct frs_connection *connection, SSL_CTX *context) {
    SSL *ssl = context ? SSL_new(context) : NULL;
    connection->tls = ssl;
    connection->greeted = !context;
    return !context || (ssl && SSL_set_fd(ssl, connection->fd) == 1);
}

bool frs_connection_open(
    struct frs_connection *connection, uint32_t address, uint16_t port, const struct frs_tls *tls) {
    struct sockaddr_in to = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(address)};
    *connection = (struct frs_connection){.fd = frs_connection_socket(), .wants = POLLOUT};
    if (connection->fd < 0 || !wrap(connection, tls ? tls->client : NULL))
        return false;
    if (connection->tls)
        SSL_set_connect_state(connection->tls);
    return connect(connection->fd, (struct sockaddr *)&to, sizeof to) == 0 || errno == EINPROGRESS;
}

void frs_connection_take(struct frs_connection *connection, int fd, const struct frs_tls *tls) {
    *connection = (struct frs_connection){.fd = fd, .wants = POLLIN};
    tune(fd);
    if (!wrap(connection, tls ? tls->server : NULL))
        frs_connection_break(connection);
    else if (connection->tls)
        SSL_set_accept_state(connection->tls);
}

static bool waits(struct frs_connection *connection, int result) {
    int error = SSL_get_error(connection->tls, result);
    connection->wants = error == SSL_ERROR_WANT_WRITE ? POLLOUT : POLLIN;
    return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE;
}

static bool has_cubic(int fd) {
    char name[16] = "";
    socklen_t size = sizeof name;
    return getsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, name, &size) == 0 && strcmp(name, "cubic") == 0;
}

static int is_connected(struct frs_connection *connection) {
    struct pollfd fd = {.fd = connection->fd, .events = POLLOUT};
    int error = 0;
    socklen_t size = sizeof error;
    connection->wants = POLLOUT;
    if (poll(&fd, 1, 0) < 1)
        return 0;
    bool failed = getsockopt(connection->fd, SOL_SOCKET, SO_ERROR, &error, &size) || error;
    return failed || !has_cubic(connection->fd) ? -1 : 1;
}

int frs_connection_greet(struct frs_connection *connection) {
    int connected = is_connected(connection);
    if (connected < 1 || connection->greeted)
        return connected;
    ERR_clear_error();
    int done = SSL_do_handshake(connection->tls);
    connection->greeted = done == 1;
    return done == 1 ? 1 : waits(connection, done) ? 0 : -1;
}

static int at_most_int(size_t n) {
    return n < INT_MAX ? (int)n : INT_MAX;
}

ssize_t frs_connection_read(struct frs_connection *connection, void *bytes, size_t n) {
    connection->wants = POLLIN;
    if (connection->tls) {
        ERR_clear_error();
        int moved = SSL_read(connection->tls, bytes, at_most_int(n));
        return moved > 0 ? moved : waits(connection, moved) ? 0 : -1;
    }
    ssize_t moved = recv(connection->fd, bytes, n, 0);
    if (moved > 0)
        return moved;
    return moved < 0 && (errno == EAGAIN || errno == EINTR) ? 0 : -1;
}

ssize_t frs_connection_write(struct frs_connection *connection, const void *bytes, size_t n) {
    connection->wants = POLLOUT;
    if (connection->tls) {
        ERR_clear_error();
        int moved = SSL_write(connection->tls, bytes, at_most_int(n));
        return moved > 0 ? moved : waits(connection, moved) ? 0 : -1;
    }
    ssize_t moved = send(connection->fd, bytes, n, MSG_NOSIGNAL);
    return moved >= 0 ? moved : errno == EAGAIN || errno == EINTR ? 0 : -1;
}

/* Ends the connection with a reset: bytes on their way are dropped, and the socket does not linger. */
void frs_connection_break(struct frs_connection *connection) {
    struct linger at_once = {.l_onoff = 1};
    SSL_free(connection->tls);
    if (connection->fd >= 0) {
        setsockopt(connection->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
        close(connection->fd);
    }
    *connection = (struct frs_connection){.fd = -1};
}
