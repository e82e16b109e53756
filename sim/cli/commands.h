/* The subcommands, one file each; every function gets its own argv (argv[0] is "fedrecsim run" and so on, for
 * messages) and returns the exit code. */
#ifndef FRS_CLI_COMMANDS_H
#define FRS_CLI_COMMANDS_H

struct frs_command {
    const char *name, *usage, *summary;
    int (*run)(int argc, char **argv);
};

extern const struct frs_command frs_command_run, frs_command_check, frs_command_emulate, frs_command_explain,
    frs_command_list, frs_command_sweep, frs_command_point, frs_command_replay, frs_command_collect,
    frs_command_compare;

/* The whole program: finds the subcommand and runs it. `commit` is what it was built from. */
int frs_cli_main(int argc, char **argv, const char *commit);

#endif
