// The map is computed again for each part: reading and computing an element twice costs no more
// than storing and reading it.
#include "gpu/plan/split.h"

#include <algorithm>

#include "gpu/plan/nests/distribute.h"
#include "gpu/plan/nests/kinds.h"
#include "gpu/plan/nests/nest.h"
#include "lang/core/builder.h"
#include "lang/core/rewrite.h"
#include "lang/core/text/shorthand.h"

namespace halo::gpu {

using namespace core;

std::optional<size_t> scanOf(const Program& program, const Screma& e, size_t r) {
  const Reduction& reduction = e.reductions[r];
  auto op = asPrimitive(program, reduction.op);
  if (!op || prim::isFloat(op->second)) return std::nullopt;
  const Operands& results = e.map.body.results;
  for (size_t s = 0; s < e.scans.size(); ++s) {
    const Scan& scan = e.scans[s];
    bool same = scan.neutral == reduction.neutral && asPrimitive(program, scan.op) == op;
    if (same && results[r] == results[e.reductions.size() + s]) return s;
  }
  return std::nullopt;
}

namespace {

// The map with these of its results, without code that only the others need. Checks stay in the
// first part.
Lambda mapFor(Program& program, const Lambda& map, const Operands& results, bool keeps_checks) {
  Lambda part = map;
  part.body.results = results;
  for (size_t i = part.body.stms.size(); i-- > 0;) {
    const Stm& stm = part.body.stms[i];
    std::unordered_set<ValueId> needed;
    Body behind;
    behind.stms.assign(part.body.stms.begin() + static_cast<long>(i) + 1, part.body.stms.end());
    behind.results = part.body.results;
    needed = freeValues(program, behind);
    for (const Operand& result : behind.results) {
      if (!result.isConstant()) needed.insert(result.value);
    }
    bool wanted = std::any_of(stm.results.begin(), stm.results.end(),
                              [&](ValueId result) { return needed.contains(result); });
    bool is_check = keeps_checks && mayFail(stm);
    if (!wanted && !is_check) part.body.stms.erase(part.body.stms.begin() + static_cast<long>(i));
  }
  return freshCopy(program, part);
}

Operands slice(const Operands& all, size_t first, size_t count) {
  auto begin = all.begin() + static_cast<long>(first);
  return {begin, begin + static_cast<long>(count)};
}
std::vector<ValueId> slice(const std::vector<ValueId>& all, size_t first, size_t count) {
  auto begin = all.begin() + static_cast<long>(first);
  return {begin, begin + static_cast<long>(count)};
}

// The reduced values from the scanned arrays, in the order of the reductions. Nothing where one of
// them has no scan, or an operator more than one operand.
std::vector<Stm> lastElements(Program& program, const Screma& e,
                              const std::vector<ValueId>& results) {
  for (const Scan& scan : e.scans) {
    if (scan.neutral.size() != 1) return {};
  }
  Builder builder(program);
  const Operand empty =
      builder.prim(prim::Op::kEq, prim::ScalarType::kI64, {e.width, Operand::ofI64(0)});
  for (size_t r = 0; r < e.reductions.size(); ++r) {
    auto scan = e.reductions[r].neutral.size() == 1 ? scanOf(program, e, r) : std::nullopt;
    if (!scan) return {};
    const ValueId scanned = results[e.reductions.size() + *scan];
    Builder arm(program);
    const Operand last = arm.sub(e.width, Operand::ofI64(1));
    const ValueId value =
        arm.bind("last", {program.type(scanned).scalar, {}}, Index{scanned, {last}});
    Match match{empty, {{Scalar::ofBool(true), {{}, e.reductions[r].neutral}}}, arm.take({value})};
    builder.append({{results[r]}, std::move(match), false, {}});
  }
  return builder.take({}).stms;
}

}  // namespace

std::vector<Stm> splitScrema(Program& program, const Stm& stm) {
  const auto& e = std::get<Screma>(stm.expr);
  if (e.reductions.empty() || e.scans.empty()) return {stm};
  size_t reduced = 0;
  for (const Reduction& reduction : e.reductions) reduced += reduction.neutral.size();
  const Operands& results = e.map.body.results;
  size_t others = results.size() - reduced;
  Screma scans{e.width, e.inputs, {}, {}, e.scans};
  std::vector<Stm> ends = lastElements(program, e, stm.results);
  if (!ends.empty()) {
    scans.map = mapFor(program, e.map, slice(results, reduced, others), true);
    ends.insert(ends.begin(),
                {slice(stm.results, reduced, others), std::move(scans), stm.checked, stm.span});
    return ends;
  }
  Screma reductions{e.width, e.inputs, {}, e.reductions, {}};
  reductions.map = mapFor(program, e.map, slice(results, 0, reduced), true);
  scans.map = mapFor(program, e.map, slice(results, reduced, others), false);
  return {{slice(stm.results, 0, reduced), std::move(reductions), stm.checked, stm.span},
          {slice(stm.results, reduced, others), std::move(scans), stm.checked, stm.span}};
}

std::vector<Stm> splitHist(Program& program, const Stm& stm) {
  const auto& e = std::get<Hist>(stm.expr);
  std::vector<Stm> parts;
  size_t next = 0, made = 0;  // results of the map, and of the statement
  for (const HistOp& op : e.operations) {
    const size_t arrays = op.destinations.size();
    const size_t count = static_cast<size_t>(op.index_rank) + arrays;
    Hist part{e.width, e.inputs, {}, {op}, e.flattening};
    part.map = mapFor(program, e.map, slice(e.map.body.results, next, count), parts.empty());
    part.operations[0].op = freshCopy(program, op.op);
    parts.push_back({slice(stm.results, made, arrays), std::move(part), stm.checked, stm.span});
    next += count;
    made += arrays;
  }
  return parts;
}

bool isWorthMapping(Program& program, const Screma& screma, const Variants& variants) {
  return !isMap(screma) && hasScalarOperators(program, screma) &&
         (makesPlanes(program, screma.map.body) || hasParallelWork(program, screma.map, variants));
}

namespace {

// A screma over stored arrays of scalars, without operators yet.
Screma over(Program& program, const Operand& width, const std::vector<ValueId>& arrays) {
  Screma screma{width, arrays, {}, {}, {}};
  for (ValueId array : arrays) {
    ValueId param = program.add("x", {program.type(array).scalar, {}});
    screma.map.params.push_back(param);
    screma.map.body.results.push_back(param);
  }
  return screma;
}

}  // namespace

std::vector<Stm> mapFirst(Program& program, const Stm& stm) {
  const auto& e = std::get<Screma>(stm.expr);
  size_t passed = 0;  // position of the first result passed through
  for (const Reduction& reduction : e.reductions) passed += reduction.neutral.size();
  for (const Scan& scan : e.scans) passed += scan.neutral.size();
  const Operands& results = e.map.body.results;
  Screma map{e.width, e.inputs, e.map, {}, {}};
  map.map.body.results.clear();
  std::vector<ValueId> stored;                  // results of the map
  std::vector<ValueId> arrays(results.size());  // by the position of their contents
  for (size_t i = results.size(); i-- > 0;) {
    bool is_passed = i >= passed;
    size_t same = i + 1;
    while (same < results.size() && results[same] != results[i]) same++;
    if (!is_passed && same < results.size()) {
      arrays[i] = arrays[same];
      continue;
    }
    // An element returned unchanged is in the input.
    const std::vector<ValueId>& params = e.map.params;
    const auto handed_on = std::find(params.begin(), params.end(), results[i].value);
    if (!is_passed && !results[i].isConstant() && handed_on != params.end()) {
      arrays[i] = e.inputs[static_cast<size_t>(handed_on - params.begin())];
      continue;
    }
    Type type = program.type(results[i]);
    type.shape.insert(type.shape.begin(), e.width);
    arrays[i] = is_passed ? stm.results[i] : program.add("mapped", std::move(type));
    stored.push_back(arrays[i]);
    map.map.body.results.push_back(results[i]);
  }
  std::vector<Stm> stms = {{stored, std::move(map), false, stm.span}};
  size_t next = 0;
  auto add = [&](size_t count, const auto& attach) {
    Screma single = over(program, e.width, slice(arrays, next, count));
    attach(single);
    stms.push_back({slice(stm.results, next, count), std::move(single), false, stm.span});
    next += count;
  };
  for (const Reduction& reduction : e.reductions) {
    add(reduction.neutral.size(), [&](Screma& single) { single.reductions = {reduction}; });
  }
  for (const Scan& scan : e.scans) {
    add(scan.neutral.size(), [&](Screma& single) { single.scans = {scan}; });
  }
  return stms;
}

Body withSingleScremas(Program& program, const Body& body, const Variants& variants) {
  Body result;
  result.results = body.results;
  for (const Stm& stm : body.stms) {
    const auto* screma = std::get_if<Screma>(&stm.expr);
    if (screma == nullptr) {
      result.stms.push_back(stm);
      continue;
    }
    bool maps = isWorthMapping(program, *screma, variants);
    for (Stm& part : maps ? mapFirst(program, stm) : splitScrema(program, stm)) {
      result.stms.push_back(std::move(part));
    }
  }
  return result;
}

}  // namespace halo::gpu
