#ifdef SIMT_PROGRAM
#include "cuda/samples/program.h"
#endif
