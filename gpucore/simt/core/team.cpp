// The OS threads of a launch: they start, are interrupted and end together.
#include <algorithm>
#include <chrono>
#include <functional>
#include <system_error>
#include <thread>

#include "crash.h"
#include "launch.h"

namespace simt {

// Launches at work, for interrupt().
static Mutex running_mutex;
static std::vector<Launch*> running;

void Launch::interrupt_workers()
{
    const Lock lock(mutex);
    for (Thread thread : threads) send_interrupt(thread);
}

void interrupt(u64 token)
{
    const Lock lock(running_mutex);
    for (Launch* launch : running) {
        if (launch->request.token != token) continue;
        launch->cancelled = true;
        launch->stop = true;
        launch->interrupt_workers();
    }
}

static void work(Launch& launch, u32 index)
{
    {
        const Lock lock(launch.mutex);
        launch.threads.push_back(pthread_self());
    }
    run_worker(launch, index);
    if (launch.stop) launch.interrupt_workers();
}

// The caller's OS thread is the first worker; when it has nothing left to do it still listens.
void work_together(Launch& launch)
{
    {
        const Lock lock(running_mutex);
        running.push_back(&launch);
    }
    std::vector<std::thread> others;
    bool complete = true;
    try {
        for (u32 i = 1; i < launch.workers; ++i) others.emplace_back(work, std::ref(launch), i);
    } catch (const std::system_error&) {
        launch.fail("the system gives no " + std::to_string(launch.workers) + " OS threads");
        complete = false;
    }
    if (complete) work(launch, 0);
    {
        Lock lock(launch.mutex);
        const std::size_t wanted = complete ? launch.workers : others.size();
        while (launch.finished_workers < wanted) {
            launch.changed.wait_for(lock, std::chrono::milliseconds(50));
            lock.unlock();
            launch.poll();
            if (launch.stop) launch.interrupt_workers();
            lock.lock();
        }
    }
    const Lock lock(running_mutex);   // no signal to a thread that is gone
    for (std::thread& thread : others) thread.join();
    running.erase(std::find(running.begin(), running.end(), &launch));
}

}  // namespace simt
