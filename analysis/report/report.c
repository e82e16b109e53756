#include "analysis/report/report.h"
#include "analysis/read/files.h"
#include "analysis/report/report_internal.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* What every page begins with (page.html), by which one is known. */
static const char beginning[] = "<!DOCTYPE html>\n<!-- fedrecsim report -->\n";

static bool is_page(const char *path) {
    struct stat status;
    char found[sizeof beginning] = "";
    FILE *file = lstat(path, &status) == 0 && S_ISREG(status.st_mode) ? fopen(path, "rb") : NULL;
    size_t n = file ? fread(found, 1, sizeof beginning - 1, file) : 0;
    if (file)
        fclose(file);
    return n == sizeof beginning - 1 && strcmp(found, beginning) == 0;
}

/* Whether what stands at `path`, if anything, may be replaced. */
static enum frs_status check_place(const char *path, struct frs_errors *errors) {
    struct stat status;
    if (lstat(path, &status) != 0 || is_page(path))
        return FRS_OK;
    return frs_errors_add(errors, FRS_ERR_INPUT,
        "%s exists and is no report of this program; choose another place with --out FILE", path);
}

enum frs_status frs_report_check_format(const struct frs_run_results *run, struct frs_errors *errors) {
    if (run->format == FRS_RUN_FORMAT)
        return FRS_OK;
    return frs_errors_add(errors, FRS_ERR_INPUT,
        "%s/manifest.json: is of format %llu (fedrecsim %s), and pages are made of format %d alone: another "
        "version of the program has run it",
        run->path, (unsigned long long)run->format, run->version, FRS_RUN_FORMAT);
}

static enum frs_status write_page(const json_t *data, const char *path, struct frs_errors *errors) {
    struct frs_draft draft;
    enum frs_status status = frs_draft_open(&draft, path, errors);
    if (status != FRS_OK)
        return status;
    frs_report_print(data, draft.file);
    return frs_draft_commit(&draft, errors);
}

/* The page of one folder stands in it. */
static char *place_of(const char *const *folders, size_t n, const struct frs_report_options *options) {
    struct stat status;
    if (options->out)
        return frs_strdup(options->out);
    if (n > 1 || stat(folders[0], &status) != 0 || !S_ISDIR(status.st_mode))
        return frs_strdup(FRS_REPORT_FILE);
    size_t length = strlen(folders[0]);
    while (length > 1 && folders[0][length - 1] == '/')
        length--;
    return frs_format("%.*s/%s", (int)length, folders[0], FRS_REPORT_FILE);
}

static json_t *data_of(const char *const *folders, size_t n, const struct frs_report_options *options,
    struct frs_errors *errors) {
    bool is_run = n == 1 && frs_run_is(folders[0]);
    if (is_run && options->target) {
        frs_errors_add(errors, FRS_ERR_INPUT,
            "--target: a run has the target that its scenario names (evaluation.target); it is for sweeps "
            "and comparisons");
        return NULL;
    }
    if (!is_run && options->rounds) {
        frs_errors_add(errors, FRS_ERR_INPUT, "--rounds: is for the page of a single run");
        return NULL;
    }
    return is_run ? frs_report_of_run(folders[0], options->rounds, errors)
                  : frs_report_of_entries(folders, n, options->target, errors);
}

enum frs_status frs_report_write(const char *const *folders, size_t n,
    const struct frs_report_options *options, char **written, struct frs_errors *errors) {
    char *path = place_of(folders, n, options);
    enum frs_status status = options->replace ? FRS_OK : check_place(path, errors);
    json_t *data = status == FRS_OK ? data_of(folders, n, options, errors) : NULL;
    status = data ? write_page(data, path, errors) : FRS_ERR_INPUT;
    json_decref(data);
    if (written && status == FRS_OK)
        *written = path;
    else
        free(path);
    return status;
}

enum frs_status frs_report_write_run(const char *folder, struct frs_errors *errors) {
    return frs_report_write(&folder, 1, &(struct frs_report_options){.replace = true}, NULL, errors);
}

void frs_report_renew(const char *folder, const char *target, bool wanted) {
    const struct frs_report_options options = {.target = target};
    struct frs_errors errors = {0};
    struct stat status;
    char *path = place_of(&folder, 1, &options);
    bool is_new = wanted && lstat(path, &status) != 0;
    if ((is_new || is_page(path)) && frs_report_write(&folder, 1, &options, NULL, &errors) != FRS_OK)
        frs_print_line(stderr,
            is_new ? "fedrecsim: there is no %s: %s"
                   : "fedrecsim: %s is as it was and may not agree with the tables: %s",
            path, errors.n > 0 ? errors.lines[0] : "it cannot be made");
    frs_errors_clear(&errors);
    free(path);
}
