/* The subcommands, one file each; every function gets its own argv (argv[0] is "fedrecsim run" and so on, for
 * messages) and returns the exit code. */
#ifndef FRS_CLI_COMMANDS_H
#define FRS_CLI_COMMANDS_H

struct frs_command {
    const char *name, *usage, *summary;
    int (*run)(int argc, char **argv);
};

#define COMMAND(name) extern const struct frs_command frs_command_##name;
#include "sim/cli/commands.def"
#undef COMMAND

/* The whole program: finds the subcommand and runs it. `commit` is what it was built from. */
int frs_cli_main(int argc, char **argv, const char *commit);

#endif
