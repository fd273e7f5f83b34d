#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace mirrorball::train {

enum class NetworkStage : std::uint8_t { kUnderWay, kFinished };

/// What was kept of a network: all that its training needs to go on as if nothing had happened, or the
/// network itself.
struct KeptState {
  NetworkStage stage;
  std::vector<std::byte> bytes;
};

/// Where the networks of one phase of a fit are kept while they train. Called by several threads at once.
class StateStore {
 public:
  virtual ~StateStore() = default;

  /// What was kept of a network last; none where nothing was.
  virtual std::optional<KeptState> load(std::uint32_t network) = 0;

  /// Whether it is time to keep a network that was begun or kept last at that time.
  virtual bool due(std::chrono::steady_clock::time_point last) const = 0;

  virtual void save(std::uint32_t network, NetworkStage stage, std::vector<std::byte> bytes) = 0;
};

}  // namespace mirrorball::train
