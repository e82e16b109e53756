/* The batch scripts of a sweep, and which options may become part of them. */
#include "sim/cluster/slurm_scripts.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"
#include "sim/cluster/scripts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the sweep itself sets: another value would make points overwrite or lose each other. */
static const char *const own_options[] = {"array", "a", "dependency", "d", "chdir", "D", "output", "o",
    "error", "e", "open-mode", "parsable", "wait", "W", "wrap", NULL};

/* sbatch's short options without a value: another one may follow at once, as in -HW. */
static const char flags[] = "hHIkOQsuvVW";

/* "--name=value", "--name value", "name=value", "name value", "-n value" or "-nvalue": sbatch splits a
 * line at blanks outside of quotes, which it removes. A part of the option must not be, or become, a
 * second option. */
struct option {
    const char *name; /* of letters, digits and hyphens */
    size_t length;
    bool is_short;
};

/* Behind the word at `text`; NULL: its quotes do not end. */
static const char *end_of_word(const char *text) {
    for (; *text && *text != ' ' && *text != '\t'; text++) {
        if (*text != '"' && *text != '\'')
            continue;
        text = strchr(text + 1, *text);
        if (!text)
            return NULL;
    }
    return text;
}

static const char *skip_blanks(const char *text) {
    return text + strspn(text, " \t");
}

/* Whether the words behind the first one are one value at most. Only there a hyphen could begin an option. */
static bool is_one_value(const char *text) {
    const char *value = skip_blanks(text), *end = end_of_word(value);
    return end && !*skip_blanks(end) && value[strspn(value, "\"'")] != '-';
}

static bool read_long(struct option *option) {
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-";
    option->length = strspn(option->name, letters);
    return option->length > 0 && strchr("= \t", option->name[option->length]);
}

/* Flags, and then nothing, or a letter whose value may follow at once. */
static bool read_short(struct option *option) {
    option->length = strspn(option->name, flags);
    char next = option->name[option->length];
    if (option->length > 0 && strchr(" \t", next))
        return true;
    option->length++;
    return isalpha((unsigned char)next);
}

static bool read_option(const char *text, struct option *option) {
    size_t hyphens = strspn(text, "-");
    const char *end = end_of_word(text);
    *option = (struct option){.name = text + hyphens, .is_short = hyphens == 1};
    return hyphens <= 2 && end && !strpbrk(text, "\r\n\v\f\\") && is_one_value(end) &&
           (option->is_short ? read_short(option) : read_long(option));
}

/* sbatch takes long names cut short, too. */
static bool is_own(const struct option *option) {
    for (size_t i = 0; own_options[i]; i++) {
        bool short_own = own_options[i][1] == '\0';
        if (option->is_short && short_own && memchr(option->name, own_options[i][0], option->length))
            return true;
        if (!option->is_short && !short_own && strncmp(own_options[i], option->name, option->length) == 0)
            return true;
    }
    return false;
}

static enum frs_status check_option(const char *text, struct frs_errors *errors) {
    struct option option;
    char line[80];
    if (!read_option(text, &option))
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "--launcher-option \"%s\": allowed: one option of sbatch, such as partition=short",
            frs_text_line(text, line, sizeof line));
    if (is_own(&option))
        return frs_errors_add(
            errors, FRS_ERR_INPUT, "--launcher-option \"%s\": the sweep sets this one itself", text);
    return FRS_OK;
}

/* SLURM replaces %a and the like in the names of logs, which are below the folder, unless there is a
 * backslash. */
static enum frs_status check_folder(const char *folder, struct frs_errors *errors) {
    char *working = *folder == '/' ? frs_strdup("") : getcwd(NULL, 0);
    bool unfit = strpbrk(folder, "%\\") || (working && strpbrk(working, "%\\"));
    free(working);
    if (unfit)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "%s: SLURM cannot write logs below a path with %% or a backslash; choose another folder with "
            "--out DIR",
            folder);
    return FRS_OK;
}

enum frs_status frs_slurm_check(const struct frs_batch *batch, struct frs_errors *errors) {
    enum frs_status status = check_folder(batch->folder, errors);
    for (size_t i = 0; i < batch->n_options; i++)
        if (check_option(batch->options[i], errors) != FRS_OK)
            status = FRS_ERR_INPUT;
    return status;
}

static void write_options(FILE *file, const struct frs_batch *batch) {
    for (size_t i = 0; i < batch->n_options; i++)
        fprintf(file, "#SBATCH %s%s\n", batch->options[i][0] == '-' ? "" : "--", batch->options[i]);
}

static void put_name(FILE *file, const struct frs_batch *batch, const char *suffix) {
    fputs("#SBATCH --job-name=", file);
    frs_script_word(file, batch->name);
    fprintf(file, "%s\n", suffix);
}

static void put_array(FILE *file, const struct frs_batch *batch) {
    fprintf(file,
        "#!/bin/sh\n"
        "# One task of a sweep per task of an array. Written by fedrecsim; by hand, from the folder of the "
        "sweep:\n"
        "#   sbatch --array=0-19 slurm/array.sh\n"
        "# A cluster whose arrays are too short takes the others as `slurm/array.sh 1000`, which adds 1000\n"
        "# to the number of each task.\n");
    put_name(file, batch, "");
    fputs("#SBATCH --output=tasks/%4a.log\n"
          "#SBATCH --open-mode=truncate\n"
          "#SBATCH --ntasks=1\n"
          "#SBATCH --requeue\n",
        file);
    size_t threads = batch->threads > 0 ? batch->threads : 1;
    if (batch->processors == 0)
        fputs("#SBATCH --exclusive\n", file);
    else if (batch->processors * threads > 1)
        fprintf(file, "#SBATCH --cpus-per-task=%zu\n", batch->processors * threads);
    write_options(file, batch);
    fputs("\n# SLURM starts a job where it was submitted: in the folder of the sweep.\n"
          "exec tasks/run.sh \"$((${1:-0} + SLURM_ARRAY_TASK_ID))\"\n",
        file);
}

static void put_collect(FILE *file, const struct frs_batch *batch) {
    fputs("#!/bin/sh\n"
          "# Collects the results of a sweep. Written by fedrecsim; by hand, from the folder of the sweep:\n"
          "#   sbatch slurm/collect.sh\n",
        file);
    put_name(file, batch, "-collect");
    fputs("#SBATCH --output=slurm/collect.log\n"
          "#SBATCH --open-mode=truncate\n"
          "#SBATCH --ntasks=1\n"
          "#SBATCH --requeue\n",
        file);
    write_options(file, batch);
    fputs("\nexec tasks/collect.sh\n", file);
}

enum frs_status frs_slurm_write(const struct frs_batch *batch, struct frs_errors *errors) {
    enum frs_status status = frs_script_folder(batch->folder, "slurm", errors);
    if (status == FRS_OK)
        status = frs_script_write(batch->folder, "slurm/array.sh", put_array, batch, errors);
    if (status == FRS_OK)
        status = frs_script_write(batch->folder, "slurm/collect.sh", put_collect, batch, errors);
    return status;
}
