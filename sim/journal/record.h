/* Records: the result of training a participation, as the journal keeps it. There is one for every
 * participation of a run, so they are short: most of their numbers are small and whole. */
#ifndef FRS_JOURNAL_RECORD_H
#define FRS_JOURNAL_RECORD_H

#include "sim/base/buffer.h"
#include "algorithms/training/trainer.h"

void frs_record_put_real(struct frs_buffer *out, double value);
double frs_record_real(struct frs_reader *in);

/* Writes a byte that marks which of the real numbers are whole; then the whole numbers in groups of seven
 * bits and the others as 8 bytes each, in the order of sim/base/usage.c. Leaves out what is measured on
 * this machine. */
void frs_record_put_usage(struct frs_buffer *out, const struct frs_usage *usage);
struct frs_usage frs_record_usage(struct frs_reader *in);

/* Reads the same, and marks the record as damaged if no training can have had this result. A loss may be
 * any number. */
struct frs_usage frs_record_sound_usage(struct frs_reader *in);

#endif
