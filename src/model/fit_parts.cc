#include "model/fit_parts.h"

#include <map>
#include <utility>

#include "base/error.h"
#include "train/bytes.h"
#include "train/network_bytes.h"

namespace mirrorball::model {
namespace {

using Key = std::pair<std::string, std::uint32_t>;  // phase and network
using Bytes = std::vector<std::byte>;

std::string part_of(const Key& key, const Bytes& network) {
  train::ByteWriter to;
  to.add_list(std::span<const char>(key.first));
  to.add(key.second);
  to.add_list(std::span<const std::byte>(network));
  return {reinterpret_cast<const char*>(to.bytes.data()), to.bytes.size()};
}

std::map<Key, Bytes> networks_of(std::string_view parts) {
  std::map<Key, Bytes> networks;
  for (train::ByteReader from({reinterpret_cast<const std::byte*>(parts.data()), parts.size()});
       !from.done();) {
    const std::vector<char> phase = from.take_list<char>();
    const auto network = from.take<std::uint32_t>();
    networks[{{phase.begin(), phase.end()}, network}] = from.take_list<std::byte>();
  }
  return networks;
}

/// Thrown through the fit when the network that was wanted is there.
struct Finished {
  Bytes network;
};

/// What stands for a network that this part does not need.
Bytes no_network() {
  train::ByteWriter to;
  train::write_network({}, to);
  return std::move(to.bytes);
}

class PartStores final : public PhaseStores {
 public:
  /// `wanted`: the one network to train in that phase; none gives the whole model.
  PartStores(std::string_view parts, std::optional<Key> wanted)
      : networks_(networks_of(parts)), wanted_(std::move(wanted)) {}

  std::unique_ptr<train::StateStore> phase(const std::string& name) override {
    return std::make_unique<Store>(*this, name);
  }

 private:
  class Store final : public train::StateStore {
   public:
    Store(const PartStores& all, std::string phase) : all_(all), phase_(std::move(phase)) {}

    std::optional<train::KeptState> load(std::uint32_t network) override {
      const auto found = all_.networks_.find({phase_, network});
      if (found != all_.networks_.end())
        return train::KeptState{train::NetworkStage::kFinished, found->second};
      if (!all_.wanted_ || phase_ != all_.wanted_->first || network == all_.wanted_->second)
        return std::nullopt;
      return train::KeptState{train::NetworkStage::kFinished, no_network()};
    }
    bool due(std::chrono::steady_clock::time_point) const override { return false; }
    void save(std::uint32_t network, train::NetworkStage, Bytes bytes) override {
      if (all_.wanted_ == Key(phase_, network)) throw Finished{std::move(bytes)};
    }

   private:
    const PartStores& all_;
    std::string phase_;
  };

  std::map<Key, Bytes> networks_;
  std::optional<Key> wanted_;
};

/// Parts of one fit come from machines with more and with less memory: all keep the table there, because
/// other rows are held out where it is read from a cache.
Options in_memory(Options options) {
  options.memory = "1048576T";
  return options;
}

}  // namespace

std::string fit_part(FitTables tables, const Roles& roles, const Options& options,
                     const ProgressCallback& progress, const std::string& phase, std::uint32_t network,
                     std::string_view parts) {
  const Key wanted(phase, network);
  const ProgressCallback or_throw = [&](const Progress& now) {
    if (progress && !progress(now)) system_failure("the training of network {} was stopped", network);
    return true;
  };
  Options without = in_memory(options);
  without.forest = without.gaussian_process = without.boosting = without.neighbours =
      0;  // which no network depends on
  const MakeStores stores = [&](const Plan& plan, const train::TrainingRows&) {
    if (network >= static_cast<std::uint32_t>(plan.networks))
      bad_input("there is no network {}: the fit has {}, numbered from 0", network, plan.networks);
    return std::make_unique<PartStores>(parts, wanted);
  };
  try {
    fit_with(std::move(tables), roles, without, or_throw, 0, stores);
  } catch (const Finished& finished) {
    return part_of(wanted, finished.network);
  }
  if (phase == "refit") return {};  // the plan has none
  bad_input("a fit has no phase {}: give training or refit", phase);
}

Model fit_of_parts(FitTables tables, const Roles& roles, const Options& options,
                   const ProgressCallback& progress, std::string_view parts) {
  return fit_with(std::move(tables), roles, in_memory(options), progress, 0,
                  [&](const Plan&, const train::TrainingRows&) {
                    return std::make_unique<PartStores>(parts, std::nullopt);
                  });
}

}  // namespace mirrorball::model
