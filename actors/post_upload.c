#include "actors/post_upload.h"
#include "actors/speeds.h"

void frs_post_upload_begin(struct frs_participation *p, double now_s) {
    struct frs_post_upload *post = &p->post;
    if (post->work_s != post->work_s)
        return;
    post->end_s =
        now_s + (p->speeds.n > 0 ? frs_speeds_takes_s(&p->speeds, now_s, post->work_s) : post->work_s);
    post->outcome = FRS_POST_ENDED;
    post->share = 1;
    if (now_s + post->fails_after_s < p->plan.leaves_s) {
        p->plan.leaves_s = now_s + post->fails_after_s;
        p->plan.leaves_cause = FRS_CAUSE_DEVICE;
    }
    frs_post_upload_break(p, p->plan.leaves_s, FRS_POST_DROPPED, p->plan.leaves_cause);
}

void frs_post_upload_break(
    struct frs_participation *p, double at_s, enum frs_post_upload_outcome outcome, enum frs_cause cause) {
    struct frs_post_upload *post = &p->post;
    if (!(post->end_s > at_s))
        return;
    post->end_s = at_s;
    post->outcome = outcome;
    post->cause = cause;
    double share = frs_speeds_work_s(&p->speeds, p->times.compute_end_s, at_s) / post->work_s;
    post->share = share < 1 ? share : 1;
}

double frs_post_upload_free_s(const struct frs_participation *p, double now_s) {
    return p->before && p->before->post.end_s > now_s ? p->before->post.end_s : now_s;
}
