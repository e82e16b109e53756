/* The check of each kind, in a file by its name. */
#ifndef FRS_SELFTEST_KINDS_H
#define FRS_SELFTEST_KINDS_H

struct frs_check;
struct frs_plugin;

void frs_check_learner(struct frs_check *check, const struct frs_plugin *plugin);
void frs_check_optimiser(struct frs_check *check, const struct frs_plugin *plugin);
void frs_check_correction(struct frs_check *check, const struct frs_plugin *plugin);
void frs_check_codec(struct frs_check *check, const struct frs_plugin *plugin);
void frs_check_distribution(struct frs_check *check, const struct frs_plugin *plugin);
void frs_check_mechanism(struct frs_check *check, const struct frs_plugin *plugin);
void frs_check_availability(struct frs_check *check, const struct frs_plugin *plugin);
void frs_check_policy(struct frs_check *check, const struct frs_plugin *plugin);
void frs_check_selection(struct frs_check *check, const struct frs_plugin *plugin);
void frs_check_adaptation(struct frs_check *check, const struct frs_plugin *plugin);
void frs_check_non_federated(struct frs_check *check, const struct frs_plugin *plugin);

#endif
