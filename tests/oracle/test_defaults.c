/* Labels: long
 *
 * Every method with its defaults (defaults.h) on the built-in set of MovieLens-100K's size: a quarter of an
 * hour of a processor, most of it CGFedRec's. */
#include "tests/oracle/defaults.h"

START_TEST(defaults_learn_on_built_in_data) {
    check_learns(frs_learners[_i], "built in", "synthetic = \"ml-100k\";");
}
END_TEST

int main(void) {
    return frs_test_run(suite_of_methods("defaults", defaults_learn_on_built_in_data));
}
