/* TUN: a network namespace of its own, with one device, whose packets another process forwards. */
#ifndef FRS_ACTORS_EMULATION_TUN_H
#define FRS_ACTORS_EMULATION_TUN_H

#include <stdint.h>

/* Moves the calling process into a new network namespace, and gives it the device `tun0` with this address
 * (host byte order, network 10.0.0.0/8) and 1500-byte packets. `restarts`: an idle connection begins in
 * slow start again. Returns the non-blocking descriptor for reading and writing packets; the device
 * disappears when it is closed. On failure returns -1 with errno, and *what names the step that failed. */
int frs_tun_enter(uint32_t address, int restarts, const char **what);

#endif
