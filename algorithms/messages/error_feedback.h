/* Error feedback: what a lossy codec left out of a client's upload is added to its next one (Seide et al.
 * 2014, Karimireddy et al. 2019).
 *
 * A residual is private state: it stays on the client, is stored by the rows it touches, and commits with the
 * rest of the participation, whether or not the upload arrives (docs/methods/compression.md). */
#ifndef FRS_ALGORITHMS_MESSAGES_ERROR_FEEDBACK_H
#define FRS_ALGORITHMS_MESSAGES_ERROR_FEEDBACK_H

#include "algorithms/rows.h"
#include "sim/base/files/archive.h"
#include "sim/base/arena.h"

struct frs_feedback;

/* For uploads of these shapes. */
struct frs_feedback *frs_feedback_create(uint32_t n_clients, const struct frs_part *shapes, size_t n_parts);
void frs_feedback_destroy(struct frs_feedback *feedback);

/* rows[part] += the client's residual; rows of either are in the result, memory from the arena. */
void frs_feedback_add(
    const struct frs_feedback *feedback, uint32_t client, struct frs_rows *rows, struct frs_arena *arena);

/* Computes the residual when the server decodes `decoded` from `sent`, in the form that `commit` takes;
 * replaces the content of `out`. A value that is not finite leaves nothing. */
void frs_feedback_left(const struct frs_feedback *feedback, const struct frs_rows *sent,
    const struct frs_rows *decoded, struct frs_buffer *out);

/* The client's residual from now on. */
void frs_feedback_commit(struct frs_feedback *feedback, uint32_t client, const struct frs_buffer *left);

/* Saves or loads all residuals. */
void frs_feedback_archive(struct frs_feedback *feedback, struct frs_archive *archive);

#endif
