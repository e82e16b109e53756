#include "platforms/networks/slots.h"

#include <math.h>

static void write_private_slots(FILE *out, size_t n_slots) {
    fputs("<zone id=\"slots\" routing=\"Cluster\">\n", out);
    for (size_t i = 0; i < n_slots; i++)
        fprintf(out,
            "<host id=\"c%zu\" speed=\"1Gf\"/><host id=\"s%zu\" speed=\"1Gf\"/>"
            "<link id=\"d%zu\" bandwidth=\"1MBps\" latency=\"0s\"/>"
            "<link id=\"u%zu\" bandwidth=\"1MBps\" latency=\"0s\"/>"
            "<host_link id=\"c%zu\" up=\"u%zu\" down=\"d%zu\"/>"
            "<host_link id=\"s%zu\" up=\"d%zu\" down=\"u%zu\"/>\n",
            i, i, i, i, i, i, i, i, i, i);
}

/* A limit that is not finite becomes one that nothing reaches. */
static double or_huge(double bytes_per_s) {
    return isfinite(bytes_per_s) ? bytes_per_s : 1e18;
}

static void write_shared_slots(FILE *out, size_t n_slots, double down_bytes_per_s, double up_bytes_per_s) {
    fprintf(out,
        "<zone id=\"slots\" routing=\"Full\">\n<host id=\"s0\" speed=\"1Gf\"/>"
        "<link id=\"sd\" bandwidth=\"%.17gBps\" latency=\"0s\"/><link id=\"su\" bandwidth=\"%.17gBps\" "
        "latency=\"0s\"/>\n",
        or_huge(down_bytes_per_s), or_huge(up_bytes_per_s));
    for (size_t i = 0; i < n_slots; i++)
        fprintf(out,
            "<host id=\"c%zu\" speed=\"1Gf\"/><link id=\"d%zu\" bandwidth=\"1MBps\" latency=\"0s\"/>"
            "<link id=\"u%zu\" bandwidth=\"1MBps\" latency=\"0s\"/>\n",
            i, i, i);
    for (size_t i = 0; i < n_slots; i++)
        fprintf(out,
            "<route src=\"s0\" dst=\"c%zu\" symmetrical=\"NO\"><link_ctn id=\"sd\"/><link_ctn "
            "id=\"d%zu\"/></route>"
            "<route src=\"c%zu\" dst=\"s0\" symmetrical=\"NO\"><link_ctn id=\"u%zu\"/><link_ctn "
            "id=\"su\"/></route>\n",
            i, i, i, i);
}

static void write_head(FILE *out) {
    fputs("<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
          "<platform version=\"4.1\">\n",
        out);
}

static void write_host(
    FILE *out, const char *host, const char *link, size_t number, const double bytes_per_s[2]) {
    fprintf(out,
        "<host id=\"%s%zu\" speed=\"1Gf\"/><link id=\"%sd%zu\" bandwidth=\"%.17gBps\" latency=\"0s\"/>"
        "<link id=\"%su%zu\" bandwidth=\"%.17gBps\" latency=\"0s\"/>\n",
        host, number, link, number, or_huge(bytes_per_s[0]), link, number, or_huge(bytes_per_s[1]));
}

static void write_routes(FILE *out, const char *host, const char *link, size_t number, size_t slot) {
    fprintf(out,
        "<route src=\"%s%zu\" dst=\"c%zu\" symmetrical=\"NO\"><link_ctn id=\"%sd%zu\"/><link_ctn "
        "id=\"d%zu\"/></route>"
        "<route src=\"c%zu\" dst=\"%s%zu\" symmetrical=\"NO\"><link_ctn id=\"u%zu\"/><link_ctn "
        "id=\"%su%zu\"/></route>\n",
        host, number, slot, link, number, slot, slot, host, number, slot, link, number);
}

int frs_slots_write_edges(FILE *out, size_t n_slots, double server_down_bytes_per_s,
    double server_up_bytes_per_s, const double (*access_bytes_per_s)[2], size_t n_edges) {
    static const double placeholder[2] = {1e6, 1e6};
    const double server[2] = {server_down_bytes_per_s, server_up_bytes_per_s};
    write_head(out);
    fputs("<zone id=\"slots\" routing=\"Full\">\n", out);
    write_host(out, "s", "s", 0, server);
    for (size_t i = 0; i < n_edges; i++)
        write_host(out, "e", "a", i, access_bytes_per_s[i]);
    for (size_t i = 0; i < n_slots; i++)
        write_host(out, "c", "", i, placeholder);
    for (size_t i = 0; i < n_slots; i++) {
        write_routes(out, "s", "s", 0, i);
        for (size_t edge = 0; edge < n_edges; edge++)
            write_routes(out, "e", "a", edge, i);
    }
    fputs("</zone>\n</platform>\n", out);
    return ferror(out) ? -1 : 0;
}

int frs_slots_write(FILE *out, size_t n_slots, double server_down_bytes_per_s, double server_up_bytes_per_s) {
    write_head(out);
    if (isfinite(server_down_bytes_per_s) || isfinite(server_up_bytes_per_s))
        write_shared_slots(out, n_slots, server_down_bytes_per_s, server_up_bytes_per_s);
    else
        write_private_slots(out, n_slots);
    fputs("</zone>\n</platform>\n", out);
    return ferror(out) ? -1 : 0;
}
