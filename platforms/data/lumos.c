/* Capacities of Lumos' sessions, Mbit/s, at 0, 2.5, 5 … 100 % of them.
 *
 * Lumos (Lv et al., INFOCOM 2022; GreenLv/Lumos at 9f48da1): chunks of adaptive video over 4G and Wi-Fi, in
 * places that were chosen for a strong, a medium and a weak signal. A session is a client here. Those whose
 * server was limited to 5 Mbit/s are left out, because most of them show the limit: there remain 84 sessions
 * over 4G and 182 over Wi-Fi. Fitted as `fedrecsim calibrate --column class=access+server_limit` does: what
 * grows with the bytes of a chunk is capacity, the rest latency; times exp(jitter²/2), because a client's
 * capacity is the mean of what its messages find, and the fit their median. The upper third of the Wi-Fi
 * sessions is at 88 to 96 Mbit/s, which looks like a line of 100 Mbit/s and no radio.
 * tests/analysis/calibration/test_calibration.c makes the tables again where the transfers are at hand.
 *
 * Nothing was measured upwards: the tables of uplinks are those of downlinks times a ratio from elsewhere, 6
 * to 13 (Huang et al. 2012) and 26.3 to 34.5 (FLASH): assumed.
 *
 * The tables are derived from data under this licence:
 *
 * MIT License
 *
 * Copyright (c) 2023 Gerui Lv
 *
 * Permission is hereby granted, free of charge, to any person obtaining a copy
 * of this software and associated documentation files (the "Software"), to deal
 * in the Software without restriction, including without limitation the rights
 * to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
 * copies of the Software, and to permit persons to whom the Software is
 * furnished to do so, subject to the following conditions:
 *
 * The above copyright notice and this permission notice shall be included in all
 * copies or substantial portions of the Software.
 *
 * THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
 * IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
 * FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
 * AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
 * LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
 * OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
 * SOFTWARE.
 */
#include "platforms/data/tables.h"

#define MBIT_S 125000.0 /* bytes/s */

static const double on_4g[] = {1.037, 2.787, 2.987, 3.519, 4.819, 5.603, 5.828, 6.197, 6.447, 6.538, 6.745,
    7.527, 8.141, 8.357, 8.571, 8.628, 9.184, 9.803, 10.28, 10.76, 11.13, 11.82, 12.17, 12.94, 13.52, 14.36,
    14.63, 15.39, 16.05, 17.03, 18.44, 19.3, 21.27, 22.55, 22.81, 24.58, 32.36, 35.92, 38.79, 42.82, 48.5};

static const double on_wifi[] = {3.143, 4.582, 5.446, 5.847, 6.636, 6.812, 7.345, 8.367, 9.638, 10.78, 11.81,
    14.62, 21.16, 23.78, 26.65, 27.65, 29.52, 30.4, 32.91, 42.54, 48.53, 51.96, 61.41, 65.96, 69.5, 73.11,
    78.39, 83.54, 87.82, 90.29, 92.15, 93.67, 94.06, 94.58, 94.83, 95.34, 95.51, 95.75, 96.01, 96.2, 156.8};

const struct frs_table frs_table_lumos_4g_down = {.name = "lumos-4g-down",
    .source = "Lumos (INFOCOM 2022), 84 sessions",
    .dimension = FRS_RATE,
    .unit = MBIT_S,
    .values = on_4g,
    .n = sizeof on_4g / sizeof *on_4g};

const struct frs_table frs_table_lumos_4g_up = {.name = "lumos-4g-up",
    .source = "Lumos (INFOCOM 2022), 84 sessions, times 6 / 13",
    .dimension = FRS_RATE,
    .unit = MBIT_S * 6.0 / 13.0,
    .values = on_4g,
    .n = sizeof on_4g / sizeof *on_4g};

const struct frs_table frs_table_lumos_wifi_down = {.name = "lumos-wifi-down",
    .source = "Lumos (INFOCOM 2022), 182 sessions",
    .dimension = FRS_RATE,
    .unit = MBIT_S,
    .values = on_wifi,
    .n = sizeof on_wifi / sizeof *on_wifi};

const struct frs_table frs_table_lumos_wifi_up = {.name = "lumos-wifi-up",
    .source = "Lumos (INFOCOM 2022), 182 sessions, times 26.3 / 34.5",
    .dimension = FRS_RATE,
    .unit = MBIT_S * 26.3 / 34.5,
    .values = on_wifi,
    .n = sizeof on_wifi / sizeof *on_wifi};
