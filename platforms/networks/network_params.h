/* Keys of section `network`: the choices that its reader compares with. */
#ifndef FRS_PLATFORMS_NETWORKS_NETWORK_PARAMS_H
#define FRS_PLATFORMS_NETWORKS_NETWORK_PARAMS_H

/* As the names of the keys idle_windows, server_queue, trace_phase and trace_clients are numbered. */
enum frs_idle_windows { FRS_WINDOWS_RESET, FRS_WINDOWS_KEPT };
enum frs_server_queue { FRS_QUEUE_FIFO, FRS_QUEUE_FAIR };
enum frs_phase { FRS_PHASE_SHARED, FRS_PHASE_RANDOM };
enum frs_trace_clients { FRS_TRACES_BY_NUMBER, FRS_TRACES_RANDOM, FRS_TRACES_CLASS };

#endif
