// blst's assembly, from the folder that binding.gyp has found.
#include "build/assembly.S"
