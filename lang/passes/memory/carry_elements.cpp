// Each loop for itself, inner loops first. A `Source` is an array with the place that every
// iteration i knows the element of: f(i). A read of f(i - d) is carried over d iterations.
#include "lang/passes/memory/carry_elements.h"

#include <algorithm>

#include "lang/core/iterated.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/simplify/index_forms.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Index;
using core::Loop;
using core::Operand;
using core::Stm;
using core::Update;
using core::ValueId;
using Form = IndexForms::Form;

constexpr int kFarthest = 3;  // iterations: so many scalars are carried for an array
constexpr int64_t kLongestStep = int64_t{1} << 31;  // of places: three of them never wrap

struct Source {
  std::unordered_set<ValueId> names;  // the array, and what the iteration has made of it
  ValueId initial;                    // in front of the loop
  Form place;
  Operand element;
  std::vector<std::pair<ValueId, int>> reads = {};  // and how many iterations before
};

void addBound(const Stm& stm, std::unordered_set<ValueId>& values) {
  values.insert(stm.results.begin(), stm.results.end());
  core::visitBound(stm.expr, [&](ValueId value) { values.insert(value); });
}

// Parallel statements take longer than a read, and a scalar beside them may have to be fetched.
bool isSequential(const Body& body) {
  bool is_sequential = true;
  core::visitStms(body, [&](const Stm& stm) {
    const bool is_element =
        std::holds_alternative<Index>(stm.expr) || std::holds_alternative<Update>(stm.expr);
    const bool is_control = std::holds_alternative<core::Match>(stm.expr) ||
                            std::holds_alternative<Loop>(stm.expr) ||
                            std::holds_alternative<core::Assert>(stm.expr);
    const bool is_division = stm.checked && std::holds_alternative<core::PrimOp>(stm.expr);
    is_sequential =
        is_sequential && (is_element || is_control || is_division || core::isScalarCode(stm));
  });
  return is_sequential;
}

class Carrier {
 public:
  Carrier(core::Program& program, const Body& whole) : program_(program), forms_(whole) {}

  void run(Body& body, bool in_cell = false) {
    std::vector<Stm> before = std::move(body.stms);
    body.stms.clear();
    for (Stm& stm : before) {
      const bool is_lambda =
          !std::holds_alternative<Loop>(stm.expr) && !std::holds_alternative<core::Match>(stm.expr);
      core::visitBodies(stm.expr, [&](Body& inner) { run(inner, in_cell || is_lambda); });
      in_cell_ = in_cell;
      const auto* loop = std::get_if<Loop>(&stm.expr);
      if (loop != nullptr && std::holds_alternative<core::ForLoop>(loop->form)) {
        for (Stm& initial : carry(stm)) body.stms.push_back(std::move(initial));
      }
      body.stms.push_back(std::move(stm));
    }
  }

 private:
  // What computes the first elements, in front of the loop.
  std::vector<Stm> carry(Stm& stm) {
    auto& loop = std::get<Loop>(stm.expr);
    if (!isSequential(loop.body)) return {};
    index_ = std::get<core::ForLoop>(loop.form).index;
    bound_ = {};
    addBound({{}, loop, false, {}}, bound_);
    core::visitStms(loop.body, [&](const Stm& inner) { addBound(inner, bound_); });
    std::vector<Source> sources = writtenOf(loop);
    if (sources.empty()) return {};
    for (Source& source : readOf(loop)) sources.push_back(std::move(source));
    core::Builder b(program_);
    core::Substitution by;
    for (const Source& source : sources) carry(source, stm, b, by);
    drop(loop.body, by);
    core::substitute(program_, loop.body, by);
    return std::move(b.body().stms);
  }

  // ---- sources

  std::vector<Source> writtenOf(const Loop& loop) {
    std::vector<Source> sources;
    for (size_t k = 0; k < loop.carried.size(); k++) {
      if (program_.type(loop.carried[k].param).isScalar()) continue;
      auto source = writtenOf(loop, k);
      if (source && findReads(loop.body, *source)) sources.push_back(std::move(*source));
    }
    return sources;
  }

  // Updates of one place, from the parameter to its next value.
  std::optional<Source> writtenOf(const Loop& loop, size_t k) {
    const core::Carried& carried = loop.carried[k];
    if (carried.initial.isConstant()) return std::nullopt;
    Source source = {{carried.param}, carried.initial.value, {}, {}};
    Operand version = loop.body.results[k];
    for (bool is_last = true; version != Operand(carried.param); is_last = false) {
      const auto at = core::makerOf(loop.body.stms, version);
      const auto* update = at ? std::get_if<Update>(&loop.body.stms[*at].expr) : nullptr;
      if (update == nullptr || !isElement(update->array, update->indices)) return std::nullopt;
      Form place = forms_.of(update->indices);
      if (is_last) {
        source.place = std::move(place);
        source.element = update->value;
      } else if (place != source.place) {
        return std::nullopt;
      }
      source.names.insert(version.value);
      version = update->array;
    }
    const bool writes = source.names.size() > 1 && moves(source.place);
    return writes ? std::optional(std::move(source)) : std::nullopt;
  }

  // Arrays of which each iteration reads an element that moves, and nobody writes. Outside of cells
  // the first one would be a launch.
  std::vector<Source> readOf(const Loop& loop) {
    if (!in_cell_) return {};
    std::vector<Source> sources;
    std::unordered_set<ValueId> taken;
    for (const Stm& stm : loop.body.stms) {
      const auto* index = std::get_if<Index>(&stm.expr);
      const bool may = index != nullptr && !stm.checked && !bound_.contains(index->array) &&
                       isElement(index->array, index->indices);
      if (!may) continue;
      Source source = {{index->array}, index->array, forms_.of(index->indices), stm.results[0]};
      if (!moves(source.place) || !findReads(loop.body, source)) continue;
      std::erase_if(source.reads, [&](const auto& read) { return taken.contains(read.first); });
      for (const auto& [read, distance] : source.reads) taken.insert(read);
      sources.push_back(std::move(source));
    }
    // What is carried itself is no element to begin with.
    std::erase_if(sources, [&](const Source& source) {
      return source.reads.empty() || taken.contains(source.element.value);
    });
    return sources;
  }

  bool isElement(ValueId array, const core::Operands& indices) const {
    return !indices.empty() && static_cast<int>(indices.size()) == program_.type(array).rank();
  }

  // Whether all iterations have places of their own, which the loop's surroundings can compute.
  bool moves(const Form& place) const {
    std::unordered_set<ValueId> others = bound_;
    others.erase(index_);
    if (IndexForms::mentions(place, others)) return false;
    const auto before = earlier(place, 1);
    if (!before) return false;
    for (size_t axis = 0; axis < place.size(); axis++) {
      const auto difference = place[axis].plus((*before)[axis], -1);
      const auto step = difference ? difference->asConstant() : std::nullopt;
      if (step && *step != 0 && *step <= kLongestStep && -*step <= kLongestStep) return true;
    }
    return false;
  }

  std::optional<Form> earlier(const Form& place, int iterations) const {
    const auto before = Polynomial::value(index_).plus(Polynomial::constant(iterations), -1);
    return IndexForms::with(place, index_, *before);
  }

  bool findReads(const Body& body, Source& source) {
    std::vector<Form> places;
    for (int distance = 1; distance <= kFarthest; distance++) {
      const auto place = earlier(source.place, distance);
      if (!place) return false;
      places.push_back(*place);
    }
    core::visitStms(body, [&](const Stm& stm) {
      const auto* index = std::get_if<Index>(&stm.expr);
      const bool may = index != nullptr && !stm.checked && source.names.contains(index->array) &&
                       isElement(index->array, index->indices);
      if (!may) return;
      const auto found = std::find(places.begin(), places.end(), forms_.of(index->indices));
      if (found == places.end()) return;
      source.reads.push_back({stm.results[0], static_cast<int>(found - places.begin()) + 1});
    });
    return !source.reads.empty();
  }

  // ---- the change

  void carry(const Source& source, Stm& stm, core::Builder& b, core::Substitution& by) {
    int farthest = 0;
    for (const auto& [read, distance] : source.reads) farthest = std::max(farthest, distance);
    std::vector<Operand> firsts;
    for (int distance = 1; distance <= farthest; distance++) {
      const auto first = firstOf(source, distance, b);
      if (!first) return;
      firsts.push_back(*first);
    }
    auto& loop = std::get<Loop>(stm.expr);
    const core::Type type = {program_.type(source.initial).scalar, {}};
    std::vector<ValueId> params;
    for (const Operand& first : firsts) {
      params.push_back(program_.add("c", type));
      loop.body.results.push_back(params.size() == 1 ? source.element : params[params.size() - 2]);
      loop.carried.push_back({params.back(), first, false});
      stm.results.push_back(program_.add("last", type));
    }
    for (const auto& [read, distance] : source.reads) by[read] = params[distance - 1];
  }

  // The element `distance` places before the first one; 0 where the array has none there.
  std::optional<Operand> firstOf(const Source& source, int distance, core::Builder& b) {
    const auto place = IndexForms::with(source.place, index_, Polynomial::constant(-distance));
    const auto indices = place ? IndexForms::emit(b, *place) : std::nullopt;
    if (!indices) return std::nullopt;
    const core::Type& type = program_.type(source.initial);
    const core::Type scalar = {type.scalar, {}};
    const Operand none = prim::zero(type.scalar);
    const bool is_before = std::any_of(indices->begin(), indices->end(), [](const Operand& index) {
      return index.isConstant() && index.constant.asSigned() < 0;
    });
    if (is_before) return none;
    core::Builder inner(program_);
    const ValueId element = inner.bind("x", scalar, Index{source.initial, *indices});
    const Operand exists = isInside(*indices, core::Operands(type.shape), b);
    core::Match match = {exists, {{prim::Scalar::ofBool(true), inner.take({element})}}, {}};
    match.otherwise.results = {none};
    return b.bind("first", scalar, std::move(match));
  }

  static Operand isInside(const core::Operands& indices, const core::Operands& shape,
                          core::Builder& b) {
    using enum prim::ScalarType;
    using prim::Op;
    const Operand yes = prim::Scalar::ofBool(true);
    Operand all = yes;
    for (size_t axis = 0; axis < indices.size(); axis++) {
      for (const Operand& holds : {b.prim(Op::kGe, kI64, {indices[axis], core::kZero}),
                                   b.prim(Op::kLt, kI64, {indices[axis], shape[axis]})}) {
        if (holds != yes) all = all == yes ? holds : b.prim(Op::kAnd, kBool, {all, holds});
      }
    }
    return all;
  }

  static void drop(Body& body, const core::Substitution& reads) {
    std::erase_if(body.stms, [&](const Stm& stm) {
      return stm.results.size() == 1 && reads.contains(stm.results[0]);
    });
    for (Stm& stm : body.stms) {
      core::visitBodies(stm.expr, [&](Body& inner) { drop(inner, reads); });
    }
  }

  core::Program& program_;
  IndexForms forms_;
  bool in_cell_ = false;               // of the loop at hand
  ValueId index_;                      // its index
  std::unordered_set<ValueId> bound_;  // in it
};

}  // namespace

core::Program carryElements(const core::Program& program) {
  return withBodies(program, [](core::Program& result, const core::Function&, Body& body) {
    Carrier(result, core::Body(body)).run(body);
  });
}

}  // namespace halo::passes
