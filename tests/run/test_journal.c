/* Journal: records by name, one snapshot, files that are whole and of the same
 * training or not taken at all. */
#include "sim/run/journal.h"
#include "sim/base/memory.h"
#include "tests/support.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct frs_digest named(const char *text) {
    struct frs_digester digester = frs_digester_init();
    frs_digester_add_text(&digester, text);
    return frs_digester_finish(&digester);
}

static void add(struct frs_journal *journal, const char *name, const char *content) {
    struct frs_digest digest = named(name);
    struct frs_buffer record = {0};
    frs_buffer_put(&record, content, strlen(content));
    frs_journal_add(journal, &digest, &record);
    frs_buffer_fini(&record);
}

static void check(const struct frs_journal *journal, const char *name, const char *content) {
    struct frs_digest digest = named(name);
    struct frs_reader record;
    ck_assert(frs_journal_find(journal, &digest, &record) == (content != NULL));
    if (!content)
        return;
    ck_assert_uint_eq(record.n, strlen(content));
    ck_assert_mem_eq(record.bytes, content, record.n);
}

static struct frs_journal *journal_of(const char *training) {
    struct frs_digest key = named(training);
    return frs_journal_create(&key);
}

static char *temporary(void) {
    static char path[64];
    strcpy(path, "/tmp/fedrecsim-journal-XXXXXX");
    int descriptor = mkstemp(path);
    ck_assert_int_ge(descriptor, 0);
    close(descriptor);
    return path;
}

START_TEST(records_are_found_by_name) {
    struct frs_journal *journal = journal_of("training");
    char name[16];
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "%d", i);
        add(journal, name, name);
    }
    add(journal, "7", "7"); /* once more, the same */
    for (int i = 0; i < 1000; i++) {
        snprintf(name, sizeof name, "%d", i);
        check(journal, name, name);
    }
    check(journal, "1000", NULL);
    ck_assert_uint_eq(frs_journal_n_added(journal), 1000);
    frs_journal_destroy(journal);
}
END_TEST

static void save(void *context, struct frs_archive *archive) {
    frs_archive_bytes(archive, context, 2);
    frs_archive_bytes(archive, (char *)context + 2, 3);
}

START_TEST(a_file_brings_everything_back) {
    char *path = temporary();
    struct frs_journal *journal = journal_of("training"), *read = journal_of("training");
    struct frs_errors errors = {0};
    char state[] = "state";
    struct frs_snapshot snapshot = {.at = named("here"), .save = save, .context = state};
    struct frs_digest found;
    struct frs_reader in;
    add(journal, "a", "alpha");
    add(journal, "empty", "");
    ck_assert_int_eq(frs_journal_write(journal, path, false, &snapshot, &errors), FRS_OK);
    ck_assert_int_eq(frs_journal_read(read, path, &errors), FRS_OK);
    check(read, "a", "alpha");
    check(read, "empty", "");
    ck_assert(frs_journal_snapshot(read, &found, &in));
    ck_assert_mem_eq(found.bytes, snapshot.at.bytes, sizeof found.bytes);
    ck_assert_uint_eq(in.n, 5);
    ck_assert_mem_eq(in.bytes, "state", 5);
    ck_assert_uint_eq(frs_journal_n_added(read), 0);
    /* What has been read is not written once more. */
    add(read, "b", "beta");
    frs_journal_forget_snapshot(read);
    ck_assert(!frs_journal_snapshot(read, &found, &in));
    ck_assert_int_eq(frs_journal_write(read, path, true, NULL, &errors), FRS_OK);
    frs_journal_destroy(journal);
    journal = journal_of("training");
    ck_assert_int_eq(frs_journal_read(journal, path, &errors), FRS_OK);
    check(journal, "a", NULL);
    check(journal, "b", "beta");
    ck_assert(!frs_journal_snapshot(journal, &found, &in));
    frs_journal_destroy(journal);
    frs_journal_destroy(read);
    unlink(path);
}
END_TEST

/* Every single damaged byte, every shorter file, and another training's file. */
START_TEST(a_file_is_taken_whole_or_not_at_all) {
    char *path = temporary();
    struct frs_journal *journal = journal_of("training"), *other = journal_of("another training");
    struct frs_errors errors = {0};
    uint8_t bytes[512];
    add(journal, "a", "alpha");
    ck_assert_int_eq(frs_journal_write(journal, path, false, NULL, &errors), FRS_OK);
    FILE *file = fopen(path, "rb");
    size_t n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    for (size_t i = 0; i < 2 * n; i++) {
        bool shorter = i >= n;
        file = fopen(path, "wb");
        bytes[i % n] ^= shorter ? 0 : 64;
        fwrite(bytes, 1, shorter ? i - n : n, file);
        bytes[i % n] ^= shorter ? 0 : 64;
        fclose(file);
        struct frs_journal *read = journal_of("training");
        ck_assert_int_eq(frs_journal_read(read, path, &errors), FRS_ERR_RUN);
        check(read, "a", NULL);
        frs_journal_destroy(read);
    }
    frs_errors_clear(&errors);
    ck_assert_int_eq(frs_journal_write(journal, path, false, NULL, &errors), FRS_OK);
    ck_assert_int_eq(frs_journal_read(other, path, &errors), FRS_ERR_INPUT);
    ck_assert_ptr_nonnull(strstr(errors.lines[0], "another method or another build"));
    frs_errors_clear(&errors);
    frs_journal_destroy(journal);
    frs_journal_destroy(other);
    unlink(path);
}
END_TEST

/* What stands under the temporary name already is somebody else's, or of a process of the same number. */
START_TEST(temporary_files_are_new_ones) {
    struct frs_errors errors = {0};
    struct frs_journal *journal = journal_of("training");
    char *path = temporary(), link[128], word[8] = "";
    char *victim = frs_format("%s.victim", path);
    snprintf(link, sizeof link, "%s.partial-%ld", path, (long)getpid());
    FILE *file = fopen(victim, "w");
    ck_assert_ptr_nonnull(file);
    fputs("mine", file);
    ck_assert_int_eq(fclose(file), 0);
    ck_assert_int_eq(symlink(victim, link), 0);
    add(journal, "a", "b");
    ck_assert_int_eq(frs_journal_write(journal, path, false, NULL, &errors), FRS_OK);
    ck_assert_int_eq(frs_journal_read(journal, path, &errors), FRS_OK);
    file = fopen(victim, "r");
    ck_assert(file && fgets(word, sizeof word, file));
    ck_assert_str_eq(word, "mine");
    fclose(file);
    ck_assert(frs_journal_is_one(path));
    ck_assert(!frs_journal_is_one(victim));
    ck_assert(!frs_journal_is_one(link));
    frs_journal_clear_leftover(victim); /* no journal: it stays */
    ck_assert_int_eq(access(victim, F_OK), 0);
    frs_journal_clear_leftover(link);
    ck_assert_int_eq(unlink(link) | unlink(victim) | unlink(path), 0);
    free(victim);
    frs_journal_destroy(journal);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("journal");
    TCase *tests = tcase_create("journal");
    tcase_set_timeout(tests, 60);
    tcase_add_test(tests, records_are_found_by_name);
    tcase_add_test(tests, a_file_brings_everything_back);
    tcase_add_test(tests, a_file_is_taken_whole_or_not_at_all);
    tcase_add_test(tests, temporary_files_are_new_ones);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
