/* Zstandard (RFC 8878), several frames included. */
#include "algorithms/data/reading/bytes.h"
#include "sim/base/memory.h"

#include <zstd.h>

static void *start(void) {
    ZSTD_DStream *stream = ZSTD_createDStream();
    if (!stream)
        frs_memory_exhausted();
    return stream;
}

static const char *step(void *state, const unsigned char *in, size_t n, size_t *at, bool last, char *out,
    size_t room, size_t *got, bool *whole) {
    ZSTD_inBuffer from = {in + *at, n - *at, 0};
    ZSTD_outBuffer to = {out, room, 0};
    (void)last;
    size_t code = ZSTD_decompressStream(state, &to, &from);
    *at += from.pos;
    *got += to.pos;
    if (ZSTD_isError(code))
        return "its zstd stream is damaged";
    if (from.pos > 0 || to.pos > 0) /* a step without input asks for the next frame */
        *whole = code == 0;
    return NULL;
}

static void finish(void *state) {
    ZSTD_freeDStream(state);
}

const struct frs_decoder frs_decoder_zstd = {
    .name = "zstd",
    .magic = "\x28\xb5\x2f\xfd",
    .n_magic = 4,
    .start = start,
    .step = step,
    .finish = finish,
};
