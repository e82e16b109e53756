/* The main program of a folder's tests. Each test file has a main of its own, which the build names after
 * the file. build/tests/test_NAME is a link to the folder's program, and the name by which it is called
 * decides which test runs. */
#include <stdio.h>
#include <string.h>

#define FRS_TEST_PROGRAM(name) int main_of_##name(void);
#include FRS_TEST_PROGRAMS
#undef FRS_TEST_PROGRAM

static const struct {
    const char *name;
    int (*run)(void);
} programs[] = {
#define FRS_TEST_PROGRAM(name) {#name, main_of_##name},
#include FRS_TEST_PROGRAMS
};

int main(int n, char **arguments) {
    const char *slash = n > 0 ? strrchr(arguments[0], '/') : NULL, *called = slash ? slash + 1 : arguments[0];
    for (size_t i = 0; n > 0 && i < sizeof programs / sizeof *programs; i++)
        if (strcmp(programs[i].name, called) == 0)
            return programs[i].run();
    fprintf(stderr, "%s: to be called by the name of one of:\n", n > 0 ? called : "tests");
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        fprintf(stderr, "  %s\n", programs[i].name);
    return 2;
}
