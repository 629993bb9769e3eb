// Each loop for itself, inner loops first. A `Source` is an array with the place that every
// iteration i knows the element of: f(i). A read of f(i - d) is carried over d iterations.
#include "lang/passes/memory/carry_elements.h"

#include <algorithm>

#include "lang/core/iterated.h"
#include "lang/core/node_kinds.h"
#include "lang/core/rewrite.h"
#include "lang/core/visit.h"
#include "lang/passes/memory/loop_places.h"
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

struct Source {
  PlacedArray array;
  std::vector<std::pair<ValueId, int>> reads = {};  // and how many iterations before
};

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
      const bool is_lambda = !core::isControl(stm.expr);
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
    LoopPlaces places(program_, forms_, loop);
    std::vector<Source> sources = writtenOf(loop, places);
    if (sources.empty()) return {};
    // Outside of cells the first element would be a launch.
    if (in_cell_) {
      for (Source& source : readOf(loop, places)) sources.push_back(std::move(source));
    }
    core::Builder b(program_);
    core::Substitution by;
    for (const Source& source : sources) carry(source, places.index(), stm, b, by);
    drop(loop.body, by);
    core::substitute(program_, loop.body, by);
    return std::move(b.body().stms);
  }

  // ---- sources

  std::vector<Source> writtenOf(const Loop& loop, LoopPlaces& places) {
    std::vector<Source> sources;
    for (size_t k = 0; k < loop.carried.size(); ++k) {
      if (program_.type(loop.carried[k].param).isScalar()) continue;
      auto array = places.written(k);
      if (!array) continue;
      Source source = {std::move(*array)};
      findReads(loop.body, places, source);
      if (!source.reads.empty()) sources.push_back(std::move(source));
    }
    return sources;
  }

  // Arrays from outside, of which each iteration reads an element that moves.
  std::vector<Source> readOf(const Loop& loop, LoopPlaces& places) {
    std::vector<Source> sources;
    std::unordered_set<ValueId> taken;
    for (const Stm& stm : loop.body.stms) {
      auto array = places.read(stm);
      if (!array) continue;
      Source source = {std::move(*array)};
      findReads(loop.body, places, source);
      std::erase_if(source.reads, [&](const auto& read) { return taken.contains(read.first); });
      for (const auto& [read, distance] : source.reads) taken.insert(read);
      sources.push_back(std::move(source));
    }
    // What is carried itself is no element to begin with.
    std::erase_if(sources, [&](const Source& source) {
      return source.reads.empty() || taken.contains(source.array.element.value);
    });
    return sources;
  }

  void findReads(const Body& body, LoopPlaces& places, Source& source) {
    std::vector<std::optional<Form>> before;
    for (int distance = 1; distance <= kFarthest; ++distance) {
      before.push_back(places.moved(source.array.place, -distance));
    }
    core::visitStms(body, [&](const Stm& stm) {
      const Index* index = stm.checked ? nullptr : places.readOf(source.array, stm);
      if (index == nullptr) return;
      const auto found =
          std::find(before.begin(), before.end(), std::optional(forms_.of(index->indices)));
      if (found == before.end()) return;
      source.reads.push_back({stm.results[0], static_cast<int>(found - before.begin()) + 1});
    });
  }

  // ---- the change

  void carry(const Source& source, ValueId index, Stm& stm, core::Builder& b,
             core::Substitution& by) {
    int farthest = 0;
    for (const auto& [read, distance] : source.reads) farthest = std::max(farthest, distance);
    std::vector<Operand> firsts;
    for (int distance = 1; distance <= farthest; ++distance) {
      const auto place =
          IndexForms::with(source.array.place, index, Polynomial::constant(-distance));
      const auto first = place ? firstOf(source.array.initial, *place, b) : std::nullopt;
      if (!first) return;
      firsts.push_back(*first);
    }
    auto& loop = std::get<Loop>(stm.expr);
    const core::Type type = {program_.type(source.array.initial).scalar, {}};
    std::vector<ValueId> params;
    for (const Operand& first : firsts) {
      params.push_back(program_.add("c", type));
      loop.body.results.push_back(params.size() == 1 ? source.array.element
                                                     : params[params.size() - 2]);
      loop.carried.push_back({params.back(), first, false});
      stm.results.push_back(program_.add("last", type));
    }
    for (const auto& [read, distance] : source.reads) by[read] = params[distance - 1];
  }

  // The element at this place; 0 where the array has none there.
  std::optional<Operand> firstOf(ValueId array, const Form& place, core::Builder& b) {
    const auto indices = IndexForms::emit(b, place);
    if (!indices) return std::nullopt;
    const core::Type& type = program_.type(array);
    const core::Type scalar = {type.scalar, {}};
    const Operand none = prim::zero(type.scalar);
    const bool is_before = std::any_of(indices->begin(), indices->end(), [](const Operand& index) {
      return index.isConstant() && index.constant.asSigned() < 0;
    });
    if (is_before) return none;
    core::Builder inner(program_);
    const ValueId element = inner.bind("x", scalar, Index{array, *indices});
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
    for (size_t axis = 0; axis < indices.size(); ++axis) {
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
  bool in_cell_ = false;  // the loop at hand
};

}  // namespace

core::Program carryElements(const core::Program& program) {
  return withBodies(program, [](core::Program& result, const core::Function&, Body& body) {
    Carrier(result, core::Body(body)).run(body);
  });
}

}  // namespace halo::passes
