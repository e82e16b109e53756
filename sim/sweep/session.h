/* Session: what a sweep was asked for, and what it works with while it is open. */
#ifndef FRS_SWEEP_SESSION_H
#define FRS_SWEEP_SESSION_H

#include "sim/sweep/schedule.h"

struct frs_cluster; /* cluster.h */

struct frs_sweep_options {
    struct frs_sweep_request request;
    const char *folder;     /* NULL: results/<scenario>-sweep */
    bool resume;            /* the folder may hold this sweep already */
    bool extend;            /* it may hold a part of it, whose points stay, with their numbers */
    bool no_reuse;          /* every point learns for itself */
    bool quiet;             /* neither progress nor tables */
    bool all;               /* the tables that do not answer by themselves, too */
    const char *page;       /* a Markdown file that shows the tables, or NULL */
    bool without_tables;    /* they are in the folder; what is printed is an answer of the caller's */
    bool failures_told;     /* points without results are told by the caller, and no error */
    bool report_later;      /* frs_sweep_report is called when more is in the folder */
    size_t jobs;            /* processes at a time; 0: one per core */
    size_t threads;         /* of each; 0: the cores divided by the processes */
    struct frs_shard shard; /* which part of the points, without tables */
    const struct frs_cluster *cluster; /* NULL: this machine runs the points */
    /* Told when the folder is there, with its plan; or NULL. */
    void (*opened)(void *context, const char *folder, size_t at_once);
    void *opened_context;
};

struct frs_sweep_session {
    char *folder;
    struct frs_sweep_plan *plan;
    struct frs_schedule *schedule;
    int lock;
    bool prepares; /* the data-set cache is open, and points find their data there */
};

#endif
