/* fedrecsim complete: prints what can stand in the place of the last word, for completion in a shell
 * (packaging/fedrecsim.bash, packaging/_fedrecsim). Everything comes from the tables that parse what is
 * typed.
 *
 * Each line is a candidate, which may be followed by a tab and its meaning. A candidate that ends in "="
 * is continued. ":files" and ":folders" stand for the files and folders that the shell knows. */
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/cli/commands.h"
#include "sim/cli/scenarios/named_scenarios.h"
#include "sim/cli/options/options.h"
#include "sim/cli/scenarios/sections.h"
#include "sim/scenario/explain.h"
#include "sim/selftest/selftest.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static char **words; /* behind the name of the program; the last one is completed */
static size_t n_words;

static void candidate(const char *name, const char *end, const char *meaning) {
    printf("%s%s%s%s\n", name, end, meaning && *meaning ? "\t" : "", meaning ? meaning : "");
}

static void put_scenarios(void) {
    char **names = frs_named_scenarios("");
    for (size_t i = 0; names[i]; i++) {
        char *summary = frs_named_scenario_summary(names[i]);
        candidate(names[i], "", summary);
        free(summary);
    }
    frs_named_scenarios_free(names);
}

/* ---- keys and their values: section.key=value ---- */

static void put_key(void *context, const char *key, const struct frs_param *param) {
    (void)context;
    candidate(key, "=", param->help);
}

static void put_value(void *context, const char *key, const struct frs_param *param) {
    const char *wanted = context;
    size_t n = strlen(key);
    if (strncmp(wanted, key, n) != 0 || wanted[n] != '=')
        return;
    static const char *const truths[] = {"true", "false", NULL};
    const char *const *choices = param->type == FRS_BOOL ? truths : param->choices;
    for (; choices && *choices; choices++)
        printf("%s=%s\n", key, *choices);
}

static void put_settings(const char *word) {
    bool valued = strchr(word, '=');
    frs_explain_each_key(frs_sections, valued ? put_value : put_key, (void *)word);
}

/* ---- what an argument names ---- */

static void put_argument(const char *kind, const char *word) {
    if (strncmp(kind, "SECTION.KEY=VALUE", 17) == 0)
        put_settings(word);
    else if (strstr(kind, "DIR") || strstr(kind, "RUN") || strstr(kind, "FOLDER"))
        puts(":folders");
    else if (strstr(kind, "FILE") || strstr(kind, "PLAN") || strstr(kind, ".csv"))
        puts(":files");
}

static const struct argp_option *find(const struct argp *argp, const char *word, size_t n) {
    for (const struct argp_option *option = argp->options;
         option && (option->name || option->key || option->doc); option++) {
        bool is_long = option->name && n == strlen(option->name) + 2 && strncmp(word, "--", 2) == 0 &&
                       strncmp(word + 2, option->name, n - 2) == 0;
        if (is_long || (n == 2 && word[0] == '-' && option->key == word[1]))
            return option;
    }
    for (const struct argp_child *child = argp->children; child && child->argp; child++) {
        const struct argp_option *found = find(child->argp, word, n);
        if (found)
            return found;
    }
    return NULL;
}

static void put_options(const struct argp *argp) {
    for (const struct argp_option *option = argp->options;
         option && (option->name || option->key || option->doc); option++)
        if (option->name && !(option->flags & OPTION_HIDDEN)) {
            char *name = frs_format("--%s", option->name);
            candidate(name, "", option->doc);
            free(name);
        }
    for (const struct argp_child *child = argp->children; child && child->argp; child++)
        put_options(child->argp);
}

/* ---- words that are no options ---- */

static void put_templates(void) {
    char **names = frs_named_scenarios("templates");
    for (size_t i = 0; names[i]; i++) {
        char *summary = frs_named_scenario_summary(names[i]);
        candidate(strrchr(names[i], '/') + 1, "", summary);
        free(summary);
    }
    frs_named_scenarios_free(names);
}

static void put_commands(void) {
    for (const struct frs_command *const *command = frs_cli_commands(); *command; command++)
        candidate((*command)->name, "", (*command)->summary);
}

static void put_pages(void) {
    put_commands();
    candidate("scenario", "", "what can be written into a scenario");
    candidate("results", "", "files and columns of results");
}

static void put_kinds(void) {
    candidate("scenarios", "", NULL);
    candidate("metrics", "", NULL);
    candidate("columns", "", NULL);
    for (const struct frs_section *section = frs_sections; section->path; section++) {
        bool is_first = section->family;
        for (const struct frs_section *before = frs_sections; is_first && before < section; before++)
            is_first = !before->family || strcmp(before->family->kind, section->family->kind) != 0;
        if (is_first)
            candidate(section->family->kind, "", section->family->summary);
    }
}

static void put_explained(void *context, const char *key, const struct frs_param *param) {
    (void)context;
    candidate(key, "", param->help);
}

static void put_sections(void) {
    for (const struct frs_section *section = frs_sections; section->path; section++)
        if (*section->path)
            candidate(section->path, "", section->help);
    frs_explain_each_key(frs_sections, put_explained, NULL);
}

static void put_checked_kinds(void) {
    for (const struct frs_selftest_kind *kind = frs_selftest_kinds; kind->kind; kind++)
        candidate(kind->kind, "", NULL);
}

/* Entries of the kind that stands before the last word. */
static void put_checked_entries(void) {
    const struct frs_selftest_kind *kind = frs_selftest_kind(words[n_words - 2]);
    const struct frs_plugin *const *entries = kind ? frs_selftest_entries(kind) : NULL;
    for (size_t i = 0; entries && entries[i]; i++)
        candidate(entries[i]->name, "", entries[i]->summary);
}

/* Where a command's own words stand, and what names them: the first one, and the second one. */
static const struct {
    const char *command;
    void (*put)(void);
    void (*put_second)(void);
} own_words[] = {{"new", put_templates, NULL}, {"list", put_kinds, NULL}, {"explain", put_sections, NULL},
    {"manual", put_pages, NULL}, {"selftest", put_checked_kinds, put_checked_entries}};

static void put_word(const struct argp *argp) {
    const char *kind = argp->args_doc ? argp->args_doc : "";
    for (size_t i = 0; i < sizeof own_words / sizeof *own_words; i++)
        if (strcmp(words[0], own_words[i].command) == 0) {
            if (n_words == 2)
                own_words[i].put();
            else if (n_words == 3 && own_words[i].put_second)
                own_words[i].put_second();
            else if (strstr(kind, "FILE"))
                puts(":files");
            return;
        }
    if (strncmp(kind, "FILE", 4) == 0)
        put_scenarios();
    put_argument(kind, words[n_words - 1]);
}

static void put_of_command(const struct argp *argp) {
    const char *word = words[n_words - 1], *before = n_words > 2 ? words[n_words - 2] : "";
    const struct argp_option *option = *before == '-' ? find(argp, before, strlen(before)) : NULL;
    const char *equals = strchr(word, '=');
    if (option && option->arg) {
        put_argument(option->arg, word);
        return;
    }
    if (*word == '-' && equals) {
        option = find(argp, word, (size_t)(equals - word));
        if (option && option->arg)
            put_argument(option->arg, equals + 1);
        return;
    }
    if (*word == '-') {
        put_options(argp);
        candidate("--help", "", "Print the help of the command");
        return;
    }
    put_word(argp);
}

static int run(int argc, char **argv) {
    if (argc == 2 &&
        (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 || strcmp(argv[1], "-?") == 0 ||
            strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)) {
        static const struct argp argp = {NULL, NULL, "[WORD...]",
            "Prints what can stand in the place of the last word behind `fedrecsim`, one line each, for the "
            "completion of bash and zsh.",
            NULL, NULL, NULL};
        frs_cli_parse(&argp, argc, argv, NULL);
    }
    static char empty[] = "", *none[] = {empty};
    words = argc > 1 ? argv + 1 : none;
    n_words = argc > 1 ? (size_t)argc - 1 : 1;
    if (n_words == 1) {
        put_commands();
        candidate("help", "", "the help of a command");
        candidate("--help", "", "all commands");
        candidate("--version", "", "the version");
        return 0;
    }
    if (strcmp(words[0], "help") == 0) {
        put_commands();
        return 0;
    }
    const struct frs_command *command = frs_cli_command(words[0]);
    if (command && command != &frs_command_complete)
        frs_cli_describe(command, put_of_command);
    return 0;
}

const struct frs_command frs_command_complete = {
    .name = "complete",
    .usage = "complete [WORD...]",
    .summary = "what can be typed next, for a shell",
    .run = run,
};
