#include "cuda/cuda.h"
