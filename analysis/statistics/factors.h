/* Factors: whether a setting is a design factor or an environment factor.
 *
 * The operator of a federation chooses what is trained, how it is sent and how rounds proceed (design
 * factors). Networks, devices, data, losses and the way of measuring are given (environment factors).
 * Designs are ranked within one environment: if a method does better on fibre than another one on 3G, this
 * says nothing about either. */
#ifndef FRS_ANALYSIS_STATISTICS_FACTORS_H
#define FRS_ANALYSIS_STATISTICS_FACTORS_H

#include <stdbool.h>
#include <stddef.h>

enum frs_role {
    FRS_ROLE_DESIGN,      /* method, codec, adaptation, rounds, training, observations */
    FRS_ROLE_ENVIRONMENT, /* everything else */
    FRS_ROLE_NONE         /* the seed, what is written, and how a sweep is evaluated */
};

enum frs_role frs_role_of(const char *key);

/* "design", "environment"; NULL for FRS_ROLE_NONE. */
const char *frs_role_name(enum frs_role role);

/* Whether `text` of this length is the name of a role. */
bool frs_role_parse(const char *text, size_t length, enum frs_role *role);

/* The role of an axis whose role is not given: it is a design factor if some of its keys are and none is
 * an environment factor. Without keys (plans of old versions) its name counts as a key. */
enum frs_role frs_role_of_axis(char *const *keys, size_t n, const char *name);

/* Whether `key` is `section`, or in it: "network.uplink.median" is in "network". */
bool frs_key_is_in(const char *key, const char *section);

/* Whether `key` is varied along with `varied`: it lies in that section, or a preset of links or devices
 * sets it. */
bool frs_key_goes_with(const char *key, const char *varied);

#endif
