// libsecp256k1, from the folder that binding.gyp has found: verification and recovery, without GMP.
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
