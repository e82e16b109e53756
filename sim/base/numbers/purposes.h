/* Purposes of random streams (rng.h). */
#ifndef FRS_BASE_PURPOSES_H
#define FRS_BASE_PURPOSES_H

/* Purposes keep their number for ever: changing one changes every published result. */
enum frs_purpose {
    FRS_RNG_SYNTHETIC = 1,      /* the built-in data generator */
    FRS_RNG_ORDER = 2,          /* which interaction is the newest in data without time */
    FRS_RNG_SPLIT = 3,          /* random ratio split */
    FRS_RNG_EVALUATION = 4,     /* the 99 candidates of the sampled evaluation */
    FRS_RNG_COHORT = 5,         /* selection of clients */
    FRS_RNG_NEGATIVES = 6,      /* training negatives */
    FRS_RNG_SHUFFLE = 7,        /* order of the samples within an epoch */
    FRS_RNG_INIT = 8,           /* shared initial parameters */
    FRS_RNG_INIT_PRIVATE = 9,   /* private initial parameters */
    FRS_RNG_PROJECTION = 10,    /* CoLR's B */
    FRS_RNG_DOWNLINK = 11,      /* a client's downlink bandwidth */
    FRS_RNG_UPLINK = 12,        /* a client's uplink bandwidth */
    FRS_RNG_LATENCY = 13,       /* a client's latency */
    FRS_RNG_SPEED = 14,         /* a client's compute speed */
    FRS_RNG_NON_FEDERATED = 15, /* centralised baselines */
    FRS_RNG_GOES_ONLINE = 30,   /* when a client comes online (two-state availability) */
    FRS_RNG_GOES_OFFLINE = 31,  /* when it leaves */
    FRS_RNG_STARTS_ONLINE = 32, /* whether it is online at the start */
    FRS_RNG_TIME_ZONE = 33,     /* a client's time zone */
    FRS_RNG_PROPENSITY = 34,    /* how much of its time a client is online */
    FRS_RNG_ANSWERS = 35,       /* whether a client answers in a round (bernoulli availability) */
    FRS_RNG_OUTAGE = 36,        /* whether an outage takes a client */
    FRS_RNG_CHURN = 37,         /* when a client joins and leaves for good */
    FRS_RNG_FAILURE = 38,       /* what fails during a participation */
    FRS_RNG_LOSS = 39,          /* how often a client is lost, among others */
    FRS_RNG_MEMORY = 40,        /* a client's memory */
    FRS_RNG_JITTER_DOWN = 41,   /* bandwidth of one download */
    FRS_RNG_JITTER_UP = 42,     /* bandwidth of one upload */
    FRS_RNG_LATENCY_DOWN = 43,  /* latency jitter of one download */
    FRS_RNG_LATENCY_UP = 44,    /* latency jitter of one upload */
    FRS_RNG_TRACE_PHASE = 45,   /* where in the network's trace a client starts */
    FRS_RNG_FLEET = 46,         /* the row of a table that a client is */
    FRS_RNG_FLEET_DEVICES = 47, /* the same, of another table for devices */
    FRS_RNG_PACKETS = 48,       /* which packets are lost */
    FRS_RNG_FAILURE_AGAIN = 49, /* what fails when a message is tried again */
    FRS_RNG_COLUMNS = 50,       /* SCoLR's S_u */
    FRS_RNG_BUDGET = 51,        /* a client's budget */
    FRS_RNG_ROTATION = 52,      /* the shuffled list of round-robin selection */
    FRS_RNG_EXPLORE = 53,       /* how many of a cohort explore, and which */
    FRS_RNG_CLUSTERS = 54,
    /* where the clustering of clients starts */ FRS_RNG_STARTS =
        55,                     /* what a sender needs before its first packet leaves */
    FRS_RNG_CODEC = 60,         /* what an encoder draws */
    FRS_RNG_NOISE = 61,         /* what a client adds to its upload */
    FRS_RNG_MASKS = 63,         /* a client's keys and seeds of masks */
    FRS_RNG_NEIGHBOURS = 64,    /* which clients mask with each other */
    FRS_RNG_FAILURE_ASIDE = 65, /* what fails in exchanges around an upload */
    FRS_RNG_COIN = 70,          /* RFRecF's shared coin */
    FRS_RNG_GETS_WIFI = 71,     /* when a device comes to Wi-Fi (availability by states), */
    FRS_RNG_LEAVES_WIFI = 72,   /* when it leaves it, */
    FRS_RNG_STARTS_WIFI = 73,   /* and whether it has it at the start */
    FRS_RNG_PLUGGED_IN = 74,    /* the same of its charger */
    FRS_RNG_UNPLUGGED = 75,
    FRS_RNG_STARTS_CHARGING = 76,
    FRS_RNG_TAKEN_UP = 77, /* and of its use */
    FRS_RNG_LAID_DOWN = 78,
    FRS_RNG_STARTS_IN_USE = 79,
    FRS_RNG_CALIBRATION = 80,  /* which transfers of a log stand for a round */
    FRS_RNG_JITTER_WORK = 81,  /* computing time of one participation */
    FRS_RNG_SIZE_DOWN = 82,    /* the size of a client's download, where it is declared, */
    FRS_RNG_SIZE_UP = 83,      /* of its upload, */
    FRS_RNG_WORK = 84,         /* and its work */
    FRS_RNG_EXTERNAL = 85,     /* the seed that another program draws from */
    FRS_RNG_HEARD = 86,        /* how much a client is online, among others (availability.follows) */
    FRS_RNG_CUT_OFF = 87,      /* when a region is cut off (random outages), */
    FRS_RNG_RECONNECTS = 88,   /* when it is back, */
    FRS_RNG_STARTS_CUT = 89,   /* and whether it is cut off at the start */
    FRS_RNG_TASTES = 90,       /* where the clustering of items starts */
    FRS_RNG_TRACE = 91,        /* the trace of its link that a client has */
    FRS_RNG_SCORE_TIES = 92,   /* the order of equal scores in an evaluation */
    FRS_RNG_PEERS = 94,        /* which clients exchange their models (gossip) */
    FRS_RNG_EDGE = 97,         /* the edge that a client belongs to */
    FRS_RNG_EDGE_FAILURE = 98, /* when an edge dies */
    FRS_RNG_SCORED = 100,      /* which items a client scores for the server */
    FRS_RNG_ANCHORS = 101,     /* items whose contrast with all others counts */
    FRS_RNG_OF_PLUGINS = 200,  /* this one and those up to FRS_RNG_OF_PLUGINS + 31: plug-ins from outside */
    FRS_RNG_TEST = 255,        /* the test suite */
};

#endif
