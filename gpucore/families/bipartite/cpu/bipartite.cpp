// The initial matching, and the work between two phases.

#include "bipartite.h"

#include <algorithm>
#include <chrono>

namespace cpu {
namespace {

// Entries between two checks of the caller's flag: some milliseconds.
constexpr long long kPatience = 1 << 18;

}  // namespace

Matcher::Matcher(const BipartiteTask& task)
    : task_(task),
      columns_{task.num_columns, task.indptr, task.rows},
      rows_{task.num_rows, task.row_indptr, task.columns},
      cancel_(task.cancel),
      notes_(task.recording, 0, task.num_rows),
      most_(std::min(task.num_rows, task.num_columns)) {
    const auto start = std::chrono::steady_clock::now();
    *task_.work = BipartiteWork{};
    if (task_.initial == kGiven) {
        count_given();
    } else {
        std::fill_n(task_.row_match, rows().size, kUnmatched);
        std::fill_n(task_.column_match, columns().size, kUnmatched);
        if (task_.initial == kCheap) match_cheaply();
    }
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    task_.work->initial_seconds = spent.count();
    task_.work->initial_cardinality = task_.work->cardinality;
    for (int column = 0; column < columns().size; ++column)
        if (mate_of_column(column) == kUnmatched && columns().degree(column) > 0)
            unmatched_.push_back(column);
}

// Every column takes its first free row.
void Matcher::match_cheaply() {
    begin_step(kNoLevel, kInitial);
    for (int column = 0; column < columns().size; ++column) {
        const int* const list = columns().list(column);
        const int* const end = list + columns().degree(column);
        const int* const row =
            std::find_if(list, end, [&](int r) { return mate_of_row(r) == kUnmatched; });
        scanned(row - list + (row != end));
        if (row == end) continue;
        pair(*row, column);
        path_found();
        notes_.matched(*row, column);
    }
}

void Matcher::begin_step(int level, StepKind kind) {
    if (!notes_.on()) return;
    const long long step = task_.work->steps++;
    notes_.begin(static_cast<int>(step));
    if (step >= task_.step_room) return;
    int* const words = task_.steps + 3 * step;
    words[0] = kind == kInitial ? 0 : static_cast<int>(task_.work->phases) + 1;
    words[1] = level;
    words[2] = kind;
}

void Matcher::begin_phase(int level) {
    begin_step(level, kTopDown);
    notes_.phase(static_cast<int>(task_.work->phases) + 1);
}

void Matcher::count_given() {
    const int* const mates = task_.row_match;
    task_.work->cardinality = std::count_if(mates, mates + rows().size,
                                            [](int column) { return column != kUnmatched; });
}

bool Matcher::end_phase(int paths) {
    task_.phase_paths[task_.work->phases++] = paths;
    if (paths == 0) return false;
    forget_matched();
    return worth_searching();
}

void Matcher::forget_matched() {
    const auto matched = [&](int column) { return mate_of_column(column) != kUnmatched; };
    unmatched_.erase(std::remove_if(unmatched_.begin(), unmatched_.end(), matched),
                     unmatched_.end());
}

void Matcher::heed_cancel() {
    if (cancel_.raised()) throw Stop{};
    look_again_ = task_.work->edges + kPatience;
}

}  // namespace cpu

// The cheap matching alone.
CPU_EXPORT int cpu_cheap_matching(const cpu::BipartiteTask* task) {
    return cpu::run_bipartite(*task, [](cpu::Matcher&) {});
}
