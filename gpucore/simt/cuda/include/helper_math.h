#include "cuda/samples/mathematics.h"
