/* Computing at speeds that change, worked out by hand. */
#include "actors/lifecycle.h"
#include "actors/post_upload.h"
#include "actors/speeds.h"
#include "tests/support.h"

#include <math.h>

/* Full speed until 10, half until 14, a quarter from 20 on, full between. */
static struct frs_participation participation(void) {
    struct frs_participation p = frs_participation_new(3);
    frs_speeds_add(&p.speeds, 5, 1);
    frs_speeds_add(&p.speeds, 10, .5);
    frs_speeds_add(&p.speeds, 14, 1);
    frs_speeds_add(&p.speeds, 20, .25);
    return p;
}

START_TEST(work_by_hand) {
    struct frs_participation p = participation();
    const struct frs_speeds none = {0};
    ck_assert_double_eq(frs_speeds_work_s(&p.speeds, 8, 16), 2 + 2 + 2);
    ck_assert_double_eq(frs_speeds_work_s(&p.speeds, 10, 14), 2);
    ck_assert_double_eq(frs_speeds_work_s(&p.speeds, 19, 28), 1 + 2);
    ck_assert_double_eq(frs_speeds_work_s(&p.speeds, 7, 7), 0);
    ck_assert_double_eq(frs_speeds_work_s(&none, 8, 16), 8);
    ck_assert_double_eq(frs_speeds_takes_s(&p.speeds, 8, 1), 1);
    ck_assert_double_eq(frs_speeds_takes_s(&p.speeds, 8, 2), 2); /* exactly at a change */
    ck_assert_double_eq(frs_speeds_takes_s(&p.speeds, 8, 3), 4);
    ck_assert_double_eq(frs_speeds_takes_s(&p.speeds, 8, 6), 8);
    ck_assert_double_eq(frs_speeds_takes_s(&p.speeds, 19, 3), 9);
    ck_assert_double_eq(frs_speeds_takes_s(&p.speeds, 100, 3), 12);
    ck_assert_double_eq(frs_speeds_takes_s(&none, 8, 3), 3);
    frs_participation_fini(&p);
}
END_TEST

/* 8 s of work from 8 on: 2 at full speed, 2 in 4 s, 4 in 4 s, until 18. */
START_TEST(shares_by_hand) {
    struct frs_participation p = participation();
    p.times.compute_start_s = 8;
    p.plan.work_s = 8;
    p.plan.compute_s = frs_speeds_takes_s(&p.speeds, 8, 8);
    ck_assert_double_eq(p.plan.compute_s, 10);
    ck_assert_double_eq(frs_speeds_until_share_s(&p, .25), 2);
    ck_assert_double_eq(frs_speeds_until_share_s(&p, .375), 4);
    ck_assert_double_eq(frs_speeds_share_after(&p, 6), .5);
    ck_assert_double_eq(frs_speeds_share_after(&p, 10), 1);
    frs_participation_fini(&p);
}
END_TEST

/* A failure that was planned for half of the work, at 14, strikes there although the phase now ends at 16,
 * with 6 s of work: two thirds of it. */
START_TEST(a_shorter_phase_keeps_the_time_of_its_failure) {
    struct frs_participation p = participation();
    p.times.compute_start_s = 8;
    p.plan.work_s = 8;
    p.plan.compute_s = 10;
    p.plan.compute_loss.planned = true;
    p.plan.compute_loss.at_share = .5;
    p.result.phase = FRS_PHASE_COMPUTE;
    frs_lifecycle_shorten(&p, 8);
    ck_assert(p.plan.compute_loss.planned);
    ck_assert_double_eq(p.plan.work_s, 6);
    ck_assert_double_eq_tol(p.plan.compute_loss.at_share, 4. / 6, 1e-15);
    ck_assert_double_eq_tol(frs_speeds_until_share_s(&p, p.plan.compute_loss.at_share), 6, 1e-12);
    frs_participation_fini(&p);
}
END_TEST

/* Work after the upload goes on at the speeds of then: 3 s from 13 on are done at 16.5, half of them by 15.
 */
START_TEST(post_upload_work_by_hand) {
    struct frs_participation p = participation();
    p.times.compute_end_s = 13;
    p.post.work_s = 3;
    frs_post_upload_begin(&p, 13);
    ck_assert_double_eq(p.post.end_s, 16.5);
    frs_post_upload_break(&p, 15, FRS_POST_DROPPED, FRS_CAUSE_DEVICE);
    ck_assert_double_eq(p.post.share, .5);
    frs_participation_fini(&p);
}
END_TEST

int main(void) {
    Suite *suite = suite_create("speeds");
    TCase *tests = tcase_create("speeds");
    tcase_add_test(tests, work_by_hand);
    tcase_add_test(tests, shares_by_hand);
    tcase_add_test(tests, a_shorter_phase_keeps_the_time_of_its_failure);
    tcase_add_test(tests, post_upload_work_by_hand);
    suite_add_tcase(suite, tests);
    return frs_test_run(suite);
}
