#pragma once

#include <cstddef>

/// What passes between the program and the library of the MPI group, which is loaded while the program runs:
/// plain C, so that neither needs the other to be built.
extern "C" {

/// Bytes for another process, or room for those of one.
struct MirrorballMpiMessage {
  std::size_t process;
  void* bytes;
  std::size_t count;
};

struct MirrorballMpi {
  std::size_t rank, size;
  /// Sends and receives so many messages; returns when all are through.
  void (*exchange)(const MirrorballMpiMessage* out, std::size_t sent, const MirrorballMpiMessage* in,
                   std::size_t awaited);
  void (*leave)();            ///< the last call
  void (*end_all)(int code);  ///< ends all processes at once; does not return
};

/// Joins the processes that were started together; null where MPI refuses.
using MirrorballMpiJoin = const MirrorballMpi* (*)();
}

inline constexpr const char* kMirrorballMpiJoin =
    "mirrorball_mpi_join_2";  // the number changes with the struct
