#include "../cuda.h"
