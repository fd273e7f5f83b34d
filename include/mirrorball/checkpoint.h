#pragma once

#include <functional>
#include <string>

namespace mirrorball {

/// How a long fit is kept on disk while it runs, so that another process can go on with it.
struct Checkpoint {
  std::string folder;    ///< where; made when it is first needed. Empty: nowhere
  double seconds = 120;  ///< each network is kept when so much time has passed since it was kept last
  /// Goes on from what is in the folder and gives the model that a fit without a break gives, byte for byte
  /// (on a machine of the same CPU level). Starts at the beginning where the folder has no checkpoint, and
  /// throws where it has one of another table, other options or another version.
  bool resume = false;
  /// Called when a checkpoint could not be written, which does not end the fit. On any thread.
  std::function<void(const std::string& reason)> failed = {};
};

/// Whether the folder has a checkpoint to go on from.
bool has_checkpoint(const std::string& folder);

/// Removes a checkpoint, and nothing else that lies in the folder.
void remove_checkpoint(const std::string& folder);

}  // namespace mirrorball
