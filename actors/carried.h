/* Carried: what the network layer counted by itself, beside the usage of participations. */
#ifndef FRS_ACTORS_CARRIED_H
#define FRS_ACTORS_CARRIED_H

/* Bytes on all downlinks and all uplinks. `slack` is the uncertainty of the count: transfers begin and end
 * only at times that the clock can distinguish (at 1 TB/s its smallest step is a byte), and the usage of a
 * transfer that broke off is in whole bytes. */
struct frs_carried {
    double down_bytes, up_bytes;                   /* of clients, */
    double backhaul_down_bytes, backhaul_up_bytes; /* and between edges and the server */
    double down_slack_bytes, up_slack_bytes;
};

#endif
