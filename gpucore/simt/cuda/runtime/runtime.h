// A small CUDA runtime for whole programs that are watched: host and device code are one unit, memory
// is the caller's (gpucore/watching/programs/child.py), and everything is done when a call returns.
#pragma once

#define SIMT_PROGRAM   // host code is there
#undef __noinline__   // libstdc++ has an attribute of this name

#include "launch.h"
#include "memory.h"
#include "sanitizer.h"
#include "streams.h"
#include "device.h"
