#include "model/checkpoint_folder.h"

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <utility>

#include "base/atomic_file.h"
#include "base/error.h"
#include "base/fingerprint.h"
#include "model/fit_identity.h"

namespace mirrorball::model {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::string_view kRecord = "fit.json";
constexpr std::string_view kStateEnd = ".state";
constexpr std::string_view kMark = "mirrorball state 1\n";

std::string record_of(const std::string& folder) { return (fs::path(folder) / kRecord).string(); }

std::string bytes_of_file(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (in.bad() || !in.is_open()) system_failure("cannot read {}", path);
  return bytes;
}

std::uint64_t print_of(std::string_view text) {
  Fingerprint print;
  print.add(text);
  return print.value();
}

template <class T>
void add(std::string& to, const T& value) {
  to.append(reinterpret_cast<const char*>(&value), sizeof value);
}

template <class T>
T take(std::string_view& from) {
  T value;
  std::memcpy(&value, from.data(), sizeof value);
  from.remove_prefix(sizeof value);
  return value;
}

/// Throws where the folder has the checkpoint of another fit.
void check_same(const std::string& folder, const Json& identity) {
  const Json there = Json::parse(bytes_of_file(record_of(folder)), nullptr, false);
  if (there.is_discarded())
    system_failure("{} is damaged: delete the folder {} and fit anew", record_of(folder), folder);
  if (const std::string words = difference(there, identity); !words.empty())
    bad_input("{} is the checkpoint of another fit: {}; give what it was begun with, or delete the folder",
              folder, words);
}

}  // namespace

class CheckpointFolder::Phase final : public train::StateStore {
 public:
  Phase(CheckpointFolder& folder, std::string name) : folder_(folder), name_(std::move(name)) {}

  std::optional<train::KeptState> load(std::uint32_t network) override {
    const std::string file = folder_.file_of(name_, network);
    if (!folder_.settings_.resume || !fs::exists(file)) return std::nullopt;
    return folder_.read(file);
  }

  bool due(std::chrono::steady_clock::time_point last) const override { return folder_.due(last); }

  void save(std::uint32_t network, train::NetworkStage stage, std::vector<std::byte> bytes) override {
    folder_.save(folder_.file_of(name_, network), stage, bytes);
  }

 private:
  CheckpointFolder& folder_;
  std::string name_;
};

CheckpointFolder::CheckpointFolder(Checkpoint settings, Json identity)
    : settings_(std::move(settings)), identity_(std::move(identity)), print_(print_of(identity_.dump())) {
  settings_.resume = settings_.resume && has_checkpoint(settings_.folder);
  if (settings_.resume) check_same(settings_.folder, identity_);
}

std::unique_ptr<train::StateStore> CheckpointFolder::phase(const std::string& name) {
  return std::make_unique<Phase>(*this, name);
}

std::string CheckpointFolder::file_of(const std::string& phase, std::uint32_t network) const {
  return (fs::path(settings_.folder) / fmt::format("{}-{}-{:016x}{}", phase, network + 1, print_, kStateEnd))
      .string();
}

bool CheckpointFolder::due(std::chrono::steady_clock::time_point last) const {
  return std::chrono::steady_clock::now() - last >= std::chrono::duration<double>(settings_.seconds);
}

/// Mark, fit, stage, data, checksum of all before.
std::string CheckpointFolder::stored(train::NetworkStage stage, const std::vector<std::byte>& bytes) const {
  std::string text(kMark);
  add(text, print_);
  add(text, stage);
  text.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  add(text, print_of(text));
  return text;
}

train::KeptState CheckpointFolder::read(const std::string& file) const {
  const std::string text = bytes_of_file(file);
  std::string_view rest = text;
  constexpr std::size_t kAround = sizeof(std::uint64_t);
  const bool long_enough = rest.size() >= kMark.size() + kAround + sizeof(train::NetworkStage) + kAround;
  std::string_view end = long_enough ? rest.substr(rest.size() - kAround) : rest;
  if (!long_enough || !rest.starts_with(kMark) ||
      take<std::uint64_t>(end) != print_of(rest.substr(0, rest.size() - kAround)))
    system_failure("{} is damaged: delete it, and --resume trains this network anew", file);
  rest.remove_prefix(kMark.size() + kAround);  // the name of the file has said what fit it is of
  rest.remove_suffix(kAround);
  const auto stage = take<train::NetworkStage>(rest);
  const auto* first = reinterpret_cast<const std::byte*>(rest.data());
  return {stage, {first, first + rest.size()}};
}

void CheckpointFolder::save(const std::string& file, train::NetworkStage stage,
                            const std::vector<std::byte>& bytes) {
  const std::lock_guard hold(lock_);
  waiting_.push_back({file, stored(stage, bytes)});
  if (!begun_ && stage == train::NetworkStage::kFinished && !due(started_)) return;
  try {
    begin();
    for (; !waiting_.empty(); waiting_.pop_back())
      write_atomically(waiting_.back().file, [&](std::ostream& out) { out << waiting_.back().bytes; });
  } catch (const std::exception& error) {
    // What is finished is tried again with the next; what is under way will have gone on by then.
    if (stage == train::NetworkStage::kUnderWay)
      std::erase_if(waiting_, [&](const Waiting& one) { return one.file == file; });
    if (settings_.failed) settings_.failed(error.what());
  }
}

void CheckpointFolder::begin() {
  if (begun_) return;
  fs::create_directories(settings_.folder);
  const std::string own = fmt::format("-{:016x}{}", print_, kStateEnd);
  for (const auto& entry : fs::directory_iterator(settings_.folder))
    if (const std::string name = entry.path().filename().string();
        name.ends_with(kStateEnd) && !name.ends_with(own))
      fs::remove(entry.path());
  write_atomically(record_of(settings_.folder), [&](std::ostream& out) { out << identity_.dump(1) << "\n"; });
  begun_ = true;
}

std::unique_ptr<CheckpointFolder> open_checkpoint(const Checkpoint& settings, const Options& options,
                                                  const Roles& roles, const Plan& plan,
                                                  const train::TrainingRows& rows) {
  if (settings.folder.empty()) return nullptr;
  if (options.time_limit > 0)
    bad_input(
        "a fit with a time limit ({} s) cannot be kept in a checkpoint: its result depends on the clock",
        options.time_limit);
  return std::make_unique<CheckpointFolder>(settings, fit_identity(options, roles, plan, rows));
}

}  // namespace mirrorball::model

namespace mirrorball {

bool has_checkpoint(const std::string& folder) {
  std::error_code unknown;
  return std::filesystem::is_regular_file(model::record_of(folder), unknown);
}

void remove_checkpoint(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  fs::remove(model::record_of(folder), ignored);
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.path().filename().string().ends_with(model::kStateEnd)) fs::remove(entry.path(), ignored);
  fs::remove(folder, ignored);  // where nothing else is in it
}

}  // namespace mirrorball
