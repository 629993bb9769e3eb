// Files as a program's user expects them. A written file appears whole or not at all. A file to
// read may be a pipe. A cache's files are our own.
#pragma once

#include <string>
#include <utility>

namespace halo::base {

// Replaces the file by one with these bytes. They are written beside it, reach the disk, and take
// its name, its mode and, where that is granted, its owner. A link stays a link. Pipes, devices and
// files in folders that cannot be written to are written in place. `shared` files are new ones with
// the mode that the umask leaves, others with 0600. Why it failed, or nothing; the old file is
// unharmed then.
enum class NewFile { kShared, kPrivate };
std::string writeFile(const std::string& path, const std::string& bytes,
                      NewFile mode = NewFile::kShared);

// All bytes, or why not. Of more than `most` bytes either nothing or the first `most` + 1. A named
// pipe without a writer is waited for 10 seconds.
struct ReadFile {
  std::string bytes;
  std::string problem;  // empty: all went well
  bool is_missing = false;
};
enum class TooLarge { kProblem, kCut };
ReadFile readFile(const std::string& path, size_t most, TooLarge too_large = TooLarge::kProblem);

// Of a cache: empty unless it is a regular file that belongs to us and that only we may write.
std::string readOwnFile(const std::string& path);

}  // namespace halo::base
