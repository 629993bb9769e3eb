// The rows of a result, distributed over the ranks: gathered on the first rank, or written by all
// ranks to one .npy file.
//
//   rank 0    creates x.npy.part with the header and its whole length
//   all       open it, and write their rows at their places
//   rank 0    renames it to x.npy, once all have written; else removes it
//
// Hosts that do not see the file leave it to the first rank.
#pragma once

#include <string>
#include <vector>

#include "lang/ranks/ranks.h"
#include "lang/value/value.h"

namespace halo::distributed {

// What becomes of results: of a command that uses them on the first rank alone.
struct ResultPlace {
  std::string file;         // of the first result, if it is one for rows (isForRows); else empty
  bool is_written = false;  // by all ranks
};
bool isForRows(const std::string& path);

// Rows [first, ..) of n are this rank's.
struct ResultRows {
  value::Array own;
  int64_t first = 0, n = 0;
};

class ResultFile {
 public:
  ResultFile(ranks::Ranks& ranks, std::string path) : ranks_(ranks), path_(std::move(path)) {}

  enum class End { kWritten, kNotShared, kFailed, kLost };
  // Collective; rows are dense on the host.
  End write(const ResultRows& rows);
  std::string problem() const;  // of kFailed, on every rank

 private:
  int open(bool has_name);
  int create(const ResultRows& rows, bool has_name);
  bool seesFile();
  int writeRows(const ResultRows& rows) const;
  int finish(bool keeps);
  int nameIt() const;
  int64_t agreed(int64_t number);
  std::string part() const { return path_ + ".part"; }
  bool hasName() const { return place_ == part(); }

  ranks::Ranks& ranks_;
  std::string path_;
  std::string place_;  // where ranks of this machine open the file
  size_t header_ = 0;
  int file_ = -1;
  int error_ = 0;
  bool is_lost_ = false;
};

// All rows to `all` of the first rank; `bytes` of each rank.
ranks::Result<bool> gatherOnFirst(ranks::Ranks& ranks, const ResultRows& rows,
                                  const std::vector<uint64_t>& bytes, const value::Array& all);

}  // namespace halo::distributed
