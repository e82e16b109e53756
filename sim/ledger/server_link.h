/* Server link: how much longer the server's finite link, shared with others, made a client's transfers. */
#ifndef FRS_LEDGER_SERVER_LINK_H
#define FRS_LEDGER_SERVER_LINK_H

#include "actors/links/own_links.h"

/* Returns how long, between two times, the transfers of an ended participation were under way only because
 * the server's link is finite. This is the time by which a transfer takes longer than alone on the
 * client's own links. A transfer that lies only partly between the two times counts by the share of its
 * time there. Aborts when a transfer took less time than alone. */
double frs_server_link_s(const struct frs_participation *participation, const struct frs_own_links *links,
    double from_s, double to_s);

#endif
