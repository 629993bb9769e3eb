// The loops of a cell as the code of one element, then the map over all elements.
#include "lang/ad/sums/flat_steps.h"

#include <algorithm>

#include "lang/ad/sums/host_statements.h"
#include "lang/ad/sums/step_places.h"
#include "lang/core/node_kinds.h"
#include "lang/core/used_once.h"
#include "lang/core/visit.h"

namespace halo::ad {

namespace {

constexpr size_t kMaxStatements = 32;  // statements of a cell, scalar operations
constexpr size_t kMaxReads = 2;        // elements among them and among the map's inputs

using Definitions = std::unordered_map<ValueId, const Expr*>;  // of arithmetic and positions

// The code of one element of the rows that a cell makes.
class ElementCode {
 public:
  ElementCode(Program& program, const Definitions& definitions, const core::Screma& map)
      : program_(program), definitions_(definitions), map_(map) {
    for (const ValueId input : map.inputs) reads_ += isPositions(input) ? 0 : 1;
  }

  // Whether the cell has loops whose steps are independent, and no other long code.
  bool read() {
    for (const Stm& stm : map_.map.body.stms) {
      const auto* loop = std::get_if<core::Loop>(&stm.expr);
      if (loop != nullptr ? !readLoop(stm, *loop) : !readAround(stm)) return false;
    }
    for (const Operand& result : map_.map.body.results) {
      const auto element = elementOf(result);
      if (!element) return false;
      results_.push_back(*element);
    }
    return steps_ && isOfMap(*steps_) && repeated_ <= kMaxStatements && reads_ <= kMaxReads &&
           std::all_of(lengths_.begin(), lengths_.end(),
                       [&](const Operand& length) { return length == *steps_; }) &&
           !readsRows({code_, results_});
  }

  const Operand& steps() const { return *steps_; }

  // Of element `at` of the row of `cell`.
  Operands emit(Emitter& e, const Operand& cell, const Operand& at) const {
    core::Substitution names;
    for (size_t k = 0; k < map_.inputs.size(); ++k) {
      names[map_.map.params[k]] = e.index(map_.inputs[k], {cell});
    }
    const Operand last = e.sub(*steps_, kOne);
    for (const ValueId place : places_) names[place] = at;
    for (const auto& [step, is_reversed] : indices_)
      names[step] = is_reversed ? e.sub(last, at) : at;
    Body copy = core::freshCopy(e.program(), Body{code_, results_}, names);
    for (Stm& stm : copy.stms) e.append(std::move(stm));
    return copy.results;
  }

 private:
  // A number that does not depend on the cell.
  bool isOfMap(const Operand& number) const {
    if (number.isConstant()) return true;
    const auto& params = map_.map.params;
    if (std::find(params.begin(), params.end(), number.value) != params.end()) return false;
    return !core::makerOf(map_.map.body.stms, number);
  }
  // Scalar code, which runs for each element, and arrays that loops begin with.
  bool readAround(const Stm& stm) {
    if (stm.results.size() != 1) return false;
    if (!program_.type(stm.results[0]).isScalar()) {
      const auto* row = std::get_if<core::Replicate>(&stm.expr);
      const core::Type& type = program_.type(stm.results[0]);
      const bool is_row = row != nullptr && type.shape.size() == 1;
      if (is_row) elements_[stm.results[0]] = row->value;
      lengths_.push_back(type.shape[0]);
      rows_.insert(stm.results[0]);
      return is_row || std::holds_alternative<core::Scratch>(stm.expr);
    }
    const bool is_read = std::holds_alternative<core::Index>(stm.expr);
    const bool is_plain = is_read || std::holds_alternative<core::PrimOp>(stm.expr) ||
                          std::holds_alternative<core::Convert>(stm.expr) ||
                          std::holds_alternative<core::Select>(stm.expr);
    reads_ += is_read ? 1 : 0;
    ++repeated_;
    code_.push_back(stm);
    return is_plain && !core::mayFail(stm);
  }

  bool readLoop(const Stm& stm, const core::Loop& loop) {
    const auto* form = std::get_if<core::ForLoop>(&loop.form);
    if (form == nullptr) return false;
    lengths_.push_back(form->bound);
    if (loop.carried.empty()) return readEmpty(loop, *form);
    steps_ = form->bound;
    const auto written = writtenBy(loop);
    if (!written) return false;
    if (!knowPlace(written->place, form->index)) return false;
    for (const Stm& inner : loop.body.stms) {
      const bool is_known =
          inner.results.size() == 1 &&
          (written->stores.contains(inner.results[0]) || written->place == inner.results[0]);
      if (!is_known && !readStep(inner, written->place)) return false;
    }
    for (size_t k = 0; k < stm.results.size(); ++k) {
      elements_[stm.results[k]] = named(written->values[k]);
      rows_.insert(stm.results[k]);
    }
    return true;
  }

  // It runs for its checks.
  bool readEmpty(const core::Loop& loop, const core::ForLoop& form) {
    indices_.emplace_back(form.index, false);
    code_.insert(code_.end(), loop.body.stms.begin(), loop.body.stms.end());
    return true;
  }

  // A statement of a step; elements of earlier loops at the same place are known.
  bool readStep(const Stm& stm, const Operand& place) {
    const auto* read = std::get_if<core::Index>(&stm.expr);
    const auto row = read == nullptr ? elements_.end() : elements_.find(read->array);
    if (row == elements_.end()) {
      code_.push_back(stm);
      core::substitute(program_, code_.back().expr, known_);
      return true;
    }
    if (read->indices != Operands{place}) return false;
    known_[stm.results[0]] = row->second;
    return true;
  }

  struct Written {
    Operand place;
    Operands values;
    std::unordered_set<ValueId> stores;  // copies and updates
  };

  // The value that each carried array takes at one place of the step, if the step does nothing else
  // with it.
  std::optional<Written> writtenBy(const core::Loop& loop) const {
    const auto uses = core::useCounts(program_, loop.body);
    const auto isOnlyUse = [&](ValueId value) { return core::isUsedOnce(uses, value); };
    Written found;
    for (size_t k = 0; k < loop.carried.size(); ++k) {
      const auto maker = core::makerOf(loop.body.stms, loop.body.results[k]);
      const auto* update =
          maker ? std::get_if<core::Update>(&loop.body.stms[*maker].expr) : nullptr;
      if (update == nullptr || update->indices.size() != 1 || !update->dims.empty()) return {};
      if (!program_.type(update->value).isScalar() || loop.body.stms[*maker].checked) return {};
      if (program_.type(loop.carried[k].param).shape != Operands{*steps_}) return {};
      if (k > 0 && update->indices[0] != found.place) return {};
      found.place = update->indices[0];
      found.values.push_back(update->value);
      found.stores.insert(loop.body.stms[*maker].results[0]);
      ValueId before = update->array;
      const auto copied = core::makerOf(loop.body.stms, before);
      const auto* copy = copied ? std::get_if<core::Copy>(&loop.body.stms[*copied].expr) : nullptr;
      if (copy != nullptr) {
        if (!isOnlyUse(before)) return {};
        found.stores.insert(before);
        before = copy->array;
      }
      const bool is_own = before == loop.carried[k].param && isOnlyUse(before) &&
                          isOnlyUse(loop.body.stms[*maker].results[0]);
      if (!is_own) return {};
    }
    return found;
  }

  // The step itself, or the last step less it: all places differ, and all are met.
  bool knowPlace(const Operand& place, ValueId step) {
    const auto order =
        stepOrder(place, step, *steps_, [&](const Operand& value) { return definition(value); });
    if (!order) return false;
    if (*order == StepOrder::kBackward) places_.push_back(place.value);
    indices_.emplace_back(step, *order == StepOrder::kBackward);
    return true;
  }

  bool isPositions(ValueId array) const {
    const auto found = definitions_.find(array);
    return found != definitions_.end() && core::isPlainIota(*found->second);
  }

  const core::PrimOp* definition(const Operand& value) const {
    const auto found = value.isConstant() ? definitions_.end() : definitions_.find(value.value);
    return found == definitions_.end() ? nullptr : std::get_if<core::PrimOp>(found->second);
  }

  Operand named(const Operand& value) const {
    const auto found = value.isConstant() ? known_.end() : known_.find(value.value);
    return found == known_.end() ? value : found->second;
  }

  std::optional<Operand> elementOf(const Operand& row) const {
    const auto found = row.isConstant() ? elements_.end() : elements_.find(row.value);
    return found == elements_.end() ? std::nullopt : std::optional(found->second);
  }

  bool readsRows(const Body& body) const {
    const auto free = core::freeValues(program_, body);
    return std::any_of(free.begin(), free.end(),
                       [&](ValueId value) { return rows_.contains(value); });
  }

  Program& program_;
  const Definitions& definitions_;
  const core::Screma& map_;
  std::optional<Operand> steps_;  // of loops that carry rows
  Operands lengths_;              // of all rows and loops
  std::vector<Stm> code_;
  Operands results_;
  core::Substitution elements_;  // by row
  core::Substitution known_;     // elements that steps read, by their name there
  std::unordered_set<ValueId> rows_;
  std::vector<ValueId> places_;
  std::vector<std::pair<ValueId, bool>> indices_;  // and whether the last step comes first
  size_t repeated_ = 0, reads_ = 0;
};

// The maps of host code, and the reshapes of their results.
class Flattening {
 public:
  Flattening(Program& program, const core::Function& function) : program_(program) {
    core::visitStms(function.body, [&](const Stm& stm) {
      if (std::holds_alternative<core::PrimOp>(stm.expr) || core::isPlainIota(stm.expr))
        definitions_[stm.results[0]] = &stm.expr;
    });
  }

  bool rewrite(Body& body, size_t at) {
    const auto* map = std::get_if<core::Screma>(&body.stms[at].expr);
    if (map == nullptr || !core::isMap(*map) || map->flattening.any()) return false;
    if (body.stms[at].results.empty() || !areFlat(body, body.stms[at])) return false;
    ElementCode code(program_, definitions_, *map);
    if (!code.read()) return false;
    Emitter e(program_);
    const Operand all = e.mul(map->width, code.steps());
    const std::vector<ValueId> elements =
        e.map(all, {e.iota(all)}, [&](Emitter& cell, const Operands& position) {
          const auto part = [&](Op op) {
            return cell.op(op, ScalarType::kI64, position[0], code.steps());
          };
          const Operand row = part(Op::kDiv);
          return code.emit(cell, row, part(Op::kMod));
        });
    for (Stm& stm : body.stms) {
      auto* reshape = std::get_if<core::Reshape>(&stm.expr);
      if (reshape == nullptr) continue;
      const auto& rows = body.stms[at].results;
      const auto found = std::find(rows.begin(), rows.end(), reshape->array);
      if (found != rows.end()) reshape->array = elements[static_cast<size_t>(found - rows.begin())];
    }
    replaceStm(body, at, e.take({}).stms);
    return true;
  }

 private:
  // Reshapes to one dimension are the only readers of all rows.
  bool areFlat(const Body& body, const Stm& map) const {
    const auto uses = core::useCounts(program_, body);
    std::unordered_map<ValueId, int> flat;
    for (const Stm& stm : body.stms) {
      const auto* reshape = std::get_if<core::Reshape>(&stm.expr);
      if (reshape != nullptr && reshape->shape.size() == 1) ++flat[reshape->array];
    }
    return std::all_of(map.results.begin(), map.results.end(), [&](ValueId rows) {
      const auto used = uses.find(rows);
      return program_.type(rows).rank() == 2 && used != uses.end() && flat[rows] == used->second;
    });
  }

  Program& program_;
  Definitions definitions_;
};

}  // namespace

core::Program flattenSteps(core::Program program) {
  return rewriteHost<Flattening>(std::move(program));
}

}  // namespace halo::ad
