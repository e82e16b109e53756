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

int frs_slots_write(FILE *out, size_t n_slots, double server_down_bytes_per_s, double server_up_bytes_per_s) {
    fputs("<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
          "<platform version=\"4.1\">\n",
        out);
    if (isfinite(server_down_bytes_per_s) || isfinite(server_up_bytes_per_s))
        write_shared_slots(out, n_slots, server_down_bytes_per_s, server_up_bytes_per_s);
    else
        write_private_slots(out, n_slots);
    fputs("</zone>\n</platform>\n", out);
    return ferror(out) ? -1 : 0;
}
