#include "crash.h"

#include <ucontext.h>

#include <mutex>

#include "worker.h"

namespace simt {

// SIGURG: ignored by default, and nothing else in a Python process uses it.
static constexpr int interrupt_signal = SIGURG;
static constexpr int crash_signals[] = {SIGSEGV, SIGBUS, SIGFPE};
static constexpr int handled[] = {SIGSEGV, SIGBUS, SIGFPE, interrupt_signal};
static constexpr int handled_count = 4;

// The handlers belong to the process, so launches on several OS threads share them.
static std::mutex handlers_mutex;
static int handlers_users = 0;
static struct sigaction previous[handled_count];
static bool in_chain[handled_count];    // whether signals reach this library's handler

static const struct sigaction& previous_action(int signal)
{
    int i = 0;
    while (handled[i] != signal) ++i;
    return previous[i];
}

static void pass_on(int signal, siginfo_t* info, void* context)
{
    const struct sigaction& action = previous_action(signal);
    if ((action.sa_flags & SA_SIGINFO) != 0) {
        action.sa_sigaction(signal, info, context);
    } else if (action.sa_handler == SIG_DFL && signal != interrupt_signal) {
        ::signal(signal, SIG_DFL);   // the faulting instruction runs again and ends the process
    } else if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN) {
        action.sa_handler(signal);
    }
}

static __thread const void* last_stop = nullptr;

const void* stopped_at() { return last_stop; }
void forget_stop() { last_stop = nullptr; }

// Where the machine code was when the signal came; null where it is not known how to ask.
static const void* code_of(const void* context)
{
#if defined(__linux__) && defined(__x86_64__)
    const auto& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
    return reinterpret_cast<const void*>(machine.gregs[REG_RIP]);
#elif defined(__linux__) && defined(__aarch64__)
    return reinterpret_cast<const void*>(static_cast<const ucontext_t*>(context)->uc_mcontext.pc);
#else
    (void)context;
    return nullptr;
#endif
}

// An address that cannot exist (not canonical, on x86-64) is not reported.
static bool tells_address(const siginfo_t& info)
{
#if defined(SI_KERNEL)
    return info.si_code > 0 && info.si_code < SI_KERNEL;
#else
    return info.si_code > 0;
#endif
}

static const char* name_of(int signal)
{
    if (signal == SIGFPE) return "integer division by zero";
    return signal == SIGBUS ? "bus error" : "segmentation fault";
}

// Runs on its own stack, since the lane's may be what ran out.
static void on_crash(int signal, siginfo_t* info, void* context)
{
    if (current == nullptr) return pass_on(signal, info, context);
    const Lane& lane = current_lane();
    Worker& worker = *lane.warp->worker;
    const bool known = tells_address(*info);
    last_stop = code_of(context);
    const void* const address = known ? info->si_addr : nullptr;
    if (worker.stacks.in_guard(address))
        worker.crash = {Stacks::overflow, false, address, &lane, known};
    else
        worker.crash = {name_of(signal), signal != SIGFPE, address, &lane, known};
    worker.abandon(Reason::crashed);
}

// Runs on the stack it interrupted.  Only if that is a lane's, is the worker's own context saved
// and can be gone back to.
static void on_interrupt(int signal, siginfo_t* info, void* context)
{
    if (current == nullptr) return pass_on(signal, info, context);
    Worker& worker = *current_lane().warp->worker;
    const char here = 0;
    if (!worker.stacks.contains(&here) || worker.shielded != 0) return;
    if (!worker.launch->stop.load(std::memory_order_relaxed)) return;
    last_stop = code_of(context);
    worker.abandon(Reason::interrupted);
}

static auto handler_of(int signal) { return signal == interrupt_signal ? on_interrupt : on_crash; }

// SA_NODEFER: the handlers never return, so the signal must not stay blocked.
static void install(int i)
{
    if (in_chain[i]) return;
    struct sigaction action {};
    const bool interrupt = handled[i] == interrupt_signal;
    action.sa_sigaction = handler_of(handled[i]);
    action.sa_flags = SA_SIGINFO | SA_NODEFER | (interrupt ? SA_RESTART : SA_ONSTACK);
    sigemptyset(&action.sa_mask);
    sigaction(handled[i], &action, &previous[i]);
    in_chain[i] = true;
}

// The instrumented library is another copy of this file, with handlers of its own, and launches of
// both may overlap.  Each passes on what is not its own.  So a handler is taken away only while it
// is the last of the chain; else the other library's launches would lose theirs.
static void remove(int i)
{
    struct sigaction action {};
    sigaction(handled[i], nullptr, &action);
    if ((action.sa_flags & SA_SIGINFO) == 0 || action.sa_sigaction != handler_of(handled[i])) return;
    sigaction(handled[i], &previous[i], nullptr);
    in_chain[i] = false;
}

CrashGuard::CrashGuard(char* stack, std::size_t size)
{
    stack_t wanted{};
    wanted.ss_sp = stack;
    wanted.ss_size = size;
    sigaltstack(&wanted, &previous_);
    const std::lock_guard<std::mutex> lock(handlers_mutex);
    if (handlers_users++ == 0)
        for (int i = 0; i < handled_count; ++i) install(i);
}

CrashGuard::~CrashGuard()
{
    {
        const std::lock_guard<std::mutex> lock(handlers_mutex);
        if (--handlers_users == 0)
            for (int i = 0; i < handled_count; ++i) remove(i);
    }
    sigaltstack(&previous_, nullptr);
    std::fesetround(rounding_);
}

void send_interrupt(Thread thread) { pthread_kill(thread, interrupt_signal); }

}  // namespace simt
