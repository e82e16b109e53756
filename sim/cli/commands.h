/* The subcommands, one file each; every function gets its own argv (argv[0] is the subcommand's name) and returns
 * the exit code. */
#ifndef FRS_CLI_COMMANDS_H
#define FRS_CLI_COMMANDS_H

struct frs_command {
    const char *name, *usage, *summary;
    int (*run)(int argc, char **argv);
};

extern const struct frs_command frs_command_run, frs_command_check, frs_command_explain, frs_command_list;

#endif
