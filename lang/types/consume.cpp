// A walk in evaluation order that carries what is consumed so far.
#include "lang/types/consume.h"

#include <fmt/format.h>

#include <algorithm>

#include "lang/base/match.h"
#include "lang/syntax/visit.h"

namespace halo::types {

using diag::Code;
using namespace syntax;

namespace {

constexpr int kMaxDepth = 1500;  // deeper expressions are not followed: nothing is reported there

using Roots = std::vector<int>;

// The roots of a value: of an array, or of each field of a record.
struct Alias {
  Roots roots;
  std::vector<Alias> fields;
};

void addRoots(const Alias& alias, Roots& out) {
  out.insert(out.end(), alias.roots.begin(), alias.roots.end());
  for (const Alias& field : alias.fields) addRoots(field, out);
}

Roots rootsOf(const Alias& alias) {
  Roots roots;
  addRoots(alias, roots);
  std::sort(roots.begin(), roots.end());
  roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
  return roots;
}

Alias join(const Alias& a, const Alias& b) {
  Alias both = a;
  both.roots.insert(both.roots.end(), b.roots.begin(), b.roots.end());
  if (both.fields.empty()) both.fields = b.fields;
  for (size_t i = 0; i < both.fields.size() && i < b.fields.size() && !a.fields.empty(); ++i) {
    both.fields[i] = join(a.fields[i], b.fields[i]);
  }
  both.roots = rootsOf({both.roots, {}});
  return both;
}

// What one branch consumes, the other may hand on: `if c then xs with [i] = v else xs`. The old
// name is gone for good, so the result is the only way to the memory, and no alias of it.
void dropConsumed(Alias& alias, const std::unordered_map<int, Span>& consumed) {
  std::erase_if(alias.roots, [&](int root) { return consumed.contains(root); });
  for (Alias& field : alias.fields) dropConsumed(field, consumed);
}

class Consumption {
 public:
  Consumption(const Program& program, ResultAliases& aliases, diag::Sink& sink)
      : program_(program), aliases_(aliases), sink_(sink) {}

  void check(DefId id, const std::vector<bool>& consumable, bool result_is_unique);

 private:
  struct Root {
    std::string name;
    bool is_consumable = true;
    int depth = 0;  // of functions and loops around its birth
  };

  Alias fresh(TypeId type, const std::string& name, bool is_consumable);
  Alias withRoots(TypeId type, const Roots& roots) const;
  bool hasArrays(TypeId type) const;
  void bind(PatternId pattern, const Alias& alias, bool is_consumable = true);
  Alias eval(ExprId expr);
  Alias evalNode(ExprId expr);
  Alias evalVariable(ExprId expr);
  Alias evalLets(ExprId expr);
  Alias evalIf(const If& node);
  Alias evalLoop(const Loop& loop);
  Alias evalApply(ExprId expr);
  Alias evalCall(ExprId head, TypeId function, const std::vector<ExprId>& arguments, TypeId result);
  Alias evalFunction(const std::vector<PatternId>& parameters, ExprId body);
  void use(const Roots& roots, Span span, const std::string& name);
  void consume(const Roots& roots, Span span);
  std::vector<bool> aliasingOf(ExprId head, size_t count) const;
  TypeId typeOf(ExprId expr) const { return program_.type_of.at(expr); }
  Span span(ExprId expr) const { return program_.tree.exprs[expr].span; }

  const Program& program_;
  ResultAliases& aliases_;
  diag::Sink& sink_;
  std::vector<Root> roots_;
  std::unordered_map<BinderId, Alias> variables_;
  std::unordered_map<int, Span> consumed_;
  int regions_ = 0;  // functions and loops around
  int depth_ = 0;
};

// ---- types and roots

bool Consumption::hasArrays(TypeId type) const {
  if (!type) return false;
  auto* record = std::get_if<RecordType>(&program_.types[type]);
  if (record) {
    return std::any_of(record->fields.begin(), record->fields.end(),
                       [&](TypeId field) { return hasArrays(field); });
  }
  return std::holds_alternative<ArrayType>(program_.types[type]) ||
         std::holds_alternative<ParamType>(program_.types[type]);
}

// Every array in a value of this type may share `roots`.
Alias Consumption::withRoots(TypeId type, const Roots& roots) const {
  Alias alias;
  if (roots.empty() || !hasArrays(type)) return alias;
  if (auto* record = std::get_if<RecordType>(&program_.types[type])) {
    for (TypeId field : record->fields) alias.fields.push_back(withRoots(field, roots));
  } else {
    alias.roots = roots;
  }
  return alias;
}

Alias Consumption::fresh(TypeId type, const std::string& name, bool is_consumable) {
  Alias alias;
  if (!hasArrays(type)) return alias;
  if (auto* record = std::get_if<RecordType>(&program_.types[type])) {
    for (TypeId field : record->fields) {
      alias.fields.push_back(fresh(field, name, is_consumable));
    }
  } else {
    roots_.push_back({name, is_consumable, regions_});
    alias.roots = {static_cast<int>(roots_.size()) - 1};
  }
  return alias;
}

void Consumption::bind(PatternId pattern, const Alias& alias, bool is_consumable) {
  TypeId type = program_.pattern_type.at(pattern);
  const PatternNode& node = program_.tree.patterns[pattern].node;
  auto field = [&](size_t i) { return i < alias.fields.size() ? alias.fields[i] : Alias(); };
  base::match(
      node,
      [&](const PatternName& name) {
        variables_[program_.binder_of.at(pattern)] =
            rootsOf(alias).empty() ? fresh(type, name.name.name, is_consumable) : alias;
      },
      [](const PatternWildcard&) {},
      [&](const PatternTyped& typed) { bind(typed.pattern, alias, is_consumable); },
      [&](const PatternTuple& tuple) {
        for (size_t i = 0; i < tuple.elements.size(); ++i) {
          bind(tuple.elements[i], field(i), is_consumable);
        }
      },
      [&](const PatternRecord& record) {
        auto& names = std::get<RecordType>(program_.types[type]).names;
        for (const auto& [name, part] : record.fields) {
          auto found = std::find(names.begin(), names.end(), name.name);
          bind(part, field(static_cast<size_t>(found - names.begin())), is_consumable);
        }
      },
      [&](const PatternConstructor& constructor) {
        for (PatternId part : constructor.payload) bind(part, {}, is_consumable);
      },
      [](const PatternLiteral&) {},
      [&](const PatternAttributed& attributed) { bind(attributed.pattern, alias, is_consumable); });
}

void Consumption::use(const Roots& roots, Span span, const std::string& name) {
  for (int root : roots) {
    auto found = consumed_.find(root);
    if (found == consumed_.end()) continue;
    auto& diagnostic =
        sink_.error(Code::consumed, span, fmt::format("`{}` is used after it was consumed", name));
    diagnostic.labels.push_back({found->second, "consumed here"});
    consumed_.erase(found);  // once is enough
    return;
  }
}

void Consumption::consume(const Roots& roots, Span span) {
  for (int root : roots) {
    if (!roots_[static_cast<size_t>(root)].is_consumable) {
      const std::string& name = roots_[static_cast<size_t>(root)].name;
      sink_
          .error(Code::consumed, span,
                 fmt::format("`{}` is a parameter without `*`, which this would consume", name))
          .notes.push_back("take it as `*t`, or update a `copy`");
      roots_[static_cast<size_t>(root)].is_consumable = true;
    } else if (roots_[static_cast<size_t>(root)].depth < regions_) {
      sink_.error(Code::consumed, span,
                  fmt::format("`{}` comes from outside and would be consumed each time",
                              roots_[static_cast<size_t>(root)].name));
    }
    consumed_.try_emplace(root, span);
  }
}

// ---- expressions

Alias Consumption::eval(ExprId expr) {
  if (depth_ > kMaxDepth) return {};
  ++depth_;
  Alias alias = evalNode(expr);
  --depth_;
  return alias;
}

Alias Consumption::evalNode(ExprId expr) {
  const ExprNode& node = program_.tree.exprs[expr].node;
  auto evalAll = [&] {
    forEachChild(node, [&](ExprId child) { eval(child); });
    return Alias();
  };
  if (std::holds_alternative<Variable>(node)) return evalVariable(expr);
  if (std::holds_alternative<Apply>(node)) return evalApply(expr);
  if (auto* n = std::get_if<Parenthesised>(&node)) return eval(n->value);
  if (auto* n = std::get_if<Attributed>(&node)) return eval(n->value);
  if (auto* n = std::get_if<Ascribe>(&node)) return eval(n->value);
  if (auto* n = std::get_if<Coerce>(&node)) return eval(n->value);
  if (auto* n = std::get_if<If>(&node)) return evalIf(*n);
  if (auto* n = std::get_if<Loop>(&node)) return evalLoop(*n);
  if (std::holds_alternative<Let>(node) || std::holds_alternative<LetFunction>(node)) {
    return evalLets(expr);
  }
  if (auto* n = std::get_if<Lambda>(&node)) {
    evalFunction(n->parameters, n->body);
    return {};
  }
  if (auto* n = std::get_if<AssertExpr>(&node)) {
    eval(n->condition);
    return eval(n->value);
  }
  if (auto* n = std::get_if<TupleExpr>(&node)) {
    Alias alias;
    for (ExprId element : n->elements) alias.fields.push_back(eval(element));
    return alias;
  }
  if (auto* n = std::get_if<RecordExpr>(&node)) {
    const auto& names = std::get<RecordType>(program_.types[typeOf(expr)]).names;
    Alias alias;
    alias.fields.resize(names.size());
    for (const auto& [name, value] : n->fields) {
      auto found = std::find(names.begin(), names.end(), name.name);
      alias.fields[static_cast<size_t>(found - names.begin())] = eval(value);
    }
    return alias;
  }
  if (auto* n = std::get_if<Project>(&node)) {
    // `t.0` uses that field only.
    const ExprNode& inner = program_.tree.exprs[n->record].node;
    bool is_variable = std::holds_alternative<Variable>(inner);
    const auto& target = program_.use_of.at(n->record);
    auto* local = is_variable && target ? std::get_if<LocalTarget>(&target->target) : nullptr;
    Alias record = local ? variables_[local->binder] : eval(n->record);
    const auto& names = std::get<RecordType>(program_.types[typeOf(n->record)]).names;
    auto index =
        static_cast<size_t>(std::find(names.begin(), names.end(), n->field.name) - names.begin());
    Alias field = index < record.fields.size() ? record.fields[index] : Alias();
    if (local) use(rootsOf(field), span(expr), program_.binders[local->binder].name);
    return field;
  }
  if (auto* n = std::get_if<IndexExpr>(&node)) {
    Roots roots = rootsOf(eval(n->array));
    for (const IndexPart& part : n->parts) {
      for (ExprId index : {part.index, part.start, part.end, part.stride}) {
        if (index) eval(index);
      }
    }
    return withRoots(typeOf(expr), roots);
  }
  if (auto* n = std::get_if<UpdateExpr>(&node)) {
    Alias array = eval(n->array);
    for (const IndexPart& part : n->parts) {
      for (ExprId index : {part.index, part.start, part.end, part.stride}) {
        if (index) eval(index);
      }
    }
    eval(n->value);
    consume(rootsOf(array), span(expr));
    return {};
  }
  if (auto* n = std::get_if<Binary>(&node)) {
    const auto& used = program_.use_of.at(expr);
    auto* def = used ? std::get_if<DefTarget>(&used->target) : nullptr;
    if (!def) return evalAll();
    return evalCall(expr, program_.defs[def->def].type, {n->lhs, n->rhs}, typeOf(expr));
  }
  return evalAll();
}

Alias Consumption::evalVariable(ExprId expr) {
  const auto& used = program_.use_of.at(expr);
  auto* local = used ? std::get_if<LocalTarget>(&used->target) : nullptr;
  if (!local) return {};
  auto found = variables_.find(local->binder);
  if (found == variables_.end()) return {};
  use(rootsOf(found->second), span(expr), program_.binders[local->binder].name);
  return found->second;
}

Alias Consumption::evalLets(ExprId expr) {
  for (;;) {
    const ExprNode& node = program_.tree.exprs[expr].node;
    if (auto* let = std::get_if<Let>(&node)) {
      bind(let->pattern, eval(let->value));
      expr = let->body;
    } else if (auto* local = std::get_if<LetFunction>(&node)) {
      evalFunction(local->function.parameters, local->function.body);
      expr = local->body;
    } else {
      return eval(expr);
    }
  }
}

Alias Consumption::evalIf(const If& node) {
  eval(node.condition);
  auto before = consumed_;
  Alias then_alias = eval(node.then_branch);
  auto after_then = std::exchange(consumed_, std::move(before));
  Alias else_alias = eval(node.else_branch);
  consumed_.insert(after_then.begin(), after_then.end());
  Alias result = join(then_alias, else_alias);
  dropConsumed(result, consumed_);
  return result;
}

// A function may run any number of times: it must not consume what comes from outside.
Alias Consumption::evalFunction(const std::vector<PatternId>& parameters, ExprId body) {
  ++regions_;
  for (PatternId parameter : parameters) bind(parameter, {});
  Alias result = eval(body);
  --regions_;
  return result;
}

// If the body consumes a carried array, the loop consumes its initial value.
Alias Consumption::evalLoop(const Loop& loop) {
  Alias initial = eval(loop.initial);
  TypeId type = program_.pattern_type.at(loop.pattern);
  base::match(
      loop.form, [&](const LoopFor& form) { eval(form.bound); },
      [&](const LoopForIn& form) { eval(form.array); }, [](const LoopWhile&) {});
  ++regions_;
  Alias carried = fresh(type, "the carried array", true);
  bind(loop.pattern, carried);
  base::match(
      loop.form, [](const LoopFor&) {}, [&](const LoopForIn& form) { bind(form.pattern, {}); },
      [&](const LoopWhile& form) { eval(form.condition); });
  eval(loop.body);
  --regions_;
  auto settle = [&](auto& self, const Alias& inside, const Alias& outside) -> Alias {
    bool is_consumed = std::any_of(inside.roots.begin(), inside.roots.end(),
                                   [&](int root) { return consumed_.count(root) > 0; });
    if (is_consumed) {
      consume(rootsOf(outside), span(loop.initial));
      return {};
    }
    Alias result{outside.roots, {}};
    for (size_t i = 0; i < inside.fields.size() && i < outside.fields.size(); ++i) {
      result.fields.push_back(self(self, inside.fields[i], outside.fields[i]));
    }
    return result;
  };
  return settle(settle, carried, initial);
}

// ---- calls

Alias Consumption::evalApply(ExprId expr) {
  std::vector<ExprId> arguments;
  ExprId head = expr;
  while (auto* apply = std::get_if<Apply>(&program_.tree.exprs[head].node)) {
    arguments.push_back(apply->argument);
    head = apply->function;
  }
  std::reverse(arguments.begin(), arguments.end());
  eval(head);
  return evalCall(head, typeOf(head), arguments, typeOf(expr));
}

// Which arguments the result may share storage with.
std::vector<bool> Consumption::aliasingOf(ExprId head, size_t count) const {
  std::vector<bool> none(count, false);
  const auto& used = program_.use_of.at(head);
  auto* target = used ? std::get_if<DefTarget>(&used->target) : nullptr;
  if (!target) return none;
  auto found = aliases_.find(target->def);
  if (found == aliases_.end()) return none;
  std::vector<bool> aliasing = found->second;
  aliasing.resize(count, false);
  return aliasing;
}

Alias Consumption::evalCall(ExprId head, TypeId function, const std::vector<ExprId>& arguments,
                            TypeId result) {
  std::vector<Alias> values;
  for (ExprId argument : arguments) values.push_back(eval(argument));
  std::vector<bool> aliasing = aliasingOf(head, arguments.size());
  Roots shared;
  for (size_t i = 0; i < arguments.size(); ++i) {
    auto* type = function ? std::get_if<FunctionType>(&program_.types[function]) : nullptr;
    if (type && type->consumes) {
      Roots roots = rootsOf(values[i]);
      consume(roots, span(arguments[i]));
      for (size_t other = 0; other < arguments.size(); ++other) {
        if (other == i) continue;
        Roots both, others = rootsOf(values[other]);
        std::set_intersection(roots.begin(), roots.end(), others.begin(), others.end(),
                              std::back_inserter(both));
        use(both, span(arguments[other]), std::string(both.empty() ? "" : roots_[both[0]].name));
      }
    } else if (aliasing[i]) {
      addRoots(values[i], shared);
    }
    function = type ? type->result : TypeId();
  }
  return withRoots(result, rootsOf({shared, {}}));
}

void Consumption::check(DefId id, const std::vector<bool>& consumable, bool result_is_unique) {
  const Def& def = program_.defs[id];
  std::vector<Roots> of_parameter;
  for (size_t i = 0; i < def.parameters.size(); ++i) {
    TypeId type = program_.pattern_type.at(def.parameters[i]);
    const PatternNode* node = &program_.tree.patterns[def.parameters[i]].node;
    while (auto* typed = std::get_if<PatternTyped>(node)) {
      node = &program_.tree.patterns[typed->pattern].node;
    }
    auto* name = std::get_if<PatternName>(node);
    Alias alias = fresh(type, name ? name->name.name : "the array", consumable[i]);
    of_parameter.push_back(rootsOf(alias));
    bind(def.parameters[i], alias);
  }
  Roots result = rootsOf(eval(def.body));
  std::vector<bool>& aliasing = aliases_[id];
  for (const Roots& roots : of_parameter) {
    bool shares = std::any_of(roots.begin(), roots.end(), [&](int root) {
      return std::binary_search(result.begin(), result.end(), root);
    });
    aliasing.push_back(shares && !result_is_unique);
  }
}

}  // namespace

void checkConsumption(const Program& program, DefId def, const std::vector<bool>& consumable,
                      bool result_is_unique, ResultAliases& aliases, diag::Sink& sink) {
  Consumption(program, aliases, sink).check(def, consumable, result_is_unique);
}

}  // namespace halo::types
