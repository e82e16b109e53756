#include "platforms/networks/radio.h"

#include <stddef.h>

const char *const frs_radio_names[] = {[FRS_RADIO_LTE] = "lte",
    [FRS_RADIO_WIFI] = "wifi",
    [FRS_RADIO_3G] = "3g",
    [FRS_RADIO_5G] = "5g",
    [FRS_RADIO_FIXED] = "fixed",
    NULL};

#define PER_BIT(nj) ((nj)*8e-9) /* joules of a byte; mW per Mbit/s are nJ per bit */

/* lte, 3g, wifi: Huang et al. 2012 (A Close Examination of Performance and Power Characteristics of 4G LTE
 * Networks), as commonly quoted and not checked against the paper again: α_d and α_u (the slopes of power
 * over rate), β (the power of a transfer beside them), and the tails of its table of states. 3G's tail is
 * that of DCH (803.9 mW, 8.088 s) and of FACH (601.3 mW, 0.824 s) after it, as one.
 *
 * 5g: slopes of low-band 5G (non-standalone) and its tail of Narayanan et al. 2021 (A Variegated Look at
 * 5G in the Wild), quoted from memory. The power of a transfer beside its rate is assumed to be LTE's.
 * mmWave takes less per bit and more in its tail.
 *
 * fixed: an Ethernet interface draws about the same power whether it sends or not (Energy-Efficient
 * Ethernet was made to change that), so nothing is added: assumed. */
static const struct frs_radio_figures figures[FRS_N_RADIOS] = {
    [FRS_RADIO_LTE] = {1.288, PER_BIT(51.97), PER_BIT(438.39), 1.06, 11.576},
    [FRS_RADIO_WIFI] = {0.13286, PER_BIT(137.01), PER_BIT(283.17), 0.1193, 0.2381},
    [FRS_RADIO_3G] = {0.81788, PER_BIT(122.12), PER_BIT(868.98), 0.7852, 8.912},
    [FRS_RADIO_5G] = {1.288, PER_BIT(13.52), PER_BIT(29.15), 0.25, 10.4},
    [FRS_RADIO_FIXED] = {0, 0, 0, 0, 0},
};

const struct frs_radio_figures *frs_radio_figures(enum frs_radio radio) {
    return &figures[radio];
}
