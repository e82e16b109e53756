/* Labels: long
 *
 * Every method with its defaults (defaults.h) on MovieLens-100K. A test of its own, because the hour that a
 * test may take has no room for CGFedRec on two data sets where the machine has other work: 47,000 client
 * updates of it are eleven minutes of a processor. */
#include "tests/oracle/defaults.h"

START_TEST(defaults_learn_on_movielens) {
    char *path = frs_test_data_file(frs_learners[_i]->plugin.name, "ml-100k/u.data");
    if (!path)
        return;
    char *data = frs_format("format = \"movielens-100k\"; path = \"%s\";", path);
    check_learns(frs_learners[_i], "MovieLens-100K", data);
    free(data);
    free(path);
}
END_TEST

int main(void) {
    return frs_test_run(suite_of_methods("defaults on MovieLens-100K", defaults_learn_on_movielens));
}
