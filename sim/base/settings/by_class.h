/* Values by class: one text that gives each class of clients its own value.
 *
 *   numbers and quantities   "phone-low 30 %, phone-high 5 %", "4g 10 min, others 2 h"
 *   texts                    "phone-low 0.1, 0.2; others fedscale": they may hold commas, so semicolons
 *   part them
 *
 * A part is the name of a class, a space, and a value that the key allows for all clients. A number
 * without dimension may also be a percentage. This file does not know which classes exist:
 * platforms/presets/kinds.h checks the names. A divided value shows the value of one class at a time,
 * which frs_values_look_at chooses, so its readers need to know nothing of classes. */
#ifndef FRS_BASE_BY_CLASS_H
#define FRS_BASE_BY_CLASS_H

#include "sim/base/status.h"

#include <stdbool.h>
#include <stddef.h>

struct frs_param;
struct frs_value;
struct frs_values;

/* The name of the part for all classes that have none of their own. */
#define FRS_OTHER_CLASSES "others"

struct frs_class_part {
    char *name, *text;
};

/* The parts of a divided value; *parts is freed with frs_class_parts_free. Returns their number. */
size_t frs_class_parts(const struct frs_param *param, const char *text, struct frs_class_part **parts);
void frs_class_parts_free(struct frs_class_part *parts, size_t n);

/* What the parts of such a key are named after: "class", or "method". */
const char *frs_divided_by(const struct frs_param *param);

/* Whether a text for such a key begins with the name of a class. */
bool frs_is_by_class(const struct frs_param *param, const char *text);

/* frs_param_parse for such a text: every part has to be good. The value then holds that of the first part. */
enum frs_status frs_parse_by_class(const struct frs_param *param, const char *text, struct frs_value *value,
    char *reason, size_t size) FRS_MUST_CHECK;

/* Whether any value of the section is divided. */
bool frs_values_are_divided(const struct frs_values *values);

/* Lets every divided value be that of the class that has one of these names, or of the others. */
void frs_values_look_at(const struct frs_values *values, const char *const *names, size_t n);

#endif
