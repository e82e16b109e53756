/* How available mobile devices are, measured by FedScale's trace; source and accuracy in the .c file. */
#ifndef FRS_PLATFORMS_DATA_FEDSCALE_AVAILABILITY_H
#define FRS_PLATFORMS_DATA_FEDSCALE_AVAILABILITY_H

enum { FRS_FEDSCALE_HOURS = 96, FRS_FEDSCALE_TOTALS = 100 };

/* Share of the devices that is available, in percent, at each hour of four days. */
extern const double frs_fedscale_available_percent[FRS_FEDSCALE_HOURS];

/* Density of the hours (of 96) that a device is available, at 0.5 h, 1.5 h, … */
extern const double frs_fedscale_total_hours_density[FRS_FEDSCALE_TOTALS];

#endif
