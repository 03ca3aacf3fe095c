// Greedy matching by colours on several threads: blue vertices propose, red ones respond.
//
// Algorithm 3 of Fagginger Auer and Bisseling, "A GPU algorithm for greedy graph matching", 2012,
// which the paper also runs on several threads (TBB). It visits live vertices only, and a red
// vertex matches itself; the matching is the same as with the paper's four steps.
//
// No thread reads a word that another thread writes in the same step, so only counters are atomic,
// and the matching is the same for any number of threads.

#include <algorithm>
#include <atomic>
#include <numeric>
#include <utility>
#include <vector>

#include "redblue.h"
#include "team.h"

namespace cpu {

namespace {

constexpr auto kRelaxed = std::memory_order_relaxed;

enum State : unsigned char { kBlue, kRed, kMatched, kDead };

// The proposal of matched and dead vertices; live neighbours of a vertex have another one.
constexpr int kOut = -2;

// Vertices that one thread matched, and found without live neighbours, in one step.
struct Tally {
    int matched = 0, dead = 0;
};

inline bool is_live(unsigned char state) { return state <= kRed; }

template <class Logs>
class RedBlue {
public:
    RedBlue(RedBlueTask* task, Logs logs)
        : task_(task),
          logs_(logs),
          graph_(task->graph),
          select_(static_cast<Select>(task->select)),
          cancel_(task->cancel),
          state_(graph_.n, kBlue),
          proposal_(graph_.n),
          first_(graph_.n),
          second_(graph_.n),
          chunks_(graph_.n),
          barrier_(task->threads) {
        std::iota(first_.begin(), first_.end(), 0);
        std::fill_n(task->mate, graph_.n, kNoVertex);
    }

    int run() {
        run_team(task_->threads, [&](int thread) { work_as_member(logs_.of(thread)); });
        task_->rounds = round_;
        task_->left = live_;
        return cancelled_ ? kCancelled : kDone;
    }

private:
    template <class Log>
    void work_as_member(Log log) {
        colour_live(log);
        while (!stop_) {
            for_live([&](int v, Tally* tally) { propose(v, tally, log); });
            barrier_.wait([&] { begin_step(); });
            for_live([&](int v, Tally* tally) { respond(v, tally, log); });
            barrier_.wait([&] { end_round(); });
            colour_live(log);
        }
    }

    // Visit this thread's share of the live vertices, and count what becomes of them.
    template <class Visit>
    void for_live(Visit&& visit) {
        int begin, end;
        Tally tally;
        while (!cancel_.raised() && chunks_.take(&begin, &end))
            for (int i = begin; i < end; ++i) visit((*current_)[i], &tally);
        matched_.fetch_add(tally.matched, kRelaxed);
        died_.fetch_add(tally.dead, kRelaxed);
    }

    // Lines 5 to 10, and the rest of 27 to 33: list the vertices that are still live.
    template <class Log>
    void colour_live(Log& log) {
        log.begin(4 * round_ + RedBlueLog::kColouring);
        int begin, end;
        while (!cancel_.raised() && chunks_.take(&begin, &end)) {
            int kept[Chunks::kSize];
            int count = 0;
            for (int i = begin; i < end; ++i)
                if (colour((*current_)[i], log)) kept[count++] = (*current_)[i];
            const int place = tail_.fetch_add(count, kRelaxed);
            std::copy_n(kept, count, next_->begin() + place);
        }
        barrier_.wait([&] { begin_round(); });
    }

    template <class Log>
    bool colour(int v, Log& log) {
        if (task_->mate[v] != kNoVertex) state_[v] = kMatched;
        if (!is_live(state_[v])) {
            proposal_[v] = kOut;
            return false;
        }
        if (round_ < task_->max_rounds) {
            const unsigned number = static_cast<unsigned>(v), r = task_->numbers[round_];
            const unsigned hash = task_->philox ? philox(number, r) : md5_quarter(number, r);
            state_[v] = hash < task_->blue_below ? kBlue : kRed;
            log.event(RedBlueLog::COLOUR, v, state_[v]);
            log.count(RedBlueLog::kLooked, 1);
            log.count(RedBlueLog::kLive, 1);
        }
        proposal_[v] = kNoVertex;
        return true;
    }

    // Lines 11 to 19. No vertex reads the state or the proposal of a vertex without live
    // neighbours, so it may die here.
    template <class Log>
    void propose(int v, Tally* tally, Log& log) {
        if (state_[v] != kBlue) return;
        log.begin(4 * round_ + RedBlueLog::kProposing);
        count_search(log, graph_, v);
        bool lonely = true;
        proposal_[v] = choose(graph_, v, select_, task_->numbers[round_], [&](int other) {
            if (other == v) return false;
            if (is_live(state_[other])) lonely = false;
            return state_[other] == kRed;
        });
        // The choice skips edges lighter than one to a red neighbour, but then there is such a one.
        if (proposal_[v] == kNoVertex && lonely) return die(v, tally, log);
        if (!Log::kOn || proposal_[v] == kNoVertex) return;
        const float weight = weight_between(graph_, v, proposal_[v]);
        log.event(RedBlueLog::PROPOSE, v, proposal_[v], -1, weight);
        log.count(RedBlueLog::kProposals, 1);
    }

    // Lines 20 to 33. Proposals say who is live, so states are not read.
    template <class Log>
    void respond(int v, Tally* tally, Log& log) {
        if (state_[v] != kRed) return;
        log.begin(4 * round_ + RedBlueLog::kResponding);
        count_search(log, graph_, v);
        bool lonely = true;
        const int blue = choose(graph_, v, select_, task_->numbers[round_], [&](int other) {
            if (other == v) return false;
            if (proposal_[other] != kOut) lonely = false;
            return proposal_[other] == v;
        });
        if (blue == kNoVertex) {
            if (lonely) die(v, tally, log);
            return;
        }
        task_->mate[v] = blue;
        task_->mate[blue] = v;
        tally->matched += 2;
        log_pair(v, blue, log);
    }

    // The record has the match and the death of a vertex in the last sub-step, as for the kernels.
    template <class Log>
    void log_pair(int red, int blue, Log& log) {
        if (!Log::kOn) return;
        log.event(RedBlueLog::RESPOND, red, blue, -1, weight_between(graph_, red, blue));
        log.count(RedBlueLog::kResponses, 1);
        log.begin(4 * round_ + RedBlueLog::kMatching);
        log.event(RedBlueLog::MATCH, blue, red);
        log.count(RedBlueLog::kMatched, 2);
    }

    template <class Log>
    void die(int v, Tally* tally, Log& log) {
        state_[v] = kDead;
        tally->dead += 1;
        log.begin(4 * round_ + RedBlueLog::kMatching);
        log_death(log, v);
    }

    // One thread runs the three functions below while the others wait. Only here the caller's flag
    // is checked, once a round, so that all threads leave together.
    void begin_round() {
        std::swap(current_, next_);
        live_ = tail_.exchange(0, kRelaxed);
        cancelled_ = cancel_.raised();
        stop_ = cancelled_ || live_ == 0 || round_ == task_->max_rounds;
        begin_step();
    }

    void begin_step() { chunks_.reset(live_); }

    void end_round() {
        task_->matched[round_] = matched_.exchange(0, kRelaxed);
        task_->dead[round_] = died_.exchange(0, kRelaxed);
        ++round_;
        begin_step();
    }

    RedBlueTask* const task_;
    const Logs logs_;
    const Csr graph_;
    const Select select_;
    const CancelFlag cancel_;
    std::vector<unsigned char> state_;
    std::vector<int> proposal_;
    std::vector<int> first_, second_;
    std::vector<int>* current_ = &first_;
    std::vector<int>* next_ = &second_;
    std::atomic<int> tail_{0}, matched_{0}, died_{0};
    Chunks chunks_;
    Barrier barrier_;
    int live_ = 0;
    int round_ = 0;
    bool stop_ = false;
    bool cancelled_ = false;
};

}  // namespace
}  // namespace cpu

CPU_EXPORT int cpu_redblue_omp(cpu::RedBlueTask* task) {
    return cpu::guarded([&] {
        return cpu::with_logs(task->recording,
                              [&](auto logs) { return cpu::RedBlue(task, logs).run(); });
    });
}
