#include "sim/live/library.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#ifdef FRS_MICROHTTPD_LIBRARY

#include <dlfcn.h>
#include <microhttpd.h>

/* A slow client, or many of them, take a bounded part of the memory for a bounded time. A request with all
 * its headers is smaller than half of a connection's buffer. */
enum { MOST_CONNECTIONS = 64, CONNECTION_BYTES = 1 << 15, SILENT_S = 10 };

#define FUNCTIONS(WITH)                                                                                      \
    WITH(MHD_start_daemon)                                                                                   \
    WITH(MHD_run_wait)                                                                                       \
    WITH(MHD_create_response_from_buffer)                                                                    \
    WITH(MHD_add_response_header)                                                                            \
    WITH(MHD_queue_response)                                                                                 \
    WITH(MHD_destroy_response)                                                                               \
    WITH(MHD_lookup_connection_value)

static struct {
#define POINTER(function) __typeof__(function) *function;
    FUNCTIONS(POINTER)
#undef POINTER
} library;

struct frs_http {
    struct MHD_Daemon *daemon;
    struct frs_http_answer (*answer)(void *context, const struct frs_http_request *request);
    void *context;
};

static bool find(void *handle, const char *name, void *pointer) {
    void *found = dlsym(handle, name);
    memcpy(pointer, &found, sizeof found); /* C has no conversion from an object's pointer to a function's */
    return found;
}

enum frs_status frs_http_load(struct frs_errors *errors) {
    void *handle = dlopen(FRS_MICROHTTPD_LIBRARY, RTLD_LAZY);
    bool has_all = handle;
#define FIND(function) has_all = has_all && find(handle, #function, &library.function);
    FUNCTIONS(FIND)
#undef FIND
    if (has_all)
        return FRS_OK;
    return frs_errors_add(errors, FRS_ERR_INPUT,
        "--live: libmicrohttpd, which serves the page, cannot be loaded: %s", dlerror());
}

static enum MHD_Result queue(struct MHD_Connection *connection, const struct frs_http_answer *answer) {
    static const char *const headers[][2] = {{MHD_HTTP_HEADER_CACHE_CONTROL, "no-store"},
        {"X-Content-Type-Options", "nosniff"}, {"X-Frame-Options", "DENY"},
        {"Cross-Origin-Resource-Policy", "same-origin"}, {"Referrer-Policy", "no-referrer"}};
    struct MHD_Response *response =
        library.MHD_create_response_from_buffer(answer->n, answer->text, MHD_RESPMEM_MUST_FREE);
    if (!response)
        return MHD_NO;
    library.MHD_add_response_header(response, MHD_HTTP_HEADER_CONTENT_TYPE, answer->type);
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        library.MHD_add_response_header(response, headers[i][0], headers[i][1]);
    if (answer->status == MHD_HTTP_METHOD_NOT_ALLOWED)
        library.MHD_add_response_header(response, MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
    enum MHD_Result result = library.MHD_queue_response(connection, answer->status, response);
    library.MHD_destroy_response(response);
    return result;
}

static bool reads(const char *method) {
    return strcmp(method, MHD_HTTP_METHOD_GET) == 0 || strcmp(method, MHD_HTTP_METHOD_HEAD) == 0;
}

/* Called first when a request's headers have arrived. What follows the headers of a GET is ignored; a
 * request of another kind is answered before anything follows. */
static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url,
    const char *method, const char *version, const char *upload, size_t *upload_bytes, void **request) {
    static int begun;
    struct frs_http *http = context;
    (void)version;
    (void)upload;
    if (!*request && reads(method)) {
        *request = &begun;
        return MHD_YES;
    }
    if (*upload_bytes > 0) {
        *upload_bytes = 0;
        return MHD_YES;
    }
    struct frs_http_answer answer = http->answer(http->context,
        &(struct frs_http_request){.method = method,
            .path = url,
            .host = library.MHD_lookup_connection_value(connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_HOST)});
    return queue(connection, &answer);
}

/* No path that is answered has an escape: what has one stays as it came. */
static size_t keep_escapes(void *context, struct MHD_Connection *connection, char *text) {
    (void)context;
    (void)connection;
    return strlen(text);
}

struct frs_http *frs_http_start(int listening,
    struct frs_http_answer (*answer)(void *context, const struct frs_http_request *request), void *context) {
    struct frs_http *http = frs_alloc(1, sizeof *http);
    *http = (struct frs_http){.answer = answer, .context = context};
    http->daemon = library.MHD_start_daemon(MHD_USE_EPOLL, 0, NULL, NULL, handle, http,
        MHD_OPTION_LISTEN_SOCKET, listening, MHD_OPTION_CONNECTION_LIMIT, (unsigned)MOST_CONNECTIONS,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)CONNECTION_BYTES, MHD_OPTION_CONNECTION_TIMEOUT,
        (unsigned)SILENT_S, MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL, MHD_OPTION_END);
    if (http->daemon)
        return http;
    free(http);
    return NULL;
}

void frs_http_serve(struct frs_http *http, unsigned longest_ms) {
    library.MHD_run_wait(http->daemon, (int)longest_ms);
}

#else

enum frs_status frs_http_load(struct frs_errors *errors) {
    return frs_errors_add(errors, FRS_ERR_INPUT,
        "--live: this program was built without libmicrohttpd, which serves the page; install "
        "libmicrohttpd-dev and build "
        "it again");
}

struct frs_http *frs_http_start(int listening,
    struct frs_http_answer (*answer)(void *context, const struct frs_http_request *request), void *context) {
    (void)listening;
    (void)answer;
    (void)context;
    return NULL;
}

void frs_http_serve(struct frs_http *http, unsigned longest_ms) {
    (void)http;
    (void)longest_ms;
}

#endif
