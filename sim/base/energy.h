/* Energy: what a participation took, or many, by what it was for. Modelled, in joules. */
#ifndef FRS_BASE_ENERGY_H
#define FRS_BASE_ENERGY_H

struct frs_energy {
    double compute_j;    /* computing, work after the upload included */
    double connecting_j; /* opening connections: power of the radio meanwhile, and their bytes */
    double down_j, up_j; /* messages each way, their latencies included */
    double awake_j; /* waiting awake: the radio's tails, and the device as it waits (devices.power_awake) */
};

static inline void frs_energy_add(struct frs_energy *sum, const struct frs_energy *more) {
    sum->compute_j += more->compute_j;
    sum->connecting_j += more->connecting_j;
    sum->down_j += more->down_j;
    sum->up_j += more->up_j;
    sum->awake_j += more->awake_j;
}

static inline double frs_energy_sum(const struct frs_energy *energy) {
    return energy->compute_j + energy->connecting_j + energy->down_j + energy->up_j + energy->awake_j;
}

#endif
