#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "mirrorball/checkpoint.h"
#include "model/fit_with.h"

namespace mirrorball::model {

/// A checkpoint on disk: fit.json, which says what fit it is of, and a file for each network of each phase.
/// Networks do not depend on each other, so each is kept by itself. Files are written in one piece and end in
/// a checksum; their names have the identity of the fit, so that those of another are never taken for it.
///
/// Nothing is written before the first `seconds` are over: networks that finish earlier wait in memory.
class CheckpointFolder final : public PhaseStores {
 public:
  /// Throws where a checkpoint of another fit is to be resumed.
  CheckpointFolder(Checkpoint settings, nlohmann::ordered_json identity);

  std::unique_ptr<train::StateStore> phase(const std::string& name) override;

 private:
  class Phase;
  struct Waiting {
    std::string file;
    std::string bytes;
  };

  std::string file_of(const std::string& phase, std::uint32_t network) const;
  std::string stored(train::NetworkStage stage, const std::vector<std::byte>& bytes) const;
  train::KeptState read(const std::string& file) const;
  void save(const std::string& file, train::NetworkStage stage, const std::vector<std::byte>& bytes);
  void begin();
  bool due(std::chrono::steady_clock::time_point last) const;

  Checkpoint settings_;
  nlohmann::ordered_json identity_;
  std::uint64_t print_;  // of the identity
  std::chrono::steady_clock::time_point started_ = std::chrono::steady_clock::now();
  std::mutex lock_;
  bool begun_ = false;
  std::vector<Waiting> waiting_;
};

/// Of a fit that is about to train; none where none is wanted.
std::unique_ptr<CheckpointFolder> open_checkpoint(const Checkpoint& settings, const Options& options,
                                                  const Roles& roles, const Plan& plan,
                                                  const train::TrainingRows& rows);

}  // namespace mirrorball::model
