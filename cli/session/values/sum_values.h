// Arguments as Halo expressions, where their type has a sum in it or a tuple or record stands in
// brackets: `#foo 1 [2, 3]`, `[#a, #b (1, 2)]`, `{x = #none, y = 3}`; printed values look so.
#pragma once

#include <vector>

#include "cli/session/session.h"

namespace halo::session {

bool hasSum(const types::Program& program, types::TypeId type);

// The leaves of all values read so far. Slots that a constructor does not use get sizes only once
// all arguments are known: `finish` does that.
class SumReader {
 public:
  SumReader(const source::Files& files, source::FileId file, const types::Program& program)
      : files_(files), file_(file), program_(program) {}

  // Reads one value at *offset and moves it behind; numbers without a suffix take the type wanted.
  diag::Result<std::monostate> read(types::TypeId type, uint32_t* offset);
  // A leaf that was read elsewhere.
  void add(value::Value leaf, const types::Leaf& type);
  diag::Result<std::vector<value::Value>> finish();

 private:
  // An array is a list of elements until its shape is known. No value: a slot that is not used.
  struct Node {
    std::optional<value::Value> value;
    std::vector<Node> elements;
    bool is_list = false;
  };
  using Nodes = std::vector<Node>;
  using Read = diag::Result<Nodes>;

  Read nodesOf(types::TypeId type, int depth);
  Read sum(const types::SumType& type, int depth);
  Read record(const types::RecordType& type, int depth);
  diag::Result<size_t> fieldName(const types::RecordType& type,
                                 const std::vector<std::optional<Nodes>>& parts);
  static std::string missingField(const types::RecordType& type,
                                  const std::vector<std::optional<Nodes>>& parts);
  Read array(const types::ArrayType& type, int depth);
  Read leaf(types::TypeId type);
  void skipSpace();
  bool take(char c);
  std::string name();
  diag::Failure fail(const std::string& message) const;

  void learn(const Node& node, const std::vector<types::SizeId>& shape, size_t axis);
  int64_t sizeOf(types::SizeId size) const;
  bool fill(const Node& node, value::Array& array, size_t axis, int64_t* at) const;

  const source::Files& files_;
  source::FileId file_;
  const types::Program& program_;
  size_t at_ = 0;
  Nodes nodes_;
  std::vector<types::Leaf> types_;
  std::vector<std::pair<types::BinderId, int64_t>> sizes_;
};

}  // namespace halo::session
