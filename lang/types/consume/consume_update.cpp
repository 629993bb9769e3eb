// Updates of arrays and of records.
#include <fmt/format.h>

#include <algorithm>

#include "lang/types/consume/walks.h"
#include "lang/types/infer/path_target.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

// `t[i].a` in the rewritten form of a path `[i].a[j] = v`: the update goes back into `t`.
bool UpdateWalk::isPartOfPath(ExprId expr) const {
  bool has_index = false;
  for (;;) {
    if (auto* index = std::get_if<IndexExpr>(&node(expr))) {
      has_index = true;
      expr = index->array;
    } else if (auto* project = std::get_if<Project>(&node(expr))) {
      expr = project->record;
    } else {
      auto* variable = std::get_if<Variable>(&node(expr));
      return has_index && variable && variable->name.name == kPathTarget;
    }
  }
}

// Of the record that goes back into `t[i]` only the field that a path replaces is new: the others
// are where they were.
Alias UpdateWalk::replacedPart(ExprId value, Alias alias) const {
  const auto* update = std::get_if<RecordUpdate>(&node(value));
  if (!update || !isPartOfPath(update->record)) return alias;
  TypeId type = typeOf(update->record);
  for (const Identifier& field : update->path) {
    const std::vector<Part> parts = partsOf(program_, type);
    const auto found = std::find_if(parts.begin(), parts.end(),
                                    [&](const Part& part) { return part.name == field.name; });
    if (!alias || found == parts.end()) return alias;
    alias = partOf(alias, static_cast<size_t>(found - parts.begin()));
    type = found->type;
  }
  return replacedPart(update->value, alias);
}

// The indices and the new value come first: they may use values that the array consumes, as in `(xs
// with [1] = xs[0]) with [2] = xs[1]`. The array must not use values that they consume.
Alias UpdateWalk::evalUpdate(ExprId expr, const UpdateExpr& node) {
  const bool is_ready = state_.ready && state_.ready->expr == node.array;
  const size_t before = is_ready ? state_.ready->mark : consumed_order_.size();
  Roots array = rootsOf(ExprWalk(state_).evalFirst(node.array));
  const ConsumedRoots for_array = takeSince(before);
  ExprWalk(state_).evalParts(node.parts);
  Roots value = rootsOf(replacedPart(node.value, eval(node.value)));
  for (const auto& [root, what] : for_array) {
    auto also = state_.consumed.find(root);
    if (also != state_.consumed.end()) reportUse(root, also->second, node.array);
  }
  useRoots(array, node.array, before);
  putBack(for_array);
  if (isPartOfPath(node.array)) return {};
  if (auto root = common(array, value); root && reported_.insert(*root).second) {
    diag::Diagnostic& diagnostic =
        error(Code::uniqueness, span(node.value),
              fmt::format("the new elements may share memory with {}, the array that they go into",
                          describe(*root)));
    labelOrigin(diagnostic, *root);
    diagnostic.notes.push_back("use a `copy` of them");
  }
  consume(array, span(expr), nameOf(node.array));
  return {};
}

// ---- record updates

// The record with a new field; `kept` gets the parts beside it.
Alias UpdateWalk::replaceField(TypeId type, const Alias& record,
                               const std::vector<Identifier>& path, size_t step, const Alias& value,
                               std::vector<Alias>& kept) {
  if (step == path.size()) return value;
  std::vector<Alias> parts;
  for (const Part& part : partsOf(program_, type)) {
    Alias old = partOf(record, parts.size());
    bool is_path = part.name == path[step].name;
    if (!is_path) kept.push_back(old);
    parts.push_back(is_path ? replaceField(part.type, old, path, step + 1, value, kept) : old);
  }
  return composite(std::move(parts));
}

// Only the fields that stay are used: `r with f = (r.f with [i] = v)`.
Alias UpdateWalk::evalRecordUpdate(const RecordUpdate& node) {
  auto variable = variableOf(node.record);
  bool is_name = variable && std::holds_alternative<Variable>(this->node(node.record));
  Alias record = is_name ? lookUp(*variable) : ExprWalk(state_).evalFirst(node.record);
  Alias value = eval(node.value);
  std::vector<Alias> kept;
  Alias updated = replaceField(typeOf(node.record), record, node.path, 0, value, kept);
  for (const Alias& part : kept) {
    if (is_name && part) {
      const auto& used = program_.use_of.at(*variable);
      auto* local = std::get_if<LocalTarget>(&used->target);
      if (local) note(*variable, local->binder, part);
    }
    use(part, node.record);
  }
  return updated;
}

}  // namespace halo::types
