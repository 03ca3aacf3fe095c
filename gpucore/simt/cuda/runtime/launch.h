// Launches: k<<<grid, block, bytes, stream>>>(arguments) becomes launch(...)(arguments), and the
// functions that launch become launch_array.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "../../host/export.h"
#include "../vectors.h"
#include "program.h"

extern "C" int simt_kernel_count();
extern "C" unsigned long long simt_output(char* text, unsigned long long room,
                                          unsigned long long* dropped);

struct simt_stream;
typedef simt_stream* cudaStream_t;

namespace simt::program {

struct Size {
    dim3 grid, block;
    std::size_t shared = 0;
    cudaStream_t stream = nullptr;
};

inline void print_output()
{
    unsigned long long dropped = 0;
    std::vector<char> text(simt_output(nullptr, 0, &dropped));
    simt_output(text.data(), text.size(), &dropped);
    std::fwrite(text.data(), 1, text.size(), stdout);
}

inline cudaError_t launch_now(int kernel, const char* name, const Size& size, int parameters,
                              void** arguments, int line, bool cooperative)
{
    if (is_sticky()) return last_error;
    const LaunchCall call{kernel, line, cooperative, parameters, name,
                          {size.grid.x, size.grid.y, size.grid.z},
                          {size.block.x, size.block.y, size.block.z}, size.shared, arguments};
    const int error = calls.launch(&call);
    print_output();
    return result(error);
}

// What is called on each lane is behind the last argument: a function, or a lambda.
template <class F, class... A> struct Typed {
    // one element more than needed: an array may not be empty
    static constexpr Parameter parameters[] = {parameter<A>()..., Parameter{}};

    template <std::size_t... I>
    SIMT_UNSEEN static void call(void** arguments, std::index_sequence<I...>)
    {
        (*static_cast<const F*>(arguments[sizeof...(A)]))(
            *static_cast<typename std::remove_cv<A>::type*>(arguments[I])...);
    }

    SIMT_UNSEEN static void thunk(void** arguments)
    {
        call(arguments, std::index_sequence_for<A...>{});
    }

    static int number(const void* key, const char* name)
    {
        static std::map<const void*, int> known;
        const auto [at, is_new] = known.try_emplace(key, simt_kernel_count());
        if (is_new) Registration({"program", 0, name, thunk, parameters, int(sizeof...(A))});
        return at->second;
    }
};

template <class... A> struct Function {
    const char* name;
    void (*function)(A...);
    Size size;
    int line;
    bool cooperative = false;

    void operator()(A... arguments) const
    {
        void* all[] = {const_cast<void*>(static_cast<const void*>(&arguments))...,
                       const_cast<void*>(static_cast<const void*>(&function))};
        run(all);
    }

    cudaError_t run(void** all) const
    {
        const int kernel = Typed<void (*)(A...), A...>::number(
            reinterpret_cast<const void*>(function), name);
        return launch_now(kernel, name, size, int(sizeof...(A)), all, line, cooperative);
    }
};

// A template whose arguments the call decides: the lambda calls it.
template <class F> struct Open {
    const char* name;
    F function;
    Size size;
    int line;

    template <class... A> void operator()(A... arguments) const
    {
        static const char key = 0;
        void* all[] = {static_cast<void*>(&arguments)...,
                       const_cast<void*>(static_cast<const void*>(&function))};
        const int kernel = Typed<F, A...>::number(&key, name);
        launch_now(kernel, name, size, int(sizeof...(A)), all, line, false);
    }
};

template <class... A>
Function<A...> launch(const char* name, int line, void (*function)(A...), dim3 grid, dim3 block,
                      std::size_t shared = 0, cudaStream_t stream = nullptr)
{
    return {name, function, {grid, block, shared, stream}, line};
}

template <class F>
Open<F> launch_open(const char* name, int line, F function, dim3 grid, dim3 block,
                    std::size_t shared = 0, cudaStream_t stream = nullptr)
{
    return {name, function, {grid, block, shared, stream}, line};
}

// cudaLaunchKernel and cudaLaunchCooperativeKernel.
template <class... A>
cudaError_t launch_array(const char* name, int line, bool cooperative, void (*function)(A...),
                         dim3 grid, dim3 block, void** arguments, std::size_t shared = 0,
                         cudaStream_t = nullptr)
{
    std::vector<void*> all(arguments, arguments + sizeof...(A));
    all.push_back(static_cast<void*>(&function));
    const Function<A...> call{name, function, {grid, block, shared}, line, cooperative};
    return call.run(all.data());
}

}  // namespace simt::program
