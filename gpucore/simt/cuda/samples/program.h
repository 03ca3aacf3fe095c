// What the CUDA samples' helper_cuda.h, helper_string.h and helper_timer.h give a program; written for
// programs that are watched.
#pragma once

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "../runtime/runtime.h"

#ifndef MIN
#define MIN(a, b) ((a) < (b) ? (a) : (b))
#endif
#ifndef MAX
#define MAX(a, b) ((a) > (b) ? (a) : (b))
#endif
#ifndef EXIT_WAIVED
#define EXIT_WAIVED 2
#endif

template <class T> void checkCudaErrors(T code, SIMT_HERE)
{
    if (int(code) == 0) return;
    std::fprintf(stderr, "CUDA error at %s:%d: %s\n", SIMT_AT, cudaGetErrorName(cudaError_t(code)));
    simt::program::leave(EXIT_FAILURE);
}

inline void printLastCudaError(const char* text, SIMT_HERE)
{
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        std::fprintf(stderr, "%s:%d: %s: %s\n", SIMT_AT, text, cudaGetErrorString(error));
}

inline void getLastCudaError(const char* text, SIMT_HERE)
{
    const bool is_wrong = cudaPeekAtLastError() != cudaSuccess;
    printLastCudaError(text, SIMT_AT);
    if (is_wrong) simt::program::leave(EXIT_FAILURE);
}

// There is one device, and it is fit for everything.
inline int findCudaDevice(int, const char**) { return 0; }
inline int findIntegratedGPU() { return 0; }
inline int gpuDeviceInit(int) { return 0; }
inline int gpuGetMaxGflopsDeviceId() { return 0; }
inline bool checkCudaCapabilities(int, int) { return true; }
inline int _ConvertSMVer2Cores(int, int) { return 64; }
inline const char* _ConvertSMVer2ArchName(int, int) { return "Ampere"; }

// Options of a command line: -name, --name or -name=value.
inline const char* simt_option(int count, const char** words, const char* name)
{
    for (int i = 1; i < count; ++i) {
        const char* const word = words[i] + std::strspn(words[i], "-");
        const std::size_t length = std::strlen(name);
        if (word == words[i] || std::strncmp(word, name, length) != 0) continue;
        if (word[length] == '=') return word + length + 1;
        if (word[length] == 0) return word + length;
    }
    return nullptr;
}

inline bool checkCmdLineFlag(int count, const char** words, const char* name)
{ return simt_option(count, words, name) != nullptr; }

inline int getCmdLineArgumentInt(int count, const char** words, const char* name)
{
    const char* const value = simt_option(count, words, name);
    return value == nullptr ? 0 : std::atoi(value);
}

inline float getCmdLineArgumentFloat(int count, const char** words, const char* name)
{
    const char* const value = simt_option(count, words, name);
    return value == nullptr ? 0 : float(std::atof(value));
}

template <class T>
bool getCmdLineArgumentValue(int count, const char** words, const char* name, T* found)
{
    const char* const value = simt_option(count, words, name);
    if (value != nullptr) *found = T(std::atof(value));
    return value != nullptr;
}

inline bool getCmdLineArgumentString(int count, const char** words, const char* name, char** found)
{
    *found = const_cast<char*>(simt_option(count, words, name));
    return *found != nullptr;
}

// The path of an input file, which may be in a folder "data" beside the program; null without one.
inline char* sdkFindFilePath(const char* name, const char* program)
{
    const std::string own = program == nullptr ? "" : program;
    const std::string folder = own.substr(0, own.rfind('/') + 1);
    for (const std::string& path : {std::string(name), "data/" + std::string(name), folder + name,
                                    folder + "data/" + name}) {
        std::FILE* const file = std::fopen(path.c_str(), "rb");
        if (file == nullptr) continue;
        std::fclose(file);
        return strdup(path.c_str());
    }
    return nullptr;
}

// Whether two arrays are close in the norm of squares.
inline bool sdkCompareL2fe(const float* expected, const float* found, unsigned count, float most)
{
    double difference = 0, whole = 0;
    for (unsigned i = 0; i < count; ++i) {
        difference += (double(expected[i]) - found[i]) * (double(expected[i]) - found[i]);
        whole += double(expected[i]) * expected[i];
    }
    return whole > 0 && std::sqrt(difference / whole) < most;
}

// Whether all elements are within a distance.
template <class T>
bool compareData(const T* expected, const T* found, unsigned count, float most, float share)
{
    unsigned wrong = 0;
    for (unsigned i = 0; i < count; ++i)
        wrong += std::fabs(double(expected[i]) - double(found[i])) > double(most);
    return wrong <= share * count;
}

template <class T, class S>
bool sdkWriteFile(const char* name, const T* values, unsigned count, const S, bool, bool = false)
{
    std::FILE* const file = std::fopen(name, "w");
    if (file == nullptr) return false;
    for (unsigned i = 0; i < count; ++i) std::fprintf(file, "%g ", double(values[i]));
    return std::fclose(file) == 0;
}

struct StopWatchInterface {
    typedef std::chrono::steady_clock Clock;
    Clock::time_point begin;
    double milliseconds = 0;
    int laps = 0;
    bool runs = false;

    double now() const
    {
        if (!runs) return milliseconds;
        return milliseconds + std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
    }
};

inline bool sdkCreateTimer(StopWatchInterface** timer)
{
    *timer = new StopWatchInterface;
    return true;
}

inline bool sdkDeleteTimer(StopWatchInterface** timer)
{
    delete *timer;
    *timer = nullptr;
    return true;
}

inline bool sdkStartTimer(StopWatchInterface** timer)
{
    (*timer)->begin = StopWatchInterface::Clock::now();
    return (*timer)->runs = true;
}

inline bool sdkStopTimer(StopWatchInterface** timer)
{
    (*timer)->milliseconds = (*timer)->now();
    (*timer)->runs = false;
    ++(*timer)->laps;
    return true;
}

inline bool sdkResetTimer(StopWatchInterface** timer)
{
    const bool runs = (*timer)->runs;
    **timer = StopWatchInterface{};
    return !runs || sdkStartTimer(timer);
}

inline float sdkGetTimerValue(StopWatchInterface** timer) { return float((*timer)->now()); }

inline float sdkGetAverageTimerValue(StopWatchInterface** timer)
{ return (*timer)->laps > 0 ? float((*timer)->milliseconds / (*timer)->laps) : 0; }
