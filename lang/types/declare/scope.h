// Meanings of names: values, types, modules and module types at top level and in modules, and the
// stack of local variables. Modules are immutable once complete and shared between environments.
//
// Modules are interpreted while checking (README). A ModuleScope is a table of names, a
// ParametricModule a closure over the scopes around it, as a ModuleType is.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>

#include "lang/types/infer/inference.h"
#include "lang/types/prelude.h"

namespace halo::types {

// `type t [n] 'a = ..`. For an abstract type seen from outside, `type` is a ParamType applied to
// these parameters.
struct TypeAbbreviation {
  std::vector<BinderId> size_parameters;
  std::vector<TypeParamId> type_parameters;
  TypeId type;
  std::vector<BinderId> hidden_sizes = {};  // `type~ t = []i32`: new ones at every use
  syntax::Lift lift = syntax::Lift::kNone;  // as declared
  std::vector<bool> is_size = {};           // by parameter, in the order written
  source::Span span = {};                   // of the name
};

// The type of a value as a signature gives it. `hidden_sizes`, in a constant, are known to the
// value only.
struct Scheme {
  std::vector<TypeParamId> type_parameters;
  std::vector<BinderId> size_parameters;
  std::vector<BinderId> hidden_sizes;
  TypeId type;
};

// A definition; `view`, if there is one, is the less general type that its users see.
struct Value {
  DefId def;
  std::shared_ptr<const Scheme> view = nullptr;
};

struct ModuleScope;
struct ParametricModule;
struct ModuleType;

// One of the two; neither if an error was reported.
struct Module {
  std::shared_ptr<const ModuleScope> scope = nullptr;
  std::shared_ptr<const ParametricModule> parametric = nullptr;
  source::Span span = {};  // of the name

  bool isBroken() const { return !scope && !parametric; }
};

// Values and modules share a name space.
struct ModuleScope {
  std::unordered_map<std::string, Value> values;
  std::unordered_map<std::string, TypeAbbreviation> types;
  std::unordered_map<std::string, Module> modules;
  std::unordered_map<std::string, std::shared_ptr<const ModuleType>> module_types;
  // A module of the prelude: more names, which are checked when they are used (on_demand.cpp).
  const PreludeBody* unchecked = nullptr;

  void add(const std::string& name, Value value);
  void add(const std::string& name, TypeAbbreviation type);
  void add(const std::string& name, Module module);
  void add(const std::string& name, std::shared_ptr<const ModuleType> type);
  // Everything of `other`, shadowing names of this scope: `open`.
  void addAll(const ModuleScope& other);
  // Everything of `other` that no name of this scope shadows.
  void addBelow(const ModuleScope& other);
  size_t size() const;
};

// The scopes that a module expression sees, outermost first.
using Scopes = std::vector<std::shared_ptr<const ModuleScope>>;

struct ModuleType {
  syntax::ModuleTypeId type;  // none: an error was reported
  Scopes scopes;
  source::Span span = {};  // of the name
};

// `\(P: mt) .. : result -> body`, as written.
struct WrittenModule {
  std::vector<syntax::ModuleParameter> more_parameters;
  syntax::ModuleTypeId result;  // may be none
  syntax::ModuleExprId body;
};
// The view of another parametric module through `(P: mt) -> result`; without one it stands for any.
struct ShownModule {
  syntax::ModuleTypeId result;
  std::shared_ptr<const ParametricModule> inner;
};
struct ParametricModule {
  syntax::ModuleParameter parameter;
  std::variant<WrittenModule, ShownModule> body;
  Scopes scopes;
};

// The scopes around the declaration at hand, innermost last. Captured scopes are shared. A scope
// that changes after a capture is copied while it is small, else it goes on in a new layer. Layers
// are merged so that each is at most half of the one below. A file with n names and n captures
// costs n log n.
class ScopeStack {
 public:
  ScopeStack() = default;
  explicit ScopeStack(const Scopes& captured);

  void push();
  void push(std::shared_ptr<const ModuleScope> scope);
  // The visible part of the innermost scope, which is left.
  std::shared_ptr<const ModuleScope> pop();
  Scopes capture() const;

  template <typename Meaning>
  void define(const std::string& name, const Meaning& meaning, bool is_local) {
    if (is_local) keepApart();
    changed().add(name, meaning);
    if (!is_local && frames_.back().exported) frames_.back().exported->add(name, meaning);
  }
  void open(const ModuleScope& module, bool is_local);
  // `include`: the smaller of both is added to the larger one. In a chain of module types, each
  // including the one before, a member is then added once, not once for each of them.
  void include(std::shared_ptr<const ModuleScope> members);

  // Layers count as scopes.
  size_t size() const { return frames_.size(); }
  const ModuleScope& operator[](size_t i) const { return *frames_[i].visible; }

 private:
  struct Frame {
    std::shared_ptr<const ModuleScope> visible;
    std::shared_ptr<ModuleScope> exported;  // none: as visible; of the uppermost layer
    bool is_layer = false;                  // of the scope below
  };
  ModuleScope& changed();
  void addLayer();
  std::shared_ptr<ModuleScope> merged() const;
  void keepApart();

  std::vector<Frame> frames_;
};

// A local function with its own parameters, made anew at each use.
struct LocalScheme {
  std::vector<TypeParamId> type_parameters;
  std::vector<BinderId> size_parameters;
};

struct LocalValue {
  std::string name;
  BinderId binder;
  TypeRef type;
  LocalScheme scheme;
};

class LocalScope {
 public:
  size_t mark() const { return values_.size(); }
  void popTo(size_t mark);
  void add(LocalValue value);
  const LocalValue* find(const std::string& name) const;
  // Whether `value`, of this scope, came before the mark.
  bool isBefore(const LocalValue& value, size_t mark) const {
    return static_cast<size_t>(&value - values_.data()) < mark;
  }
  std::vector<std::string> names() const;
  const std::vector<LocalValue>& values() const { return values_; }  // outermost first

  // Type parameters in scope, innermost last.
  std::vector<std::pair<std::string, TypeParamId>> type_params;

 private:
  std::vector<LocalValue> values_;
  std::unordered_map<std::string, std::vector<size_t>> by_name_;
};

}  // namespace halo::types
