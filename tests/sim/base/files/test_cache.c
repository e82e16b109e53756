/* Caches: an entry is found again, whole, only under its own key; damaged entries count as absent, and
 * files of others stay as they are. */
#include "sim/base/files/cache.h"
#include "tests/folder.h"

#include <dirent.h>
#include <sys/stat.h>

static const char content[] = "what took long";

static void setup(void) {
    fixture_setup();
    setenv("FEDRECSIM_CACHE", ".", 1);
}

static void teardown(void) {
    unsetenv("FEDRECSIM_CACHE");
    fixture_teardown();
}

static struct frs_digest key_of(const char *what) {
    struct frs_digester key = frs_cache_key("kind");
    frs_digester_add_text(&key, what);
    return frs_digester_finish(&key);
}

static void keep(const char *what, const char *bytes) {
    struct frs_cache_entry entry;
    struct frs_digest key = key_of(what);
    frs_cache_create(&entry, "kind", &key);
    frs_cache_write(&entry, bytes, 4);
    frs_cache_write(&entry, bytes + 4, strlen(bytes) - 4);
    frs_cache_end_write(&entry);
}

/* Whether there is an entry that holds `content` whole. */
static bool found(const char *what) {
    char read[sizeof content] = "";
    struct frs_cache_entry entry;
    struct frs_digest key = key_of(what);
    if (!frs_cache_open(&entry, "kind", &key))
        return false;
    frs_cache_read(&entry, read, sizeof content - 1);
    bool same = frs_cache_end_read(&entry);
    ck_assert(!same || strcmp(read, content) == 0);
    return same;
}

/* The only file there is. */
static const char *only_file(void) {
    static char name[256];
    size_t n = 0;
    DIR *folder = opendir(".");
    for (struct dirent *entry; (entry = readdir(folder));)
        if (*entry->d_name != '.' && ++n)
            snprintf(name, sizeof name, "%s", entry->d_name);
    closedir(folder);
    ck_assert_uint_eq(n, 1);
    return name;
}

static long size_of(const char *name) {
    struct stat status;
    ck_assert_int_eq(stat(name, &status), 0);
    return (long)status.st_size;
}

START_TEST(finds_what_was_kept) {
    ck_assert(!found("a"));
    keep("a", content);
    ck_assert(found("a"));
    ck_assert(!found("b"));
    ck_assert_int_eq(strncmp(only_file(), "kind-", 5), 0);
    ck_assert_int_eq(size_of(only_file()), 18 + (long)sizeof content - 1 + FRS_DIGEST_BYTES);
    keep("b", content);
    ck_assert(found("a") && found("b"));
}
END_TEST

START_TEST(entries_of_another_length_are_damaged) {
    keep("a", "what took longer");
    ck_assert(!found("a"));
    keep("a", "what");
    ck_assert(!found("a"));
    keep("a", content);
    ck_assert(found("a"));
}
END_TEST

/* Whatever byte is another one, and wherever it ends. */
START_TEST(damaged_entries_are_none) {
    for (int i = 0; i < 18 + (int)sizeof content - 1 + FRS_DIGEST_BYTES; i++) {
        keep("a", content);
        const char *name = only_file();
        FILE *file = fopen(name, "r+b");
        ck_assert_int_eq(fseek(file, i, SEEK_SET), 0);
        int byte = fgetc(file);
        ck_assert_int_eq(fseek(file, i, SEEK_SET), 0);
        fputc(byte ^ 1, file);
        ck_assert_int_eq(fclose(file), 0);
        ck_assert_msg(!found("a"), "byte %d", i);
        remove(name);
        keep("a", content);
        ck_assert_int_eq(truncate(name, i), 0);
        ck_assert_msg(!found("a"), "the first %d bytes", i);
        remove(name);
    }
}
END_TEST

START_TEST(files_of_others_stay) {
    keep("a", content);
    char *name = frs_strdup(only_file());
    write_file(name, "somebody's");
    keep("a", content);
    ck_assert(!found("a"));
    ck_assert_int_eq(size_of(name), 10);
    remove(name);
    ck_assert_int_eq(symlink("elsewhere", name), 0);
    keep("a", content);
    ck_assert_int_ne(access("elsewhere", F_OK), 0);
    remove(name);
    ck_assert_int_eq(mkfifo(name, 0600), 0);
    keep("a", content);
    ck_assert(!found("a"));
    free(name);
}
END_TEST

START_TEST(nothing_is_kept_where_no_folder_is_named) {
    setenv("FEDRECSIM_CACHE", "", 1);
    ck_assert_ptr_null(frs_cache_folder());
    ck_assert_int_eq(frs_cache_check(&errors), FRS_OK);
    keep("a", content);
    ck_assert(!found("a"));
    setenv("FEDRECSIM_CACHE", "gone", 1);
    keep("a", content);
    ck_assert(!found("a"));
    setenv("FEDRECSIM_CACHE", ".", 1);
    ck_assert(!found("a"));
}
END_TEST

START_TEST(the_folder_has_to_be_one) {
    ck_assert_int_eq(frs_cache_check(&errors), FRS_OK);
    setenv("FEDRECSIM_CACHE", "gone", 1);
    ck_assert_int_eq(frs_cache_check(&errors), FRS_ERR_INPUT);
    expect_error(
        "FEDRECSIM_CACHE: gone: No such file or directory; allowed: a folder that is there, or nothing");
    write_file("plain", "x");
    setenv("FEDRECSIM_CACHE", "plain", 1);
    ck_assert_int_eq(frs_cache_check(&errors), FRS_ERR_INPUT);
    expect_error("FEDRECSIM_CACHE: plain: is not a folder; allowed: a folder that is there, or nothing");
}
END_TEST

int main(void) {
    Suite *suite = suite_create("cache");
    TCase *tests = tcase_create("cache");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, finds_what_was_kept);
    tcase_add_test(tests, entries_of_another_length_are_damaged);
    tcase_add_test(tests, damaged_entries_are_none);
    tcase_add_test(tests, files_of_others_stay);
    tcase_add_test(tests, nothing_is_kept_where_no_folder_is_named);
    tcase_add_test(tests, the_folder_has_to_be_one);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
