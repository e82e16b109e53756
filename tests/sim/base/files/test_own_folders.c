/* Own folders: the folders of data sets, caches and scenarios, by the environment and without it. */
#include "sim/base/files/own_folders.h"
#include "sim/base/files/cache.h"
#include "sim/base/settings/path.h"
#include "tests/folder.h"

#include <sys/stat.h>

static char *here;

static void setup(void) {
    fixture_setup();
    here = getcwd(NULL, 0);
    setenv("HOME", here, 1);
    unsetenv("XDG_DATA_HOME");
    unsetenv("XDG_CACHE_HOME");
    unsetenv("FEDRECSIM_DATA");
    unsetenv("FEDRECSIM_CACHE");
    unsetenv("FEDRECSIM_SCENARIOS");
}

static void teardown(void) {
    free(here);
    fixture_teardown();
}

/* Takes `found`; `below` is what is expected below the current folder, or NULL. */
static void expect_place(char *found, const char *below) {
    char *expected = below ? frs_format("%s/%s", here, below) : NULL;
    if (expected)
        ck_assert_str_eq(found, expected);
    else
        ck_assert_ptr_null(found);
    free(expected);
    free(found);
}

START_TEST(folders_of_the_user) {
    expect_place(frs_folder_of_data(), ".local/share/fedrecsim");
    expect_place(frs_folder_of_cache(), ".cache/fedrecsim");
    char *data = frs_format("%s/d", here), *cache = frs_format("%s/c", here);
    setenv("XDG_DATA_HOME", data, 1);
    setenv("XDG_CACHE_HOME", cache, 1);
    expect_place(frs_folder_of_data(), "d/fedrecsim");
    expect_place(frs_folder_of_cache(), "c/fedrecsim");
    setenv("XDG_DATA_HOME", "d", 1); /* not absolute */
    setenv("XDG_CACHE_HOME", "", 1);
    expect_place(frs_folder_of_data(), ".local/share/fedrecsim");
    expect_place(frs_folder_of_cache(), ".cache/fedrecsim");
    unsetenv("HOME");
    expect_place(frs_folder_of_data(), NULL);
    expect_place(frs_folder_of_cache(), NULL);
    free(data);
    free(cache);
}
END_TEST

START_TEST(the_data_folder_in_a_path) {
    char reason[320];
    ck_assert_ptr_null(frs_path_expand("$FEDRECSIM_DATA/a", reason, sizeof reason));
    char *expected = frs_format("needs the environment variable FEDRECSIM_DATA, which is not set, or the "
                                "folder %s/.local/share/fedrecsim, which is not there",
        here);
    ck_assert_str_eq(reason, expected);
    free(expected);
    ck_assert_int_eq(mkdir(".local", 0700) | mkdir(".local/share", 0700), 0);
    ck_assert_int_eq(mkdir(".local/share/fedrecsim", 0700), 0);
    expect_place(frs_path_expand("${FEDRECSIM_DATA}/a", reason, sizeof reason), ".local/share/fedrecsim/a");
    setenv("FEDRECSIM_DATA", "elsewhere", 1); /* wins */
    char *path = frs_path_expand("$FEDRECSIM_DATA/a", reason, sizeof reason);
    ck_assert_str_eq(path, "elsewhere/a");
    free(path);
}
END_TEST

START_TEST(the_cache_is_there_or_there_is_none) {
    ck_assert_ptr_null(frs_cache_folder());
    ck_assert_int_eq(mkdir(".cache", 0700), 0);
    ck_assert_ptr_null(frs_cache_folder());
    ck_assert_int_eq(mkdir(".cache/fedrecsim", 0700), 0);
    expect_place(frs_strdup(frs_cache_folder()), ".cache/fedrecsim");
    setenv("FEDRECSIM_CACHE", "", 1);
    ck_assert_ptr_null(frs_cache_folder());
    setenv("FEDRECSIM_CACHE", "elsewhere", 1);
    ck_assert_str_eq(frs_cache_folder(), "elsewhere");
}
END_TEST

START_TEST(scenarios_that_a_variable_names) {
    char reason[320];
    setenv("FEDRECSIM_SCENARIOS", "s", 1);
    ck_assert_ptr_null(frs_folder_of_scenarios());
    ck_assert_int_eq(mkdir("s", 0700), 0);
    char *place = frs_folder_of_scenarios(),
         *path = frs_path_expand("$FEDRECSIM_SCENARIOS/a", reason, sizeof reason);
    ck_assert_str_eq(place, "s");
    ck_assert_str_eq(path, "s/a");
    free(place);
    free(path);
    unsetenv("FEDRECSIM_SCENARIOS"); /* and this program's own folder has none */
    ck_assert_ptr_null(frs_path_expand("$FEDRECSIM_SCENARIOS/a", reason, sizeof reason));
    ck_assert_str_eq(reason, "needs the environment variable FEDRECSIM_SCENARIOS, which is not set");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("own_folders");
    TCase *tests = tcase_create("own_folders");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, folders_of_the_user);
    tcase_add_test(tests, the_data_folder_in_a_path);
    tcase_add_test(tests, the_cache_is_there_or_there_is_none);
    tcase_add_test(tests, scenarios_that_a_variable_names);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
