// C functions around libsecp256k1 that the Node-API function calls.
#pragma once

#include <secp256k1.h>
#include <secp256k1_preallocated.h>
#include <stddef.h>

/** Largest number of signatures that are recovered together and share one modular inversion. */
#define PRESTATE_SIGNATURES_MAX 16

typedef struct {
  size_t count;
  /** Hashes of the signed messages, 32 bytes each. */
  const unsigned char *hashes;
  /** Parities of the y coordinates of the signatures' points, 0 or 1. */
  const unsigned char *parities;
  /** Pairs of r and s, 32 bytes for each number. */
  const unsigned char *numbers;
} prestate_signatures;

#ifdef __cplusplus
extern "C" {
#endif
/** Writes the public key of each signature, 65 bytes, uncompressed; zeros if the signature is invalid. */
void prestate_recover(const secp256k1_context *context, const prestate_signatures *all, unsigned char *keys);
#ifdef __cplusplus
}
#endif
