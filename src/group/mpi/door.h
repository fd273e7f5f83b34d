#pragma once

#include <cstddef>

/// What passes between the program and the library of the MPI group, which is loaded while the program runs:
/// plain C, so that neither needs the other to be built.
extern "C" {

/// Every call is one that all processes make in the same order.
struct MirrorballMpi {
  std::size_t rank, size;
  /// Fills `bytes` everywhere with those of `root`; all give the same number.
  void (*broadcast)(void* bytes, std::size_t count, std::size_t root);
  /// counts[r] <- the number that process r gives.
  void (*counts)(std::size_t own, std::size_t* counts);
  /// all <- the bytes of all processes one after the other, counts[r] of them of process r.
  void (*gather)(const void* own, const std::size_t* counts, void* all);
  void (*leave)();            ///< the last call
  void (*end_all)(int code);  ///< ends all processes at once; does not return
};

/// Joins the processes that were started together; null where MPI refuses.
using MirrorballMpiJoin = const MirrorballMpi* (*)();
}

inline constexpr const char* kMirrorballMpiJoin =
    "mirrorball_mpi_join_1";  // the number changes with the struct
