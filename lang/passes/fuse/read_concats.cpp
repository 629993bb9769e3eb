// Inner bodies first. A concatenation stays where it is: it dies with its last reader.
#include "lang/passes/fuse/read_concats.h"

#include <algorithm>
#include <unordered_map>

#include "lang/core/aliases.h"
#include "lang/core/builder.h"
#include "lang/core/definitions.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Builder;
using core::Operand;
using core::Operands;
using core::Program;
using core::Screma;
using core::Stm;
using core::ValueId;
using prim::Op;
using prim::ScalarType;

constexpr size_t kMaxParts = 4;

// The extent of all of an axis.
bool isWholeAxis(const Program& program, const core::Slice& slice, size_t axis) {
  const core::SliceDim& dim = slice.dims[axis];
  return dim.start == core::kZero && dim.stride == core::kOne &&
         dim.length == program.type(slice.array).shape[axis];
}

// Consecutive rows, each of them whole.
bool isRowsOf(const Program& program, const core::Slice& slice) {
  if (slice.dims.empty() || slice.dims[0].stride != core::kOne) return false;
  for (size_t axis = 1; axis < slice.dims.size(); ++axis) {
    if (!isWholeAxis(program, slice, axis)) return false;
  }
  return true;
}

class ConcatReader {
 public:
  explicit ConcatReader(Program& program) : program_(program) {}

  // `is_cell`: of a map.
  void run(Body& body, bool is_cell = false) {
    for (Stm& stm : body.stms) {
      const auto* screma = std::get_if<Screma>(&stm.expr);
      const bool is_map = screma != nullptr && isMap(*screma);
      core::visitBodies(stm.expr, [&](Body& inner) { run(inner, is_map); });
    }
    definitions_ = core::Definitions::of(body);
    read_.clear();
    consumes_ = false;
    for (const Stm& stm : body.stms) {
      consumes_ = consumes_ || !core::consumedBy(program_, stm.expr).empty();
    }
    for (size_t i = 0; i < body.stms.size(); ++i) findReaders(body, i);
    std::vector<Stm> stms;
    const std::vector<Stm> before = body.stms;  // definitions_ points into the body
    for (const Stm& stm : before) {
      Stm copy = stm;
      if (is_cell && isReturnedRow(body, stm)) {
        choose(copy, stms);
      } else if (auto* screma = std::get_if<Screma>(&copy.expr)) {
        for (size_t k = 0; k < screma->inputs.size(); ++k) {
          const auto found = read_.find(screma->inputs[k]);
          if (found != read_.end()) readParts(*screma, k, {}, found->second, stms);
        }
      }
      stms.push_back(std::move(copy));
    }
    body.stms = std::move(stms);
  }

 private:
  // A concatenation, or rows of one.
  struct Source {
    const core::Concat* whole;
    Operand first;  // row of it
  };

  void findReaders(const Body& body, size_t at) {
    const Stm& stm = body.stms[at];
    const auto* concat = std::get_if<core::Concat>(&stm.expr);
    if (concat == nullptr || concat->arrays.size() > kMaxParts) return;
    std::unordered_map<ValueId, Source> sources = {{stm.results[0], {concat, core::kZero}}};
    if (isReadByMaps(body, at, sources)) read_.merge(sources);
  }

  // And nothing from the concatenation to its last reader changes an array. Adds its slices.
  bool isReadByMaps(const Body& body, size_t at, std::unordered_map<ValueId, Source>& sources) {
    const auto isSource = [&](const Operand& operand) {
      return !operand.isConstant() && sources.contains(operand.value);
    };
    const ValueId whole = body.stms[at].results[0];
    size_t last = at;
    for (size_t i = at + 1; i < body.stms.size(); ++i) {
      const Stm& stm = body.stms[i];
      const auto free = core::freeValues(program_, stm);
      if (std::none_of(free.begin(), free.end(), isSource)) continue;
      if (const auto* slice = std::get_if<core::Slice>(&stm.expr)) {
        if (slice->array != whole || stm.checked || !isRowsOf(program_, *slice)) return false;
        sources.insert({stm.results[0], {sources.at(whole).whole, slice->dims[0].start}});
        continue;
      }
      const auto* map = std::get_if<Screma>(&stm.expr);
      if (map == nullptr || !isReadByElements(*map, isSource)) return false;
      last = i;
    }
    if (std::any_of(body.results.begin(), body.results.end(), isSource)) return false;
    for (size_t i = at + 1; i < last; ++i) {
      if (!core::consumedBy(program_, body.stms[i].expr).empty()) return false;
    }
    return last > at;
  }

  // A map, and maps in it where its elements are rows.
  template <class IsSource>
  bool isReadByElements(const Screma& map, const IsSource& isSource) const {
    if (!isMap(map)) return false;
    const auto outside = core::freeValues(program_, map.map);
    if (std::any_of(outside.begin(), outside.end(), isSource)) return false;
    for (size_t k = 0; k < map.inputs.size(); ++k) {
      const ValueId element = map.map.params[k];
      if (isSource(map.inputs[k]) && !isScalarOrReadByElements(map.map.body, element)) return false;
    }
    return true;
  }

  bool isScalarOrReadByElements(const Body& body, ValueId row) const {
    if (program_.type(row).isScalar()) return true;
    const auto isRow = [&](const Operand& operand) { return operand == Operand(row); };
    if (std::any_of(body.results.begin(), body.results.end(), isRow)) return false;
    return std::all_of(body.stms.begin(), body.stms.end(), [&](const Stm& stm) {
      if (!core::freeValues(program_, stm).contains(row)) return true;
      const auto* map = std::get_if<Screma>(&stm.expr);
      return map != nullptr && isReadByElements(*map, isRow);
    });
  }

  // A result of the cell: readers of all rows are joined with maps alone.
  bool isReturnedRow(const Body& body, const Stm& stm) const {
    const auto* concat = std::get_if<core::Concat>(&stm.expr);
    return concat != nullptr && concat->arrays.size() <= kMaxParts &&
           program_.type(stm.results[0]).rank() == 1 &&
           std::find(body.results.begin(), body.results.end(), Operand(stm.results[0])) !=
               body.results.end();
  }

  // A row of parts as a map that chooses each element. `before`: gets statements in front of it.
  void choose(Stm& stm, std::vector<Stm>& before) {
    const core::Concat parts = std::get<core::Concat>(stm.expr);
    Builder outside(program_);
    Screma map;
    map.width = parts.size;
    map.inputs = {outside.bind("positions", {ScalarType::kI64, {map.width}},
                               core::Iota{ScalarType::kI64, map.width, core::kZero, core::kOne})};
    for (Stm& iota : outside.take({}).stms) before.push_back(std::move(iota));
    map.map.params = {program_.add("position", {ScalarType::kI64, {}})};
    map.map.body = elementAt(parts.arrays, 0, {Operand(map.map.params[0])});
    stm.expr = std::move(map);
  }

  // `around`: positions of the maps around this one. `before`: gets statements in front of it.
  void readParts(Screma& screma, size_t k, Operands around, const Source& source,
                 std::vector<Stm>& before) {
    Builder outside(program_);
    screma.inputs[k] =
        outside.bind("positions", {ScalarType::kI64, {screma.width}},
                     core::Iota{ScalarType::kI64, screma.width, core::kZero, core::kOne});
    for (Stm& stm : outside.take({}).stms) before.push_back(std::move(stm));
    const ValueId element = screma.map.params[k];
    const ValueId position = program_.add("position", {ScalarType::kI64, {}});
    screma.map.params[k] = position;
    around.emplace_back(position);
    std::vector<Stm>& body = screma.map.body.stms;
    if (!program_.type(element).isScalar()) return readRows(body, element, around, source);
    Builder code(program_);
    if (source.first != core::kZero) around[0] = code.add(source.first, around[0]);
    Body found = elementAt(source.whole->arrays, 0, std::move(around));
    for (Stm& stm : found.stms) code.append(std::move(stm));
    found.stms = std::move(code.take({}).stms);
    body.insert(body.begin(), found.stms.begin(), found.stms.end());
    core::substitute(program_, screma.map.body, {{element, found.results[0]}});
  }

  void readRows(std::vector<Stm>& stms, ValueId row, const Operands& around, const Source& source) {
    std::vector<Stm> all;
    for (Stm& stm : stms) {
      if (auto* inner = std::get_if<Screma>(&stm.expr)) {
        for (size_t k = 0; k < inner->inputs.size(); ++k) {
          if (inner->inputs[k] == row) readParts(*inner, k, around, source, all);
        }
      }
      all.push_back(std::move(stm));
    }
    stms = std::move(all);
  }

  // The element at these positions behind the parts before part `k`.
  Body elementAt(const std::vector<ValueId>& parts, size_t k, Operands at) {
    Builder code(program_);
    if (k + 1 == parts.size()) return code.take({elementOf(code, parts[k], at)});
    const ScalarType type = program_.type(parts[k]).scalar;
    const Operand length = program_.type(parts[k]).shape[0];
    const Operand is_here = code.prim(Op::kLt, ScalarType::kI64, {at[0], length});
    Builder here(program_);
    const Operand element = elementOf(here, parts[k], at);
    core::Match match{is_here, {{prim::Scalar::ofBool(true), here.take({element})}}, {}};
    Builder behind(program_);
    at[0] = behind.sub(at[0], length);
    Body next = elementAt(parts, k + 1, std::move(at));
    for (Stm& stm : next.stms) behind.append(std::move(stm));
    match.otherwise = behind.take(next.results);
    return code.take({code.bind("element", {type, {}}, std::move(match))});
  }

  Operand elementOf(Builder& code, ValueId part, Operands at) {
    const Stm* maker = definitions_.find(part);
    const auto* literal =
        maker == nullptr ? nullptr : std::get_if<core::ArrayLiteral>(&maker->expr);
    if (literal != nullptr && literal->elements.size() == 1 && isStill(literal->elements[0])) {
      at.erase(at.begin());
      return reread(code, literal->elements[0], std::move(at));
    }
    const auto* fill = maker == nullptr ? nullptr : std::get_if<core::Replicate>(&maker->expr);
    if (fill != nullptr && isStill(fill->value)) {
      at.erase(at.begin(), at.begin() + static_cast<std::ptrdiff_t>(fill->shape.size()));
      return elementIn(code, fill->value, std::move(at));
    }
    const auto* slice = maker == nullptr ? nullptr : std::get_if<core::Slice>(&maker->expr);
    if (slice != nullptr && isRowsOf(program_, *slice)) {
      at[0] = code.add(slice->dims[0].start, at[0]);
      return elementIn(code, slice->array, std::move(at));
    }
    return elementIn(code, part, std::move(at));
  }

  // Whether it is what it was where a fill or a literal copied it.
  bool isStill(const Operand& element) const {
    return !consumes_ || program_.type(element).isScalar();
  }

  // A literal's only element that an array has anyway: the check of its place stays where it was.
  Operand reread(Builder& code, const Operand& element, Operands at) {
    const Stm* maker = definitions_.find(element);
    const auto* index = maker == nullptr ? nullptr : std::get_if<core::Index>(&maker->expr);
    if (index == nullptr || index->indices.size() != 1 || consumes_) {
      return elementIn(code, element, std::move(at));
    }
    at.insert(at.begin(), index->indices[0]);
    return elementIn(code, index->array, std::move(at));
  }

  // `array` itself where it is a scalar.
  Operand elementIn(Builder& code, const Operand& array, Operands at) {
    if (at.empty()) return array;
    return code.bind("element", {program_.type(array).scalar, {}},
                     core::Index{array.value, std::move(at)});
  }

  Program& program_;
  // Of the body at hand.
  core::Definitions definitions_;
  std::unordered_map<ValueId, Source> read_;
  bool consumes_ = false;
};

}  // namespace

Program readConcats(const Program& program) {
  return withBodies(program, [](Program& result, const core::Function&, Body& body) {
    ConcatReader(result).run(body);
  });
}

}  // namespace halo::passes
