// Runs the methods for bipartite matching on several threads many times on matrices on which
// threads meet often, for a race detector to watch. Checks each matching, and compares its size
// with that of Hopcroft and Karp's algorithm on one thread. Exit status 1: wrong, or without end.

#include <sys/time.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "bipartite.h"

using Method = int(const cpu::BipartiteTask*);
extern "C" Method cpu_hopcroft_karp, cpu_hopcroft_karp_omp, cpu_pothen_fan_omp,
    cpu_disjoint_bfs_omp;

struct Matrix {
    int rows, columns;
    std::vector<long long> indptr{0};  // of the columns' lists of rows
    std::vector<int> entries;
};

static Matrix make_matrix(int rows, const std::vector<std::vector<int>>& lists) {
    Matrix matrix{rows, static_cast<int>(lists.size()), {0}, {}};
    for (auto list : lists) {
        std::sort(list.begin(), list.end());
        list.erase(std::unique(list.begin(), list.end()), list.end());
        matrix.entries.insert(matrix.entries.end(), list.begin(), list.end());
        matrix.indptr.push_back(static_cast<long long>(matrix.entries.size()));
    }
    return matrix;
}

// Some rows are in most lists, so that many searches want them.
static Matrix hubs(int size, int entries, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::vector<int>> lists(size);
    for (int i = 0; i < entries; ++i)
        lists[random() % size].push_back(static_cast<int>(
            static_cast<unsigned long long>(random() % size) * (random() % size) / size));
    return make_matrix(size, lists);
}

// Sparse and uniform: long paths, many phases.
static Matrix uniform(int size, unsigned seed) {
    std::mt19937 random(seed);
    std::vector<std::vector<int>> lists(size);
    for (auto& list : lists)
        for (int i = 0; i < 3; ++i) list.push_back(static_cast<int>(random() % size));
    return make_matrix(size, lists);
}

// Every column wants the same few rows.
static Matrix crowd(int size) {
    std::vector<std::vector<int>> lists(size);
    for (auto& list : lists)
        for (int row = 0; row < 8; ++row) list.push_back(row);
    return make_matrix(size, lists);
}

struct Found {
    std::vector<int> rows, columns;
    cpu::BipartiteWork work;
    std::string fault;
};

static std::string fault_of(const Matrix& matrix, const Found& found) {
    long long pairs = 0;
    for (int column = 0; column < matrix.columns; ++column) {
        const int row = found.columns[column];
        if (row == cpu::kUnmatched) continue;
        ++pairs;
        const auto begin = matrix.entries.begin();
        if (!std::binary_search(begin + matrix.indptr[column], begin + matrix.indptr[column + 1],
                                row))
            return "a pair without an entry";
        if (found.rows[row] != column) return "a pair that is not mutual";
    }
    const auto matched = [](int column) { return column != cpu::kUnmatched; };
    if (std::count_if(found.rows.begin(), found.rows.end(), matched) != pairs)
        return "rows and columns differ";
    return pairs == found.work.cardinality ? "" : "a wrong count";
}

// End the program once it has used so many seconds of all processors together; 0: do not.
static void end_after(int seconds) {
    const itimerval timer{{0, 0}, {seconds, 0}};
    setitimer(ITIMER_PROF, &timer, nullptr);
}

static Found solve(Method* method, const Matrix& matrix, int initial, int threads) {
    Found found{std::vector<int>(matrix.rows), std::vector<int>(matrix.columns), {}, {}};
    std::vector<int> paths(std::min(matrix.rows, matrix.columns) + 1);
    cpu::BipartiteTask task{};
    task.num_rows = matrix.rows;
    task.num_columns = matrix.columns;
    task.indptr = matrix.indptr.data();
    task.rows = matrix.entries.data();
    task.initial = initial;
    task.threads = threads;
    task.row_match = found.rows.data();
    task.column_match = found.columns.data();
    task.phase_paths = paths.data();
    task.work = &found.work;
    // A run takes some milliseconds. On a busy machine the time of the processors counts.
    end_after(2);
    const int status = method(&task);
    end_after(0);
    if (status != cpu::kDone) std::exit(2);
    found.fault = fault_of(matrix, found);
    return found;
}

int main(int argc, char** argv) {
    const std::pair<const char*, Method*> methods[] = {{"P-HK", cpu_hopcroft_karp_omp},
                                                       {"P-PFP", cpu_pothen_fan_omp},
                                                       {"P-DBFS", cpu_disjoint_bfs_omp}};
    // After a wrong pair, walks back to a root may go in circles.
    std::signal(SIGPROF, [](int) { _exit(1); });
    const int repeats = argc > 1 ? std::atoi(argv[1]) : 1;
    for (int seed = 0; seed < repeats; ++seed) {
        for (const Matrix& matrix :
             {hubs(600, 2400, seed), uniform(500, seed), crowd(300), hubs(60, 150, seed)}) {
            for (const int initial : {cpu::kNothing, cpu::kCheap}) {
                const long long best =
                    solve(cpu_hopcroft_karp, matrix, initial, 1).work.cardinality;
                for (const auto& [name, method] : methods) {
                    const Found found = solve(method, matrix, initial, 4);
                    if (found.fault.empty() && found.work.cardinality == best) continue;
                    std::printf("%s: %lld pairs of %lld, %s\n", name, found.work.cardinality, best,
                                found.fault.c_str());
                    return 1;
                }
            }
        }
    }
    return 0;
}
