#include <mpi.h>

#include <algorithm>
#include <vector>

#include "group/mpi/door.h"

namespace {

/// MPI counts in ints: longer messages go in parts.
constexpr std::size_t kMostBytes = std::size_t{1} << 30;

void broadcast(void* bytes, std::size_t count, std::size_t root) {
  auto* at = static_cast<char*>(bytes);
  for (std::size_t done = 0; done < count;) {
    const std::size_t some = std::min(count - done, kMostBytes);
    MPI_Bcast(at + done, static_cast<int>(some), MPI_BYTE, static_cast<int>(root), MPI_COMM_WORLD);
    done += some;
  }
}

void counts(std::size_t own, std::size_t* all) {
  MPI_Allgather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, MPI_COMM_WORLD);
}

/// One process after the other gives its bytes to all: their sum may be more than MPI counts.
void gather(const void* own, const std::size_t* each, void* all) {
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  auto* at = static_cast<char*>(all);
  for (int root = 0; root < size; at += each[root++]) {
    if (root == rank) std::copy_n(static_cast<const char*>(own), each[root], at);
    broadcast(at, each[root], static_cast<std::size_t>(root));
  }
}

void leave() {
  int over = 0;
  MPI_Finalized(&over);
  if (!over) MPI_Finalize();
}

void end_all(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

}  // namespace

extern "C" __attribute__((visibility("default"))) const MirrorballMpi* mirrorball_mpi_join_1() {
  int level = 0, ready = 0;
  MPI_Initialized(&ready);
  // The networks train on threads, but only one of them speaks to other processes.
  if (!ready && MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS) return nullptr;
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  static MirrorballMpi door;
  door = {static_cast<std::size_t>(rank),
          static_cast<std::size_t>(size),
          broadcast,
          counts,
          gather,
          leave,
          end_all};
  return &door;
}
