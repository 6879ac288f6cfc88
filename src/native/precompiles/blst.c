// blst, from the folder that binding.gyp has found.
#include "src/server.c"
