#include "sim/sweep/digests.h"
#include "sim/base/errors.h"
#include "sim/base/files/create.h"
#include "sim/base/files/input.h"
#include "sim/base/memory.h"
#include "sim/ledger/run_place.h"
#include "sim/sweep/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static char *file_of(const char *folder) {
    return frs_format("%s/digests", folder);
}

/* Pages and timelines may be made later, from the results. */
static int is_result(const struct dirent *entry) {
    return frs_run_place_knows(entry->d_name) && strcmp(entry->d_name, "report.html") != 0 &&
           strcmp(entry->d_name, "timeline.json") != 0;
}

/* Returns false, with errno, where a file cannot be read. */
static bool digest_of(const char *directory, char text[FRS_DIGEST_TEXT]) {
    struct frs_digester digester = frs_digester_init();
    struct dirent **names;
    int n = scandir(directory, &names, is_result, alphasort);
    bool good = n >= 0;
    for (int i = 0; i < n; i++) {
        char *path = frs_format("%s/%s", directory, names[i]->d_name);
        struct frs_digest digest = {0};
        good = good && !frs_input_digest(path, &digest);
        frs_digester_add_text(&digester, names[i]->d_name);
        frs_digester_add(&digester, digest.bytes, sizeof digest.bytes);
        free(names[i]);
        free(path);
    }
    if (n >= 0)
        free(names);
    struct frs_digest all = frs_digester_finish(&digester);
    frs_digest_text(&all, text);
    return good;
}

enum frs_status frs_digests_write(
    const char *folder, const struct frs_sweep_plan *plan, struct frs_errors *errors) {
    char *path = file_of(folder);
    FILE *file = frs_create(path);
    bool good = file;
    for (size_t point = 0; good && point < plan->n_points; point++) {
        char text[FRS_DIGEST_TEXT], *directory = frs_folder_point(folder, point);
        if (frs_folder_finished(folder, plan, point)) {
            good = digest_of(directory, text);
            fprintf(file, "%zu %s\n", point, text);
        }
        free(directory);
    }
    if (file && fclose(file) != 0)
        good = false;
    enum frs_status status =
        good ? FRS_OK : frs_errors_add(errors, FRS_ERR_RUN, "%s: %s", path, strerror(errno));
    free(path);
    return status;
}

frs_digest_line *frs_digests_read(const char *folder, size_t n_points) {
    frs_digest_line *lines = frs_alloc(n_points, sizeof *lines), text;
    char *path = file_of(folder);
    FILE *file = NULL;
    size_t point;
    if (!frs_input_open(path, &file))
        while (fscanf(file, "%9zu %32[0-9a-f]", &point, text) == 2)
            if (point < n_points)
                memcpy(lines[point], text, sizeof text);
    if (file)
        fclose(file);
    free(path);
    return lines;
}

enum frs_status frs_digests_check(const char *folder, const struct frs_sweep_plan *plan, size_t point,
    const char *wanted, struct frs_errors *errors) {
    char text[FRS_DIGEST_TEXT], *directory = frs_folder_point(folder, point);
    enum frs_status status = FRS_OK;
    if (*wanted && !(frs_folder_finished(folder, plan, point) && digest_of(directory, text) &&
                       strcmp(text, wanted) == 0))
        status = frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: is not what its run wrote (%s/digests): the copy is cut short, or was changed; copy the "
            "folder again, or go on with its shard (--resume)",
            directory, folder);
    free(directory);
    return status;
}
