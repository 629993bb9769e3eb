// Inner bodies first. A concatenation stays where it is: it dies with its last reader.
#include "lang/passes/fuse/read_concats.h"

#include <algorithm>
#include <unordered_map>

#include "lang/core/aliases.h"
#include "lang/core/builder.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Builder;
using core::Operand;
using core::Program;
using core::Screma;
using core::Stm;
using core::ValueId;
using prim::Op;
using prim::ScalarType;

constexpr size_t kMaxParts = 4;

class ConcatReader {
 public:
  explicit ConcatReader(Program& program) : program_(program) {}

  void run(Body& body) {
    for (Stm& stm : body.stms) core::visitBodies(stm.expr, [&](Body& inner) { run(inner); });
    makers_.clear();
    consumes_ = false;
    for (const Stm& stm : body.stms) {
      consumes_ = consumes_ || !core::consumedBy(program_, stm.expr).empty();
      for (ValueId result : stm.results) makers_[result] = &stm;
    }
    std::vector<ValueId> read;
    for (size_t i = 0; i < body.stms.size(); ++i) {
      if (isReadInParts(body, i)) read.push_back(body.stms[i].results[0]);
    }
    if (read.empty()) return;
    std::vector<Stm> stms;
    const std::vector<Stm> before = body.stms;  // makers_ points into the body
    for (const Stm& stm : before) {
      Stm copy = stm;
      if (auto* screma = std::get_if<Screma>(&copy.expr)) {
        for (ValueId concat : read) readParts(*screma, concat, stms);
      }
      stms.push_back(std::move(copy));
    }
    body.stms = std::move(stms);
  }

 private:
  const Stm* makerOf(ValueId value) const {
    const auto found = makers_.find(value);
    return found == makers_.end() ? nullptr : found->second;
  }

  // Memory that is there in any case: its element costs a load.
  bool isThere(ValueId part) const {
    const Stm* maker = makerOf(part);
    if (maker == nullptr || core::viewed(maker->expr)) return true;
    return std::holds_alternative<core::ArrayLiteral>(maker->expr) ||
           std::holds_alternative<core::Replicate>(maker->expr) ||
           std::holds_alternative<core::Iota>(maker->expr);
  }

  bool isReadInParts(const Body& body, size_t at) const {
    const Stm& stm = body.stms[at];
    const auto* concat = std::get_if<core::Concat>(&stm.expr);
    if (concat == nullptr || program_.type(stm.results[0]).rank() != 1) return false;
    if (concat->arrays.size() > kMaxParts) return false;
    for (ValueId part : concat->arrays) {
      if (!isThere(part)) return false;
    }
    return isReadByMaps(body, at);
  }

  // And nothing from the concatenation to its last reader changes an array.
  bool isReadByMaps(const Body& body, size_t at) const {
    const ValueId whole = body.stms[at].results[0];
    const auto isWhole = [&](const Operand& operand) { return operand == Operand(whole); };
    if (std::any_of(body.results.begin(), body.results.end(), isWhole)) return false;
    size_t last = at;
    for (size_t i = at + 1; i < body.stms.size(); ++i) {
      const Stm& stm = body.stms[i];
      if (!core::freeValues(program_, stm).contains(whole)) continue;
      const auto* map = std::get_if<Screma>(&stm.expr);
      if (map == nullptr || !isMap(*map)) return false;
      if (core::freeValues(program_, map->map).contains(whole)) return false;
      last = i;
    }
    for (size_t i = at + 1; i < last; ++i) {
      if (!core::consumedBy(program_, body.stms[i].expr).empty()) return false;
    }
    return last > at;
  }

  void readParts(Screma& screma, ValueId whole, std::vector<Stm>& before) {
    for (size_t k = 0; k < screma.inputs.size(); ++k) {
      if (screma.inputs[k] != whole) continue;
      Builder outside(program_);
      screma.inputs[k] =
          outside.bind("positions", {ScalarType::kI64, {screma.width}},
                       core::Iota{ScalarType::kI64, screma.width, core::kZero, core::kOne});
      for (Stm& stm : outside.take({}).stms) before.push_back(std::move(stm));
      const ValueId element = screma.map.params[k];
      const ValueId position = program_.add("position", {ScalarType::kI64, {}});
      screma.map.params[k] = position;
      Body found = elementAt(std::get<core::Concat>(makerOf(whole)->expr).arrays, 0, position);
      screma.map.body.stms.insert(screma.map.body.stms.begin(), found.stms.begin(),
                                  found.stms.end());
      core::substitute(program_, screma.map.body, {{element, found.results[0]}});
    }
  }

  // The element at `position` behind the parts before part `k`.
  Body elementAt(const std::vector<ValueId>& parts, size_t k, const Operand& position) {
    Builder code(program_);
    if (k + 1 == parts.size()) return code.take({elementOf(code, parts[k], position)});
    const ScalarType type = program_.type(parts[k]).scalar;
    const Operand length = program_.type(parts[k]).shape[0];
    const Operand is_here = code.prim(Op::kLt, ScalarType::kI64, {position, length});
    Builder here(program_);
    const Operand element = elementOf(here, parts[k], position);
    core::Match match{is_here, {{prim::Scalar::ofBool(true), here.take({element})}}, {}};
    Builder behind(program_);
    const Operand rest = behind.sub(position, length);
    Body next = elementAt(parts, k + 1, rest);
    for (Stm& stm : next.stms) behind.append(std::move(stm));
    match.otherwise = behind.take(next.results);
    return code.take({code.bind("element", {type, {}}, std::move(match))});
  }

  Operand elementOf(Builder& code, ValueId part, const Operand& position) {
    const core::Type type{program_.type(part).scalar, {}};
    const Stm* maker = makerOf(part);
    if (maker != nullptr) {
      const auto* literal = std::get_if<core::ArrayLiteral>(&maker->expr);
      if (literal != nullptr && literal->elements.size() == 1) {
        return reread(code, literal->elements[0]);
      }
      if (const auto* fill = std::get_if<core::Replicate>(&maker->expr)) return fill->value;
      const auto* slice = std::get_if<core::Slice>(&maker->expr);
      if (slice != nullptr && slice->dims.size() == 1 && slice->dims[0].stride == core::kOne) {
        const Operand at = code.add(slice->dims[0].start, position);
        return code.bind("element", type, core::Index{slice->array, {at}});
      }
    }
    return code.bind("element", type, core::Index{part, {position}});
  }

  // A literal's only element that an array has anyway: the check of its place stays where it was.
  Operand reread(Builder& code, const Operand& element) {
    const Stm* maker = element.isConstant() ? nullptr : makerOf(element.value);
    const auto* index = maker == nullptr ? nullptr : std::get_if<core::Index>(&maker->expr);
    if (index == nullptr || index->indices.size() != 1 || consumes_) return element;
    return code.bind("element", program_.type(element), *index);
  }

  Program& program_;
  // Of the body at hand.
  std::unordered_map<ValueId, const Stm*> makers_;
  bool consumes_ = false;
};

}  // namespace

Program readConcats(const Program& program) {
  return withBodies(program, [](Program& result, const core::Function&, Body& body) {
    ConcatReader(result).run(body);
  });
}

}  // namespace halo::passes
