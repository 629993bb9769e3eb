// The state that the parts of the checker share: of one file, one declaration at a time. Nodes of
// the declaration get types under inference (`inferred`). Facts that can only be written down when
// all is known wait in Pending. Then everything becomes the Program's tables.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "lang/types/environment.h"
#include "lang/types/infer/pending.h"
#include "lang/types/size_order.h"

namespace halo::types {

enum class World { kTransparent, kOpaque };

// The meaning of an annotation's `[]`.
enum class Anonymous {
  kUnknown,      // a size to be inferred
  kParameter,    // a new size parameter of the function
  kExistential,  // known to the result only
};

struct FunctionInfo {
  std::vector<TypeParamId> type_parameters;
  std::vector<BinderId> size_parameters;
  size_t named_sizes = 0;  // of them, the first ones: `[n]`
  TypeRef type, result;
};

struct CurrentDef {
  std::string name;
  DefId id;
  TypeRef type;
  bool has_parameters = false;
  bool is_recursive = false;
  bool is_entry = false;
  bool has_shapes = false;  // code without types is checked as if it had them
  size_t errors_before = 0;
  bool uses_broken = false;                            // definitions that had errors
  std::unordered_set<std::string> unknown_names = {};  // reported where they are first used
  FunctionInfo info;
};

// The place of a declaration.
struct Surroundings {
  std::optional<PreludePlace> prelude;
  std::vector<std::string> module_names;  // of the modules around it
  int module_depth = 0;
  // Type parameters that stand for types which hide sizes, new ones at every mention.
  std::vector<std::pair<std::string, syntax::TypeExprId>> hiding_types;
};

struct Context {
  Context(Environment& of, World seen, const CheckOptions& with, diag::Sink& to)
      : environment(of), options(with), sink(to), world(seen), inference(of.program) {}

  Environment& environment;
  const CheckOptions& options;
  diag::Sink& sink;
  World world;
  ScopeStack scopes;
  Surroundings where;
  int applied_depth = 0;             // bodies of parametric modules that are being applied
  std::unordered_set<DefId> broken;  // had errors: their uses stay silent

  // Of the declaration: unknown parts of its types may follow from an error.
  bool hasFollowingErrors() const {
    return current && (current->uses_broken || sink.errorCount() != current->errors_before);
  }

  // ---- of the declaration
  Inference inference;
  Pending pending;
  base::PagedTable<TypeRef, ExprId> inferred;
  std::unordered_map<PatternId, TypeRef> pattern_types;
  LocalScope locals;
  std::optional<CurrentDef> current;
  SizeOrder size_order;
  std::unordered_map<syntax::TypeExprId, TypeRef> annotations;  // each is elaborated once
  std::unordered_map<uint64_t, TypeId> shapes;   // of parameters without annotation, by place
  std::vector<BinderId>* fresh_sizes = nullptr;  // where kParameter, kExistential go
  bool joins_carried = false;  // sizes of carried arrays met in branches, and became one
  bool parts_carried = false;  // there they stay as many as they are
  bool parts_open = false;     // sizes that variables left open differed from those they met there
  bool joins_open = false;     // there they become one
  bool loosens = false;  // parameters of a function, whose `[]` may turn out to be older sizes
};

}  // namespace halo::types
