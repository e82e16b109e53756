#include "sim/cluster/scripts.h"
#include "sim/base/errors.h"
#include "sim/base/files/create.h"
#include "sim/base/memory.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum frs_status frs_script_failed(const char *path, struct frs_errors *errors) {
    return frs_errors_add(errors, FRS_ERR_RUN, "%s: %s", path, strerror(errno));
}

void frs_script_quote(FILE *file, const char *text) {
    fputc('\'', file);
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", file);
        else
            fputc(*text, file);
    fputc('\'', file);
}

void frs_script_word(FILE *file, const char *text) {
    for (; *text; text++)
        fputc(isspace((unsigned char)*text) || strchr("'\"\\#%", *text) ? '-' : *text, file);
}

enum frs_status frs_script_folder(const char *folder, const char *name, struct frs_errors *errors) {
    char *path = frs_format("%s/%s", folder, name);
    enum frs_status status =
        mkdir(path, 0777) != 0 && errno != EEXIST ? frs_script_failed(path, errors) : FRS_OK;
    free(path);
    return status;
}

enum frs_status frs_script_write(const char *folder, const char *name, frs_script_put put,
    const struct frs_batch *batch, struct frs_errors *errors) {
    char *path = frs_format("%s/%s", folder, name);
    FILE *file = frs_create(path);
    bool failed = !file;
    if (file) {
        put(file, batch);
        failed = ferror(file) || fchmod(fileno(file), 0755) != 0;
        failed = fclose(file) != 0 || failed;
    }
    enum frs_status status = failed ? frs_script_failed(path, errors) : FRS_OK;
    free(path);
    return status;
}
