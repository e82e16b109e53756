/* Platform file: what a SimGrid platform of the user's own asks for that is not simulated here.
 *
 * SimGrid takes it all, and then ends the program in the middle of a run (a link that goes off, a station
 * without a rate), or simulates something else than the scenario says (options in the file). So each is
 * refused by name before a run:
 *
 *   profiles            of state, speed, bandwidth or latency (attributes *_file, <trace>, <trace_connect>)
 *   Wi-Fi cells         links with sharing_policy="WIFI", zones with routing="Wifi"
 *   options             <config>, which would overrule network.model
 *   deployments         <actor>, <process>: the clients and the server are this program's
 *   files of files      <include>
 *
 * Everything else is the business of SimGrid, which reads the file afterwards (actors/links/channel.h). */
#ifndef FRS_PLATFORMS_NETWORKS_PLATFORM_FILE_H
#define FRS_PLATFORMS_NETWORKS_PLATFORM_FILE_H

#include "sim/base/status.h"

/* Reads the whole file. At the first element that is not simulated, and where the file is no XML: adds one
 * line, "FILE:LINE: " and what is allowed. */
enum frs_status frs_platform_file_check(const char *path, struct frs_errors *errors) FRS_MUST_CHECK;

#endif
