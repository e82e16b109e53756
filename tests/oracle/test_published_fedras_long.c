/* Labels: long */
/* The other rows of the table: see test_published_fedras.c. */
#define FIRST_CELL 2
#define N_CELLS 3
#include "tests/oracle/test_published_fedras.c"
