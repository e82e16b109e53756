/* Carried: what the network layer counted by itself, beside the usage of participations. */
#ifndef FRS_ACTORS_CARRIED_H
#define FRS_ACTORS_CARRIED_H

/* Bytes on all downlinks and all uplinks. `slack` is what the count leaves uncertain: transfers begin and end
 * at times the clock can tell apart (at 1 TB/s its smallest step is a byte), and what had crossed of one that
 * broke off is usage in whole bytes. */
struct frs_carried {
    double down_bytes, up_bytes;
    double down_slack_bytes, up_slack_bytes;
};

#endif
