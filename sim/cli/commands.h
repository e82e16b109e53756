/* The subcommands, one file each. Every function gets its own argv (argv[0] is "fedrecsim run" and so on,
 * for messages) and returns the exit code. */
#ifndef FRS_CLI_COMMANDS_H
#define FRS_CLI_COMMANDS_H

struct argp;

struct frs_command {
    const char *name, *usage, *summary;
    int (*run)(int argc, char **argv);
};

#define COMMAND(name) extern const struct frs_command frs_command_##name;
#include "sim/cli/commands.def"
#undef COMMAND

/* All of them, in that order, ended by NULL; the one of this name, or NULL. */
const struct frs_command *const *frs_cli_commands(void);
const struct frs_command *frs_cli_command(const char *name);

/* Hands the table with which the command parses its words to `describe` instead of running the command,
 * and ends the process. */
void frs_cli_describe(const struct frs_command *command, void (*describe)(const struct argp *table))
    __attribute__((noreturn));

/* The whole program: finds the subcommand and runs it. `commit` is what it was built from. */
int frs_cli_main(int argc, char **argv, const char *commit);

#endif
