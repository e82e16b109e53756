/* What the parts of loading share (load.c, count.c). */
#ifndef FRS_ALGORITHMS_DATA_LOAD_INTERNAL_H
#define FRS_ALGORITHMS_DATA_LOAD_INTERNAL_H

#include "algorithms/data/data.h"
#include "algorithms/data/interactions.h"
#include "algorithms/data/read_rows.h"
#include "algorithms/data/split.h"
#include "algorithms/data/synthetic.h"

struct frs_load {
    const struct frs_values *data, *evaluation;
    uint64_t seed;
    size_t most;      /* interactions of a sketch; 0: all of them */
    uint32_t n_users; /* of a sketch: that it stands for; 0: it is none */
    bool counts;      /* nothing will be trained or evaluated (frs_data_count) */
    struct frs_errors *errors;
    struct frs_rows rows;
    struct frs_read_ids ids; /* where a further file refers to them */
    struct frs_interactions interactions;
    struct frs_data *out;
    char *source;        /* what the description starts with */
    char *notes;         /* "; …" of the files, or NULL */
    bool given;          /* files give the split */
    bool made_with_ties; /* generated data in which several interactions share a time, whatever their number
                            in a sketch */
    double validation_from, test_from; /* split = date */
    double least_value, most_value;    /* of the rows with a rating; once frs_load_note_values has looked */
};

/* Read keys: the distribution of generated data and its seed; which interaction is the newest; which items
 * are not drawn as negatives. */
enum frs_status frs_load_distribution(
    struct frs_load *load, struct frs_synthetic_distribution *distribution, uint64_t *seed) FRS_MUST_CHECK;
enum frs_status frs_load_rule(struct frs_load *load, struct frs_leave_one_out *rule) FRS_MUST_CHECK;
enum frs_status frs_load_protocol(struct frs_load *load) FRS_MUST_CHECK;

/* Reads the files into load->rows, and takes note of them. */
enum frs_status frs_load_read_files(struct frs_load *load) FRS_MUST_CHECK;

/* Whether the files give the split (load->given). It is an error if the scenario asks for another one, or
 * for theirs where there is none. */
enum frs_status frs_load_check_given(struct frs_load *load, bool synthetic) FRS_MUST_CHECK;
enum frs_status frs_load_split_as_given(struct frs_load *load, uint8_t *parts) FRS_MUST_CHECK;

/* Whether a file has the evaluation's negatives; reads them. */
bool frs_load_names_negatives(const struct frs_load *load);
enum frs_status frs_load_read_negatives(struct frs_load *load) FRS_MUST_CHECK;

/* The files that the section names, NULL where it names none; the first one is there. */
enum frs_status frs_load_find_files(
    const struct frs_load *load, const char *paths[FRS_DATA_FILES]) FRS_MUST_CHECK;

/* prepare.c: what becomes of rows before they are split, as section `data` says. Arranges load->rows into
 * load->interactions; fails where nothing is left. */
enum frs_status frs_load_prepare(struct frs_load *load) FRS_MUST_CHECK;

/* What the section says of it. `implicit`: feedback is implicit, and rows have to be positive. */
struct frs_preparation frs_load_preparation(const struct frs_values *data, bool implicit);

/* Whether rows are left out, or split, by more than their numbers, so that counting does not do. Reads the
 * keys. */
bool frs_load_prepares(const struct frs_load *load);

/* steps.c: what each step of preparation left, and what a user should know of it. The first call is made
 * before frs_interactions_prepare, the second after it. */
void frs_load_note_values(struct frs_load *load, const struct frs_preparation *preparation);
void frs_load_note_prepared(struct frs_load *load, const struct frs_preparation *preparation);

/* What a further step left of load->interactions, which key `key` asked for. */
void frs_load_note_left(struct frs_load *load, const char *step, const char *key);

/* What training, validation and test have. */
void frs_load_note_parts(struct frs_load *load);

/* split = date: puts the interactions from data.test_from on into the test part, and those from
 * data.validation_from on before them into the validation part. */
enum frs_status frs_load_split_by_date(struct frs_load *load, uint8_t *parts) FRS_MUST_CHECK;

/* The seed of what the split draws. */
uint64_t frs_load_split_seed(const struct frs_load *load);

/* Whether the evaluation's negatives matter, which then have to exist in the requested number. */
bool frs_load_needs_negatives(const struct frs_load *load);

/* Whether a split by ratio has held out anything at all. */
enum frs_status frs_load_check_ratio(const struct frs_load *load) FRS_MUST_CHECK;

/* Counts generated data instead of making them (frs_data_count): fills load->out and the numbers of
 * interactions. Returns false, after only reading keys, where counting needs the interactions themselves. */
bool frs_load_counts(struct frs_load *load, enum frs_status *status);

#endif
