/* Interactions: pairs of user and item, first as rows in the order they were read, then arranged by user. */
#ifndef FRS_ALGORITHMS_DATA_INTERACTIONS_H
#define FRS_ALGORITHMS_DATA_INTERACTIONS_H

#include "algorithms/data/preparation/left.h"

/* The steps of preparation in their order. */
enum frs_preparation_step {
    FRS_PREPARED_READ,
    FRS_PREPARED_UNRATED,
    FRS_PREPARED_POSITIVE,
    FRS_PREPARED_REPEATED,
    FRS_PREPARED_TRAINED, /* users without a training interaction, where the split is given */
    FRS_PREPARED_CORE,
    FRS_PREPARED_STEPS
};

/* Distinct interactions of the kept users: those of user u are [start[u], start[u+1]), by ascending item. */
struct frs_interactions {
    uint32_t n_users, n_items;
    size_t n;
    size_t *start;                             /* [n_users + 1] */
    uint32_t *items;                           /* [n] */
    float *values;                             /* [n] */
    double *times;                             /* [n] or NULL */
    uint32_t *rows;                            /* [n], position in the file */
    uint32_t *user_numbers, *item_numbers;     /* [users, items of the rows], here; UINT32_MAX: left out */
    size_t given_starts[2];                    /* as of the rows */
    size_t n_rows;                             /* as read */
    size_t n_unrated;                          /* rows whose value means that there is no rating */
    size_t n_ignored;                          /* rows whose value is not positive, under implicit feedback */
    size_t n_duplicates;                       /* older rows of a pair that occurs again */
    uint32_t n_users_dropped, n_items_dropped; /* below min_interactions; items left without interaction */
    struct frs_left left[FRS_PREPARED_STEPS];  /* behind each step */
    size_t n_given_twice;                      /* pairs in more than one of the files that give a split */
    uint32_t n_users_left_over;                /* by frs_interactions_keep_users */
    uint32_t n_users_late;                     /* by frs_interactions_keep_before */
};

/* Which of several rows of one pair stays. */
enum frs_repeated { FRS_REPEATED_NEWEST, FRS_REPEATED_OLDEST, FRS_REPEATED_MEAN };

/* What becomes of rows before they are split, in this order. */
struct frs_preparation {
    double unrated;       /* rows with this value are left out; NaN: none */
    bool implicit;        /* rows below the threshold are left out: */
    double positive_from; /* the smallest value of a positive; NaN: any above 0 */
    enum frs_repeated repeated;
    size_t min_interactions, min_users_per_item; /* left out until all that are left have so many: users with
                                                    fewer distinct items, items with fewer distinct users */
};

/* Prepares and arranges the rows. FRS_REPEATED_MEAN keeps the newest row with the mean value. Where files
 * give the split, a pair in several of them is in the last one alone. Users and items keep their order. n is
 * 0 if nothing is left. Takes ownership of the rows, which are empty afterwards. */
void frs_interactions_prepare(
    struct frs_rows *rows, const struct frs_preparation *preparation, struct frs_interactions *out);

/* Keeps rows with value > 0 if `implicit`; of every (user, item) pair the newest row (by time, then file
 * order); users with at least `min_interactions` pairs, of which one is in the training part where the split
 * is given; and items that still occur. Users and items keep their order. n is 0 if nothing is left. Takes
 * ownership of the rows, which are empty afterwards. */
void frs_interactions_arrange(
    struct frs_rows *rows, bool implicit, size_t min_interactions, struct frs_interactions *out);

/* Drops users without an interaction before this time. Items keep their numbers. Data with times only. */
void frs_interactions_keep_before(struct frs_interactions *interactions, double time);

/* Drops all users but the first n. Items keep their numbers, even those without any user left. */
void frs_interactions_keep_users(struct frs_interactions *interactions, uint32_t n);

/* Does row a (an index into the arranged arrays) count as older than b by time, then by file order? */
bool frs_interactions_older(const struct frs_interactions *interactions, size_t a, size_t b);

/* The part of a split that files give: 0 is training, 1 validation, 2 test. 0 where none is given. */
unsigned frs_interactions_given_part(const struct frs_interactions *interactions, size_t i);

/* Hash of users, items, values, times and given parts, 16 hexadecimal digits and a NUL. Independent of the
 * order of the file's rows. */
void frs_interactions_hash(const struct frs_interactions *interactions, char hex[17]);

void frs_interactions_fini(struct frs_interactions *interactions);

#endif
