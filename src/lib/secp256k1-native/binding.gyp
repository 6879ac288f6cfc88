# The addon of libsecp256k1. Built by build.ts in a folder of its own below dist; the library's sources lie inside the package
# secp256k1, which is found from there like any package.
{
  'targets': [
    {
      'target_name': 'secp256k1',
      'variables': {
        'libsecp256k1%': '<!(node -p "require(\'node:path\').join(require.resolve(\'secp256k1/package.json\'), \'../src/secp256k1\')")',
      },
      'sources': ['addon.cpp', 'library.c'],
      'include_dirs': ['<(libsecp256k1)', '<(libsecp256k1)/include', '<(libsecp256k1)/src'],
      'defines': ['NAPI_VERSION=8'],
      'cflags': ['-fvisibility=hidden', '-O3'],
      'cflags_c': ['-Wno-unused-function', '-Wno-nonnull-compare'],
      'cflags_cc': ['-std=c++17', '-fno-exceptions', '-fno-rtti'],
      'xcode_settings': {
        'CLANG_CXX_LANGUAGE_STANDARD': 'c++17',
        'GCC_ENABLE_CPP_EXCEPTIONS': 'NO',
        'GCC_OPTIMIZATION_LEVEL': '3',
        'GCC_SYMBOLS_PRIVATE_EXTERN': 'YES',
      },
    },
  ],
}
