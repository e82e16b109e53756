/* Runs of the program and their results: a folder of its own per test, the program's exit code and
 * streams, and the files of a run directory as numbers. */
#ifndef FRS_TESTS_SIM_RUN_FIXTURE_H
#define FRS_TESTS_SIM_RUN_FIXTURE_H

#include "sim/base/memory.h"
#include "tests/support.h"

#include <jansson.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char frs_folder[64];

/* What the last run_program said. */
extern char frs_said[8192];

void folder_setup(void);

/* A shell command in the test's folder; returns its exit code. */
__attribute__((format(printf, 1, 2))) int shell(const char *format, ...);

void folder_teardown(void);

FILE *folder_open(const char *name, const char *mode);

void write_text(const char *name, const char *text);

char *read_text(const char *name);

/* Runs fedrecsim with these arguments, quoted as for a shell, in a process that is forked and not started
 * anew: loading SimGrid's libraries takes longer than most of these runs. Scripts start the executable.
 * Returns the exit code, or 1000 and more for a process that a signal ended. */
__attribute__((format(printf, 1, 2))) int run_program(const char *format, ...);

/* The same in two steps, for a run that is to be killed. */
__attribute__((format(printf, 1, 2))) pid_t start_program(const char *format, ...);
int end_of_program(pid_t pid);

/* What-ifs take longer than most of these runs, so here `run` simulates them only if its arguments name
 * `what_if`. */
extern bool frs_keeps_what_ifs;

/* A run that takes longer hangs, and is ended; 0: as long as it likes. */
extern unsigned frs_most_s;

/* A run that has to succeed: `scenario` is a file in the folder, `out` the run directory. */
void run_scenario(const char *scenario, const char *out, const char *options);

/* A CSV file of numbers; an empty field is NaN, and a reason in column `lost` is 1. */
struct table {
    size_t n_rows, n_columns;
    char **names;
    double *values; /* [n_rows × n_columns] */
};

struct table table_load(const char *out, const char *name);

void table_fini(struct table *table);

double cell(const struct table *table, size_t row, const char *column);

double column_sum(const struct table *table, const char *column);

/* One participation, from its three lines of events.ndjson that have messages or training. */
struct event {
    uint32_t client, round;
    double t[4]; /* started, downloaded, computed, uploaded */
    double down_bytes, up_bytes, flop;
};

double json_of(json_t *object, const char *key);

/* NULL after the last one. */
json_t *next_line(FILE *file);

bool next_event(FILE *file, struct event *event);

json_t *load_json(const char *out, const char *name);

/* A number by its path, such as "bytes", "down". */
double json_path(json_t *root, const char *first, const char *second);

bool close_to(double a, double b, double relative);

#endif
