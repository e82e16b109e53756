/* Expected uploads: how often clients upload, as far as that does not depend on time (sessions, deadlines and
 * losses by the second are left out). What is known beforehand of the clients that a correction of the
 * aggregate counts. */
#ifndef FRS_SETUP_EXPECTED_UPLOADS_H
#define FRS_SETUP_EXPECTED_UPLOADS_H

#include "sim/setup/setup.h"

/* Probability with which a participation of this client ends with its upload; 0 where it has too little
 * memory. */
double frs_setup_arrival(const struct frs_setup *setup, uint32_t client);

/* Mean over the clients of the probability that the upload of one is aggregated in a round. */
double frs_setup_upload_probability(const struct frs_setup *setup);

/* Clients that have uploaded at least once after so many rounds. */
double frs_setup_heard(const struct frs_setup *setup, double n_rounds);

#endif
