// Errors of a factorisation in double precision: see gpucore/families/sgd/certificate.py.

#include "proof.h"

namespace {

// Mirrors _Model of native_proof.py.
struct Model {
    const float* users;
    const float* items;
    const float* user_bias;  // null without biases
    const float* item_bias;
    long long width;  // stored components of a vector
    double mean;
};

double error_of(const Model& model, int user, int item, float value) {
    const float* p = model.users + user * model.width;
    const float* q = model.items + item * model.width;
    // Four sums: additions that wait for each other would take most of the time.
    double sums[4] = {0.0, 0.0, 0.0, 0.0};
    long long i = 0;
    for (; i + 4 <= model.width; i += 4)
        for (int lane = 0; lane < 4; ++lane)
            sums[lane] += static_cast<double>(p[i + lane]) * static_cast<double>(q[i + lane]);
    for (; i < model.width; ++i) sums[0] += static_cast<double>(p[i]) * static_cast<double>(q[i]);
    double predicted = (sums[0] + sums[1]) + (sums[2] + sums[3]) + model.mean;
    if (model.user_bias != nullptr)
        predicted += static_cast<double>(model.user_bias[user]) +
                     static_cast<double>(model.item_bias[item]);
    return static_cast<double>(value) - predicted;
}

}  // namespace

// The sum of the squared errors of `count` ratings.
CPU_EXPORT int proof_squares(const Model* model, const proof::Work* work, long long count,
                             const int* users, const int* items, const float* values, double* sum) {
    return cpu::guarded([&] {
        std::vector<double> parts(work->count(count));
        const bool done = proof::pieces(
            *work, count, [&](int, long long block, long long begin, long long end) {
                double squares = 0.0;
                for (long long i = begin; i < end; ++i) {
                    const double error = error_of(*model, users[i], items[i], values[i]);
                    squares += error * error;
                }
                parts[block] = squares;
            });
        *sum = proof::sum_of(parts, [](double part) { return part; });
        return done ? cpu::kDone : cpu::kCancelled;
    });
}
