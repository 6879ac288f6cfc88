# The addon that sets the slice of a thread. Built by build.ts in a folder of its own below dist.
{
  'targets': [
    {
      'target_name': 'slice',
      'sources': ['addon.cpp'],
      'defines': ['NAPI_VERSION=8'],
      'cflags': ['-fvisibility=hidden'],
      'cflags_cc': ['-std=c++17', '-O3', '-fno-exceptions', '-fno-rtti'],
      'xcode_settings': {
        'CLANG_CXX_LANGUAGE_STANDARD': 'c++17',
        'GCC_ENABLE_CPP_EXCEPTIONS': 'NO',
        'GCC_OPTIMIZATION_LEVEL': '3',
        'GCC_SYMBOLS_PRIVATE_EXTERN': 'YES',
      },
    },
  ],
}
