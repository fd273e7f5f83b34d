#include <mpi.h>

#include <algorithm>
#include <vector>

#include "group/mpi/door.h"

namespace {

/// MPI counts in ints: longer messages go in parts, which keep their order.
constexpr std::size_t kMostBytes = std::size_t{1} << 30;
constexpr int kTag = 0;

/// Calls begin(part, its bytes, process) for each part of a message.
template <class Begin>
void for_parts(const MirrorballMpiMessage& message, const Begin& begin) {
  for (std::size_t done = 0; done < message.count; done += kMostBytes)
    begin(static_cast<char*>(message.bytes) + done,
          static_cast<int>(std::min(message.count - done, kMostBytes)), static_cast<int>(message.process));
}

void exchange(const MirrorballMpiMessage* out, std::size_t sent, const MirrorballMpiMessage* in,
              std::size_t awaited) {
  std::vector<MPI_Request> requests;
  for (std::size_t i = 0; i < awaited; ++i)
    for_parts(in[i], [&](void* part, int count, int from) {
      MPI_Irecv(part, count, MPI_BYTE, from, kTag, MPI_COMM_WORLD, &requests.emplace_back());
    });
  for (std::size_t i = 0; i < sent; ++i)
    for_parts(out[i], [&](const void* part, int count, int to) {
      MPI_Isend(part, count, MPI_BYTE, to, kTag, MPI_COMM_WORLD, &requests.emplace_back());
    });
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
}

void leave() {
  int over = 0;
  MPI_Finalized(&over);
  if (!over) MPI_Finalize();
}

void end_all(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

}  // namespace

extern "C" __attribute__((visibility("default"))) const MirrorballMpi* mirrorball_mpi_join_2() {
  int level = MPI_THREAD_SERIALIZED, ready = 0;
  MPI_Initialized(&ready);
  // Networks train on threads of their own, one of which speaks to other processes at a time.
  if (!ready && (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &level) != MPI_SUCCESS ||
                 level < MPI_THREAD_SERIALIZED))
    return nullptr;
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  static MirrorballMpi door;
  door = {static_cast<std::size_t>(rank), static_cast<std::size_t>(size), exchange, leave, end_all};
  return &door;
}
