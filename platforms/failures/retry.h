/* Retry: what a client does when its connection breaks in the middle of a message.
 *
 * Only connections are tried again (`connection_down`, `connection_up`, `connection_mtbf`): a device that
 * fails, or leaves, is gone. The client waits `after`, and after every further break of the same message
 * `backoff` times as long, but never more than `longest`. Then it connects anew, and goes on where the
 * message broke off (`resume`) or from its beginning. */
#ifndef FRS_PLATFORMS_FAILURES_RETRY_H
#define FRS_PLATFORMS_FAILURES_RETRY_H

#include "platforms/failures/failures.h"

extern const struct frs_param frs_retry_params[]; /* section `failures.retry` */

struct frs_retry {
    uint32_t times; /* for each message, at most; 0: a broken connection loses the client */
    double after_s, backoff;
    double longest_s; /* after a second break of the message; 0: without a limit */
    bool resumes;
};

/* Reads sections `failures.retry` and `failures`, which has already been read. links_break: connections
 * also break in ways that are no failures. */
struct frs_retry frs_retry_read(const struct frs_values *values, const struct frs_values *of_failures,
    const struct frs_failures *failures, bool links_break);

#endif
