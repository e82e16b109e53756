/* Link stars: the links that transfers share, each way: the server's, and the access sides of edges. Each is
 * shared max-min by its own flows (actors/links/shared_link.h), and no flow crosses two of them. The next end
 * of all is found in O(log n) of the links in which something changed. Pure. */
#ifndef FRS_ACTORS_LINKS_LINK_STARS_H
#define FRS_ACTORS_LINKS_LINK_STARS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct frs_link_stars;

/* Star 0 is the server's link, 1 + i the access side of edge i; capacities [2]: down, up, may be INFINITY. */
struct frs_link_stars *frs_link_stars_create(
    const double server_bytes_per_s[2], const double (*access_bytes_per_s)[2], uint32_t n_access);
void frs_link_stars_destroy(struct frs_link_stars *stars);

/* Lets the transfer with this place, a small number of the caller's, flow. Returns the flow's number in its
 * link, with which it is removed. */
uint32_t frs_link_stars_add(struct frs_link_stars *stars, uint32_t star, bool up, uint32_t place,
    double now_s, double bytes_per_s, double bytes);

/* Takes a flow out before its end; returns the bytes it has received. */
double frs_link_stars_remove(
    struct frs_link_stars *stars, uint32_t star, bool up, uint32_t flow, double now_s);

/* What is known of the server's link: flows, another capacity from now_s on, and the largest rate so far. */
size_t frs_link_stars_n(const struct frs_link_stars *stars, bool up);
void frs_link_stars_set_capacity(struct frs_link_stars *stars, bool up, double now_s, double bytes_per_s);
double frs_link_stars_peak(const struct frs_link_stars *stars, bool up);

/* Time of the next end in any link, INFINITY when nothing flows. */
double frs_link_stars_next_s(struct frs_link_stars *stars);

/* Ends one flow that is due, by server_until_s [2] in the server's link and by now_s in others; returns its
 * place in *place, or false when none is due. */
bool frs_link_stars_pop(
    struct frs_link_stars *stars, const double server_until_s[2], double now_s, uint32_t *place);

/* Bytes carried by the server's link, or by all others together, and how uncertain that is. */
double frs_link_stars_carried(const struct frs_link_stars *stars, bool server, bool up, double *slack_bytes);

#endif
