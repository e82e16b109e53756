#include "sim/cli/output/exit_codes.h"
#include "sim/base/errors.h"

const struct frs_exit_code frs_exit_codes[] = {
    {FRS_EXIT_DONE, "done; what was expected holds"},
    {FRS_EXIT_FAILED,
        "a run failed, points of a sweep have no results, or a plug-in breaks its contract (selftest)"},
    {FRS_EXIT_INPUT, "bad input: the command line, a scenario or a file is wrong; nothing was run"},
    {FRS_EXIT_MISSED, "done, but --expect does not hold, or no setting keeps to the bound of solve"},
    {FRS_EXIT_INTERRUPTED, "interrupted; --resume goes on"},
    {0, NULL},
};

void frs_exit_codes_print(FILE *out) {
    fputs("Exit codes:\n", out);
    for (const struct frs_exit_code *row = frs_exit_codes; row->meaning; row++)
        fprintf(out, "  %3d  %s\n", row->code, row->meaning);
    fputs("They are stable across versions, and so are names of metrics and columns, files of results and "
          "--json "
          "by their format;\ntexts for people are not (docs/scripting.md has the table).\n",
        out);
}

/* A full disk shows only when the last of stdout is written. */
int frs_cli_finish_output(int code) {
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    fputs("fedrecsim: cannot write to standard output\n", stderr);
    return code ? code : frs_exit_code(FRS_ERR_RUN);
}
