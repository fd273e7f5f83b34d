#pragma once

#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "group/group.h"

namespace mirrorball::group {

/// What a process throws when the failure is another's to tell.
struct FailedElsewhere : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Throws in all processes where `failure` is not empty in one: in process 0 what happened, in the others
/// FailedElsewhere. `own` is the exception of this process, if it has one.
void agree(const Group& group, const std::string& failure, std::exception_ptr own = {});

/// What happens alike in all processes of a group, of which there may be more: the first tells it.
[[noreturn]] void fail_alike(const Group& group, const std::string& failure);

/// Whether something is so in any of the processes.
bool any_of(const Group& group, bool own);

/// Throws in all processes where `text` is not the same in all; `what` they differ in.
void check_same(const Group& group, const std::string& text, const std::string& what);

/// Whether a failure of this process was such a one, so that the others know of it.
bool failed_together();

/// Runs body() in every process; if it fails in one, all fail, with one message between them.
template <class Body>
auto together(const Group& group, const Body& body) {
  if (group.size() == 1) return body();
  std::optional<decltype(body())> made;
  std::string failure;
  std::exception_ptr own;
  try {
    made.emplace(body());
  } catch (const std::exception& error) {
    failure = error.what();
    own = std::current_exception();
  }
  agree(group, failure, own);
  return std::move(*made);
}

}  // namespace mirrorball::group
