/* Head: the answer of a comparison as a short row for each environment: which entry is first by time, by
 * bytes and by quality, and whether that is decided.
 *
 * The column of the sentence's measure repeats its findings. The claims of the other columns are counted
 * separately: together they are wrong on at most one page in a hundred. */
#ifndef FRS_ANALYSIS_SENTENCE_HEAD_H
#define FRS_ANALYSIS_SENTENCE_HEAD_H

#include "analysis/ranking/ranking.h"

enum frs_head_column { FRS_HEAD_TIME, FRS_HEAD_BYTES, FRS_HEAD_QUALITY, FRS_HEAD_COLUMNS };

/* The chance of an error in the columns beside that of the sentence. */
#define FRS_HEAD_ERROR 0.01

struct frs_head_cell {
    size_t leader; /* its number in the ranking; ranking->n: none */
    bool decided;  /* it is first alone */
    char *metric;  /* what it is measured by */
    char *amount;  /* "13.3 s" */
    char *verdict; /* "decided: 22.2 MB less than fedmf", "not decided (about 5 more replicates)"; followed by
                      "; ends no better than popularity (HR@10 0.384 against 0.419)" where that is so */
};

struct frs_head {
    size_t n;                                       /* environments */
    struct frs_head_cell (*rows)[FRS_HEAD_COLUMNS]; /* [n]; metric NULL: there is nothing to tell */
};

struct frs_head frs_head_of(const struct frs_ranking *ranking);
void frs_head_fini(struct frs_head *head);

#endif
