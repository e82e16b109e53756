/* A command of the user's that submits tasks: for every system that has no launcher of its own. What becomes
 * of tasks is learnt from the files that they leave. */
#include "sim/base/buffer.h"
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/quoting.h"
#include "sim/base/text.h"
#include "sim/cluster/launcher.h"
#include "sim/cluster/tool.h"

#include <stdlib.h>
#include <string.h>

/* What stands in the template for a wave of tasks. */
struct wave {
    const struct frs_batch *batch;
    size_t first, end;
    char *folder; /* from the root */
};

static void put_text(struct frs_buffer *out, const char *text) {
    frs_buffer_put(out, text, strlen(text));
}

/* Between quotes, as one word of a shell. */
static void put_word(struct frs_buffer *out, const char *folder, const char *name) {
    char *path = frs_format("%s/%s", folder, name);
    put_text(out, "'");
    for (const char *at = path; *at; at++)
        if (*at == '\'')
            put_text(out, "'\\''");
        else
            frs_buffer_put(out, at, 1);
    put_text(out, "'");
    free(path);
}

/* Puts what {name} stands for; false: no such name. out NULL: only asks. */
static bool put_value(struct frs_buffer *out, const char *name, size_t length, const struct wave *wave) {
    static const char *const names[] = {
        "first", "last", "first+1", "last+1", "tasks", "run", "plan", "folder", "name", NULL};
    size_t which = 0;
    while (names[which] && (strlen(names[which]) != length || strncmp(names[which], name, length) != 0))
        which++;
    if (!names[which] || !out)
        return names[which] != NULL;
    size_t numbers[] = {wave->first, wave->end - 1, wave->first + 1, wave->end, wave->end - wave->first};
    if (which < sizeof numbers / sizeof *numbers) {
        char *text = frs_format("%zu", numbers[which]);
        put_text(out, text);
        free(text);
    } else if (which == 5) {
        put_word(out, wave->folder, "tasks/run.sh");
    } else if (which == 6) {
        put_word(out, wave->folder, "plan.json");
    } else if (which == 7) {
        put_word(out, wave->folder, "");
    } else {
        for (const char *at = wave->batch->name; *at; at++)
            put_text(out, strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_", *at)
                              ? (char[]){*at, '\0'}
                              : "-");
    }
    return true;
}

/* The command for a wave, freed by the caller. */
static char *fill(const char *template, const struct wave *wave) {
    struct frs_buffer out = {0};
    for (const char *at = template; *at;) {
        const char *end = *at == '{' ? strchr(at, '}') : NULL;
        if (end && put_value(&out, at + 1, (size_t)(end - at - 1), wave)) {
            at = end + 1;
        } else {
            frs_buffer_put(&out, at, 1);
            at++;
        }
    }
    frs_buffer_put_u8(&out, '\0');
    return (char *)out.bytes;
}

/* Whether the command can know how many tasks there are, or which. */
static bool has_numbers(const char *template) {
    static const char *const names[] = {"{first}", "{last}", "{first+1}", "{last+1}", "{tasks}", NULL};
    for (size_t i = 0; names[i]; i++)
        if (strstr(template, names[i]))
            return true;
    return false;
}

static enum frs_status check(const struct frs_batch *batch, struct frs_errors *errors) {
    if (!batch->submit)
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "--launcher command: needs --submit COMMAND, such as 'qsub -J {first}-{last} -- {run}'");
    if (!strstr(batch->submit, "{run}"))
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "--submit: the command has no {run}, the script of a task; others are {first}, {last}, "
            "{first+1}, "
            "{last+1}, {tasks}, {plan}, {folder}, {name}");
    for (const char *at = batch->submit; (at = strchr(at, '{')); at++) {
        size_t length = strspn(at + 1, "abcdefghijklmnopqrstuvwxyz_+1");
        bool is_known = put_value(NULL, at + 1, length, NULL), is_closed = at[1 + length] == '}';
        if (length == 0 || length >= 12 || is_known == is_closed || (at > batch->submit && at[-1] == '$'))
            continue;
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "--submit: {%.*s%s; allowed: {run}, {first}, {last}, {first+1}, {last+1}, {tasks}, {plan}, "
            "{folder}, "
            "{name}",
            (int)length, at + 1, is_closed ? "} stands for nothing" : " has no closing brace");
    }
    if (!has_numbers(batch->submit))
        return frs_errors_add(errors, FRS_ERR_INPUT,
            "--submit: the command says nowhere which tasks it submits; it needs {first} and {last}, "
            "{first+1} "
            "and {last+1}, or {tasks}, as in 'qsub -J {first}-{last} -- {run}'");
    return FRS_OK;
}

static void show(const struct frs_batch *batch) {
    for (size_t first = 0, end; first < batch->n_tasks; first = end) {
        end = frs_batch_wave_end(batch, first);
        struct wave wave = {batch, first, end, realpath(batch->folder, NULL)};
        char *command = fill(batch->submit, &wave);
        frs_print_line(stdout, "tasks %zu to %zu would be submitted by: %s", first, end - 1, command);
        free(command);
        free(wave.folder);
    }
}

static enum frs_status say_refused(
    const struct frs_batch *batch, size_t first, int code, const char *line, struct frs_errors *errors) {
    char *why = *line ? frs_strdup(line) : frs_format("exit status %d, and it said nothing", code);
    char *before = first > 0 ? frs_format(" (tasks 0 to %zu have ended)", first - 1) : frs_strdup("");
    enum frs_status status = frs_errors_add(errors, FRS_ERR_RUN,
        "--submit: the command failed: %s; tasks %zu to %zu are not submitted%s, and the same command with "
        "--resume goes on",
        why, first, batch->n_tasks - 1, before);
    free(why);
    free(before);
    return status;
}

static enum frs_status submit_wave(
    const struct frs_batch *batch, size_t first, size_t end, bool quiet, struct frs_errors *errors) {
    struct wave wave = {batch, first, end, realpath(batch->folder, NULL)};
    char *command = fill(batch->submit, &wave), *said;
    const char *arguments[] = {"sh", "-c", command, NULL};
    int code = frs_tool_code(".", arguments, &said);
    char *line = frs_text_last_line(said);
    enum frs_status status = FRS_OK;
    if (code != 0)
        status = say_refused(batch, first, code, line, errors);
    else if (!quiet)
        frs_print_line(stdout, "submitted tasks %zu to %zu%s%s", first, end - 1, *line ? ": " : "", line);
    free(line);
    free(said);
    free(command);
    free(wave.folder);
    return status;
}

/* Without a word from the system, those that wait are submitted when the others have left their codes. */
static enum frs_status submit(
    const struct frs_batch *batch, struct frs_jobs *jobs, bool quiet, struct frs_errors *errors) {
    (void)jobs;
    enum frs_status status = FRS_OK;
    size_t n_waves = 0;
    for (size_t first = 0; first < batch->n_tasks; first = frs_batch_wave_end(batch, first))
        n_waves++;
    if (n_waves > 1 && !quiet)
        frs_print_line(
            stdout, "%zu waves of tasks: this command stays until wave %zu is submitted", n_waves, n_waves);
    for (size_t first = 0, end; first < batch->n_tasks && status == FRS_OK; first = end) {
        end = frs_batch_wave_end(batch, first);
        if (first > 0)
            status = frs_batch_wait(batch, 0, first, errors);
        if (status == FRS_OK)
            status = submit_wave(batch, first, end, quiet, errors);
        if (status == FRS_OK && end < batch->n_tasks && !quiet)
            frs_print_line(stdout, "tasks %zu to %zu wait for results of these", end, batch->n_tasks - 1);
        fflush(stdout);
    }
    if (status == FRS_OK && !quiet)
        frs_print_line(stdout,
            "%s/tasks/NNNN.ended says that a task has ended; once all have: fedrecsim collect %s",
            batch->folder, batch->folder);
    fflush(stdout);
    return status;
}

static enum frs_status wait(
    const struct frs_batch *batch, const struct frs_jobs *jobs, struct frs_errors *errors) {
    (void)jobs;
    return frs_batch_wait(batch, 0, batch->n_tasks, errors);
}

const struct frs_launcher frs_launcher_command = {
    .name = "command",
    .summary = "a command that submits tasks (--submit), for other systems",
    .check = check,
    .show = show,
    .submit = submit,
    .wait = wait,
};
