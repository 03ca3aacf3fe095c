#include "../../cuda.h"
