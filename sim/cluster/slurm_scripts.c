/* The batch scripts of a sweep, and which options may become part of them. */
#include "sim/base/consent.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/files/create.h"
#include "sim/base/text.h"
#include "sim/cluster/slurm.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
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
            "--slurm-option \"%s\": allowed: one option of sbatch, such as partition=short",
            frs_text_line(text, line, sizeof line));
    if (is_own(&option))
        return frs_errors_add(
            errors, FRS_ERR_INPUT, "--slurm-option \"%s\": the sweep sets this one itself", text);
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

enum frs_status frs_slurm_check(const struct frs_slurm *slurm, struct frs_errors *errors) {
    enum frs_status status = check_folder(slurm->folder, errors);
    for (size_t i = 0; i < slurm->n_options; i++)
        if (check_option(slurm->options[i], errors) != FRS_OK)
            status = FRS_ERR_INPUT;
    return status;
}

static void write_options(FILE *file, const struct frs_slurm *slurm) {
    for (size_t i = 0; i < slurm->n_options; i++)
        fprintf(file, "#SBATCH %s%s\n", slurm->options[i][0] == '-' ? "" : "--", slurm->options[i]);
}

/* Quoted for the shell. */
static void write_quoted(FILE *file, const char *text) {
    fputc('\'', file);
    for (; *text; text++)
        if (*text == '\'')
            fputs("'\\''", file);
        else
            fputc(*text, file);
    fputc('\'', file);
}

/* A job's name is one word without anything that sbatch or a shell would take for something else. */
static void write_name(FILE *file, const char *name, const char *suffix) {
    fputs("#SBATCH --job-name=", file);
    for (; *name; name++)
        fputc(isspace((unsigned char)*name) || strchr("'\"\\#%", *name) ? '-' : *name, file);
    fprintf(file, "%s\n", suffix);
}

static void write_paths(FILE *file, const char *program, const char *working) {
    fputs("\n# SLURM starts a job where it was submitted: in the folder of the sweep.\nsweep=$PWD\nprogram=",
        file);
    write_quoted(file, program);
    fputs("\n# Where the relative paths of the scenario begin.\ncd ", file);
    write_quoted(file, working);
    fputs(" || exit\n\n", file);
}

static void write_array(FILE *file, const struct frs_slurm *slurm, const char *program, const char *working) {
    fprintf(file,
        "#!/bin/sh\n"
        "# One point of a sweep per task. Written by fedrecsim; by hand, from the folder of the sweep:\n"
        "#   sbatch --array=0-19 slurm/array.sh\n"
        "# A cluster whose arrays are too short takes the others as `slurm/array.sh 1000`, which adds 1000\n"
        "# to the number of each task.\n");
    write_name(file, slurm->name, "");
    fputs("#SBATCH --output=points/%4a.log\n"
          "#SBATCH --open-mode=truncate\n"
          "#SBATCH --ntasks=1\n"
          "#SBATCH --requeue\n",
        file);
    if (slurm->threads > 0)
        fprintf(file, "#SBATCH --cpus-per-task=%zu\n", slurm->threads);
    write_options(file, slurm);
    write_paths(file, program, working);
    fputs(
        "index=$((${1:-0} + SLURM_ARRAY_TASK_ID))\n"
        "\"$program\" point \"$sweep/plan.json\" --index \"$index\" --threads \"${SLURM_CPUS_PER_TASK:-1}\"",
        file);
    if (frs_consent_is_given()) /* which a cluster may not hand on with the environment */
        fputs(" \\\n    --" FRS_CONSENT_OPTION, file);
    for (size_t i = 0; i < slurm->n_plugins; i++) {
        fputs(" \\\n    --plugin ", file);
        write_quoted(file, slurm->plugins[i]);
    }
    fputs(slurm->reuse ? " \\\n    --cache \"$sweep/cache\" || exit\n" : " || exit\n", file);
    fputs("# A point that had nothing to say leaves no log.\n"
          "log=$(printf '%s/points/%04d.log' \"$sweep\" \"$index\")\n"
          "[ -s \"$log\" ] || rm -f \"$log\"\n",
        file);
}

static void write_collect(
    FILE *file, const struct frs_slurm *slurm, const char *program, const char *working) {
    fputs("#!/bin/sh\n"
          "# Collects the results of a sweep. Written by fedrecsim; by hand, from the folder of the sweep:\n"
          "#   sbatch slurm/collect.sh\n",
        file);
    write_name(file, slurm->name, "-collect");
    fputs("#SBATCH --output=slurm/collect.log\n"
          "#SBATCH --open-mode=truncate\n"
          "#SBATCH --ntasks=1\n"
          "#SBATCH --requeue\n",
        file);
    write_options(file, slurm);
    write_paths(file, program, working);
    fprintf(file, "exec \"$program\" collect \"$sweep\"%s\n", slurm->all ? " --all" : "");
}

typedef void (*writer)(FILE *file, const struct frs_slurm *slurm, const char *program, const char *working);

static enum frs_status write_script(const struct frs_slurm *slurm, const char *name, writer write_text,
    const char *program, const char *working, struct frs_errors *errors) {
    char *path = frs_format("%s/slurm/%s", slurm->folder, name);
    enum frs_status status = FRS_OK;
    FILE *file = frs_create(path);
    int failed = !file;
    if (file) {
        write_text(file, slurm, program, working);
        failed = ferror(file) || fchmod(fileno(file), 0755) != 0;
        failed = fclose(file) != 0 || failed;
    }
    if (failed)
        status = frs_errors_add(errors, FRS_ERR_RUN, "%s: %s", path, strerror(errno));
    free(path);
    return status;
}

/* Where a symbolic link leads; NULL on failure. Freed with free(). */
static char *program_path(void) {
    return realpath("/proc/self/exe", NULL);
}

static enum frs_status make_folder(const char *folder, const char *name, struct frs_errors *errors) {
    char *path = frs_format("%s/%s", folder, name);
    enum frs_status status = FRS_OK;
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        status = frs_errors_add(errors, FRS_ERR_RUN, "%s: %s", path, strerror(errno));
    free(path);
    return status;
}

enum frs_status frs_slurm_write(const struct frs_slurm *slurm, struct frs_errors *errors) {
    char *program = program_path();
    char *working = getcwd(NULL, 0);
    enum frs_status status = FRS_OK;
    if (!program || !working)
        status = frs_errors_add(errors, FRS_ERR_RUN,
            "cannot tell where the program and the working directory are: %s", strerror(errno));
    if (status == FRS_OK)
        status = make_folder(slurm->folder, "slurm", errors);
    if (status == FRS_OK) /* SLURM does not make the folder of a log */
        status = make_folder(slurm->folder, "points", errors);
    if (status == FRS_OK)
        status = write_script(slurm, "array.sh", write_array, program, working, errors);
    if (status == FRS_OK)
        status = write_script(slurm, "collect.sh", write_collect, program, working, errors);
    free(program);
    free(working);
    return status;
}
