/* Writes the pages of the reference, each under a temporary name first. A file in the folder belongs to
 * the reference only if it begins with the mark of a page. */
#include "sim/cli/scenarios/reference.h"
#include "analysis/columns/columns.h"
#include "analysis/read/files.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/scenario/explain.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_page(const char *path) {
    struct stat status;
    struct frs_errors ignored = {0};
    char *text = NULL;
    if (lstat(path, &status) != 0 || !S_ISREG(status.st_mode))
        return false;
    bool found = frs_contents_read(path, &text, &ignored) == FRS_OK &&
                 strncmp(text, frs_page_mark, strlen(frs_page_mark)) == 0;
    frs_errors_clear(&ignored);
    free(text);
    return found;
}

static int is_no_dots(const struct dirent *entry) {
    return strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0;
}

static enum frs_status check(const char *folder, struct dirent **entries, int n, struct frs_errors *errors) {
    for (int i = 0; i < n; i++) {
        char *path = frs_format("%s/%s", folder, entries[i]->d_name);
        bool ours = is_page(path);
        if (!ours)
            (void)frs_errors_add(errors, FRS_ERR_INPUT,
                "%s: was not written by fedrecsim explain, and is left alone; choose a folder of its own for "
                "the reference",
                path);
        free(path);
        if (!ours)
            return FRS_ERR_INPUT;
    }
    return FRS_OK;
}

struct writing {
    const char *folder;
    struct dirent **entries; /* what was there before; NULL where its page has been replaced */
    int n;
    enum frs_status status;
    struct frs_errors *errors;
};

static void write_page(void *context, const char *name, const char *text) {
    struct writing *writing = context;
    struct frs_draft draft;
    if (writing->status != FRS_OK)
        return;
    char *path = frs_format("%s/%s", writing->folder, name);
    writing->status = frs_draft_open(&draft, path, writing->errors);
    if (writing->status == FRS_OK) {
        fputs(text, draft.file);
        writing->status = frs_draft_commit(&draft, writing->errors);
    }
    free(path);
    for (int i = 0; i < writing->n; i++)
        if (writing->entries[i] && strcmp(writing->entries[i]->d_name, name) == 0) {
            free(writing->entries[i]);
            writing->entries[i] = NULL;
        }
}

/* What the files of results hold, beside what scenarios do. */
static void write_results_page(struct writing *writing) {
    char *text = NULL;
    size_t n = 0;
    FILE *out = open_memstream(&text, &n);
    if (!out)
        frs_memory_exhausted();
    fprintf(out, "%s# Results\n", frs_page_mark);
    frs_columns_markdown(out);
    fclose(out);
    write_page(writing, "results.md", text);
    free(text);
}

static void remove_rest(struct writing *writing) {
    for (int i = 0; i < writing->n; i++) {
        if (!writing->entries[i])
            continue;
        char *path = frs_format("%s/%s", writing->folder, writing->entries[i]->d_name);
        if (writing->status == FRS_OK)
            unlink(path);
        free(path);
        free(writing->entries[i]);
    }
}

enum frs_status frs_reference_write(const char *folder, struct frs_errors *errors) {
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: %s", folder, strerror(errno));
    struct writing writing = {.folder = folder, .errors = errors};
    writing.n = scandir(folder, &writing.entries, is_no_dots, alphasort);
    if (writing.n < 0)
        return frs_errors_add(errors, FRS_ERR_INPUT, "%s: %s", folder, strerror(errno));
    writing.status = check(folder, writing.entries, writing.n, errors);
    if (writing.status == FRS_OK) {
        frs_explain_pages(frs_sections, write_page, &writing);
        write_results_page(&writing);
    }
    remove_rest(&writing);
    free(writing.entries);
    return writing.status;
}
