#include "sim/cli/scenarios/named_scenarios.h"
#include "sim/base/buffer.h"
#include "sim/base/errors.h"
#include "sim/base/files/input.h"
#include "sim/base/files/own_folders.h"
#include "sim/base/memory.h"
#include "sim/base/text.h"
#include "sim/cli/output/json_output.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char ending[] = ".cfg";

enum { DEEPEST = 4, WIDEST_SUMMARY = 110 };

struct names {
    char **names;
    size_t n, capacity;
};

static bool is_scenario(const char *name) {
    size_t n = strlen(name), end = sizeof ending - 1;
    return n > end && strcmp(name + n - end, ending) == 0;
}

static void add(struct names *names, char *name) {
    names->names = frs_grow(names->names, names->n + 2, &names->capacity, sizeof *names->names);
    names->names[names->n++] = name;
    names->names[names->n] = NULL;
}

/* All below root/below, which ends in a slash or is empty. */
static void collect(struct names *names, const char *root, const char *below, int depth) {
    char *folder = frs_format("%s/%s", root, below);
    struct dirent **entries;
    int n = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        const char *name = entries[i]->d_name;
        char *path = frs_format("%s%s", folder, name);
        struct stat status;
        bool is_there = *name != '.' && stat(path, &status) == 0;
        if (is_there && S_ISREG(status.st_mode) && is_scenario(name))
            add(names, frs_format("%s%.*s", below, (int)(strlen(name) - (sizeof ending - 1)), name));
        if (is_there && S_ISDIR(status.st_mode) && depth < DEEPEST) {
            char *deeper = frs_format("%s%s/", below, name);
            collect(names, root, deeper, depth + 1);
            free(deeper);
        }
        free(path);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    free(folder);
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

char **frs_named_scenarios(const char *folder) {
    struct names names = {0};
    char *root = frs_folder_of_scenarios(), *below = *folder ? frs_format("%s/", folder) : frs_strdup("");
    add(&names, NULL);
    names.n = 0;
    if (root)
        collect(&names, root, below, 0);
    qsort(names.names, names.n, sizeof *names.names, by_name);
    free(below);
    free(root);
    return names.names;
}

void frs_named_scenarios_free(char **names) {
    for (size_t i = 0; names[i]; i++)
        free(names[i]);
    free(names);
}

/* The file of a name; NULL where there is none. A name never leads out of the folder. */
static char *file_of(const char *name) {
    if (!*name || *name == '/' || *name == '.' || strstr(name, "..") || is_scenario(name))
        return NULL;
    char *root = frs_folder_of_scenarios(), *path = root ? frs_format("%s/%s%s", root, name, ending) : NULL;
    free(root);
    if (path && access(path, R_OK) == 0)
        return path;
    free(path);
    return NULL;
}

static bool is_script(const char *path) {
    char begin[2];
    FILE *file = fopen(path, "rb");
    bool found = file && fread(begin, 1, sizeof begin, file) == sizeof begin && memcmp(begin, "#!", 2) == 0;
    if (file)
        fclose(file);
    return found;
}

/* In the current folder: what may be meant as a scenario. */
static bool is_file(const char *path) {
    struct stat status;
    return stat(path, &status) == 0 && !S_ISDIR(status.st_mode) &&
           !(S_ISREG(status.st_mode) && is_script(path));
}

/* A name that was probably meant, or NULL; also by its last part alone. */
static const char *nearest_of(char **names, const char *given) {
    for (size_t i = 0; names[i]; i++) {
        const char *slash = strrchr(names[i], '/');
        if (slash && strcmp(slash + 1, given) == 0)
            return names[i];
    }
    return frs_text_nearest(given, (const char *const *)names);
}

/* What is neither a file nor a name: a name was meant, unless it looks like a path. */
static enum frs_status unknown(const char *given, struct frs_errors *errors) {
    char line[80], **names = frs_named_scenarios("");
    const char *nearest = nearest_of(names, given);
    enum frs_status status = frs_errors_add(errors, FRS_ERR_INPUT,
        "%s: cannot be read: No such file or directory; nor is there a scenario of that name%s%s%s "
        "(fedrecsim list scenarios)",
        frs_text_line(given, line, sizeof line), nearest ? "; did you mean \"" : "", nearest ? nearest : "",
        nearest ? "\"?" : "");
    frs_named_scenarios_free(names);
    return status;
}

/* "scenarios/<name>.cfg", as pages call it, where there is no such file: that of the program; otherwise NULL.
 */
static char *file_of_path(const char *given) {
    static const char folder[] = "scenarios/";
    size_t n = strlen(folder), end = sizeof ending - 1;
    if (strncmp(given, folder, n) != 0 || !is_scenario(given) || access(given, F_OK) == 0 || errno != ENOENT)
        return NULL;
    char *name = frs_format("%.*s", (int)(strlen(given) - n - end), given + n), *file = file_of(name);
    free(name);
    return file;
}

enum frs_status frs_named_scenario(const char *given, char **path, struct frs_errors *errors) {
    char line[80], *file = file_of(given);
    *path = file ? NULL : file_of_path(given);
    if (*path)
        return FRS_OK;
    if (!file) {
        bool may_be_name = *given && *given != '/' && *given != '.' && strcmp(given, "-") != 0 &&
                           !strchr(given, '.') && access(given, F_OK) != 0 && errno == ENOENT;
        if (may_be_name)
            return unknown(given, errors);
        *path = frs_strdup(given);
        return FRS_OK;
    }
    if (!is_file(given)) {
        *path = file;
        return FRS_OK;
    }
    frs_text_line(given, line, sizeof line);
    frs_errors_add(errors, FRS_ERR_INPUT,
        "%s: is a file here and the name of a scenario that comes with the program; allowed: ./%s for the "
        "file, or %s for the scenario",
        line, line, file);
    free(file);
    return FRS_ERR_INPUT;
}

/* The comment that begins a scenario as one line; indented lines end it. */
static char *first_comment(const char *text) {
    struct frs_buffer line = {0};
    for (;;) {
        bool slashes = strncmp(text, "//", 2) == 0;
        if (!slashes && *text != '#')
            break;
        text += 1 + slashes;
        if (strspn(text, " ") > 1)
            break; /* a command, or the like */
        text += *text == ' ';
        size_t n = strcspn(text, "\n");
        if (line.n > 0 && n > 0)
            frs_buffer_put(&line, " ", 1);
        frs_buffer_put(&line, text, n);
        text += n + (text[n] == '\n');
    }
    char *comment = frs_format("%.*s", (int)line.n, line.n ? (const char *)line.bytes : "");
    frs_buffer_fini(&line);
    return comment;
}

/* Ends the first sentence of `text`: a full stop before a capital letter. A sentence that is too long for
 * a list is cut after a word. */
static void end_sentence(char *text) {
    for (char *stop = strstr(text, ". "); stop; stop = strstr(stop + 2, ". "))
        if (stop[2] >= 'A' && stop[2] <= 'Z') {
            *stop = '\0';
            break;
        }
    size_t n = strlen(text);
    if (n > 0 && text[n - 1] == '.')
        text[--n] = '\0';
    if (n <= WIDEST_SUMMARY)
        return;
    size_t end = WIDEST_SUMMARY - 4;
    while (end > 0 && text[end] != ' ')
        end--;
    memcpy(text + end, " ...", sizeof " ...");
}

char *frs_named_scenario_summary(const char *name) {
    char *path = file_of(name), *text = NULL, *summary = NULL;
    size_t n;
    if (path && !frs_input_read(path, FRS_INPUT_SCENARIO, &text, &n))
        end_sentence(summary = first_comment(text));
    free(text);
    free(path);
    return summary ? summary : frs_strdup("");
}

static const char kind_summary[] = "come with the program, to be named in place of a file";

/* All names; NULL after adding an error where there are none. */
static char **names_there(struct frs_errors *errors) {
    char **names = frs_named_scenarios("");
    if (names[0])
        return names;
    frs_named_scenarios_free(names);
    (void)frs_errors_add(errors, FRS_ERR_INPUT,
        "list: the scenarios that come with the program are not where they are installed; "
        "FEDRECSIM_SCENARIOS can name their folder");
    return NULL;
}

enum frs_status frs_named_scenarios_list(FILE *out, struct frs_errors *errors) {
    char **names = names_there(errors);
    if (!names)
        return FRS_ERR_INPUT;
    size_t width = 0;
    for (size_t i = 0; names[i]; i++)
        width = strlen(names[i]) > width ? strlen(names[i]) : width;
    fprintf(out, "scenario: %s\n", kind_summary);
    for (size_t i = 0; names[i]; i++) {
        char *summary = frs_named_scenario_summary(names[i]);
        fprintf(out, "  %-*s  %s\n", (int)width, names[i], summary);
        free(summary);
    }
    frs_named_scenarios_free(names);
    return FRS_OK;
}

json_t *frs_named_scenarios_json(struct frs_errors *errors) {
    char **names = names_there(errors);
    if (!names)
        return NULL;
    json_t *object = frs_cli_json("fedrecsim-list-1"), *entries = json_array();
    for (size_t i = 0; names[i]; i++) {
        char *summary = frs_named_scenario_summary(names[i]);
        json_array_append_new(
            entries, json_pack("{s:s, s:s, s:n}", "name", names[i], "summary", summary, "source"));
        free(summary);
    }
    frs_named_scenarios_free(names);
    json_object_set_new(object, "kinds",
        json_pack("[{s:s, s:s, s:[], s:o}]", "kind", "scenario", "summary", kind_summary, "chosen_by",
            "entries", entries));
    return object;
}
