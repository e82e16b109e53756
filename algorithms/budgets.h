/* Budgets: the sizes that a server may assign to uploads (SCoLR's rank, FedRAS's rows), known without the
 * client's data. */
#ifndef FRS_ALGORITHMS_BUDGETS_H
#define FRS_ALGORITHMS_BUDGETS_H

#include <stdint.h>

struct frs_budgets {
    uint32_t min, max;
    const char *unit; /* "columns" */
};

#endif
