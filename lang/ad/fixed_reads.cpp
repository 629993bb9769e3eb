// Inner loops first, so that a read moves out of all loops around it that its array is not of.
#include "lang/ad/fixed_reads.h"

#include <algorithm>
#include <map>

#include "lang/core/rewrite.h"
#include "lang/core/visit.h"

namespace halo::ad {

namespace {

using core::Body;
using core::Index;
using core::Operand;
using core::Program;
using core::Stm;
using core::ValueId;

using Place = std::pair<ValueId, std::vector<int64_t>>;
using Reads = std::map<Place, Stm>;

std::optional<Place> fixedPlace(const Program& program, const Index& read) {
  const core::Type& type = program.type(read.array);
  if (type.shape.size() != read.indices.size()) return std::nullopt;
  Place place{read.array, {}};
  for (size_t d = 0; d < read.indices.size(); ++d) {
    if (!read.indices[d].isConstant() || !type.shape[d].isConstant()) return std::nullopt;
    const int64_t at = read.indices[d].constant.asSigned();
    if (at < 0 || at >= type.shape[d].constant.asSigned()) return std::nullopt;
    place.second.push_back(at);
  }
  return place;
}

// Takes the reads of arrays in `outside` out of the body. `renamed`: equal ones are one.
void take(const Program& program, Body& body, const std::unordered_set<ValueId>& outside,
          Reads& reads, core::Substitution& renamed) {
  std::vector<Stm> stms;
  for (Stm& stm : body.stms) {
    core::visitBodies(stm.expr,
                      [&](Body& nested) { take(program, nested, outside, reads, renamed); });
    const auto* read = std::get_if<Index>(&stm.expr);
    const bool is_outside = read != nullptr && outside.contains(read->array);
    const auto place = is_outside ? fixedPlace(program, *read) : std::nullopt;
    if (!place) {
      stms.push_back(std::move(stm));
      continue;
    }
    stm.checked = false;
    const ValueId mine = stm.results[0];
    const auto [known, is_new] = reads.try_emplace(*place, std::move(stm));
    if (!is_new) renamed[mine] = known->second.results[0];
  }
  body.stms = std::move(stms);
}

}  // namespace

void moveFixedReads(Program& program, Body& body) {
  std::vector<Stm> stms;
  for (Stm& stm : body.stms) {
    core::visitBodies(stm.expr, [&](Body& nested) { moveFixedReads(program, nested); });
    if (auto* loop = std::get_if<core::Loop>(&stm.expr)) {
      Reads reads;
      core::Substitution renamed;
      take(program, loop->body, core::freeValues(program, stm), reads, renamed);
      core::substitute(program, loop->body, renamed);
      for (auto& [place, read] : reads) stms.push_back(std::move(read));
    }
    stms.push_back(std::move(stm));
  }
  body.stms = std::move(stms);
}

}  // namespace halo::ad
