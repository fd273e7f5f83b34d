#include "group/group.h"

namespace mirrorball::group {
namespace {

class OneProcess : public Group {
 public:
  std::size_t rank() const override { return 0; }
  std::size_t size() const override { return 1; }
  void broadcast(std::vector<std::byte>&, std::size_t) const override {}
  std::vector<std::vector<std::byte>> gather(std::vector<std::byte> own) const override {
    return {std::move(own)};
  }
  void sum(std::span<float>) const override {}
};

}  // namespace

const Group& one_process() {
  static const OneProcess alone;
  return alone;
}

namespace {

const Group*& current() {
  static const Group* group = &one_process();
  return group;
}

}  // namespace

const Group& default_group() { return *current(); }
void set_default_group(const Group& group) { current() = &group; }

}  // namespace mirrorball::group
