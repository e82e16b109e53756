/* Invariants: what can only be false through a mistake in this program, which then ends at once. */
#ifndef FRS_BASE_INVARIANT_H
#define FRS_BASE_INVARIANT_H

#define FRS_PRINTF(format_index, first) __attribute__((format(printf, format_index, first)))

/* A broken invariant is a bug of ours: one line on stderr, then abort. */
_Noreturn void frs_panic(const char *file, int line, const char *format, ...) FRS_PRINTF(3, 4);

/* What an entry that may be a user's own has got wrong: one line on stderr, then exit code 1. Files under way
 * stay behind, as after a crash. */
_Noreturn void frs_entry_failed(const char *format, ...) FRS_PRINTF(1, 2);

#define FRS_INVARIANT(condition, ...)                                                                        \
    do {                                                                                                     \
        if (!(condition))                                                                                    \
            frs_panic(__FILE__, __LINE__, __VA_ARGS__);                                                      \
    } while (0)

#endif
