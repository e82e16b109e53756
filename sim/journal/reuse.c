#include "sim/journal/reuse.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* "<training>-<content>.journal" */
static bool is_of(const char *name, const char *training) {
    size_t n = strlen(name), ending = strlen(".journal");
    return n > ending && strcmp(name + n - ending, ".journal") == 0 &&
           strncmp(name, training, FRS_DIGEST_TEXT - 1) == 0;
}

static void read_one(struct frs_journal *journal, const char *folder, const char *name) {
    struct frs_errors found = {0};
    char *path = frs_format("%s/%s", folder, name);
    /* A journal that was tidied away meanwhile needs no message. */
    if (frs_journal_read(journal, path, &found) != FRS_OK && access(path, F_OK) == 0)
        frs_print_line(stderr, "fedrecsim: %s; it is not used", found.lines[0]);
    frs_errors_clear(&found);
    free(path);
}

void frs_reuse_read(struct frs_journal *journal, const char *folder) {
    char training[FRS_DIGEST_TEXT];
    frs_digest_text(frs_journal_training(journal), training);
    DIR *entries = opendir(folder);
    struct dirent *entry;
    while (entries && (entry = readdir(entries)))
        if (is_of(entry->d_name, training))
            read_one(journal, folder, entry->d_name);
    if (entries)
        closedir(entries);
}

enum frs_status frs_reuse_write(
    const struct frs_journal *journal, const char *folder, struct frs_errors *errors) {
    char training[FRS_DIGEST_TEXT], content[FRS_DIGEST_TEXT];
    if (frs_journal_n_added(journal) == 0)
        return FRS_OK;
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return frs_errors_add(errors, FRS_ERR_RUN, "%s: %s", folder, strerror(errno));
    struct frs_digest added = frs_journal_added(journal);
    char *path = frs_format("%s/%s-%s.journal", folder,
        frs_digest_text(frs_journal_training(journal), training), frs_digest_text(&added, content));
    enum frs_status status = frs_journal_write(journal, path, true, NULL, errors);
    free(path);
    return status;
}
