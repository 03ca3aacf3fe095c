// Runs DSGD many times for a race detector to watch, and compares the vectors with those of one
// thread that processes the blocks stratum by stratum. Exit status 1: differs.

#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include "sgd.h"

extern "C" int cpu_sgd_serial(const cpu::SgdTask*);
extern "C" int cpu_sgd_dsgd_omp(const cpu::SgdTask*);

constexpr int kThreads = 4, kPart = 10, kSide = kThreads * kPart, kComponents = 16, kBlock = 60;

struct Vectors {
    explicit Vectors(unsigned seed) : users(kSide * kComponents), items(kSide * kComponents) {
        std::mt19937 random(seed);
        std::uniform_real_distribution<float> small(-0.5f, 0.5f);
        for (float& x : users) x = small(random);
        for (float& x : items) x = small(random);
    }
    cpu::SgdTask task() {
        cpu::SgdTask made{};
        made.model = {users.data(), items.data(), user_bias, item_bias, kComponents,
                      cpu::kBiases, 3.0f,         0.05f,     0.001f};
        made.threads = kThreads;
        return made;
    }
    bool operator==(const Vectors& other) const {
        return users == other.users && items == other.items;
    }

    std::vector<float> users, items;
    float user_bias[kSide] = {}, item_bias[kSide] = {};
};

static bool agrees(unsigned seed) {
    std::mt19937 random(seed);
    std::vector<cpu::SgdEntry> entries;
    std::vector<long long> starts{0};
    for (int block = 0; block < kThreads * kThreads; ++block) {
        for (int i = 0; i < kBlock; ++i)
            entries.push_back({block / kThreads * kPart + static_cast<int>(random() % kPart),
                               block % kThreads * kPart + static_cast<int>(random() % kPart),
                               static_cast<float>(random() % 5)});
        starts.push_back(static_cast<long long>(entries.size()));
    }
    Vectors one(seed), team(seed);
    cpu::SgdTask task = one.task();
    for (int stratum = 0; stratum < kThreads; ++stratum) {
        for (int row = 0; row < kThreads; ++row) {
            const int block = row * kThreads + (row + stratum) % kThreads;
            task.entries = entries.data() + starts[block];
            task.count = starts[block + 1] - starts[block];
            if (cpu_sgd_serial(&task) != cpu::kDone) std::exit(2);
        }
    }
    task = team.task();
    task.entries = entries.data();
    task.count = static_cast<long long>(entries.size());
    task.starts = starts.data();
    if (cpu_sgd_dsgd_omp(&task) != cpu::kDone) std::exit(2);
    if (one == team) return true;
    std::puts("sgd_dsgd_omp differs");
    return false;
}

int main(int argc, char** argv) {
    const int repeats = argc > 1 ? std::atoi(argv[1]) : 1;
    for (int i = 0; i < repeats; ++i)
        if (!agrees(static_cast<unsigned>(i))) return 1;
    return 0;
}
