/* Emulated edge: its backhaul, and the access side that its clients share. */
#ifndef FRS_ACTORS_EMULATION_EMULATED_EDGE_H
#define FRS_ACTORS_EMULATION_EMULATED_EDGE_H

/* [2]: down, up; INFINITY: never the bottleneck. */
struct frs_emulated_edge {
    double backhaul_bytes_per_s[2], latency_s, access_bytes_per_s[2];
};

#endif
