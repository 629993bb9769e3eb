// The nodes that stand in an outer node or loop, and in each other, as share_rows.h looks at them.
#pragma once

#include <vector>

#include "lang/passes/fuse/row_arrays.h"

namespace halo::passes {

class RowNest {
 public:
  // Arrays for common code go to `out`, in front of the outer node.
  RowNest(core::Program& program, const RowSurroundings& surroundings, std::vector<core::Stm>& out)
      : program_(program), surroundings_(surroundings), out_(out) {}

  // Names that the outer node binds.
  void bind(const std::vector<core::ValueId>& values);
  // Of a statement that has left it.
  void unbind(const std::vector<core::ValueId>& values);
  bool varies(const core::Stm& stm) const;
  RowNames& names() { return names_; }

  // A node inside, and those in it.
  void enter(core::Stm& stm);

 private:
  void shareLast();

  core::Program& program_;
  const RowSurroundings& surroundings_;
  std::vector<core::Stm>& out_;
  RowNames names_;
  Levels levels_;
};

}  // namespace halo::passes
