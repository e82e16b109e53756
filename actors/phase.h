/* Phase: what a participation is doing (docs/simulation.md, "One client's part in a round"). */
#ifndef FRS_ACTORS_PHASE_H
#define FRS_ACTORS_PHASE_H

enum frs_phase {
    FRS_PHASE_NEW,
    FRS_PHASE_CONTACT,    /* waiting in vain for a client that is not reachable */
    FRS_PHASE_BROKEN,     /* the connection has broken in mid-message; over at once: */
    FRS_PHASE_RETRY,      /* waiting to connect anew */
    FRS_PHASE_SETUP,      /* a connection is opened: latencies, */
    FRS_PHASE_SETUP_UP,   /* what the client has to say, */
    FRS_PHASE_SETUP_DOWN, /* and the server, */
    FRS_PHASE_SETUP_LAST, /* and the client once more: under by_packets, where messages are apart */
    FRS_PHASE_DOWN_LATENCY,
    FRS_PHASE_DOWN,
    FRS_PHASE_QUEUE, /* the device is still busy with `post` of the participation before */
    FRS_PHASE_COMPUTE,
    FRS_PHASE_UP_LATENCY,
    FRS_PHASE_UP,
    FRS_PHASE_EXCHANGE, /* layers, or, without a server, models are exchanged with other clients, */
    FRS_PHASE_MIX,      /* and these averaged */
    FRS_PHASE_END,
};

#endif
