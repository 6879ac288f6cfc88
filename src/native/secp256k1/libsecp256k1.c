// libsecp256k1, from the folder that binding.gyp has found: recovery, without GMP. Several signatures together share the inverses
// of r and of the denominators of their keys (Montgomery's trick): without GMP these are 17 of 41 us of a signature.
#define ENABLE_MODULE_RECOVERY 1
#define USE_ENDOMORPHISM 1
#define USE_NUM_NONE 1
#define USE_FIELD_INV_BUILTIN 1
#define USE_SCALAR_INV_BUILTIN 1
#define ECMULT_WINDOW_SIZE 15
#define ECMULT_GEN_PREC_BITS 4

#ifdef __SIZEOF_INT128__
#define HAVE___INT128 1
#define USE_FIELD_5X52 1
#define USE_SCALAR_4X64 1
#ifdef __x86_64__
#define USE_ASM_X86_64 1
#endif
#else
#define USE_FIELD_10X26 1
#define USE_SCALAR_8X32 1
#endif

#include "src/secp256k1.c"

#include "libsecp256k1.h"

/** A signature whose numbers are in their range and whose r is the abscissa of a point. */
typedef struct {
  secp256k1_scalar r, s, message;
  secp256k1_ge point;
  /** Product of r of all before it. */
  secp256k1_scalar before;
  size_t index;
} Signature;

static int read_signature(Signature *signature, const prestate_signatures *all, size_t index) {
  int overflow_r, overflow_s, overflow_message;
  secp256k1_fe x;
  const unsigned char *const numbers = all->numbers + 64 * index;
  secp256k1_scalar_set_b32(&signature->r, numbers, &overflow_r);
  secp256k1_scalar_set_b32(&signature->s, numbers + 32, &overflow_s);
  if (overflow_r || overflow_s || secp256k1_scalar_is_zero(&signature->r) || secp256k1_scalar_is_zero(&signature->s)) return 0;
  // A hash above the order counts as what is left of it (SEC 1, 4.1.6).
  secp256k1_scalar_set_b32(&signature->message, all->hashes + 32 * index, &overflow_message);
  signature->index = index;
  // r is below the order, and so below the field's prime.
  return secp256k1_fe_set_b32(&x, numbers) && secp256k1_ge_set_xo_var(&signature->point, &x, all->parities[index]);
}

/** Q = (s R - message G) / r (SEC 1, 4.1.6). */
static void multiply(secp256k1_gej *key, const secp256k1_context *context, const Signature *signature, const secp256k1_scalar *inverse) {
  secp256k1_scalar of_generator, of_point;
  secp256k1_gej point;
  secp256k1_scalar_mul(&of_generator, inverse, &signature->message);
  secp256k1_scalar_negate(&of_generator, &of_generator);
  secp256k1_scalar_mul(&of_point, inverse, &signature->s);
  secp256k1_gej_set_ge(&point, &signature->point);
  secp256k1_ecmult(&context->ecmult_ctx, key, &point, &of_point, &of_generator);
}

static void write_key(unsigned char *output, secp256k1_ge *key) {
  if (secp256k1_ge_is_infinity(key)) return;
  output[0] = SECP256K1_TAG_PUBKEY_UNCOMPRESSED;
  secp256k1_fe_normalize_var(&key->x);
  secp256k1_fe_normalize_var(&key->y);
  secp256k1_fe_get_b32(output + 1, &key->x);
  secp256k1_fe_get_b32(output + 33, &key->y);
}

void prestate_recover(const secp256k1_context *context, const prestate_signatures *all, unsigned char *keys) {
  Signature signatures[PRESTATE_SIGNATURES_MAX];
  secp256k1_gej products[PRESTATE_SIGNATURES_MAX];
  secp256k1_ge affine[PRESTATE_SIGNATURES_MAX];
  secp256k1_scalar product = SECP256K1_SCALAR_CONST(0, 0, 0, 0, 0, 0, 0, 1);
  size_t count = 0;
  memset(keys, 0, 65 * all->count);
  for (size_t index = 0; index < all->count; index++) {
    if (!read_signature(&signatures[count], all, index)) continue;
    signatures[count].before = product;
    secp256k1_scalar_mul(&product, &product, &signatures[count].r);
    count++;
  }
  if (count == 0) return;
  secp256k1_scalar_inverse_var(&product, &product);
  for (size_t at = count; at-- > 0;) {
    secp256k1_scalar inverse;
    secp256k1_scalar_mul(&inverse, &product, &signatures[at].before);
    secp256k1_scalar_mul(&product, &product, &signatures[at].r);
    multiply(&products[at], context, &signatures[at], &inverse);
  }
  secp256k1_ge_set_all_gej_var(affine, products, count);
  for (size_t at = 0; at < count; at++) write_key(keys + 65 * signatures[at].index, &affine[at]);
}
