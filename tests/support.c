#include "tests/support.h"
#include "sim/base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

int frs_test_run(Suite *suite) {
    SRunner *runner = srunner_create(suite);
    if (!getenv("CK_FORK"))
        srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

const char *frs_test_source_dir(void) {
    const char *folder = getenv("FRS_SOURCE_DIR");
    return folder ? folder : ".";
}

char *frs_test_data_file(const char *name, const char *file) {
    const char *folder = getenv("FEDRECSIM_DATA");
    if (!folder || !*folder) {
        printf("SKIPPED %s: FEDRECSIM_DATA is not set\n", name);
        return NULL;
    }
    char *path = frs_format("%s/%s", folder, file);
    if (access(path, R_OK) == 0)
        return path;
    printf("SKIPPED %s: %s is not there\n", name, path);
    free(path);
    return NULL;
}
