// Source files and byte-offset spans. Line and column are computed when something is shown.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "lang/base/containers/store.h"
#include "lang/base/id.h"

namespace halo::source {

using FileId = base::Id<struct FileTag>;

// Half-open range of bytes [begin, end) of one file. A span without a file marks nothing.
struct Span {
  FileId file;
  uint32_t begin = 0;
  uint32_t end = 0;

  friend bool operator==(const Span&, const Span&) = default;
};

// From the start of `first` to the end of `last`; both in one file.
Span join(Span first, Span last);
bool isWithin(Span inner, Span outer);

struct LineColumn {
  uint32_t line = 1;    // 1-based
  uint32_t column = 1;  // 1-based, in bytes
};

struct File {
  std::string name;  // as shown to the user
  std::string text;
  std::vector<uint32_t> line_starts;
};

// Owns every text that a span may point into: programs, prelude, command-line arguments, IR dumps.
// A copy shares the texts so far.
class Files {
 public:
  FileId add(std::string name, std::string text);
  const File& operator[](FileId id) const { return *files_[id]; }
  bool contains(FileId id) const { return id.index < files_.size(); }
  LineColumn locate(FileId id, uint32_t offset) const;
  std::string_view line(FileId id, uint32_t line) const;  // without its line end
  std::string_view text(Span span) const;

 private:
  base::Store<std::shared_ptr<const File>, FileId> files_;
};

}  // namespace halo::source
