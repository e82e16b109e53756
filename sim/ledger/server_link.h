/* Server link: how much longer the server's finite link, shared with others, made a client's transfers. */
#ifndef FRS_LEDGER_SERVER_LINK_H
#define FRS_LEDGER_SERVER_LINK_H

#include "actors/links/own_links.h"

/* Seconds between two times in which the transfers of an ended participation were under way only because the
 * server's link is finite. A transfer takes so much longer than alone on the client's own links; one that
 * lies in the span in part counts by the share of its time there. Aborts when it took less than alone. */
double frs_server_link_s(const struct frs_participation *participation, const struct frs_own_links *links,
    double from_s, double to_s);

#endif
