// Runs the threaded methods for stable marriage many times on instances in which men meet often,
// for a race detector to watch, and compares each marriage and what was considered with those of
// the method of one thread. Exit status 1: differs.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <vector>

#include "marriage.h"

using Method = int(const cpu::MarriageTask*);
extern "C" Method cpu_mcvitie_wilson, cpu_gale_shapley_omp, cpu_mcvitie_wilson_omp;

struct Solution {
    std::vector<int> wife;
    long long considered;
    bool operator==(const Solution& other) const {
        return wife == other.wife && considered == other.considered;
    }
};

static Solution solve(Method* method, cpu::MarriageTask task, int threads) {
    Solution found{std::vector<int>(static_cast<std::size_t>(task.num_men)), 0};
    cpu::MarriageWork work;
    task.threads = threads;
    task.wife = found.wife.data();
    task.work = &work;
    if (method(&task) != cpu::kDone) std::exit(2);
    found.considered = work.considered;
    return found;
}

static std::vector<int> shuffled(int size, int first, std::mt19937& random) {
    std::vector<int> numbers(static_cast<std::size_t>(size));
    std::iota(numbers.begin(), numbers.end(), first);
    std::shuffle(numbers.begin(), numbers.end(), random);
    return numbers;
}

static bool all_agree(const cpu::MarriageTask& task) {
    const Solution expected = solve(cpu_mcvitie_wilson, task, 1);
    for (Method* method : {cpu_gale_shapley_omp, cpu_mcvitie_wilson_omp}) {
        if (solve(method, task, 4) == expected) continue;
        std::puts(method == cpu_gale_shapley_omp ? "gale_shapley_omp differs"
                                                 : "mcvitie_wilson_omp differs");
        return false;
    }
    return true;
}

// Lists of their own for all men, of women of whom few are wanted by most.
static bool own_lists_agree(int men, int women, std::mt19937& random) {
    std::vector<long long> indptr{0};
    std::vector<int> list;
    for (int man = 0; man < men; ++man) {
        std::vector<int> order = shuffled(women, 0, random);
        std::partial_sort(order.begin(), order.begin() + women / 4, order.end());
        list.insert(list.end(), order.begin(), order.begin() + women / 2);
        indptr.push_back(static_cast<long long>(list.size()));
    }
    std::vector<std::vector<int>> ranks;
    for (int woman = 0; woman < women; ++woman) ranks.push_back(shuffled(men, 1, random));
    std::vector<int> her_rank;
    for (int man = 0; man < men; ++man)
        for (long long e = indptr[man]; e < indptr[man + 1]; ++e)
            her_rank.push_back(ranks[list[e]][man]);
    cpu::MarriageTask task{};
    task.num_men = men;
    task.num_women = women;
    task.indptr = indptr.data();
    task.women = list.data();
    task.her_rank = her_rank.data();
    return all_agree(task);
}

static bool shared_list_agrees(int men, int women, std::mt19937& random) {
    const std::vector<int> order = shuffled(women, 0, random);
    const std::vector<int> standing = shuffled(men, 1, random);
    cpu::MarriageTask task{};
    task.num_men = men;
    task.num_women = women;
    task.order = order.data();
    task.standing = standing.data();
    return all_agree(task);
}

int main(int argc, char** argv) {
    const int repeats = argc > 1 ? std::atoi(argv[1]) : 1;
    std::mt19937 random(7);
    for (int i = 0; i < repeats; ++i)
        if (!own_lists_agree(700, 300, random) || !shared_list_agrees(700, 600, random)) return 1;
    return 0;
}
