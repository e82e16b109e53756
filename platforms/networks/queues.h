/* Queues: what packets wait in, and how they are lost (network.model = "packets"). */
#ifndef FRS_PLATFORMS_NETWORKS_QUEUES_H
#define FRS_PLATFORMS_NETWORKS_QUEUES_H

#include <stdbool.h>

struct frs_queues {
    double queue_s;     /* that every queue holds, at its link's rate */
    bool fair;          /* shared links serve flow by flow instead of in the order of arrival */
    double packet_loss; /* share of the packets that are lost at random */
};

#endif
