#include "gpu/templates/stencil/stencil_space_planes.h"

#include <algorithm>

#include "gpu/templates/kernel/conditions.h"
#include "gpu/templates/kernel/lanes.h"

namespace halo::gpu {

using namespace imp;

SpacePlanes::SpacePlanes(Stream& stream, const SpaceStreamSchedule& schedule)
    : stream_(stream), shape_(schedule), code_(stream.code) {
  findUses();
}

void SpacePlanes::findUses() {
  const size_t versions = stream_.unrolled.versions.size();
  oldest_.assign(versions, -1);
  oldest_around_.assign(versions, 0);
  for (const Instance& instance : stream_.unrolled.instances) {
    for (size_t w = 0; w < instance.windows.size(); ++w) {
      if (instance.windows[w] < 0) continue;
      const auto v = static_cast<size_t>(instance.windows[w]);
      for (const std::vector<int64_t>& offset : instance.stage->windows[w].offsets) {
        // At the first plane the cell's own plane stands for the one before.
        const int64_t ago = std::max(stream_.age(instance, instance.windows[w], offset[0]),
                                     stream_.age(instance, instance.windows[w], 0));
        oldest_[v] = std::max(oldest_[v], ago);
        if (offset[1] != 0) oldest_around_[v] = std::max(oldest_around_[v], ago);
      }
    }
    for (int input : instance.inputs) {
      if (input < 0) continue;
      int64_t& oldest = oldest_[static_cast<size_t>(input)];
      oldest = std::max(oldest, stream_.age(instance, input, 0));
    }
  }
  for (int64_t oldest : oldest_) stream_.period = std::max(stream_.period, oldest + 1);
}

// ---- variables

std::vector<VarId> SpacePlanes::variables(const char* name, ScalarType type, int64_t count) {
  std::vector<VarId> vars;
  for (int64_t k = 0; k < count; ++k) vars.push_back(stream_.fresh(name, type));
  return vars;
}

void SpacePlanes::declare(const SpaceGrid& grid) {
  grid_ = &grid;
  const int64_t cells = shape_.lines * shape_.vector;
  const size_t versions = stream_.unrolled.versions.size();
  rings_.resize(versions);
  ahead_.resize(versions);
  around_.resize(versions);
  shared_.resize(versions);
  for (size_t v = 0; v < versions; ++v) {
    const Version& version = stream_.unrolled.versions[v];
    if (version.made_by < 0) ahead_[v] = variables("ahead", version.type, cells);
    if (oldest_[v] > 0) rings_[v] = variables("plane", version.type, stream_.period * cells);
    if (oldest_around_[v] == 0) continue;
    const int64_t kept = oldest_around_[v] > 1 ? stream_.period : 1;
    for (int side : {kAbove, kBelow}) {
      around_[v][side] = variables("beside", version.type, kept * shape_.vector);
    }
    const int64_t lines = shape_.subgroups * sharedLines();
    shared_[v] = stream_.scope.shared("lines", version.type, lines * shape_.lanes * shape_.vector);
  }
}

size_t SpacePlanes::slot(int64_t phase, int64_t line, int64_t column) const {
  return static_cast<size_t>(phase * shape_.lines * shape_.vector) + cell(line, column);
}

// Component by component: neighbouring lanes have neighbouring elements.
Operand SpacePlanes::sharedAt(const Operand& subgroup, int64_t line, int64_t column) {
  const Operand lines = code_.add(code_.mul(subgroup, i64(sharedLines())), i64(line));
  const Operand first = code_.mul(lines, i64(shape_.lanes * shape_.vector));
  return code_.add(code_.add(first, grid_->lane), i64(column * shape_.lanes));
}

// ---- a phase

void SpacePlanes::beginPhase(int64_t phase) {
  phase_ = phase;
  known_.clear();
  stream_.current.clear();
}

void SpacePlanes::readAround() {
  for (size_t v = 0; v < oldest_around_.size(); ++v) {
    if (oldest_around_[v] > 0) readAround(v);
  }
}

void SpacePlanes::readAround(size_t v) {
  const Operand last = i64(shape_.subgroups - 1);
  const Operand above = code_.max(code_.sub(grid_->subgroup, i64(1)), i64(0));
  const Operand below = code_.min(code_.add(grid_->subgroup, i64(1)), last);
  const int64_t at = oldest_around_[v] > 1 ? stream_.slotOf(phase_, 1) : 0;
  for (int64_t i = 0; i < shape_.vector; ++i) {
    const auto which = static_cast<size_t>(at * shape_.vector + i);
    const Operand first = code_.load(shared_[v], sharedAt(above, sharedLines() - 1, i));
    code_.assign(around_[v][kAbove][which], first);
    const Operand second = code_.load(shared_[v], sharedAt(below, 0, i));
    code_.assign(around_[v][kBelow][which], second);
  }
}

Operands SpacePlanes::load(const ArrayRef& source, const Operand& plane) {
  const Operand existing = clampToExtent(code_, plane, grid_->nz);
  const Operand base = code_.mul(existing, grid_->plane);
  Operands values;
  for (const Operand& line : grid_->line_at) {
    const Operands cells = loadVectors(code_, source.buffer, code_.add(base, line), shape_.vector);
    values.insert(values.end(), cells.begin(), cells.end());
  }
  return values;
}

void SpacePlanes::loadAhead(const Operand& plane) {
  stream_.forEachLoaded([&](size_t k, int v) {
    const Operands values = load(stream_.scope.array(stream_.sweep.from[k]), plane);
    for (size_t c = 0; c < values.size(); ++c) {
      code_.assign(ahead_[static_cast<size_t>(v)][c], values[c]);
    }
  });
}

void SpacePlanes::keepLoaded() {
  stream_.forEachLoaded([&](size_t, int v) {
    Operands values;
    for (VarId var : ahead_[static_cast<size_t>(v)]) values.push_back(stream_.now(var));
    keep(v, values);
  });
}

void SpacePlanes::keep(int v, const Operands& values) {
  const auto at = static_cast<size_t>(v);
  stream_.current[v] = values;
  if (oldest_[at] > 0) {
    for (size_t c = 0; c < values.size(); ++c) {
      code_.assign(rings_[at][slot(phase_, 0, 0) + c], values[c]);
    }
  }
  if (oldest_around_[at] == 0) return;
  for (int64_t line = 0; line < sharedLines(); ++line) {
    const int64_t own = line == 0 ? 0 : shape_.lines - 1;
    for (int64_t i = 0; i < shape_.vector; ++i) {
      code_.store(shared_[at], sharedAt(grid_->subgroup, line, i), values[cell(own, i)]);
    }
  }
}

// ---- cells

Operand SpacePlanes::cellAt(int v, int64_t planes_ago, int64_t line, int64_t column) {
  const auto at = static_cast<size_t>(v);
  const int64_t in_ring = stream_.slotOf(phase_, planes_ago);
  if (line >= 0 && line < shape_.lines) {
    if (planes_ago == 0) return stream_.current.at(v)[cell(line, column)];
    return Operand(rings_[at][slot(in_ring, line, column)]);
  }
  const int64_t kept = oldest_around_[at] > 1 ? in_ring : 0;
  return Operand(
      around_[at][line < 0 ? kAbove : kBelow][static_cast<size_t>(kept * shape_.vector + column)]);
}

Operand SpacePlanes::shuffled(int v, int64_t planes_ago, int64_t line, int64_t by) {
  auto [found, is_new] = known_.try_emplace({v, planes_ago, line, by});
  if (!is_new) return found->second;
  const Operand mine = cellAt(v, planes_ago, line, by < 0 ? shape_.vector - 1 : 0);
  return found->second = code_.let("beside", stream_.version(v).type,
                                   Shuffle{by < 0 ? ShuffleKind::kUp : ShuffleKind::kDown, mine,
                                           Scalar::ofUnsigned(ScalarType::kU32, 1)});
}

void SpacePlanes::shuffleAll(const Instance& instance) {
  for (size_t w = 0; w < instance.windows.size(); ++w) {
    const int v = instance.windows[w];
    for (const std::vector<int64_t>& offset : instance.stage->windows[w].offsets) {
      if (v < 0 || offset[2] == 0) continue;
      for (int64_t at : {int64_t{0}, offset[0]}) {
        const int64_t ago = stream_.age(instance, v, at);
        for (int64_t l = 0; l < shape_.lines; ++l) {
          shuffled(v, ago, l, offset[2]);
          if (offset[1] != 0) shuffled(v, ago, l + offset[1], offset[2]);
        }
      }
    }
  }
}

}  // namespace halo::gpu
