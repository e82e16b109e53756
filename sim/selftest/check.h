/* A check: the clauses of the contract for one entry, in a process of its own (runner.c), which ends at
 * the first clause that is broken. A caller names the next clause and then what has to hold:
 *
 *   frs_clause(check, "algorithms/codec.h, decode", "a message that was cut short is refused");
 *   FRS_HOLDS(check, !accepted, "the first %zu of its %zu bytes were accepted", n, message.n);
 *
 * The text of a clause states the rule; the text of FRS_HOLDS says what happened instead. */
#ifndef FRS_SELFTEST_CHECK_H
#define FRS_SELFTEST_CHECK_H

#include "sim/base/invariant.h"
#include "sim/base/sanitizers.h"

#include <stdbool.h>
#include <stddef.h>

/* How many of n random cases are drawn: checked code takes its paths in a fifth of them as well. */
#if FRS_SANITIZED
#define FRS_CASES(n) ((n) / 5)
#else
#define FRS_CASES(n) (n)
#endif

enum { FRS_MAX_CLAUSES = 96 };

struct frs_plugin;

/* Lies in memory that the process of the check shares with its parent. */
struct frs_check {
    const char *where, *clause; /* that comes now; NULL: before the first */
    size_t n_checks, n_clauses; /* conditions that were evaluated, and different clauses */
    const char *seen[FRS_MAX_CLAUSES];
    bool broken, unchecked, done;
    const char *note; /* what was left out of an entry that keeps to all, a literal; NULL: nothing */
    char *text;       /* [FRS_CHECK_TEXT] what was seen instead, or why nothing can be checked */
    const struct frs_plugin *plugin; /* that is checked */
    const char *const *settings;     /* of the user for its keys, pairs ended by NULL; or NULL */
};

enum { FRS_CHECK_TEXT = 1024 };

/* The clause that comes next, and the header with the slot that states it; both are literals. */
void frs_clause(struct frs_check *check, const char *where, const char *clause);

#define FRS_HOLDS(check, condition, ...)                                                                     \
    ((check)->n_checks++, (condition) ? (void)0 : frs_clause_broken(check, __VA_ARGS__))

/* Ends the process: the clause is broken, and this was seen instead. */
_Noreturn void frs_clause_broken(struct frs_check *check, const char *format, ...) FRS_PRINTF(2, 3);

/* Ends the process: the entry cannot be checked, for this reason. */
_Noreturn void frs_check_impossible(struct frs_check *check, const char *format, ...) FRS_PRINTF(2, 3);

/* Whether two ranges of memory agree bit for bit, whatever numbers are in them. */
bool frs_are_same(const void *a, const void *b, size_t bytes);

#endif
