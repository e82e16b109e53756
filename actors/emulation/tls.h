/* TLS: contexts of both ends, and a certificate made for one emulation, whose key is never written
 * anywhere.
 *
 * The certificate is padded so that the server's part of a handshake is about as large as with a usual
 * chain of certificates (3.7 kB). TLS 1.3 without tickets. */
#ifndef FRS_ACTORS_EMULATION_TLS_H
#define FRS_ACTORS_EMULATION_TLS_H

struct frs_tls {
    void *server, *client; /* SSL_CTX */
};

/* 0, or -1 with *why. */
int frs_tls_create(struct frs_tls *tls, const char **why);
void frs_tls_destroy(struct frs_tls *tls);

/* The library and its version. */
const char *frs_tls_version(void);

#endif
