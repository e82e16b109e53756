/* The program: finds the subcommand and runs it. */
#include "sim/base/errors.h"
#include "sim/base/memory.h"
#include "sim/base/terminal.h"
#include "sim/base/text.h"
#include "sim/cli/commands.h"
#include "sim/cli/output/exit_codes.h"
#include "sim/cli/options/options.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const struct frs_command *const commands[] = {
#define COMMAND(name) &frs_command_##name,
#include "sim/cli/commands.def"
#undef COMMAND
    NULL,
};
enum { N_COMMANDS = sizeof commands / sizeof *commands - 1 };

static void print_usage(FILE *out) {
    fputs("Usage:\n", out);
    for (size_t i = 0; i < N_COMMANDS; i++)
        fprintf(out, "  fedrecsim %s\n", commands[i]->usage);
    fputs("`fedrecsim --help` says more.\n", out);
}

static int print_help(FILE *out) {
    fputs("fedrecsim simulates federated recommendation: who gets which bytes when, and what is learnt from "
          "it.\n\n"
          "Usage: fedrecsim COMMAND [ARGUMENT...]\n\nCommands:\n",
        out);
    for (size_t i = 0; i < N_COMMANDS; i++)
        fprintf(out, "  %-9s  %s\n             fedrecsim %s\n", commands[i]->name, commands[i]->summary,
            commands[i]->usage);
    fputs("\nOptions:\n  -h, --help     this text; after a command, its own, as `fedrecsim help COMMAND`\n"
          "  -V, --version  the version\n\n",
        out);
    frs_exit_codes_print(out);
    return 0;
}

const struct frs_command *const *frs_cli_commands(void) {
    return commands;
}

const struct frs_command *frs_cli_command(const char *name) {
    for (size_t i = 0; i < N_COMMANDS; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

static int unknown(const char *name) {
    const char *names[N_COMMANDS + 1] = {NULL};
    for (size_t i = 0; i < N_COMMANDS; i++)
        names[i] = commands[i]->name;
    const char *nearest = frs_text_nearest(name, names);
    char line[80];
    fprintf(stderr, "fedrecsim: there is no %s \"%s\"%s%s%s; commands: ", *name == '-' ? "option" : "command",
        frs_text_line(name, line, sizeof line), nearest ? "; did you mean \"" : "", nearest ? nearest : "",
        nearest ? "\"?" : "");
    for (size_t i = 0; i < N_COMMANDS; i++)
        fprintf(stderr, "%s%s", i ? ", " : "", commands[i]->name);
    fputc('\n', stderr);
    return frs_exit_code(FRS_ERR_INPUT);
}

/* argp takes the name for its messages from argv[0]. */
static int run_command(const struct frs_command *command, int argc, char **argv) {
    char *name = frs_format("fedrecsim %s", command->name);
    argv[0] = name;
    int code = command->run(argc, argv);
    free(name);
    return code;
}

void frs_cli_describe(const struct frs_command *command, void (*describe)(const struct argp *table)) {
    char option[] = "--help", *arguments[] = {NULL, option, NULL};
    frs_cli_instead = describe;
    exit(run_command(command, 2, arguments));
}

/* fedrecsim help [COMMAND] */
static int help(int n_names, char **names) {
    if (n_names == 0 || (n_names == 1 && strcmp(names[0], "help") == 0))
        return print_help(stdout);
    if (n_names > 1) {
        char first[80], second[80];
        fprintf(stderr, "fedrecsim: help: one command at a time, found %s and %s\n",
            frs_text_line(names[0], first, sizeof first), frs_text_line(names[1], second, sizeof second));
        return frs_exit_code(FRS_ERR_INPUT);
    }
    const struct frs_command *command = frs_cli_command(names[0]);
    char option[] = "--help", *arguments[] = {NULL, option, NULL};
    return command ? run_command(command, 2, arguments) : unknown(names[0]);
}

static bool is_one_of(const char *argument, const char *letter, const char *word) {
    return strcmp(argument, letter) == 0 || strcmp(argument, word) == 0;
}

int frs_cli_main(int argc, char **argv, const char *commit) {
    static char version[128];
    frs_terminal_begin();
    argp_err_exit_status = frs_exit_code(FRS_ERR_INPUT);
    snprintf(version, sizeof version, "fedrecsim %s (commit %s)", FRS_VERSION, commit);
    argp_program_version = version;
    if (argc < 2) {
        print_usage(stderr);
        return frs_exit_code(FRS_ERR_INPUT);
    }
    if (is_one_of(argv[1], "-h", "--help") || strcmp(argv[1], "-?") == 0)
        return frs_cli_finish_output(print_help(stdout));
    if (strcmp(argv[1], "help") == 0)
        return frs_cli_finish_output(help(argc - 2, argv + 2));
    if (is_one_of(argv[1], "-V", "--version")) {
        puts(argp_program_version);
        return frs_cli_finish_output(0);
    }
    const struct frs_command *command = frs_cli_command(argv[1]);
    return command ? frs_cli_finish_output(run_command(command, argc - 1, argv + 1)) : unknown(argv[1]);
}
