# The decoder addon. Built by build.ts in a folder of its own below dist; simdjson is found from there like any package.
{
  'targets': [
    {
      'target_name': 'decoder',
      'sources': ['addon.cpp'],
      'include_dirs': ['<!(node -p "require(\'node:path\').join(require.resolve(\'simdjson/package.json\'), \'../src\')")'],
      'defines': ['NAPI_VERSION=8', 'SIMDJSON_EXCEPTIONS=0'],
      'cflags': ['-fvisibility=hidden'],
      'cflags_cc': ['-std=c++17', '-O3', '-fno-exceptions', '-fno-rtti'],
      'xcode_settings': {
        'CLANG_CXX_LANGUAGE_STANDARD': 'c++17',
        'GCC_ENABLE_CPP_EXCEPTIONS': 'NO',
        'GCC_SYMBOLS_PRIVATE_EXTERN': 'YES',
      },
      'msvs_settings': {'VCCLCompilerTool': {'AdditionalOptions': ['/std:c++17']}},
    },
  ],
}
