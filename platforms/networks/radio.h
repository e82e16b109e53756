/* Radio: the energy that moving bytes over a kind of network takes from a battery, beyond that of an idle
 * device. The kind of a client's network follows from its class of network, or from network.radio. */
#ifndef FRS_PLATFORMS_NETWORKS_RADIO_H
#define FRS_PLATFORMS_NETWORKS_RADIO_H

enum frs_radio { FRS_RADIO_LTE, FRS_RADIO_WIFI, FRS_RADIO_3G, FRS_RADIO_5G, FRS_RADIO_FIXED, FRS_N_RADIOS };

extern const char *const frs_radio_names[]; /* ended by NULL */

struct frs_radio_figures {
    double power_w;        /* while a message is under way */
    double down_j, up_j;   /* of a byte, each way, besides */
    double tail_w, tail_s; /* how long the radio stays awake behind the last byte, and what it draws then */
};

/* Where the figures are from stands in radio.c. */
const struct frs_radio_figures *frs_radio_figures(enum frs_radio radio);

#endif
