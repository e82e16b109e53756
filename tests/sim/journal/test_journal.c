/* Journal: records by name, one snapshot, files that are whole and of the same
 * training or not taken at all. */
#include "sim/base/errors.h"
#include "sim/journal/journal.h"
#include "sim/base/memory.h"
#include "tests/mutation.h"
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
    ck_assert_ptr_nonnull(strstr(errors.lines[0], "another training: other data, another method"));
    frs_errors_clear(&errors);
    frs_journal_identify(journal, "method.dim\t16\n");
    frs_journal_identify(other, "method.dim\t8\n");
    ck_assert_int_eq(frs_journal_write(journal, path, false, NULL, &errors), FRS_OK);
    ck_assert_int_eq(frs_journal_read(other, path, &errors), FRS_ERR_INPUT);
    ck_assert_ptr_nonnull(strstr(errors.lines[0], ": is of another training: method.dim was 16 and is 8"));
    frs_errors_clear(&errors);
    frs_journal_destroy(journal);
    frs_journal_destroy(other);
    unlink(path);
}
END_TEST

/* ---- forged: whole by its digest, which anybody can make ---- */

/* Puts the right digest at the end of a damaged file. */
static void sign(struct frs_buffer *file) {
    struct frs_digester digester = frs_digester_init();
    file->n = file->n > FRS_DIGEST_BYTES ? file->n - FRS_DIGEST_BYTES : 0;
    frs_digester_add(&digester, file->bytes, file->n);
    struct frs_digest digest = frs_digester_finish(&digester);
    frs_buffer_put(file, digest.bytes, FRS_DIGEST_BYTES);
}

static void write_journal(const char *path, const char *name, const char *content) {
    struct frs_errors errors = {0};
    struct frs_journal *journal = journal_of("training");
    add(journal, name, content);
    ck_assert_int_eq(frs_journal_write(journal, path, false, NULL, &errors), FRS_OK);
    frs_journal_destroy(journal);
}

/* At the end: records, the byte that says there is no snapshot, the digest. */
START_TEST(contradictions_are_refused) {
    char *path = temporary();
    struct frs_journal *journal = journal_of("training"), *read;
    struct frs_errors errors = {0};
    struct frs_buffer file = {0};
    uint64_t two = 2;
    write_journal(path, "a", "alpha");
    mutation_read(path, &file);
    size_t record = FRS_DIGEST_BYTES + 8 + 5, first = file.n - FRS_DIGEST_BYTES - 1 - record;
    uint8_t copy[64];
    memcpy(copy, file.bytes + first, record);
    copy[record - 1] ^= 1;
    memcpy(file.bytes + first - 8, &two, sizeof two);
    mutation_splice(&file, first + record, first + record, copy, record);
    sign(&file);
    mutation_write(path, &file);
    add(journal, "b", "beta");
    ck_assert_int_eq(frs_journal_read(journal, path, &errors), FRS_ERR_RUN);
    ck_assert_ptr_nonnull(strstr(errors.lines[0], ": is damaged, or no journal of this program"));
    frs_errors_clear(&errors);
    check(journal, "a", NULL); /* and what was there is still found */
    check(journal, "b", "beta");
    write_journal(path, "b", "other"); /* against what is known already */
    ck_assert_int_eq(frs_journal_read(journal, path, &errors), FRS_ERR_RUN);
    frs_errors_clear(&errors);
    check(journal, "b", "beta");
    /* What is found anew counts, against a file that said something else. */
    read = journal_of("training");
    ck_assert_int_eq(frs_journal_read(read, path, &errors), FRS_OK);
    check(read, "b", "other");
    add(read, "b", "beta");
    check(read, "b", "beta");
    frs_journal_destroy(read);
    frs_journal_destroy(journal);
    frs_buffer_fini(&file);
    unlink(path);
}
END_TEST

START_TEST(records_may_be_empty) {
    char *path = temporary();
    struct frs_journal *read = journal_of("training");
    struct frs_errors errors = {0};
    write_journal(path, "empty", "");
    ck_assert_int_eq(frs_journal_read(read, path, &errors), FRS_OK);
    check(read, "empty", "");
    ck_assert_int_eq(frs_journal_write(read, path, false, NULL, &errors), FRS_OK);
    frs_journal_destroy(read);
    unlink(path);
}
END_TEST

START_TEST(damage_with_the_right_digest_is_survived) {
    char *path = temporary(), state[] = "state";
    struct frs_journal *journal = journal_of("training");
    struct frs_snapshot snapshot = {.at = named("here"), .save = save, .context = state};
    struct frs_buffer whole = {0}, damaged = {0};
    struct frs_errors errors = {0};
    struct frs_digest at;
    struct frs_reader in;
    size_t taken = 0;
    add(journal, "a", "alpha");
    add(journal, "empty", "");
    add(journal, "b", "beta");
    ck_assert_int_eq(frs_journal_write(journal, path, false, &snapshot, &errors), FRS_OK);
    mutation_read(path, &whole);
    for (uint32_t trial = 0; trial < 2000; trial++) {
        struct frs_rng rng = mutation_rng(trial);
        frs_buffer_reset(&damaged);
        frs_buffer_put(&damaged, whole.bytes, whole.n);
        mutation_change(&damaged, 0, &rng);
        sign(&damaged);
        mutation_write(path, &damaged);
        struct frs_journal *read = journal_of("training");
        add(read, "before", "before");
        bool good = frs_journal_read(read, path, &errors) == FRS_OK;
        ck_assert_uint_eq(errors.n, good ? 0 : 1);
        taken += good;
        check(read, "before", "before");
        if (!good) {
            check(read, "a", NULL);
            ck_assert(!frs_journal_snapshot(read, &at, &in));
        }
        frs_errors_clear(&errors);
        frs_journal_destroy(read);
    }
    ck_assert_uint_gt(taken, 0); /* of another name, another content */
    frs_buffer_fini(&whole);
    frs_buffer_fini(&damaged);
    frs_journal_destroy(journal);
    unlink(path);
}
END_TEST

/* A file under the temporary name belongs to another program, or to a process of the same number. */
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
    tcase_add_test(tests, contradictions_are_refused);
    tcase_add_test(tests, records_may_be_empty);
    tcase_add_test(tests, damage_with_the_right_digest_is_survived);
    tcase_add_test(tests, temporary_files_are_new_ones);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
