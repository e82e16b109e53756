/* Uploads of learners behind codecs: a check that belongs to both. */
#ifndef FRS_SELFTEST_UPLOADS_H
#define FRS_SELFTEST_UPLOADS_H

#include "algorithms/codec.h"
#include "sim/selftest/subject.h"

/* A codec with its default settings; they are freed with free(). */
struct frs_codec_choice frs_trial_codec(struct frs_check *check, const struct frs_codec *codec);

/* Checks that uploads of the learner's clients pass through the codec: a message decodes to its last byte,
 * into rows of its shapes, bit for bit where the codec is lossless, and finite in any case. Checks nothing
 * if learner and codec cannot be combined. */
void frs_check_uploads(struct frs_check *check, const struct frs_learner *learner, const char *variant,
    const struct frs_codec *codec);

/* Holds a codec with its settings to bringing something of random rows to their receiver. */
void frs_check_nearness(struct frs_check *check, const struct frs_codec_choice *choice);

#endif
