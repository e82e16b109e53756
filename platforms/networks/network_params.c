/* The keys of section `network`. */
#include "platforms/networks/network_params.h"
#include "platforms/networks/network.h"

#include <math.h>

const char *const frs_network_model_names[] = {
    [FRS_EXACT] = "exact", [FRS_TCP] = "tcp", [FRS_PACKETS] = "packets", [FRS_LV08] = "lv08", NULL};

static const char *const idle_windows_names[] = {
    [FRS_WINDOWS_RESET] = "reset", [FRS_WINDOWS_KEPT] = "kept", NULL};

static const char *const server_queue_names[] = {[FRS_QUEUE_FIFO] = "fifo", [FRS_QUEUE_FAIR] = "fair", NULL};

static const char *const phase_names[] = {[FRS_PHASE_SHARED] = "shared", [FRS_PHASE_RANDOM] = "random", NULL};
static const char *const trace_client_names[] = {
    [FRS_TRACES_BY_NUMBER] = "number", [FRS_TRACES_RANDOM] = "random", [FRS_TRACES_CLASS] = "class", NULL};

#define SERVER_LINK(name, what)                                                                              \
    {                                                                                                        \
        .key = name, .type = FRS_QUANTITY, .dimension = FRS_RATE, .initial = "unlimited", .unlimited = true, \
        .min = 1, .max = INFINITY, .help = "capacity of the server's own link that " what " share"           \
    }

const struct frs_param frs_network_params[] = {
    {.key = "model",
        .type = FRS_CHOICE,
        .initial = "tcp",
        .choices = frs_network_model_names,
        .help = "tcp: connections are opened and messages begin in slow start, as measured over the kernel's "
                "TCP; exact: latency, then bytes at full capacity, shared fairly: the least time of a "
                "message alone on its links, and "
                "the default where SimGrid's own solver is used (engine.backend = simgrid, platform.file), "
                "which tcp cannot; packets: TCP packet by packet, with queues and losses; lv08: SimGrid's "
                "TCP model (13.01 latencies, 97 % of the capacity, "
                "window limits)"},
    {.key = "payload_share",
        .type = FRS_REAL,
        .initial = "1",
        .min = 0.01,
        .max = 1,
        .help = "share of every capacity, the server's included, that messages have for themselves: 1 where "
                "rates are what an application sees, as speed tests measure; 0.949 where they are the line's "
                "(1448 bytes of 1526 in a packet)"},
    {.key = "connection",
        .type = FRS_CHOICE,
        .initial = "tls",
        .choices = frs_connection_names,
        .help = "under tcp and packets, what a participation begins with: a new connection under TLS 1.3 (5 "
                "latencies, 932 bytes up and 3966 down), one without (3 latencies, 206 and 66 bytes), or one "
                "kept from before. Clients of a large deployment connect anew every time"},
    {.key = "idle_windows",
        .type = FRS_CHOICE,
        .initial = "reset",
        .choices = idle_windows_names,
        .help = "under tcp and packets on connections that are kept: reset: a message after a pause begins "
                "in slow start, as kernels have it; kept: with the window that the one before it has left"},
    {.key = "queue",
        .type = FRS_QUANTITY,
        .dimension = FRS_TIME,
        .initial = "200 ms",
        .min = 0,
        .max = 60,
        .help = "under tcp and packets, how long the queue before every link is, at the link's rate, but at "
                "least 20 "
                "packets; what does not fit is dropped. Under tcp those of private links alone. 200 ms lies "
                "between a shallow 50 ms and "
                "bufferbloat's 1 s, and is what the model was measured with"},
    {.key = "server_queue",
        .type = FRS_CHOICE,
        .initial = "fifo",
        .choices = server_queue_names,
        .help = "under packets, how a finite server link, and with edges a finite access side, serves its "
                "queue: fifo: in the order of arrival, as "
                "routers do that are not told otherwise; fair: connection by connection in turns (RFC 8290)"},
    {.key = "packet_loss",
        .type = FRS_REAL,
        .initial = "0",
        .min = 0,
        .max = 0.5,
        .help = "under packets, share of the packets that are lost at random behind all links, besides those "
                "that queues drop; senders repair both. 0, because radio links repair theirs themselves; "
                "participations are lost by failures"},
    {.key = "classes",
        .type = FRS_TEXT,
        .initial = "",
        .help = "kinds of clients with their shares, such as \"4g 40 %, wifi 60 %\"; a class is a preset, "
                "and decides downlink, uplink and latency together"},
    FRS_CLASS_SHARES_PARAM,
    FRS_FLEET_PARAMS("down_bytes_per_s, up_bytes_per_s, latency_s"),
    {.key = "bandwidth_factor",
        .type = FRS_REAL,
        .initial = "1",
        .min = 1e-6,
        .max = 1e6,
        .help = "multiplies every client's downlink and uplink, wherever they come from; the server's link "
                "stays"},
    {.key = "downlink_factor",
        .type = FRS_REAL,
        .initial = "1",
        .min = 1e-6,
        .max = 1e6,
        .help = "multiplies every client's downlink alone, besides bandwidth_factor"},
    {.key = "uplink_factor",
        .type = FRS_REAL,
        .initial = "1",
        .min = 1e-6,
        .max = 1e6,
        .help = "multiplies every client's uplink alone, besides bandwidth_factor"},
    {.key = "latency_factor",
        .type = FRS_REAL,
        .initial = "1",
        .min = 0,
        .max = 1e6,
        .help = "multiplies every client's latency, wherever it comes from"},
    {.key = "correlation",
        .type = FRS_REAL,
        .initial = "0",
        .min = -1,
        .max = 1,
        .help = "between a client's downlink and uplink, as quantiles, within its class"},
    {.key = "latency_correlation",
        .type = FRS_REAL,
        .initial = "0",
        .min = -1,
        .max = 1,
        .help = "between a client's downlink and its latency, as quantiles, within its class; below 0 fast "
                "links have "
                "little latency. 0: independent, assumed"},
    {.key = "jitter",
        .type = FRS_REAL,
        .initial = "0",
        .min = 0,
        .max = 5,
        .help =
            "spread of one client's bandwidth from message to message: sigma of a log-normal factor with "
            "mean 1, drawn for every transfer and the same while it lasts; a link carries 1 B/s at least. "
            "With classes each client's is that of its class, unless this says otherwise"},
    {.key = "latency_jitter",
        .type = FRS_REAL,
        .initial = "0",
        .min = 0,
        .max = 5,
        .help = "the same for the latency, classes included"},
    {.key = "radio",
        .type = FRS_CHOICE,
        .initial = "lte",
        .choices = frs_radio_names,
        .help = "the kind of network, which says what moving bytes takes from a battery (docs/devices.md); "
                "with classes each client's is that of its class, unless this says otherwise"},
    {.key = "radio_tail",
        .type = FRS_BOOL,
        .initial = "false",
        .help = "also count what the radio draws while it stays awake behind a message: 12.3 J on LTE, "
                "whatever the "
                "message weighs, unless the next one comes sooner"},
    {.key = "trace",
        .is_path = true,
        .type = FRS_TEXT,
        .initial = "",
        .help = "CSV file of the links of clients over time, relative to the scenario: t_s and "
                "factor, on the bandwidth, or t_s and down_Mbit_s, up_Mbit_s or both (any unit of rates), "
                "which are the bandwidth; with a column client one trace for each"},
    {.key = "trace_end",
        .type = FRS_CHOICE,
        .initial = "closed",
        .choices = frs_trace_ends,
        .help = "closed: from time 0 to its last line, which repeats the first, and again; repeat: again "
                "from the time of its last line on, whatever that says, as logs are; hold: the last line "
                "stays for good. With the last two the first line may have any time, which is where it "
                "begins"},
    {.key = "trace_clients",
        .type = FRS_CHOICE,
        .initial = "number",
        .choices = trace_client_names,
        .help = "with a column client: number: a client has the trace of its number; random: each has one "
                "of the traces, drawn with the seed; class: with a column class, that of the class of its "
                "link"},
    {.key = "trace_phase",
        .type = FRS_CHOICE,
        .initial = "shared",
        .choices = phase_names,
        .help = "where clients start in the trace: all at its beginning, or each somewhere"},
    SERVER_LINK("server_downlink", "downloads"),
    SERVER_LINK("server_uplink", "uploads"),
    {0},
};
