#include "sim/journal/journal.h"
#include "sim/journal/journal_file.h"
#include "sim/base/arena.h"
#include "sim/base/errors.h"
#include "sim/base/files/input.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/base/identity.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAGIC "fedrecsim-journal-1\n"
enum { MAGIC_BYTES = sizeof MAGIC - 1 };

/* A record, with its bytes behind it. */
struct entry {
    struct frs_digest name;
    const uint8_t *bytes;
    size_t n;
    struct entry *next;
};

/* In the order they were added. */
struct entries {
    struct entry *first, *last;
    size_t n;
    struct frs_arena arena; /* of the entries and their bytes */
};

struct frs_journal {
    struct frs_digest training;
    char *identity; /* "" until it is told */
    struct entries entries;
    size_t n_added;
    struct entry **slots; /* [n_slots], a power of two; open addressing; NULL: empty */
    size_t n_slots;
    bool has_snapshot;
    struct frs_digest snapshot_at;
    struct frs_buffer file; /* it was read from; empty without a snapshot */
    struct frs_reader snapshot;
    void (*unknown)(void *context); /* NULL: nothing is to be told */
    void *unknown_context;
};

struct frs_journal *frs_journal_create(const struct frs_digest *training) {
    struct frs_journal *journal = frs_alloc(1, sizeof *journal);
    *journal = (struct frs_journal){.training = *training, .identity = frs_strdup("")};
    return journal;
}

void frs_journal_destroy(struct frs_journal *journal) {
    if (!journal)
        return;
    frs_arena_fini(&journal->entries.arena);
    free(journal->slots);
    frs_buffer_fini(&journal->file);
    free(journal->identity);
    free(journal);
}

void frs_journal_identify(struct frs_journal *journal, const char *identity) {
    free(journal->identity);
    journal->identity = frs_strdup(identity);
}

const struct frs_digest *frs_journal_training(const struct frs_journal *journal) {
    return &journal->training;
}

static bool same(const struct frs_digest *a, const struct frs_digest *b) {
    return memcmp(a->bytes, b->bytes, sizeof a->bytes) == 0;
}

/* The slot of a name: its own, or the empty one where it would go. */
static size_t slot_of(const struct frs_journal *journal, const struct frs_digest *name) {
    uint64_t start;
    memcpy(&start, name->bytes, sizeof start);
    size_t slot = start & (journal->n_slots - 1);
    while (journal->slots[slot] && !same(&journal->slots[slot]->name, name))
        slot = (slot + 1) & (journal->n_slots - 1);
    return slot;
}

static void fill_slots(struct frs_journal *journal) {
    for (struct entry *entry = journal->entries.first; entry; entry = entry->next)
        journal->slots[slot_of(journal, &entry->name)] = entry;
}

static void make_room(struct frs_journal *journal) {
    if (2 * (journal->entries.n + 1) <= journal->n_slots)
        return;
    free(journal->slots);
    journal->n_slots = journal->n_slots ? 2 * journal->n_slots : 64;
    journal->slots = frs_alloc(journal->n_slots, sizeof(struct entry *));
    fill_slots(journal);
}

bool frs_journal_find(
    const struct frs_journal *journal, const struct frs_digest *name, struct frs_reader *record) {
    const struct entry *found = journal->n_slots ? journal->slots[slot_of(journal, name)] : NULL;
    if (found)
        *record = frs_reader_init(found->bytes, found->n);
    return found;
}

static void copy(void *to, const void *bytes, size_t n) {
    if (n > 0)
        memcpy(to, bytes, n);
}

static struct entry *append(
    struct entries *entries, const struct frs_digest *name, const void *bytes, size_t n) {
    struct entry *entry = frs_arena_take_packed(&entries->arena, sizeof *entry + n);
    *entry = (struct entry){.name = *name, .bytes = (const uint8_t *)(entry + 1), .n = n};
    copy(entry + 1, bytes, n);
    if (entries->last)
        entries->last->next = entry;
    else
        entries->first = entry;
    entries->last = entry;
    entries->n++;
    return entry;
}

/* Returns NULL, or the entry that says something else under this name. */
static struct entry *add(
    struct frs_journal *journal, const struct frs_digest *name, const void *bytes, size_t n) {
    make_room(journal);
    struct entry **slot = &journal->slots[slot_of(journal, name)], *old = *slot;
    if (old) {
        bool agrees = old->n == n && (n == 0 || memcmp(old->bytes, bytes, n) == 0);
        return agrees ? NULL : old;
    }
    *slot = append(&journal->entries, name, bytes, n);
    return NULL;
}

/* Forgets the entries that were added since then. */
static void cut(struct frs_journal *journal, const struct entries *before) {
    frs_arena_release(&journal->entries.arena, frs_arena_mark(&before->arena));
    journal->entries = *before;
    if (before->last)
        before->last->next = NULL;
    if (journal->n_slots > 0)
        memset(journal->slots, 0, journal->n_slots * sizeof(struct entry *));
    fill_slots(journal);
}

/* Those that were read stand before those that were added. */
static const struct entry *first_added(const struct frs_journal *journal) {
    const struct entry *entry = journal->entries.first;
    for (size_t n = journal->entries.n - journal->n_added; n > 0; n--)
        entry = entry->next;
    return entry;
}

static bool was_added(const struct frs_journal *journal, const struct entry *wanted) {
    const struct entry *entry = first_added(journal);
    while (entry && entry != wanted)
        entry = entry->next;
    return entry;
}

void frs_journal_add(
    struct frs_journal *journal, const struct frs_digest *name, const struct frs_buffer *record) {
    size_t before = journal->entries.n;
    struct entry *other = add(journal, name, record->bytes, record->n);
    journal->n_added += journal->entries.n - before;
    if (!other)
        return;
    FRS_INVARIANT(
        !was_added(journal, other), "a training repeated from the same state came to something else");
    frs_print_line(
        stderr, "fedrecsim: a journal that was read is wrong about a training, which was repeated");
    void *bytes = frs_arena_take_packed(&journal->entries.arena, record->n);
    copy(bytes, record->bytes, record->n);
    other->bytes = bytes;
    other->n = record->n;
}

size_t frs_journal_n(const struct frs_journal *journal) {
    return journal->entries.n;
}

void frs_journal_when_unknown(struct frs_journal *journal, void (*unknown)(void *context), void *context) {
    journal->unknown = unknown;
    journal->unknown_context = context;
}

void frs_journal_tell_unknown(const struct frs_journal *journal) {
    if (journal->unknown)
        journal->unknown(journal->unknown_context);
}

size_t frs_journal_n_added(const struct frs_journal *journal) {
    return journal->n_added;
}

size_t frs_journal_bytes(const struct frs_journal *journal) {
    return journal->entries.arena.total + journal->n_slots * sizeof(struct entry *) + journal->file.n;
}

struct frs_digest frs_journal_added(const struct frs_journal *journal) {
    struct frs_digester digester = frs_digester_init();
    for (const struct entry *entry = first_added(journal); entry; entry = entry->next)
        frs_digester_add(&digester, entry->name.bytes, FRS_DIGEST_BYTES);
    return frs_digester_finish(&digester);
}

bool frs_journal_snapshot(
    const struct frs_journal *journal, struct frs_digest *at, struct frs_reader *state) {
    if (!journal->has_snapshot)
        return false;
    *at = journal->snapshot_at;
    *state = journal->snapshot;
    return true;
}

void frs_journal_forget_snapshot(struct frs_journal *journal) {
    journal->has_snapshot = false;
    frs_buffer_fini(&journal->file);
}

/* --- files --- */

static bool read_all(const char *path, struct frs_buffer *out) {
    FILE *file;
    struct stat status;
    if (frs_input_open(path, &file))
        return false;
    bool ok = fstat(fileno(file), &status) == 0;
    size_t n = ok && status.st_size > 0 ? (size_t)status.st_size : 0;
    frs_buffer_fit(out, n);
    ok = ok && fread(frs_buffer_extend(out, n), 1, n, file) == n;
    return fclose(file) == 0 && ok;
}

bool frs_journal_is_one(const char *path) {
    char text[MAGIC_BYTES];
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    struct stat status;
    bool plain = file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    ssize_t n = plain ? read(file, text, sizeof text) : -1;
    if (file >= 0)
        close(file);
    return n >= 0 && memcmp(text, MAGIC, (size_t)n) == 0;
}

static struct frs_digest digest_of(const void *bytes, size_t n) {
    struct frs_digester digester = frs_digester_init();
    frs_digester_add(&digester, bytes, n);
    return frs_digester_finish(&digester);
}

static bool take_digest(struct frs_reader *in, struct frs_digest *digest) {
    const uint8_t *bytes = frs_reader_take(in, sizeof digest->bytes);
    if (bytes)
        memcpy(digest->bytes, bytes, sizeof digest->bytes);
    return bytes;
}

/* The last digest of the file is that of everything before it. */
static bool is_whole(const struct frs_buffer *file) {
    if (file->n < MAGIC_BYTES + FRS_DIGEST_BYTES)
        return false;
    struct frs_digest digest = digest_of(file->bytes, file->n - FRS_DIGEST_BYTES);
    return memcmp(file->bytes, MAGIC, MAGIC_BYTES) == 0 &&
           memcmp(file->bytes + file->n - FRS_DIGEST_BYTES, digest.bytes, FRS_DIGEST_BYTES) == 0;
}

/* Records: name, length, content. The digest has no key: it detects accidents, not forgeries. Returns
 * false when two records, or a record and an earlier one, contradict each other. */
static bool take_records(struct frs_journal *journal, struct frs_reader *in) {
    struct frs_digest name;
    for (uint64_t n = frs_reader_u64(in); n > 0; n--) {
        bool ok = take_digest(in, &name);
        size_t length = frs_reader_u64(in);
        const uint8_t *bytes = frs_reader_take(in, length);
        if (!ok || !bytes || add(journal, &name, bytes, length))
            return false;
    }
    return !in->failed;
}

/* The snapshot stays where it is in the file, of which it is the end. */
static bool take_snapshot(struct frs_journal *journal, struct frs_reader *in, struct frs_buffer *file) {
    struct frs_digest at;
    if (!frs_reader_u8(in))
        return !in->failed && in->at == in->n;
    bool ok = take_digest(in, &at);
    size_t n = frs_reader_u64(in);
    const uint8_t *bytes = frs_reader_take(in, n);
    if (!ok || !bytes || in->at != in->n)
        return false;
    frs_journal_forget_snapshot(journal);
    journal->snapshot = frs_reader_init(bytes, n);
    journal->snapshot_at = at;
    journal->has_snapshot = true;
    journal->file = *file;
    *file = (struct frs_buffer){0};
    return true;
}

/* All of a file, or nothing. */
static bool take_all(struct frs_journal *journal, struct frs_reader *in, struct frs_buffer *file) {
    struct entries before = journal->entries;
    bool good = take_records(journal, in) && take_snapshot(journal, in, file);
    if (!good)
        cut(journal, &before);
    return good;
}

/* The training in the file is another one. */
static enum frs_status refuse(
    const struct frs_journal *journal, const char *path, const char *identity, struct frs_errors *errors) {
    char *difference =
        *identity && *journal->identity ? frs_identity_difference(identity, journal->identity) : NULL;
    enum frs_status status =
        frs_errors_add(errors, FRS_ERR_INPUT, "%s: is of another training: %s; --force begins anew", path,
            difference ? difference
                       : "other data, another method, or another build of the program or of a plug-in");
    free(difference);
    return status;
}

enum frs_status frs_journal_read(struct frs_journal *journal, const char *path, struct frs_errors *errors) {
    struct frs_buffer file = {0};
    enum frs_status status = FRS_OK;
    if (!read_all(path, &file))
        status = frs_errors_add(errors, FRS_ERR_RUN, "%s: cannot be read: %s", path, strerror(errno));
    else if (!is_whole(&file))
        status = frs_errors_add(errors, FRS_ERR_RUN, "%s: is damaged, or no journal of this program", path);
    if (status == FRS_OK) {
        struct frs_reader in =
            frs_reader_init(file.bytes + MAGIC_BYTES, file.n - MAGIC_BYTES - FRS_DIGEST_BYTES);
        struct frs_digest training;
        char *identity;
        bool good = take_digest(&in, &training);
        good = frs_identity_take(&in, &identity) && good;
        if (!good || !same(&training, &journal->training))
            status = refuse(journal, path, identity, errors);
        else if (!take_all(journal, &in, &file))
            status =
                frs_errors_add(errors, FRS_ERR_RUN, "%s: is damaged, or no journal of this program", path);
        free(identity);
    }
    frs_buffer_fini(&file);
    return status;
}

/* A file being written, and the digest of what has been written to it. */
struct output {
    FILE *file;
    struct frs_digester digester;
    bool failed;
};

static void put(void *context, const void *bytes, size_t n) {
    struct output *out = context;
    out->failed |= fwrite(bytes, 1, n, out->file) != n;
    frs_digester_add(&out->digester, bytes, n);
}

static void put_u64(struct output *out, uint64_t value) {
    put(out, &value, sizeof value);
}

static void put_digest(struct output *out, const struct frs_digest *digest) {
    put(out, digest->bytes, sizeof digest->bytes);
}

static void count(void *context, const void *bytes, size_t n) {
    (void)bytes;
    *(uint64_t *)context += n;
}

static void put_snapshot(struct output *out, const struct frs_snapshot *snapshot) {
    uint8_t is_there = snapshot != NULL;
    uint64_t n = 0;
    put(out, &is_there, 1);
    if (!snapshot)
        return;
    put_digest(out, &snapshot->at);
    snapshot->save(snapshot->context, &(struct frs_archive){.sink = count, .context = &n});
    put_u64(out, n);
    snapshot->save(snapshot->context, &(struct frs_archive){.sink = put, .context = out});
}

/* n records, from `first` on. */
static void put_all(const struct frs_journal *journal, const struct entry *first, size_t n,
    const struct frs_snapshot *snapshot, struct output *out) {
    put(out, MAGIC, MAGIC_BYTES);
    put_digest(out, &journal->training);
    put_u64(out, strlen(journal->identity));
    put(out, journal->identity, strlen(journal->identity));
    put_u64(out, n);
    for (const struct entry *entry = first; entry && n > 0; entry = entry->next, n--) {
        put_digest(out, &entry->name);
        put_u64(out, entry->n);
        put(out, entry->bytes, entry->n);
    }
    put_snapshot(out, snapshot);
    struct frs_digest digest = frs_digester_finish(&out->digester);
    out->failed |= fwrite(digest.bytes, 1, sizeof digest.bytes, out->file) != sizeof digest.bytes;
}

void frs_journal_clear_leftover(const char *temporary) {
    int file = open(temporary, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0)
        return;
    if (flock(file, LOCK_EX | LOCK_NB) == 0 && frs_journal_is_one(temporary))
        unlink(temporary);
    close(file);
}

enum frs_status frs_journal_write(const struct frs_journal *journal, const char *path, bool only_added,
    const struct frs_snapshot *snapshot, struct frs_errors *errors) {
    char *temporary;
    struct output out = {
        .file = frs_journal_open_temporary(path, &temporary), .digester = frs_digester_init()};
    bool ok = out.file;
    if (ok && only_added)
        put_all(journal, first_added(journal), journal->n_added, snapshot, &out);
    else if (ok)
        put_all(journal, journal->entries.first, journal->entries.n, snapshot, &out);
    ok = ok && !out.failed && fflush(out.file) == 0 && (only_added || fsync(fileno(out.file)) == 0);
    ok = ok && rename(temporary, path) == 0;
    int reason = errno;
    if (out.file && !ok)
        unlink(temporary);
    if (out.file)
        fclose(out.file);
    free(temporary);
    if (ok)
        return FRS_OK;
    return frs_errors_add(errors, FRS_ERR_RUN, "%s: cannot be written: %s", path, strerror(reason));
}

bool frs_journal_write_first(const struct frs_journal *journal, size_t n, FILE *file) {
    struct output out = {.file = file, .digester = frs_digester_init()};
    put_all(journal, journal->entries.first, n < journal->entries.n ? n : journal->entries.n, NULL, &out);
    return !out.failed && fflush(file) == 0;
}
