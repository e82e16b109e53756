/* xz (the .xz file format 1.1), several streams included. */
#include "algorithms/data/reading/bytes.h"
#include "sim/base/limits.h"
#include "sim/base/memory.h"

#include <lzma.h>
#include <stdlib.h>

/* What the largest preset of xz needs is 65 MiB. */
#define MOST_BYTES ((uint64_t)FRS_LIMIT_UNPACKING_GIB << 30)

static void *start(void) {
    lzma_stream *stream = frs_alloc(1, sizeof *stream);
    *stream = (lzma_stream)LZMA_STREAM_INIT;
    if (lzma_stream_decoder(stream, MOST_BYTES, LZMA_CONCATENATED) != LZMA_OK)
        frs_memory_exhausted();
    return stream;
}

static const char *step(void *state, const unsigned char *in, size_t n, size_t *at, bool last, char *out,
    size_t room, size_t *got, bool *whole) {
    lzma_stream *stream = state;
    size_t available = n - *at;
    stream->next_in = in + *at;
    stream->avail_in = available;
    stream->next_out = (uint8_t *)out;
    stream->avail_out = room;
    lzma_ret code = lzma_code(stream, last ? LZMA_FINISH : LZMA_RUN);
    *at += available - stream->avail_in;
    *got += room - stream->avail_out;
    *whole = code == LZMA_STREAM_END;
    if (code == LZMA_OK || code == LZMA_STREAM_END || code == LZMA_BUF_ERROR)
        return NULL;
    return code == LZMA_MEMLIMIT_ERROR ? "its xz stream needs more than " FRS_LIMIT_TEXT(
                                             FRS_LIMIT_UNPACKING_GIB) " GiB to be unpacked"
                                       : "its xz stream is damaged";
}

static void finish(void *state) {
    lzma_end(state);
    free(state);
}

const struct frs_decoder frs_decoder_xz = {
    .name = "xz",
    .magic = "\xfd"
             "7zXZ",
    .n_magic = 5,
    .start = start,
    .step = step,
    .finish = finish,
};
