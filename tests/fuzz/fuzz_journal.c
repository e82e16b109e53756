/* Journals and checkpoints: a digest at their end, which anybody can make, is put behind the input. A journal
 * is refused in one line and left unchanged, or its records and its snapshot lie within the file; a record of
 * a training has figures that some training can have had, or is marked as damaged.
 *
 *   'j' the file without its digest · 'r' a record */
#include "sim/base/memory.h"
#include "sim/journal/journal.h"
#include "sim/journal/record.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_file.h"

#include <math.h>
#include <stdlib.h>

static struct frs_digest digest_of(const void *bytes, size_t n) {
    struct frs_digester digester = frs_digester_init();
    frs_digester_add(&digester, bytes, n);
    return frs_digester_finish(&digester);
}

/* Reads every byte, for a sanitizer. */
static volatile uint8_t seen;

static uint8_t sum(const uint8_t *bytes, size_t n) {
    uint8_t all = 0;
    for (size_t i = 0; i < n; i++)
        all = (uint8_t)(all + bytes[i]);
    return all;
}

/* The training of the corpus: the digest of nothing. */
static void try_journal(const uint8_t *data, size_t size) {
    static struct fuzz_file file;
    struct frs_digest training = digest_of("", 0), at, end = digest_of(data, size);
    struct frs_journal *journal = frs_journal_create(&training);
    struct frs_buffer bytes = {0};
    struct frs_errors errors = {0};
    struct frs_reader reader;
    frs_journal_identify(journal, "identity");
    frs_buffer_put(&bytes, data, size);
    frs_buffer_put(&bytes, end.bytes, FRS_DIGEST_BYTES);
    enum frs_status status = frs_journal_read(journal, fuzz_file_write(&file, bytes.bytes, bytes.n), &errors);
    fuzz_check_errors(status != FRS_OK, &errors);
    FRS_INVARIANT(status == FRS_OK || (frs_journal_n(journal) == 0 && errors.n == 1),
        "%zu records, %zu errors", frs_journal_n(journal), errors.n);
    if (frs_journal_snapshot(journal, &at, &reader))
        seen = sum(reader.bytes, reader.n);
    if (frs_journal_find(journal, &training, &reader))
        seen = sum(reader.bytes, reader.n);
    frs_errors_clear(&errors);
    frs_buffer_fini(&bytes);
    frs_journal_destroy(journal);
}

static void try_record(const uint8_t *data, size_t size) {
    struct frs_reader in = frs_reader_init(data, size);
    struct frs_usage usage = frs_record_sound_usage(&in);
    if (in.failed)
        return;
    FRS_INVARIANT(usage.flop >= 0 && isfinite(usage.flop) && usage.samples >= 0 && isfinite(usage.samples) &&
                      usage.post_flop >= 0 && isfinite(usage.post_flop),
        "%g operations, %g samples", usage.flop, usage.samples);
    struct frs_buffer out = {0};
    frs_record_put_usage(&out, &usage);
    struct frs_reader again = frs_reader_init(out.bytes, out.n);
    struct frs_usage back = frs_record_usage(&again);
    FRS_INVARIANT(!again.failed && again.at == again.n && back.down_bytes == usage.down_bytes &&
                      back.up_bytes == usage.up_bytes && back.flop == usage.flop,
        "a record became another one");
    frs_buffer_fini(&out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size == 0)
        return 0;
    uint8_t *exact = frs_alloc(size, 1); /* so that a sanitizer sees reads behind the end */
    memcpy(exact, data + 1, size - 1);
    if (data[0] == 'j')
        try_journal(exact, size - 1);
    else if (data[0] == 'r')
        try_record(exact, size - 1);
    free(exact);
    return 0;
}
