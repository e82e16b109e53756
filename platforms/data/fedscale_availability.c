/* Source: figures client_portion.png and intra-device.png of the fork SamuelGong/FedScale (FedScale:
 * Apache-2.0), drawn from FedScale's client_behave_trace of 107,749 devices over 96 h (Lai et al., ICML 2022;
 * the trace: Yang et al., WWW 2021). Digitised from the figures: the trace itself is in no mirror we know.
 * Accuracy of the reading: not stated; sibling figures were read to 2-5 %. A device counts as available while
 * it is idle, charging and on Wi-Fi. */
#include "platforms/data/fedscale_availability.h"

/* Relative to the devices still in the trace. Hour 0 is the start of the trace,
 * not a known time of the day. */
const double frs_fedscale_available_percent[FRS_FEDSCALE_HOURS] = {19.07, 20.23, 21.49, 22.68, 23.60, 24.15,
    24.45, 24.34, 24.11, 23.62, 22.97, 22.35, 21.80, 21.28, 20.78, 20.52, 20.24, 19.99, 19.73, 19.36, 19.01,
    18.28, 17.28, 16.10, 17.11, 18.12, 19.47, 20.68, 21.59, 22.36, 22.93, 23.13, 22.95, 22.46, 21.91, 21.40,
    20.99, 20.62, 20.34, 20.08, 19.80, 19.52, 19.41, 19.10, 18.60, 17.80, 16.77, 15.82, 17.12, 18.06, 19.47,
    20.74, 21.80, 22.52, 22.98, 23.12, 22.97, 22.40, 21.90, 21.18, 20.64, 20.15, 19.72, 19.52, 19.30, 19.48,
    19.57, 19.48, 19.11, 18.29, 17.12, 15.81, 17.04, 17.85, 19.16, 20.40, 21.43, 22.18, 22.62, 22.76, 22.80,
    22.40, 21.80, 21.01, 20.50, 20.09, 19.71, 19.64, 19.69, 19.63, 19.57, 19.52, 18.99, 18.08, 16.98, 15.36};

/* Density of the total time that a device was available, at 0.5 h, 1.5 h, …, 99.5 h, per hour. It was read
 * off a kernel density estimate, whose tail extends beyond the possible 96 h. Sums to 0.993. */
const double frs_fedscale_total_hours_density[FRS_FEDSCALE_TOTALS] = {0.01638, 0.02357, 0.02846, 0.03155,
    0.03381, 0.03555, 0.03720, 0.03869, 0.03955, 0.03972, 0.03911, 0.03801, 0.03653, 0.03477, 0.03315,
    0.03157, 0.03023, 0.02898, 0.02766, 0.02631, 0.02487, 0.02336, 0.02202, 0.02079, 0.01952, 0.01828,
    0.01695, 0.01581, 0.01480, 0.01377, 0.01278, 0.01184, 0.01090, 0.01011, 0.00938, 0.00869, 0.00809,
    0.00746, 0.00679, 0.00609, 0.00542, 0.00490, 0.00448, 0.00404, 0.00363, 0.00329, 0.00298, 0.00267,
    0.00243, 0.00220, 0.00199, 0.00177, 0.00157, 0.00137, 0.00119, 0.00107, 0.00096, 0.00085, 0.00076,
    0.00065, 0.00056, 0.00051, 0.00048, 0.00045, 0.00042, 0.00040, 0.00037, 0.00037, 0.00035, 0.00034,
    0.00032, 0.00032, 0.00031, 0.00031, 0.00030, 0.00028, 0.00027, 0.00027, 0.00027, 0.00025, 0.00025,
    0.00025, 0.00025, 0.00025, 0.00024, 0.00024, 0.00023, 0.00023, 0.00023, 0.00024, 0.00024, 0.00024,
    0.00024, 0.00024, 0.00024, 0.00024, 0.00024, 0.00023, 0.00023, 0.00023};
