/* Labels: long */
/* The other rows of the table: see test_published_fedras.c. */
#define FIRST_CELL 1
#define N_CELLS 4
#include "tests/oracle/test_published_fedras.c"
