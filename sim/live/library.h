/* Library: libmicrohttpd, loaded only when a page is served. It brings TLS and more with it, which would
 * delay the start of every other command. */
#ifndef FRS_LIVE_LIBRARY_H
#define FRS_LIVE_LIBRARY_H

#include "sim/base/status.h"

/* Loads it. FRS_ERR_INPUT where it is not there, or was not when the program was built. */
enum frs_status frs_http_load(struct frs_errors *errors) FRS_MUST_CHECK;

/* A request: the method, the path without its query, and the name of the host that the client believes to
 * talk to. */
struct frs_http_request {
    const char *method, *path, *host; /* host: NULL without one */
};

/* What it gets. */
struct frs_http_answer {
    unsigned status;
    const char *type;
    char *text; /* [n], freed with free() when it was sent */
    unsigned long n;
};

struct frs_http;

/* Serves connections to a socket that listens. NULL where that fails. */
struct frs_http *frs_http_start(int listening,
    struct frs_http_answer (*answer)(void *context, const struct frs_http_request *request), void *context);

/* Waits for requests up to so long, and answers those there are. */
void frs_http_serve(struct frs_http *http, unsigned longest_ms);

#endif
