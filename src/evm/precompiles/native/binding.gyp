# The addon of the precompiles. Built by build.ts in a folder of its own below dist; blst lies inside c-kzg, which is found
# from there like any package, and without which the functions of BLS12-381 are left out.
{
  'targets': [
    {
      'target_name': 'precompiles',
      'variables': {
        'blst%': '<!(node -p "try { require(\'node:path\').join(require.resolve(\'c-kzg/package.json\'), \'../deps/blst\') } catch { \'\' }")',
      },
      'sources': ['addon.cpp'],
      'defines': ['NAPI_VERSION=8'],
      'cflags': ['-fvisibility=hidden', '-O3'],
      'cflags_c': ['-fno-builtin'],
      'cflags_cc': ['-std=c++17', '-fno-exceptions', '-fno-rtti'],
      'xcode_settings': {
        'CLANG_CXX_LANGUAGE_STANDARD': 'c++17',
        'GCC_ENABLE_CPP_EXCEPTIONS': 'NO',
        'GCC_OPTIMIZATION_LEVEL': '3',
        'GCC_SYMBOLS_PRIVATE_EXTERN': 'YES',
      },
      'conditions': [
        ['blst!=""', {
          'sources': ['blst.c', 'assembly.S'],
          'include_dirs': ['<(blst)', '<(blst)/bindings'],
          # Assembly for any processor of the kind, chosen when it runs.
          'defines': ['PRESTATE_BLST', '__BLST_PORTABLE__'],
        }],
      ],
    },
  ],
}
