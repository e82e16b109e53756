#include "actors/emulation/tls.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <string.h>

#define PADDING 2700 /* characters */
#define LIFETIME_S (7 * 24 * 3600)

static int pad(X509 *certificate) {
    char text[PADDING + 1];
    memset(text, '-', PADDING);
    text[PADDING] = '\0';
    ASN1_IA5STRING *comment = ASN1_IA5STRING_new();
    int ok = comment && ASN1_STRING_set(comment, text, PADDING) &&
             X509_add1_ext_i2d(certificate, NID_netscape_comment, comment, 0, X509V3_ADD_DEFAULT) == 1;
    ASN1_IA5STRING_free(comment);
    return ok;
}

static X509 *make_certificate(EVP_PKEY *key) {
    X509 *certificate = X509_new();
    if (!certificate)
        return NULL;
    X509_NAME *name = X509_get_subject_name(certificate);
    int ok =
        X509_set_version(certificate, X509_VERSION_3) &&
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1) &&
        X509_gmtime_adj(X509_getm_notBefore(certificate), -LIFETIME_S) &&
        X509_gmtime_adj(X509_getm_notAfter(certificate), LIFETIME_S) &&
        X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char *)"fedrecsim", -1, -1, 0) &&
        X509_set_issuer_name(certificate, name) && X509_set_pubkey(certificate, key) && pad(certificate) &&
        X509_sign(certificate, key, EVP_sha256());
    if (ok)
        return certificate;
    X509_free(certificate);
    return NULL;
}

static SSL_CTX *context(const SSL_METHOD *method) {
    SSL_CTX *made = SSL_CTX_new(method);
    if (!made)
        return NULL;
    SSL_CTX_set_min_proto_version(made, TLS1_3_VERSION);
    SSL_CTX_set_num_tickets(made, 0);
    SSL_CTX_set_mode(made, SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    SSL_CTX_set_session_cache_mode(made, SSL_SESS_CACHE_OFF);
    return made;
}

int frs_tls_create(struct frs_tls *tls, const char **why) {
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *certificate = key ? make_certificate(key) : NULL;
    SSL_CTX *server = context(TLS_server_method()), *client = context(TLS_client_method());
    int ok = certificate && server && client && SSL_CTX_use_certificate(server, certificate) == 1 &&
             SSL_CTX_use_PrivateKey(server, key) == 1 &&
             X509_STORE_add_cert(SSL_CTX_get_cert_store(client), certificate) == 1;
    if (client)
        SSL_CTX_set_verify(client, SSL_VERIFY_PEER, NULL);
    X509_free(certificate);
    EVP_PKEY_free(key);
    *tls = (struct frs_tls){.server = server, .client = client};
    if (ok)
        return 0;
    *why = ERR_reason_error_string(ERR_get_error());
    *why = *why ? *why : "no reason given";
    frs_tls_destroy(tls);
    return -1;
}

void frs_tls_destroy(struct frs_tls *tls) {
    SSL_CTX_free(tls->server);
    SSL_CTX_free(tls->client);
    *tls = (struct frs_tls){0};
}

const char *frs_tls_version(void) {
    return OpenSSL_version(OPENSSL_VERSION);
}
