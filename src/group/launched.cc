#include "group/launched.h"

#include <dlfcn.h>

#include <charconv>
#include <chrono>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/plugin.h"
#include "group/mpi/door.h"

namespace mirrorball::group {
namespace {

constexpr const char* kLibrary = "libmirrorball_mpi.so";

class MpiGroup final : public Group {
 public:
  explicit MpiGroup(const MirrorballMpi& door) : door_(door) {}

  std::size_t rank() const override { return door_.rank; }
  std::size_t size() const override { return door_.size; }

  void exchange(std::span<const Outgoing> out, std::span<const Incoming> in) const override {
    const auto begin = std::chrono::steady_clock::now();
    std::vector<MirrorballMpiMessage> sent, awaited;
    for (const Outgoing& one : out)  // which are not written to
      sent.push_back({one.to, const_cast<std::byte*>(one.bytes.data()), one.bytes.size()});
    for (const Incoming& one : in) awaited.push_back({one.from, one.bytes.data(), one.bytes.size()});
    door_.exchange(sent.data(), sent.size(), awaited.data(), awaited.size());
    waited_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  double waited() const override { return waited_; }
  void end_all(int code) const override { door_.end_all(code); }
  void leave() const { door_.leave(); }

 private:
  const MirrorballMpi& door_;
  mutable double waited_ = 0;
};

std::unique_ptr<MpiGroup>& joined() {
  static std::unique_ptr<MpiGroup> group;
  return group;
}

/// How many processes a launcher started; 1 where there was none. Open MPI, then MPICH and its kin.
std::size_t processes_started() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE"})
    if (const char* text = std::getenv(name)) {
      std::size_t count = 1;
      const std::string_view word = text;
      std::from_chars(word.data(), word.data() + word.size(), count);
      return count;
    }
  return 1;
}

const MirrorballMpi& open_door(std::size_t processes) {
  const std::string path = plugin_path(kLibrary);
  if (path.empty())
    bad_input(
        "this is one of {} processes that were started together, but the program was built without MPI: "
        "install libopenmpi-dev and build it again, or start one process",
        processes);
  // MPI loads parts of its own that look for its names among those of the program.
  void* library = dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
  if (!library) system_failure("cannot load {}: {}", path, dlerror());
  const auto join = reinterpret_cast<MirrorballMpiJoin>(dlsym(library, kMirrorballMpiJoin));
  if (!join) system_failure("{} is of another version of Mirrorball: build it again", path);
  const MirrorballMpi* door = join();
  if (!door) system_failure("MPI could not be started");
  return *door;
}

}  // namespace

const Group& join_launched() {
  const std::size_t processes = processes_started();
  if (processes > 1 && !joined()) {
    joined() = std::make_unique<MpiGroup>(open_door(processes));
    set_default_group(*joined());
  }
  return default_group();
}

void leave_launched() {
  if (!joined()) return;
  joined()->leave();
  set_default_group(one_process());
  joined().reset();
}

}  // namespace mirrorball::group
