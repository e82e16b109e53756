/* Checkpoints damaged in their inside, with the right digest at the end, which anybody can make: a run that
 * is resumed from one ends with a code of its own and in words, never by a signal. */
#include "sim/base/files/digest.h"
#include "tests/mutation.h"
#include "tests/sim/run/fixture.h"

#include <signal.h>

enum { TRIALS = 4 + FRS_TEST_CASES(20) };

static const char *const scenarios[] = {
    "data = { synthetic = \"small\"; };\nmethod = { name = \"colr\"; dim = 16; rank = 4; learning_rate = "
    "1.0; };\n"
    "network = { preset = \"mixed-mobile\"; };\n"
    "rounds = { count = 60; cohort = 20; policy = { name = \"buffered_async\"; arrivals = 5; }; };\n"
    "output = { checkpoint_rounds = 4; };\n",
    "data = { synthetic = \"small\"; };\nmethod = { name = \"fedmf\"; dim = 8; };\n"
    "rounds = { count = 40; cohort = 20; };\nevaluation = { every = 1; view = \"device\"; };\n"
    "output = { checkpoint_rounds = 3; };\n"};

static void sign(struct frs_buffer *file) {
    struct frs_digester digester = frs_digester_init();
    frs_digester_add(&digester, file->bytes, file->n);
    struct frs_digest digest = frs_digester_finish(&digester);
    frs_buffer_put(file, digest.bytes, FRS_DIGEST_BYTES);
}

/* Killed once its first checkpoint is there. */
static void make_checkpoint(const char *path) {
    pid_t pid = start_program("run s.cfg --quiet --out r");
    for (siginfo_t ended = {0}; access(path, F_OK) != 0 && ended.si_pid == 0; usleep(2000))
        ck_assert_int_eq(waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOHANG | WNOWAIT), 0);
    kill(pid, SIGKILL);
    end_of_program(pid);
    ck_assert_int_eq(shell("rm -rf r.partial-*; mv r.checkpoint whole && [ ! -e r ]"), 0);
}

START_TEST(resuming_never_aborts) {
    struct frs_buffer whole = {0}, damaged = {0};
    char *path = frs_format("%s/r.checkpoint", frs_folder), *source = frs_format("%s/whole", frs_folder);
    write_text("s.cfg", scenarios[_i]);
    make_checkpoint(path);
    mutation_read(source, &whole);
    whole.n -= FRS_DIGEST_BYTES;
    for (uint32_t trial = 0; trial < TRIALS; trial++) {
        struct frs_rng rng = mutation_rng(1000 * (uint32_t)_i + trial);
        frs_buffer_reset(&damaged);
        frs_buffer_put(&damaged, whole.bytes, whole.n);
        if (trial > 0)
            mutation_change(&damaged, 0, &rng);
        sign(&damaged);
        mutation_write(path, &damaged);
        int code = run_program("run s.cfg --quiet --out r --resume");
        ck_assert_msg(
            code <= 2 && (trial > 0 || code == 0), "trial %u: exit code %d: %s", trial, code, frs_said);
        ck_assert_int_eq(shell("rm -rf r r.partial-*"), 0);
    }
    frs_buffer_fini(&whole);
    frs_buffer_fini(&damaged);
    free(path);
    free(source);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("forged checkpoint");
    TCase *tests = tcase_create("forged checkpoint");
    tcase_add_checked_fixture(tests, folder_setup, folder_teardown);
    tcase_set_timeout(tests, 300);
    tcase_add_loop_test(tests, resuming_never_aborts, 0, sizeof scenarios / sizeof *scenarios);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
