#include "platforms/slots.h"

int frs_slots_write(FILE *out, size_t n_slots) {
    fputs("<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
          "<platform version=\"4.1\">\n<zone id=\"slots\" routing=\"Cluster\">\n",
        out);
    for (size_t i = 0; i < n_slots; i++)
        fprintf(out,
            "<host id=\"c%zu\" speed=\"1Gf\"/><host id=\"s%zu\" speed=\"1Gf\"/>"
            "<link id=\"d%zu\" bandwidth=\"1MBps\" latency=\"0s\"/>"
            "<link id=\"u%zu\" bandwidth=\"1MBps\" latency=\"0s\"/>"
            "<host_link id=\"c%zu\" up=\"u%zu\" down=\"d%zu\"/>"
            "<host_link id=\"s%zu\" up=\"d%zu\" down=\"u%zu\"/>\n",
            i, i, i, i, i, i, i, i, i, i);
    fputs("</zone>\n</platform>\n", out);
    return ferror(out) ? -1 : 0;
}
