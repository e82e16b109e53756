#include "actors/links/packet_link.h"
#include "actors/extremes.h"

#include <math.h>

void frs_packet_link_init(
    struct frs_packet_link *link, double bytes_per_s, double capacity_bytes, bool fair) {
    *link = (struct frs_packet_link){
        .bytes_per_s = bytes_per_s, .queue = {.capacity = capacity_bytes, .fair = fair}};
}

void frs_packet_link_fini(struct frs_packet_link *link) {
    frs_packet_queue_fini(&link->queue);
}

void frs_packet_link_serve(struct frs_packet_link *link, double now_s) {
    link->busy = frs_packet_queue_pop(&link->queue, &link->on_it);
    if (!link->busy)
        return;
    link->left = link->on_it.weight;
    link->since_s = now_s;
}

void frs_packet_link_set_rate(struct frs_packet_link *link, double now_s, double bytes_per_s) {
    if (isfinite(link->bytes_per_s))
        link->left = frs_larger(link->left - link->bytes_per_s * (now_s - link->since_s), 0);
    link->since_s = now_s;
    link->bytes_per_s = bytes_per_s;
}

double frs_packet_link_departs_s(const struct frs_packet_link *link) {
    return link->bytes_per_s > 0 ? link->since_s + link->left / link->bytes_per_s : INFINITY;
}
