/* Amounts: the values with which metrics are compared, written in the units of scenarios: "1 h" for a
 * time, "2 GB" for bytes, "5 kJ" for energy, "50 %" for a figure without dimension. A plain number is in
 * the metric's own unit. */
#ifndef FRS_ANALYSIS_EXPECT_AMOUNT_H
#define FRS_ANALYSIS_EXPECT_AMOUNT_H

#include <stdbool.h>
#include <stddef.h>

/* The metric that a comparison with this text is about: of a count that is compared with a percentage, its
 * share of all participations ("outcomes.cut" and "10 %": "outcomes.cut_share"); `metric` elsewhere. Freed
 * with free(). */
char *frs_amount_metric(const char *metric, const char *text);

/* Whether `text` is an amount of `metric`; *value is only set if so, in the metric's unit. */
bool frs_amount_read(const char *metric, const char *text, double *value);

/* What the metric is given in, for messages: "J, kJ, MJ", "plain numbers". */
const char *frs_amount_units(const char *metric);

/* A value with its unit, for people: "44.2237 s", "0.52", "3600 s (1.00 h)"; INFINITY is "not reached". Freed
 * with free(). */
char *frs_amount_describe(const char *metric, double value);

#endif
