#include "algorithms/data/reading/bytes.h"
#include "sim/base/files/input.h"
#include "sim/base/memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { RAW_BYTES = 1 << 18, MOST_MAGIC = 8 };

#define DECODER(name) extern const struct frs_decoder frs_decoder_##name;
#include "algorithms/data/reading/decoders.def"
#undef DECODER

static const struct frs_decoder *const decoders[] = {
#define DECODER(name) &frs_decoder_##name,
#include "algorithms/data/reading/decoders.def"
#undef DECODER
};

/* What is often found in place of a text, and what to do about it. */
static const struct {
    const char *magic;
    size_t n_magic;
    const char *reason;
} others[] = {
    {"PK\x03\x04", 4,
        "is a zip archive (or a table of Excel); unpack it first (unzip) and name the file in it, or save "
        "it as CSV"},
    {"BZh", 3, "is compressed with bzip2; unpack it first (gzip, zstd and xz are read)"},
    {"Rar!", 4, "is a rar archive; unpack it first"},
    {"7z\xbc\xaf\x27\x1c", 6, "is a 7z archive; unpack it first"},
    {"PAR1", 4, "is a Parquet file; write its columns as CSV first"},
    {"\x89HDF", 4, "is an HDF5 file; write its columns as CSV first"},
    {"SQLite format 3", 15, "is a database of SQLite; write its table as CSV first"},
    {"\x93NUMPY", 6, "is an array of NumPy; write it as CSV first"},
    {"\xd0\xcf\x11\xe0", 4, "is a table of Excel; save it as CSV first"},
    {"\xff\xfe", 2, "is UTF-16; write it as UTF-8 (iconv -f UTF-16 -t UTF-8)"},
    {"\xfe\xff", 2, "is UTF-16; write it as UTF-8 (iconv -f UTF-16 -t UTF-8)"},
};

static size_t read_raw(struct frs_bytes *bytes, void *to, size_t room) {
    size_t n;
    if (bytes->file) {
        n = fread(to, 1, room, bytes->file);
        if (n < room && ferror(bytes->file))
            bytes->failure = strerror(errno);
    } else {
        n = room < bytes->n_memory ? room : bytes->n_memory;
        memcpy(to, bytes->memory, n);
        bytes->memory += n;
        bytes->n_memory -= n;
    }
    bytes->raw_ended = n < room;
    frs_digester_add(&bytes->digester, to, n);
    return n;
}

static bool begins_with(const struct frs_bytes *bytes, const char *magic, size_t n) {
    return bytes->n_raw >= n && memcmp(bytes->raw, magic, n) == 0;
}

/* Reads the first bytes and finds out what they are. */
static const char *begin(struct frs_bytes *bytes) {
    bytes->digester = frs_digester_init();
    bytes->raw = frs_alloc_lazily(RAW_BYTES, 1);
    bytes->n_raw = read_raw(bytes, bytes->raw, RAW_BYTES);
    if (bytes->failure)
        return bytes->failure;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (begins_with(bytes, others[i].magic, others[i].n_magic))
            return others[i].reason;
    for (size_t i = 0; i < sizeof decoders / sizeof *decoders; i++)
        if (begins_with(bytes, decoders[i]->magic, decoders[i]->n_magic))
            bytes->decoder = decoders[i];
    if (bytes->decoder)
        bytes->state = bytes->decoder->start();
    return NULL;
}

const char *frs_bytes_open(struct frs_bytes *bytes, const char *path) {
    *bytes = (struct frs_bytes){0};
    const char *reason = frs_input_open(path, &bytes->file);
    if (reason)
        return reason;
    reason = begin(bytes);
    if (reason)
        frs_bytes_close(bytes);
    return reason;
}

const char *frs_bytes_of(struct frs_bytes *bytes, const char *text, size_t n) {
    *bytes = (struct frs_bytes){.memory = text, .n_memory = n};
    const char *reason = begin(bytes);
    if (reason)
        frs_bytes_close(bytes);
    return reason;
}

static size_t take_waiting(struct frs_bytes *bytes, char *to, size_t room) {
    size_t waiting = bytes->n_raw - bytes->raw_at, n = waiting < room ? waiting : room;
    memcpy(to, bytes->raw + bytes->raw_at, n);
    bytes->raw_at += n;
    return n;
}

static size_t unpack(struct frs_bytes *bytes, char *to, size_t room) {
    size_t got = 0;
    while (got < room && !bytes->failure) {
        if (bytes->raw_at == bytes->n_raw && !bytes->raw_ended) {
            bytes->n_raw = read_raw(bytes, bytes->raw, RAW_BYTES);
            bytes->raw_at = 0;
        }
        size_t at = bytes->raw_at, before = got;
        const char *reason = bytes->decoder->step(bytes->state, bytes->raw, bytes->n_raw, &bytes->raw_at,
            bytes->raw_ended, to + got, room - got, &got, &bytes->whole);
        if (reason)
            bytes->failure = reason;
        else if (at == bytes->raw_at && before == got && bytes->raw_ended) {
            if (!bytes->whole)
                bytes->failure = "ends in the middle of what is compressed";
            break;
        }
    }
    return got;
}

size_t frs_bytes_read(struct frs_bytes *bytes, char *to, size_t room) {
    if (bytes->failure)
        return 0;
    if (bytes->decoder)
        return unpack(bytes, to, room);
    size_t n = take_waiting(bytes, to, room);
    if (n < room && !bytes->raw_ended)
        n += read_raw(bytes, to + n, room - n);
    return n;
}

void frs_bytes_close(struct frs_bytes *bytes) {
    if (bytes->decoder)
        bytes->decoder->finish(bytes->state);
    if (bytes->file)
        fclose(bytes->file);
    free(bytes->raw);
    bytes->raw = NULL;
    bytes->file = NULL;
    bytes->decoder = NULL;
}
