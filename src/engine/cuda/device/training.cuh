#pragma once

#include <algorithm>
#include <vector>

#include "engine/cuda/device/adam.cuh"
#include "engine/cuda/device/gradient.cuh"
#include "engine/cuda/device/validation.cuh"

namespace mirrorball::cuda {

/// Steps that may wait for the device; the host fills one half of the ring while the device empties the
/// other.
constexpr std::size_t kRing = 64, kHalfRing = kRing / 2;

/// Steps that are launched together: a launch takes longer than a small step.
constexpr std::size_t kTogether = 8;

/// One network in training. Steps are launches of a graph, captured once, of one step and of several; what
/// changes from step to step lies in memory that both sides see.
class Training {
 public:
  Training(const MirrorballCudaTask& task, const Table& table, const float* start)
      : device_(table.device),
        net_(Net::of(task.net)),
        averages_(task.averages != 0),
        largest_batch_(task.largest_batch),
        gradient_(task, net_, table),
        validation_(task, net_, table),
        now_(1),
        taken_(1),
        batch_(task.largest_batch),
        ring_(kRing),
        batches_(kRing * task.largest_batch),
        losses_(kRing) {
    for (Memory<float>& part : state_) part = Memory<float>(net_.size);
    for (const int part : {0, 3, 4}) state_[part].fill(start, net_.size);
    for (cudaEvent_t& half : halves_) check(cudaEventCreateWithFlags(&half, cudaEventDisableTiming));
    step_ = capture(1);
    steps_ = capture(kTogether);
  }

  Training(const Training&) = delete;
  Training& operator=(const Training&) = delete;
  ~Training() {
    cudaStreamSynchronize(stream_);
    cudaGraphExecDestroy(step_);
    cudaGraphExecDestroy(steps_);
    for (cudaEvent_t half : halves_) cudaEventDestroy(half);
  }

  int device() const { return device_; }

  void step(const std::uint32_t* batch, std::size_t rows, std::uint32_t number,
            const MirrorballCudaAdam& adam) {
    const std::size_t slot = queued_ % kRing;
    // Before a half of the ring is filled again, the steps that were in it must be over and their losses
    // taken.
    if (slot % kHalfRing == 0 && queued_ >= kRing) take_losses(queued_ - kHalfRing);
    ring_[slot] = {number, static_cast<int>(rows), adam, static_cast<std::uint32_t>(slot)};
    std::copy_n(batch, rows, batches_.data() + slot * largest_batch_);
    ++queued_;
    if (queued_ - launched_ == kTogether) {
      check(cudaGraphLaunch(steps_, stream_));
      launched_ = queued_;
    }
    if (queued_ % kHalfRing > 0) return;
    launch();
    check(cudaEventRecord(halves_[queued_ / kHalfRing % 2], stream_));
  }

  const std::vector<double>& losses() {
    finish();
    while (read_ < queued_) gathered_.push_back(losses_[read_++ % kRing]);
    given_ = std::move(gathered_);
    gathered_.clear();
    return given_;
  }

  double validate() {
    launch();
    return validation_.score(stream_, current());
  }

  void keep_best() {
    launch();
    check(cudaMemcpyAsync(state_[4].data(), current(), net_.size * sizeof(float), cudaMemcpyDeviceToDevice,
                          stream_));
  }

  void read(int part, float* to) {
    finish();
    check(cudaMemcpy(to, state_[part].data(), net_.size * sizeof(float), cudaMemcpyDeviceToHost));
  }
  void write(int part, const float* from) {
    finish();
    state_[part].fill(from, net_.size);
  }

 private:
  const float* current() const { return state_[averages_ ? 3 : 0].data(); }

  /// All that was queued.
  void launch() {
    for (; launched_ < queued_; ++launched_) check(cudaGraphLaunch(step_, stream_));
  }

  void finish() {
    launch();
    stream_.wait();
  }

  /// Of the steps up to `end`, after which an event was recorded.
  void take_losses(std::size_t end) {
    check(cudaEventSynchronize(halves_[end / kHalfRing % 2]));
    while (read_ < end) gathered_.push_back(losses_[read_++ % kRing]);
  }

  cudaGraphExec_t capture(std::size_t steps) {
    cudaGraph_t graph = nullptr;
    check(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal));
    for (std::size_t step = 0; step < steps; ++step) queue_step();
    check(cudaGetLastError());
    check(cudaStreamEndCapture(stream_, &graph));
    cudaGraphExec_t made = nullptr;
    const cudaError_t error = cudaGraphInstantiate(&made, graph, 0);
    cudaGraphDestroy(graph);
    check(error);
    return made;
  }

  void queue_step() {
    next_step<<<blocks_for(largest_batch_, kNextRows), kNextRows, 0, stream_>>>(
        ring_.data(), batches_.data(), static_cast<int>(kRing), static_cast<int>(largest_batch_),
        taken_.data(), now_.data(), batch_.data());
    gradient_.launch(stream_, state_[0].data(), now_.data(), batch_.data());
    const AdamArrays arrays{
        state_[0].data(), state_[1].data(),       state_[2].data(),  averages_ ? state_[3].data() : nullptr,
        gradient_.data(), gradient_.parts(),      net_.noise_weight, net_.hidden,
        net_.size,        gradient_.row_losses(), losses_.data()};
    adam<<<looping_blocks(net_.size), kThreads, 0, stream_>>>(now_.data(), arrays);
  }

  int device_;
  Net net_;
  bool averages_;
  std::size_t largest_batch_;
  Stream stream_;
  Gradient gradient_;
  Validation validation_;
  Memory<float> state_[5];  ///< weights, Adam's means and squares, averaged and best weights
  Memory<Now> now_;
  Memory<unsigned long long> taken_;
  Memory<std::uint32_t> batch_;
  Shared<Now> ring_;
  Shared<std::uint32_t> batches_;
  Shared<double> losses_;
  cudaGraphExec_t step_ = nullptr, steps_ = nullptr;
  cudaEvent_t halves_[2] = {};
  std::size_t queued_ = 0, launched_ = 0, read_ = 0;
  std::vector<double> gathered_, given_;
};

}  // namespace mirrorball::cuda
