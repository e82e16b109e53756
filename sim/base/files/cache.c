#include "sim/base/files/cache.h"
#include "sim/base/errors.h"
#include "sim/base/files/create.h"
#include "sim/base/files/input.h"
#include "sim/base/files/own_folders.h"
#include "sim/base/files/program.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* At the beginning of an entry; its end is the digest of what is between. */
static const char mark[] = "fedrecsim's cache\n";
enum { MARK_BYTES = sizeof mark - 1, FRAME_BYTES = MARK_BYTES + FRS_DIGEST_BYTES };

const char *frs_cache_folder(void) {
    static char *usual;
    const char *folder = getenv("FEDRECSIM_CACHE");
    if (folder)
        return *folder ? folder : NULL;
    if (!usual)
        usual = frs_folder_of_cache();
    return usual && frs_folder_exists(usual) ? usual : NULL;
}

enum frs_status frs_cache_check(struct frs_errors *errors) {
    struct stat status;
    const char *folder = frs_cache_folder();
    if (!folder)
        return FRS_OK;
    if (stat(folder, &status) != 0)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "FEDRECSIM_CACHE: %s: %s; allowed: a folder that is there, or nothing", folder, strerror(errno));
    return S_ISDIR(status.st_mode)
               ? FRS_OK
               : frs_errors_add(errors, FRS_ERR_INPUT,
                     "FEDRECSIM_CACHE: %s: is not a folder; allowed: a folder that is there, or nothing",
                     folder);
}

struct frs_digester frs_cache_key(const char *kind) {
    struct frs_digester digester = frs_digester_init();
    frs_digester_add(&digester, frs_program_digest()->bytes, FRS_DIGEST_BYTES);
    frs_digester_add_text(&digester, kind);
    return digester;
}

/* NULL: nothing is kept. */
static char *path_of(const char *kind, const struct frs_digest *key) {
    char text[FRS_DIGEST_TEXT];
    const char *folder = frs_cache_folder();
    bool known = access("/proc/self/exe", R_OK) == 0; /* else the program that made an entry is unknown */
    return folder && known ? frs_format("%s/%s-%s.cache", folder, kind, frs_digest_text(key, text)) : NULL;
}

/* Opens a file that begins with the mark and is long enough. */
static FILE *open_marked(const char *path, size_t *n_bytes) {
    char begin[MARK_BYTES];
    struct stat status;
    FILE *file;
    if (frs_input_open(path, &file))
        return NULL;
    if (fstat(fileno(file), &status) == 0 && status.st_size >= FRAME_BYTES &&
        fread(begin, 1, MARK_BYTES, file) == MARK_BYTES && memcmp(begin, mark, MARK_BYTES) == 0) {
        *n_bytes = (size_t)status.st_size - FRAME_BYTES;
        return file;
    }
    fclose(file);
    return NULL;
}

bool frs_cache_open(struct frs_cache_entry *entry, const char *kind, const struct frs_digest *key) {
    *entry = (struct frs_cache_entry){.content = frs_digester_init()};
    char *path = path_of(kind, key);
    if (path)
        entry->file = open_marked(path, &entry->left_bytes);
    free(path);
    return entry->file;
}

void frs_cache_read(struct frs_cache_entry *entry, void *bytes, size_t n) {
    if (entry->failed || n > entry->left_bytes || fread(bytes, 1, n, entry->file) != n) {
        entry->failed = true;
        if (n > 0)
            memset(bytes, 0, n);
        return;
    }
    entry->left_bytes -= n;
    frs_digester_add(&entry->content, bytes, n);
}

bool frs_cache_end_read(struct frs_cache_entry *entry) {
    uint8_t end[FRS_DIGEST_BYTES];
    struct frs_digest digest = frs_digester_finish(&entry->content);
    bool whole = !entry->failed && entry->left_bytes == 0 &&
                 fread(end, 1, sizeof end, entry->file) == sizeof end &&
                 memcmp(end, digest.bytes, sizeof end) == 0;
    fclose(entry->file);
    entry->file = NULL;
    return whole;
}

/* Whether a file of this name exists that is not an entry of the cache. A half-written file without the
 * mark is not an entry. */
static bool is_foreign(const char *path) {
    struct stat status;
    size_t ignored;
    if (lstat(path, &status) != 0)
        return false;
    FILE *file = open_marked(path, &ignored);
    if (!file)
        return true;
    fclose(file);
    return false;
}

void frs_cache_create(struct frs_cache_entry *entry, const char *kind, const struct frs_digest *key) {
    *entry = (struct frs_cache_entry){.content = frs_digester_init(), .path = path_of(kind, key)};
    if (!entry->path || is_foreign(entry->path))
        return;
    entry->draft = frs_format("%s.partial-%ld", entry->path, (long)getpid());
    entry->file = frs_create(entry->draft);
    if (entry->file)
        entry->failed = fwrite(mark, 1, MARK_BYTES, entry->file) != MARK_BYTES;
}

void frs_cache_write(struct frs_cache_entry *entry, const void *bytes, size_t n) {
    if (!entry->file || entry->failed)
        return;
    entry->failed = n > 0 && fwrite(bytes, 1, n, entry->file) != n;
    frs_digester_add(&entry->content, bytes, n);
}

void frs_cache_end_write(struct frs_cache_entry *entry) {
    if (entry->file) {
        struct frs_digest digest = frs_digester_finish(&entry->content);
        bool written =
            !entry->failed && fwrite(digest.bytes, 1, FRS_DIGEST_BYTES, entry->file) == FRS_DIGEST_BYTES;
        written = fclose(entry->file) == 0 && written;
        if (!written || rename(entry->draft, entry->path) != 0)
            unlink(entry->draft);
    }
    free(entry->draft);
    free(entry->path);
    *entry = (struct frs_cache_entry){0};
}
