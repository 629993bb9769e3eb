// Values of a nest's cells as arrays of the host that hold them for all cells: their names, their
// nests, and copies where a statement consumes one.
#pragma once

#include <unordered_map>
#include <vector>

#include "gpu/plan/nests/levels.h"

namespace halo::gpu {

class ExpandedCells {
 public:
  // `cheap`: code of the cell that nests compute again where they need it. `span`: of the nest.
  // Statements are appended to `host`.
  ExpandedCells(core::Program& program, const Levels& levels, std::vector<core::Stm> cheap,
                core::Span span, std::vector<core::Stm>& host)
      : program_(program), levels_(levels), cheap_(std::move(cheap)), span_(span), host_(host) {}

  // The nest's own result `result` holds this value.
  void name(core::ValueId value, core::ValueId result) { names_[value] = result; }
  bool isNamed(core::ValueId value) const { return names_.contains(value); }
  core::ValueId resultOf(core::ValueId value) const { return names_.at(value); }
  // That result, or a new name.
  core::ValueId nameOf(core::ValueId value);

  bool has(core::ValueId value) const { return expanded_.contains(value); }
  void expand(core::ValueId value, core::ValueId whole) { expanded_[value] = whole; }
  const Expanded& all() const { return expanded_; }
  // Cheap statements whose results have no array.
  std::vector<core::Stm> cheapCode() const;

  void append(core::Stm stm) { host_.push_back(std::move(stm)); }
  // A nest over all cells with this body; its results get names of the host.
  void addNest(core::Body body, const std::vector<core::ValueId>& values, core::Span span);
  // The same with the cheap code that the body needs, for results with names.
  void addNamed(core::Body body, std::vector<core::ValueId> names);

  // An array of the host with this value of all cells; `fresh`: the caller consumes it.
  core::ValueId arrayOf(const core::Operand& operand, bool fresh);
  void copyAll(core::ValueId array, core::ValueId value);

 private:
  core::ValueId wholeOf(core::ValueId array) const;
  void element(core::ValueId array, core::ValueId value);
  core::ValueId copyOf(core::ValueId whole);

  core::Program& program_;
  const Levels& levels_;
  std::vector<core::Stm> cheap_;
  core::Span span_;
  std::vector<core::Stm>& host_;
  std::unordered_map<core::ValueId, core::ValueId> names_;  // of the nest's results
  Expanded expanded_;
};

}  // namespace halo::gpu
