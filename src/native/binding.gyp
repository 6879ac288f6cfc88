# The addon, and a static library for each of its parts. Built by compile-addon.ts in a folder of its own below dist, with the parts that
# it names; packages are found from there like any.
{
  'variables': {
    'parts%': '',
    'blst%': '<!(node -p "try { require(\'node:path\').join(require.resolve(\'c-kzg/package.json\'), \'../deps/blst\') } catch { \'\' }")',
  },
  'target_defaults': {
    'include_dirs': ['.'],
    'defines': ['NAPI_VERSION=8'],
    'cflags': ['-fvisibility=hidden', '-fPIC', '-O3'],
    'cflags_cc': ['-std=c++17', '-fno-exceptions', '-fno-rtti'],
    'xcode_settings': {
      'CLANG_CXX_LANGUAGE_STANDARD': 'c++17',
      'GCC_ENABLE_CPP_EXCEPTIONS': 'NO',
      'GCC_OPTIMIZATION_LEVEL': '3',
      'GCC_SYMBOLS_PRIVATE_EXTERN': 'YES',
    },
    'msvs_settings': {'VCCLCompilerTool': {'AdditionalOptions': ['/std:c++17']}},
  },
  'targets': [
    {
      'target_name': 'native',
      'sources': ['addon.cpp'],
      'conditions': [
        ['"httpGuard" in parts', {'defines': ['PRESTATE_HTTP_GUARD'], 'dependencies': ['http_guard']}],
        ['"json" in parts', {'defines': ['PRESTATE_JSON'], 'dependencies': ['json']}],
        ['"precompiles" in parts', {'defines': ['PRESTATE_PRECOMPILES'], 'dependencies': ['precompiles']}],
        ['"reads" in parts', {'defines': ['PRESTATE_READS'], 'dependencies': ['reads']}],
        ['"secp256k1" in parts', {'defines': ['PRESTATE_SECP256K1'], 'dependencies': ['secp256k1']}],
        ['"wake" in parts', {'defines': ['PRESTATE_WAKE'], 'dependencies': ['wake']}],
      ],
    },
  ],
  'conditions': [
    ['"httpGuard" in parts', {'targets': [{'target_name': 'http_guard', 'type': 'static_library', 'sources': ['http-guard/addon.cpp']}]}],
    ['"json" in parts', {
      'targets': [{
        'target_name': 'json',
        'type': 'static_library',
        'sources': ['json/addon.cpp'],
        'include_dirs': ['<!(node -p "require(\'node:path\').join(require.resolve(\'simdjson/package.json\'), \'../src\')")'],
        'defines': ['SIMDJSON_EXCEPTIONS=0'],
      }],
    }],
    ['"precompiles" in parts', {
      'targets': [{
        'target_name': 'precompiles',
        'type': 'static_library',
        'sources': ['precompiles/addon.cpp'],
        'cflags_c': ['-fno-builtin'],
        'cflags_cc!': ['-fno-exceptions'],
        'cflags_cc': ['-fexceptions'],
        'xcode_settings': {'GCC_ENABLE_CPP_EXCEPTIONS': 'YES'},
        'conditions': [
          # blst lies inside c-kzg; without it the functions of BLS12-381 are left out.
          ['blst!=""', {
            'sources': ['precompiles/blst.c', 'precompiles/blst-assembly.S'],
            'include_dirs': ['<(blst)', '<(blst)/bindings'],
            # Assembly for any processor of the kind, chosen when it runs.
            'defines': ['PRESTATE_BLST', '__BLST_PORTABLE__'],
          }],
        ],
      }],
    }],
    ['"reads" in parts', {'targets': [{'target_name': 'reads', 'type': 'static_library', 'sources': ['reads/addon.cpp']}]}],
    ['"secp256k1" in parts', {
      'targets': [{
        'target_name': 'secp256k1',
        'type': 'static_library',
        'variables': {
          'libsecp256k1%': '<!(node -p "require(\'node:path\').join(require.resolve(\'secp256k1/package.json\'), \'../src/secp256k1\')")',
        },
        'sources': ['secp256k1/addon.cpp', 'secp256k1/libsecp256k1.c'],
        'include_dirs': ['<(libsecp256k1)', '<(libsecp256k1)/include', '<(libsecp256k1)/src'],
        'cflags_c': ['-Wno-unused-function', '-Wno-nonnull-compare'],
      }],
    }],
    ['"wake" in parts', {'targets': [{'target_name': 'wake', 'type': 'static_library', 'sources': ['futex.cpp']}]}],
  ],
}
