/* Downlink: what each client has to download to hold the server's current tables, and its cost.
 *
 * Methods that send state (FedMF) send every client the same encoded tables. Methods that send updates
 * (CoLR) send a client the updates it missed, the whole table, or what the papers assume (catchup.h).
 * After a download every client holds the same decoded tables, so one copy represents all; per client only
 * its version is kept.
 *
 * Where a method has personal tables, a client that has some receives them in a second section. Their
 * codec is lossless and of fixed size, so both sides know them without encoding.
 *
 * By default the server keeps what it broadcast: an aggregated update is encoded and decoded, and the
 * decoded rows are applied (`decoded`). As FedRAS prints it, the server applies the update itself
 * (`exact`), and its clients hold the sum of what they decoded. That needs one history for all clients, so
 * `exact` works only with catch-up ideal, full, and replay from the seed.
 *
 * Under error feedback the server keeps what the codec left out of an update in one table and adds it to
 * the next update. */
#ifndef FRS_ALGORITHMS_DOWNLINK_H
#define FRS_ALGORITHMS_DOWNLINK_H

#include "algorithms/downlink/catchup.h"
#include "algorithms/learner.h"

struct frs_downlink;

struct frs_downlink_settings {
    const struct frs_learner *learner;
    void *model;
    struct frs_codec_choice
        codec;                /* of the state, or of the updates; a whole table sent to catch up is dense */
    enum frs_catchup catchup; /* not used by methods that send state */
    enum frs_first_contact first_contact;
    bool error_feedback, exact_server_table; /* of methods that send updates */
    uint32_t budget;     /* of the codec, where updates are sent in several sizes; 0: as its settings say */
    bool follows;        /* another downlink of the same model applies the updates to the server's tables */
    bool whole_messages; /* the update that stands for none, before there is any, changes every value */
    uint32_t n_clients;
    uint64_t seed;
};

struct frs_downlink *frs_downlink_create(const struct frs_downlink_settings *settings);
void frs_downlink_destroy(struct frs_downlink *downlink);

/* Encodes what this round's clients may need and decodes it once, as they will. */
void frs_downlink_open(struct frs_downlink *downlink, uint32_t round);

/* The same for a round whose messages are never read: a state under a lossless codec is not encoded, and
 * frs_downlink_encode must not be called. */
void frs_downlink_open_unseen(struct frs_downlink *downlink, uint32_t round);

/* Size of the message `client` would download now. */
struct frs_message_size frs_downlink_size(const struct frs_downlink *downlink, uint32_t client);

/* Returns the bytes of that message beyond the newest update: all that a client has missed, or the whole
 * table at its first contact. 0 where every client downloads the same. */
size_t frs_downlink_catchup_bytes(const struct frs_downlink *downlink, uint32_t client);

/* What personal tables add to the message of a client that has some; 0 where the method has none. */
struct frs_message_size frs_downlink_personal_size(const struct frs_downlink *downlink);

/* Values of the personal tables `client` would be sent now. */
size_t frs_downlink_personal_values(const struct frs_downlink *downlink, uint32_t client);

/* Returns the operations of encoding what these clients are sent in the open round: one for every value,
 * plus those of the codec. They include the state if a client is sent it, and updates if a client is sent
 * those. The last publication counts in every round that sends it. An older update counts only in the
 * first round, because later rounds send what was encoded then. */
double frs_downlink_encode_flop(struct frs_downlink *downlink, const uint32_t *clients, size_t n);

/* Appends the message itself to `out`, with the budget assigned to the client; its length is
 * frs_downlink_size. Used where bytes are inspected; otherwise sizes of catch-up messages are the sums of
 * the lengths of their encoded parts. */
void frs_downlink_encode(
    const struct frs_downlink *downlink, uint32_t client, uint32_t budget, struct frs_buffer *out);

/* What a message tells besides the tables. */
struct frs_download {
    struct frs_message_header header; /* the round seed, and the budget assigned to the receiver */
    uint32_t version;                 /* the receiver holds now; 0 where no update tells */
    uint64_t round_seed;              /* of the last update, likewise */
};

/* Decodes a message as a client does that holds `tables`. These are its own copy, changed in place; for a
 * first contact by seed they are the initial tables. There is room for personal tables behind the shared
 * ones. Returns false when the message is malformed, holds a number that is not finite, or has round seeds
 * although the method has none; the tables are then unspecified. */
bool frs_downlink_decode(const struct frs_downlink *downlink, const struct frs_buffer *message,
    const struct frs_tables *tables, struct frs_download *download);

/* The version a client holds that downloads now. */
uint32_t frs_downlink_current(const struct frs_downlink *downlink);

/* `client` has downloaded a message that was current at `version`. */
void frs_downlink_received(struct frs_downlink *downlink, uint32_t client, uint32_t version);

/* Return the tables that a client holds after its download; whether all their values are finite (the sum
 * of finite uploads can be too large for a float); and the round seed. */
const struct frs_tables *frs_downlink_tables(const struct frs_downlink *downlink);
bool frs_downlink_is_finite(const struct frs_downlink *downlink);
uint64_t frs_downlink_round_seed(const struct frs_downlink *downlink);

/* After an aggregation: encodes an update under its round seed, decodes it and applies it to the server's
 * tables. Only for methods that send updates. Do not call it in a round without arrivals.
 *
 * An aggregate of uploads of several versions comes as one update for each of their round seeds: Δ is the
 * sum of these updates, each applied under its seed. `goes_on` marks an update that completes the one
 * before; a client applies all of them, and catch-up treats them like other updates. Returns the decoded
 * update, with memory from the arena. */
void frs_downlink_publish(struct frs_downlink *downlink, uint64_t round_seed, const struct frs_rows *update,
    bool goes_on, struct frs_arena *arena, struct frs_rows *decoded);

/* Saves or loads what changes, between rounds. The model's own state is not part of it. */
void frs_downlink_archive(struct frs_downlink *downlink, struct frs_archive *archive);

/* Memory in bytes of the updates that a client may still need. */
size_t frs_downlink_kept_bytes(const struct frs_downlink *downlink);

/* Version a client holds, for catch-up statistics; UINT32_MAX: none yet. */
uint32_t frs_downlink_version(const struct frs_downlink *downlink, uint32_t client);

#endif
