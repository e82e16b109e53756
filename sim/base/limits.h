/* Limits: how large may be what a user gives. What is larger is refused in one line, before anything is
 * written; it is a mistake, or an attempt to exhaust the machine. Ranges of single keys are in their tables
 * of parameters (sim/base/settings/param.h); how much memory there is: sim/setup/memory_limit.h.
 *
 * docs/limits.md has this table in Markdown (tests/docs/limits.awk): each comment says what is limited and,
 * behind the colon, what happens beyond. A limit's name ends in its unit, or in none where it is a count. */
#ifndef FRS_BASE_LIMITS_H
#define FRS_BASE_LIMITS_H

/* The number of a limit as text, for messages. */
#define FRS_LIMIT_TEXT(limit) FRS_LIMIT_TEXT_OF(limit)
#define FRS_LIMIT_TEXT_OF(number) #number

/* ---- Files ---- */

/* A scenario, or a file that it includes: it is refused. */
#define FRS_LIMIT_SCENARIO_MIB 16
/* Files that a scenario includes, one inside the other: the deepest is refused. */
#define FRS_LIMIT_INCLUDE_DEPTH 10
/* Files that a scenario includes in all: the next one is refused. */
#define FRS_LIMIT_INCLUDED_FILES 1000
/* Groups and lists of a scenario, one inside the other: the line is refused. */
#define FRS_LIMIT_NESTING 200
/* Any other file that is read whole, as it is after it was unpacked: it is refused. */
#define FRS_LIMIT_FILE_GIB 16
/* A bundle, with the data in it: it is neither written nor read. */
#define FRS_LIMIT_BUNDLE_MIB 1024
/* A line of a file that is read by lines, so that files of interactions have no size: the line is named. */
#define FRS_LIMIT_LINE_MIB 64
/* Memory that unpacking a file of xz may need: the file is refused. */
#define FRS_LIMIT_UNPACKING_GIB 1
/* Cells of a line that are read: further ones are counted and passed by, unless a column is asked for there.
 */
#define FRS_LIMIT_CELLS 1024
/* Faults of one file that are told one by one: the rest of the file is not read. */
#define FRS_LIMIT_FAULTS 5

/* ---- Clients and their data ---- */

/* Interactions, which are counted in 32 bits, and so are users and items: the line is named. */
#define FRS_LIMIT_INTERACTIONS 4294967294
/* Classes of links or devices: the next one is refused. */
#define FRS_LIMIT_CLASSES 16

/* ---- Runs and sweeps ---- */

/* Rounds of a run: `rounds.count` is refused. */
#define FRS_LIMIT_ROUNDS 1000000000
/* Actors of SimGrid at once: `engine.actors_limit` is refused. */
#define FRS_LIMIT_ACTORS 30000
/* Replicates of a sweep's cell: `replicates` is refused. */
#define FRS_LIMIT_REPLICATES 10000
/* Points of a sweep: it is refused. */
#define FRS_LIMIT_POINTS 50000

/* ---- Programs of one's own ---- */

/* Words of a command: the key is refused. */
#define FRS_LIMIT_COMMAND_WORDS 255
/* Keys of a method that another program trains: its answer is refused. */
#define FRS_LIMIT_OWN_KEYS 64
/* Rows of such a method's table: its answer is refused. */
#define FRS_LIMIT_OWN_ROWS 2000000000
/* Numbers of a row of such a table: its answer is refused. */
#define FRS_LIMIT_OWN_ROW_VALUES 100000000

/* ---- Emulation ---- */

/* Clients at a time (in all where connections are kept or stragglers run on): the scenario is refused. */
#define FRS_LIMIT_EMULATED_CLIENTS 60
/* Emulated edges: the scenario is refused. */
#define FRS_LIMIT_EMULATED_EDGES 20
/* What all emulated links may carry together in one direction: the scenario is refused. */
#define FRS_LIMIT_EMULATED_MBIT_PER_S 150
/* An emulated message: the run ends. */
#define FRS_LIMIT_EMULATED_MESSAGE_MIB 16

#endif
