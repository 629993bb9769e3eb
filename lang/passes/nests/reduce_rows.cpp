#include "lang/passes/nests/reduce_rows.h"

#include <algorithm>
#include <unordered_map>

#include "lang/core/aliases.h"
#include "lang/core/builder.h"
#include "lang/core/node_kinds.h"
#include "lang/core/rewrite.h"
#include "lang/core/used_once.h"
#include "lang/core/visit.h"
#include "lang/passes/with_bodies.h"

namespace halo::passes {
namespace {

using core::Body;
using core::Operand;
using core::Operands;
using core::Screma;
using core::Stm;
using core::ValueId;

constexpr size_t kMaxAxesOfRows = 3;

// A reduction whose elements are those of arrays of higher rank.
struct FlatReduction {
  Operands shape;                // of these arrays
  std::optional<size_t> nest;    // the statement that makes some of them
  std::vector<ValueId> arrays;   // by input; of the nest: its result
  std::vector<size_t> reshapes;  // statements that only this reduction reads
};

class RowReducer {
 public:
  explicit RowReducer(core::Program& program) : program_(program) {}

  void body(Body& b, bool is_cell) {
    for (Stm& stm : b.stms) {
      const bool is_node = !core::isControl(stm.expr);
      core::visitBodies(stm.expr, [&](Body& inner) { body(inner, is_cell || is_node); });
    }
    if (!is_cell) return;
    for (size_t at = 0; at < b.stms.size(); ++at) {
      if (const auto found = flatReduction(b, at)) at = replace(b, at, *found);
    }
  }

 private:
  // Of scalars, and nothing else.
  static bool isReduction(const Screma& screma) {
    return !screma.reductions.empty() && screma.scans.empty() && !screma.partial_values &&
           !screma.chunk && screma.joins == core::Joins::kNothing && !screma.flattening.any() &&
           !screma.inputs.empty();
  }

  bool reducesScalars(const Stm& stm, const Screma& screma) const {
    size_t reduced = 0;
    for (const core::Reduction& reduction : screma.reductions) reduced += reduction.neutral.size();
    return reduced == stm.results.size() &&
           std::all_of(stm.results.begin(), stm.results.end(),
                       [&](ValueId result) { return program_.type(result).isScalar(); });
  }

  std::optional<FlatReduction> flatReduction(const Body& b, size_t at) const {
    const auto* screma = std::get_if<Screma>(&b.stms[at].expr);
    if (screma == nullptr || !isReduction(*screma) || !reducesScalars(b.stms[at], *screma)) {
      return std::nullopt;
    }
    const auto counts = core::useCounts(program_, b);
    FlatReduction found;
    bool gains = false;
    for (ValueId input : screma->inputs) {
      if (program_.type(input).rank() != 1) return std::nullopt;
      const auto view = core::makerOf(b.stms, Operand(input));
      const auto* flat = view ? std::get_if<core::Reshape>(&b.stms[*view].expr) : nullptr;
      found.arrays.push_back(flat == nullptr ? input : flat->array);
      if (flat == nullptr) continue;
      const auto maker = core::makerOf(b.stms, Operand(flat->array));
      const bool is_nest = maker && isReadOnce(b.stms[*maker], counts) &&
                           isNest(b.stms[*maker], program_.type(flat->array).rank());
      if (!is_nest || (found.nest && *found.nest != *maker)) continue;
      gains = gains || takesShape(found, program_.type(flat->array).shape);
      if (found.shape == program_.type(flat->array).shape && counts.at(input) == 1) {
        found.nest = *maker;
        found.reshapes.push_back(*view);
      }
    }
    const bool is_movable =
        !found.nest || (isAllOf(b.stms[*found.nest], found) && consumesNothing(b, *found.nest, at));
    if (!gains || !is_movable) return std::nullopt;
    return found;
  }

  // The nest's code goes from its place to that of the reduction.
  bool consumesNothing(const Body& b, size_t from, size_t to) const {
    return std::all_of(b.stms.begin() + static_cast<std::ptrdiff_t>(from),
                       b.stms.begin() + static_cast<std::ptrdiff_t>(to), [&](const Stm& stm) {
                         return core::consumedBy(program_, stm.expr).empty();
                       });
  }

  static bool takesShape(FlatReduction& found, const Operands& shape) {
    if (!found.shape.empty() || shape.size() < 2 || shape.size() > kMaxAxesOfRows) return false;
    found.shape = shape;
    return true;
  }

  static bool isReadOnce(const Stm& stm, const std::unordered_map<ValueId, int>& counts) {
    return std::all_of(stm.results.begin(), stm.results.end(),
                       [&](ValueId result) { return core::isUsedOnce(counts, result); });
  }

  // Each of its results is one of the reduction's arrays.
  static bool isAllOf(const Stm& nest, const FlatReduction& found) {
    return found.reshapes.size() == nest.results.size();
  }

  // Maps of maps of scalars, whatever else is in their bodies.
  bool isNest(const Stm& stm, int rank) const {
    const auto* map = std::get_if<Screma>(&stm.expr);
    if (map == nullptr || !isMap(*map) || map->flattening.any()) return false;
    if (std::any_of(stm.results.begin(), stm.results.end(),
                    [&](ValueId result) { return program_.type(result).rank() != rank; })) {
      return false;
    }
    if (rank == 1) return true;
    const Body& code = map->map.body;
    if (code.stms.empty() || code.stms.back().results.size() != code.results.size()) return false;
    const Stm& last = code.stms.back();
    return std::equal(last.results.begin(), last.results.end(), code.results.begin(),
                      [](ValueId made, const Operand& is) { return is == Operand(made); }) &&
           isNest(last, rank - 1);
  }

  // Its place afterwards.
  size_t replace(Body& b, size_t at, const FlatReduction& found) {
    Stm stm = b.stms[at];
    const Screma flat = std::get<Screma>(stm.expr);
    const Screma* nest = found.nest ? &std::get<Screma>(b.stms[*found.nest].expr) : nullptr;
    std::vector<ValueId> made;
    if (nest != nullptr) made = b.stms[*found.nest].results;
    core::Builder views(program_);
    std::vector<ValueId> rows = found.arrays;  // by input; those of the nest stay as they are
    for (ValueId& array : rows) {
      const bool is_made = std::find(made.begin(), made.end(), array) != made.end();
      const core::Type type{program_.type(array).scalar, found.shape};
      if (is_made || program_.type(array).shape == found.shape) continue;
      array = views.bind("rows", type, core::Reshape{array, found.shape});
    }
    stm.expr = level(flat, nest, made, rows, found.shape);
    std::vector<Stm> all;
    for (size_t i = 0; i < at; ++i) {
      const bool is_view =
          std::find(found.reshapes.begin(), found.reshapes.end(), i) != found.reshapes.end();
      if (!is_view && found.nest != i) all.push_back(std::move(b.stms[i]));
    }
    for (Stm& view : views.take({}).stms) all.push_back(std::move(view));
    all.push_back(std::move(stm));
    const size_t place = all.size() - 1;
    for (size_t i = at + 1; i < b.stms.size(); ++i) all.push_back(std::move(b.stms[i]));
    b.stms = std::move(all);
    return place;
  }

  // The reduction over the first of the axes `shape`. `rows`: by input of `flat`, an array of this
  // level, or what the nest makes.
  Screma level(const Screma& flat, const Screma* nest, const std::vector<ValueId>& made,
               const std::vector<ValueId>& rows, const Operands& shape) {
    Screma out;
    out.width = shape[0];
    if (nest != nullptr) {
      out.inputs = nest->inputs;
      out.map = nest->map;
    }
    std::vector<ValueId> below = rows;  // the same of the body
    for (size_t k = 0; k < rows.size(); ++k) {
      const auto own = std::find(made.begin(), made.end(), rows[k]);
      if (own != made.end()) {
        const Operand& element = nest->map.body.results[static_cast<size_t>(own - made.begin())];
        if (shape.size() > 1) below[k] = element.value;
        continue;
      }
      const core::Type type{program_.type(rows[k]).scalar, {shape.begin() + 1, shape.end()}};
      below[k] = program_.add("row", type);
      out.inputs.push_back(rows[k]);
      out.map.params.push_back(below[k]);
    }
    if (shape.size() == 1) {
      combineElements(flat, nest, made, rows, below, out.map.body);
    } else {
      reduceBelow(flat, nest, below, {shape.begin() + 1, shape.end()}, out.map.body);
    }
    for (const core::Reduction& reduction : flat.reductions) {
      out.reductions.push_back(reduction);
      out.reductions.back().op = core::freshCopy(program_, reduction.op);
    }
    return out;
  }

  void combineElements(const Screma& flat, const Screma* nest, const std::vector<ValueId>& made,
                       const std::vector<ValueId>& rows, const std::vector<ValueId>& below,
                       Body& code) {
    Operands elements;
    for (size_t k = 0; k < rows.size(); ++k) {
      const auto own = std::find(made.begin(), made.end(), rows[k]);
      elements.push_back(own == made.end()
                             ? Operand(below[k])
                             : nest->map.body.results[static_cast<size_t>(own - made.begin())]);
    }
    auto [stms, results] = core::apply(program_, flat.map, elements);
    for (Stm& inner : stms) code.stms.push_back(std::move(inner));
    code.results = std::move(results);
  }

  void reduceBelow(const Screma& flat, const Screma* nest, const std::vector<ValueId>& below,
                   const Operands& shape, Body& code) {
    const Stm* inner = nest == nullptr ? nullptr : &nest->map.body.stms.back();
    const std::vector<ValueId> made = inner == nullptr ? std::vector<ValueId>{} : inner->results;
    if (inner != nullptr) code.stms.pop_back();
    Stm stm;
    stm.expr = level(flat, inner == nullptr ? nullptr : &std::get<Screma>(inner->expr), made, below,
                     shape);
    code.results.clear();
    for (const core::Reduction& reduction : flat.reductions) {
      for (const Operand& neutral : reduction.neutral) {
        stm.results.push_back(program_.add("of_row", program_.type(neutral)));
        code.results.emplace_back(stm.results.back());
      }
    }
    code.stms.push_back(std::move(stm));
  }

  core::Program& program_;
};

}  // namespace

core::Program reduceRows(const core::Program& program) {
  return withBodies(program, [](core::Program& result, const core::Function&, Body& body) {
    RowReducer(result).body(body, false);
  });
}

}  // namespace halo::passes
