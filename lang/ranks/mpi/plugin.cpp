// Messages by MPI, as a plug-in: the only file that sees mpi.h. Built once for each MPI that is
// installed, opened at run time when its launcher has started the process.
//
// No call blocks. Requests are tested, and between tests the core is given away, because MPICH
// spins for a rank that has no core to run on.
#define OMPI_SKIP_MPICXX 1  // the C functions only
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <vector>

#include "lang/ranks/ranks.h"

namespace {

constexpr uint64_t kPiece = uint64_t{1} << 30;  // counts of MPI are ints
constexpr int kSpins = 1000;
constexpr int kYields = 10000;
constexpr int kNap = 50;        // microseconds
constexpr int kGrace = 300000;  // microseconds for a message of rank 0 on its way
constexpr int kTag = 1;

struct Job {
  int rank = 0, count = 1;
};
double wait_limit = 0;  // seconds; 0: any time

int32_t wait(std::vector<MPI_Request>& requests) {
  const auto start = std::chrono::steady_clock::now();
  for (int tries = 0;; ++tries) {
    int done = 0;
    const int status =
        MPI_Testall(static_cast<int>(requests.size()), requests.data(), &done, MPI_STATUSES_IGNORE);
    if (status != MPI_SUCCESS) return 1;
    if (done != 0) return 0;
    if (tries > kSpins + kYields) {
      const std::chrono::duration<double> waited = std::chrono::steady_clock::now() - start;
      if (wait_limit > 0 && waited.count() > wait_limit) return kHaloOverdue - 1;
      usleep(kNap);
    } else if (tries > kSpins) {
      sched_yield();
    }
  }
}

int pieces(uint64_t bytes, uint64_t at) { return static_cast<int>(std::min(bytes - at, kPiece)); }

// A message in pieces; an empty one is no message.
template <typename Start>
bool start(std::vector<MPI_Request>& requests, void* data, uint64_t bytes, Start start) {
  for (uint64_t at = 0; at < bytes; at += kPiece) {
    requests.emplace_back();
    if (start(static_cast<char*>(data) + at, pieces(bytes, at), &requests.back()) != MPI_SUCCESS) {
      return false;
    }
  }
  return true;
}

int32_t exchange(void*, const HaloMessage* out, int32_t outs, const HaloMessage* in, int32_t ins) {
  std::vector<MPI_Request> requests;
  for (int32_t i = 0; i < ins; ++i) {
    const auto receive = [&](char* data, int bytes, MPI_Request* request) {
      return MPI_Irecv(data, bytes, MPI_BYTE, in[i].rank, kTag, MPI_COMM_WORLD, request);
    };
    if (!start(requests, in[i].data, in[i].bytes, receive)) return 1;
  }
  for (int32_t i = 0; i < outs; ++i) {
    const auto send = [&](char* data, int bytes, MPI_Request* request) {
      return MPI_Isend(data, bytes, MPI_BYTE, out[i].rank, kTag, MPI_COMM_WORLD, request);
    };
    if (!start(requests, out[i].data, out[i].bytes, send)) return 1;
  }
  return wait(requests);
}

int32_t broadcast(void*, void* data, uint64_t bytes, int32_t root) {
  std::vector<MPI_Request> requests;
  const auto send = [&](char* piece, int count, MPI_Request* request) {
    return MPI_Ibcast(piece, count, MPI_BYTE, root, MPI_COMM_WORLD, request);
  };
  return start(requests, data, bytes, send) ? wait(requests) : 1;
}

// Small ones in one call, large ones as a broadcast of each rank's.
int32_t gather(void* self, const void* mine, void* all, const uint64_t* bytes,
               const uint64_t* offsets) {
  const Job& job = *static_cast<Job*>(self);
  std::vector<int> counts, places;
  uint64_t end = 0;
  for (int r = 0; r < job.count; ++r) {
    counts.push_back(static_cast<int>(std::min(bytes[r], kPiece)));
    places.push_back(static_cast<int>(std::min(offsets[r], kPiece)));
    end = std::max(end, offsets[r] + bytes[r]);
  }
  if (end <= kPiece) {
    std::vector<MPI_Request> requests(1);
    if (MPI_Iallgatherv(mine, counts[static_cast<size_t>(job.rank)], MPI_BYTE, all, counts.data(),
                        places.data(), MPI_BYTE, MPI_COMM_WORLD, requests.data()) != MPI_SUCCESS) {
      return 1;
    }
    return wait(requests);
  }
  auto* into = static_cast<char*>(all);
  std::copy_n(static_cast<const char*>(mine), bytes[job.rank], into + offsets[job.rank]);
  for (int r = 0; r < job.count; ++r) {
    if (int32_t status = broadcast(self, into + offsets[r], bytes[r], r)) return status;
  }
  return 0;
}

void limit(void*, double seconds) { wait_limit = seconds; }

// The first abort ends all ranks, and the launcher may lose rank 0's last output. The other
// ranks have no voice.
void closeJob(void* self, int32_t status) {
  const bool is_first = static_cast<Job*>(self)->rank == 0;
  delete static_cast<Job*>(self);
  if (status != 0) usleep(is_first ? kGrace : 2 * kGrace);
  if (status != 0) MPI_Abort(MPI_COMM_WORLD, status);
  MPI_Finalize();
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int32_t haloRanksOpen(HaloRanks* carrier) {
  int provided = 0;
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided) != MPI_SUCCESS) return 1;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  auto* job = new Job;
  MPI_Comm_rank(MPI_COMM_WORLD, &job->rank);
  MPI_Comm_size(MPI_COMM_WORLD, &job->count);
  *carrier = {job, job->rank, job->count, gather, exchange, broadcast, limit, nullptr, closeJob};
  return 0;
}
