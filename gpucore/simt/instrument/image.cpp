#include "image.h"

#if defined(__wasm__)

#include "../core/api.h"

namespace simt::instrument {

static std::uint64_t places = 0;
static Image data;

Image code_image() { return {0, places}; }

std::uint64_t library_start() { return 0; }

// The loader names the variables of a kernel's module as regions; what else it has is constant.
bool is_constant(std::uint64_t address) { return address - data.begin < data.bytes; }

}  // namespace simt::instrument

// A kernel's module has been loaded: how many places it has, and where its data lies.
SIMT_API void simt_loaded(unsigned how_many, unsigned begin, unsigned bytes)
{
    simt::instrument::places = std::uint64_t(how_many) + 1;
    simt::instrument::data = {begin, bytes};
}

extern "C" unsigned simt_site = 0;

#else

#include <dlfcn.h>
#include <link.h>

namespace simt::instrument {

static int find_code(dl_phdr_info* info, std::size_t, void* data)
{
    const auto own = reinterpret_cast<std::uint64_t>(&find_code);
    for (int i = 0; i < info->dlpi_phnum; ++i) {
        const auto& part = info->dlpi_phdr[i];
        const std::uint64_t begin = info->dlpi_addr + part.p_vaddr;
        if (part.p_type != PT_LOAD || own - begin >= part.p_memsz) continue;
        *static_cast<Image*>(data) = {begin, part.p_memsz};
        return 1;
    }
    return 0;
}

Image code_image()
{
    Image code;
    dl_iterate_phdr(find_code, &code);
    return code;
}

std::uint64_t library_start()
{
    Dl_info info;
    const void* const here = reinterpret_cast<const void*>(&code_image);
    return dladdr(here, &info) ? reinterpret_cast<std::uint64_t>(info.dli_fbase) : 0;
}

bool is_constant(std::uint64_t at)
{
    const auto look = [](dl_phdr_info* info, std::size_t, void* data) {
        const std::uint64_t address = *static_cast<const std::uint64_t*>(data);
        const auto own = reinterpret_cast<std::uint64_t>(&is_constant);
        bool is_own = false, is_here = false;
        for (int i = 0; i < info->dlpi_phnum; ++i) {
            const auto& part = info->dlpi_phdr[i];
            const std::uint64_t begin = info->dlpi_addr + part.p_vaddr;
            if (part.p_type != PT_LOAD && part.p_type != PT_GNU_RELRO) continue;
            is_own |= own - begin < part.p_memsz;
            const bool fixed = (part.p_flags & PF_W) == 0 || part.p_type == PT_GNU_RELRO;
            is_here |= fixed && address - begin < part.p_memsz;
        }
        return is_own ? (is_here ? 2 : 1) : 0;
    };
    return dl_iterate_phdr(look, &at) == 2;
}

}  // namespace simt::instrument

#endif
