#include "lang/ad/element_reads.h"

#include <algorithm>

#include "lang/core/visit.h"

namespace halo::ad {

namespace {

constexpr int64_t kShortRow = 32;

struct Reads {
  bool chosen = false;  // an element whose index is no literal
  bool others = false;  // the row as a whole
};

// A map alone, whose inputs can be read by position.
bool isPlainMap(const core::Screma& node) {
  return node.reductions.empty() && node.scans.empty() && node.flattening == core::Flattening{};
}

void findReads(const Program& program, const Body& body, ValueId row, Reads& reads);

void findReads(const Program& program, const Stm& stm, ValueId row, Reads& reads) {
  if (const auto* index = std::get_if<core::Index>(&stm.expr); index && index->array == row) {
    reads.chosen = reads.chosen || std::any_of(index->indices.begin(), index->indices.end(),
                                               [](const Operand& i) { return !i.isConstant(); });
    return;
  }
  const auto* map = std::get_if<core::Screma>(&stm.expr);
  if (map != nullptr && isPlainMap(*map)) {
    for (size_t i = 0; i < map->inputs.size(); ++i) {
      if (map->inputs[i] != row) continue;
      const ValueId inner = map->map.params[i];
      if (program.type(inner).isScalar()) reads.others = true;
      findReads(program, map->map.body, inner, reads);
    }
  } else {
    core::visitUses(stm.expr, [&](const auto& used) {
      if (Operand(used) == Operand(row)) reads.others = true;
    });
  }
  core::visitBodies(stm.expr, [&](const Body& body) { findReads(program, body, row, reads); });
}

void findReads(const Program& program, const Body& body, ValueId row, Reads& reads) {
  for (const Stm& stm : body.stms) findReads(program, stm, row, reads);
  if (std::count(body.results.begin(), body.results.end(), Operand(row)) > 0) reads.others = true;
}

class ElementReader {
 public:
  ElementReader(Program& program, ValueId array) : program_(program), array_(array) {}

  void read(Body& body, ValueId row, const Operands& at) {
    std::vector<Stm> stms = std::exchange(body.stms, {});
    for (Stm& stm : stms) {
      auto* index = std::get_if<core::Index>(&stm.expr);
      auto* map = std::get_if<core::Screma>(&stm.expr);
      if (index != nullptr && index->array == row) {
        index->array = array_;
        index->indices.insert(index->indices.begin(), at.begin(), at.end());
      } else if (map != nullptr) {
        readMap(body, *map, row, at);
      }
      core::visitBodies(stm.expr, [&](Body& inner) { read(inner, row, at); });
      body.stms.push_back(std::move(stm));
    }
  }

 private:
  // A map over the row's rows; `around` gets the positions.
  void readMap(Body& around, core::Screma& map, ValueId row, const Operands& at) {
    for (size_t i = 0; i < map.inputs.size(); ++i) {
      if (map.inputs[i] != row) continue;
      Emitter e(program_);
      map.inputs[i] = e.iota(map.width);
      for (Stm& stm : e.take({}).stms) around.stms.push_back(std::move(stm));
      const ValueId position = program_.add("p", {ScalarType::kI64, {}});
      const ValueId inner = std::exchange(map.map.params[i], position);
      Operands inside = at;
      inside.push_back(position);
      read(map.map.body, inner, inside);
    }
  }

  Program& program_;
  ValueId array_;
};

}  // namespace

bool readsElements(const Program& program, const Lambda& lambda, ValueId row) {
  const Type& type = program.type(row);
  if (type.isScalar()) return false;
  Reads reads;
  findReads(program, lambda.body, row, reads);
  return !reads.others && (reads.chosen || !core::hasAtMost(type.shape, kShortRow));
}

void readElements(Program& program, Lambda& lambda, ValueId row, ValueId array,
                  const Operand& position) {
  ElementReader(program, array).read(lambda.body, row, {position});
}

}  // namespace halo::ad
