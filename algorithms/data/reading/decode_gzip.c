/* gzip (RFC 1952), several members included. */
#include "algorithms/data/reading/bytes.h"
#include "sim/base/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <zlib.h>

struct gzip {
    z_stream stream;
    bool ended; /* the member; another one may follow */
};

static void *start(void) {
    struct gzip *gzip = frs_alloc(1, sizeof *gzip);
    if (inflateInit2(&gzip->stream, 16 + MAX_WBITS) != Z_OK)
        frs_memory_exhausted();
    return gzip;
}

static const char *step(void *state, const unsigned char *in, size_t n, size_t *at, bool last, char *out,
    size_t room, size_t *got, bool *whole) {
    struct gzip *gzip = state;
    (void)last;
    if (gzip->ended && *at < n) {
        inflateReset(&gzip->stream);
        gzip->ended = false;
    }
    z_stream *stream = &gzip->stream;
    unsigned available = n - *at < UINT_MAX ? (unsigned)(n - *at) : UINT_MAX,
             space = room < UINT_MAX ? (unsigned)room : UINT_MAX;
    stream->next_in = (unsigned char *)(size_t)(in + *at);
    stream->avail_in = available;
    stream->next_out = (unsigned char *)out;
    stream->avail_out = space;
    int code = inflate(stream, Z_NO_FLUSH);
    *at += available - stream->avail_in;
    *got += space - stream->avail_out;
    *whole = gzip->ended = code == Z_STREAM_END;
    if (code == Z_OK || code == Z_STREAM_END || code == Z_BUF_ERROR)
        return NULL;
    return "its gzip stream is damaged";
}

static void finish(void *state) {
    struct gzip *gzip = state;
    inflateEnd(&gzip->stream);
    free(gzip);
}

const struct frs_decoder frs_decoder_gzip = {
    .name = "gzip",
    .magic = "\x1f\x8b",
    .n_magic = 2,
    .start = start,
    .step = step,
    .finish = finish,
};
