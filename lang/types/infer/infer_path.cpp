// Paths of fields and indices, rewritten into forms that the other files know:
//   x with a[f y].b = e    let t = x in let i = f y
//                          in t with a = (t.a with [i] = (t.a[i] with b = e))
//   (.a[i].b)              \t -> t.a[i].b
// The names are of a kind that no program can write.
#include <fmt/format.h>

#include <algorithm>

#include "lang/types/declare/declare.h"
#include "lang/types/declare/names.h"
#include "lang/types/infer/infer_expr.h"
#include "lang/types/infer/path_target.h"

namespace halo::types {

using namespace syntax;

namespace {

class PathBuilder {
 public:
  PathBuilder(Tree& tree, Span span) : tree_(tree), span_(span) {}

  ExprId update(const PathUpdate& node) {
    std::string target = bind(kPathTarget, node.target);
    std::vector<PathStep> path = node.path;
    for (PathStep& step : path) {
      if (auto* parts = std::get_if<std::vector<IndexPart>>(&step)) bindParts(*parts);
    }
    mergeIndices(path);
    ExprId body = build([&] { return variable(target); }, path, 0, node.value);
    for (size_t i = lets_.size(); i-- > 0;) {
      body = tree_.exprs.add({Let{{}, lets_[i].first, lets_[i].second, body}, span_});
    }
    return body;
  }

  Lambda section(const PathSection& node) {
    PatternId pattern = tree_.patterns.add({PatternName{{"$value", span_}}, span_});
    return {{pattern}, {}, select(variable("$value"), node.path, 0, node.path.size())};
  }

 private:
  using Make = std::function<ExprId()>;

  ExprId variable(const std::string& name) {
    return tree_.exprs.add({Variable{{{}, name, span_}}, span_});
  }

  std::string bind(std::string name, ExprId value) {
    Span span = tree_.exprs[value].span;
    lets_.emplace_back(tree_.patterns.add({PatternName{{name, span}}, span}), value);
    return name;
  }

  // `[i][j]` is `[i, j]`: the update of an element would consume the array that it goes back into.
  static void mergeIndices(std::vector<PathStep>& path) {
    std::vector<PathStep> merged;
    for (PathStep& step : path) {
      auto* parts = std::get_if<std::vector<IndexPart>>(&step);
      auto* before = merged.empty() ? nullptr : std::get_if<std::vector<IndexPart>>(&merged.back());
      bool is_element = before && std::none_of(before->begin(), before->end(),
                                               [](const IndexPart& part) { return part.is_slice; });
      if (parts && is_element) {
        before->insert(before->end(), parts->begin(), parts->end());
      } else {
        merged.push_back(std::move(step));
      }
    }
    path = std::move(merged);
  }

  // Each index is evaluated once, though it is used twice.
  void bindParts(std::vector<IndexPart>& parts) {
    for (IndexPart& part : parts) {
      for (ExprId* bound : {&part.index, &part.start, &part.end, &part.stride}) {
        if (!*bound || std::holds_alternative<Number>(tree_.exprs[*bound].node)) continue;
        *bound = variable(bind(fmt::format("$index{}", lets_.size()), *bound));
      }
    }
  }

  std::vector<IndexPart> copyParts(std::vector<IndexPart> parts) {
    for (IndexPart& part : parts) {
      for (ExprId* bound : {&part.index, &part.start, &part.end, &part.stride}) {
        if (!*bound) continue;
        Expr copy = tree_.exprs[*bound];
        *bound = tree_.exprs.add(std::move(copy));
      }
    }
    return parts;
  }

  ExprId select(ExprId value, const std::vector<PathStep>& path, size_t from, size_t to) {
    for (size_t i = from; i < to; ++i) {
      if (auto* field = std::get_if<Identifier>(&path[i])) {
        value = tree_.exprs.add({Project{value, *field}, span_});
      } else {
        auto parts = copyParts(std::get<std::vector<IndexPart>>(path[i]));
        value = tree_.exprs.add({IndexExpr{value, std::move(parts)}, span_});
      }
    }
    return value;
  }

  ExprId build(const Make& base, const std::vector<PathStep>& path, size_t from, ExprId value) {
    if (from == path.size()) return value;
    size_t next = from;
    std::vector<Identifier> fields;
    while (next < path.size() && std::holds_alternative<Identifier>(path[next])) {
      fields.push_back(std::get<Identifier>(path[next++]));
    }
    if (fields.empty()) ++next;
    ExprId inner = build([&] { return select(base(), path, from, next); }, path, next, value);
    if (!fields.empty()) {
      return tree_.exprs.add({RecordUpdate{base(), std::move(fields), inner}, span_});
    }
    auto parts = copyParts(std::get<std::vector<IndexPart>>(path[from]));
    return tree_.exprs.add({UpdateExpr{base(), std::move(parts), inner}, span_});
  }

  Tree& tree_;
  Span span_;
  std::vector<std::pair<PatternId, ExprId>> lets_;
};

}  // namespace

TypeRef ExprInferrer::inferPathUpdate(ExprId expr, const PathUpdate& node, TypeRef hint) {
  ExprId rewritten = PathBuilder(program_.tree, span(expr)).update(node);
  declarations_.rewrite(expr, ExprNode(program_.tree.exprs[rewritten].node));
  return inferNode(expr, hint);
}

namespace {

// Which of the outer dimensions of what a path selects have the length of a slice with bounds.
std::vector<bool> slicedDimensions(const std::vector<PathStep>& path) {
  std::vector<bool> sliced;
  for (const PathStep& step : path) {
    const auto* parts = std::get_if<std::vector<IndexPart>>(&step);
    std::vector<bool> next;
    for (size_t i = 0; parts && i < parts->size(); ++i) {
      const IndexPart& part = (*parts)[i];
      if (part.is_slice) next.push_back(part.start || part.end || (i < sliced.size() && sliced[i]));
    }
    for (size_t i = parts ? parts->size() : sliced.size(); i < sliced.size(); ++i) {
      next.push_back(sliced[i]);
    }
    sliced = std::move(next);
  }
  return sliced;
}

}  // namespace

// As of `(.[i:j])`, nothing outside knows how long a slice is.
TypeRef ExprInferrer::inferPathSection(ExprId expr, const PathSection& node, TypeRef hint) {
  const std::vector<bool> sliced = slicedDimensions(node.path);
  Lambda lambda = PathBuilder(program_.tree, span(expr)).section(node);
  declarations_.rewrite(expr, std::move(lambda));
  const TypeRef type = inferNode(expr, hint);
  const InferFunction* function = inference_.as<InferFunction>(type);
  if (!function) return type;
  InferFunction own = *function;
  own.result = withOwnSizes(own.result, sliced, 0, own.existentials);
  return inference_.function(std::move(own));
}

// `type` with a size of its own for each dimension of `is_own`, which `brought` collects.
TypeRef ExprInferrer::withOwnSizes(TypeRef type, const std::vector<bool>& is_own, size_t next,
                                   std::vector<BinderId>& brought) {
  const InferArray* array = inference_.as<InferArray>(type);
  if (next == is_own.size() || !array) return type;
  Size size = array->size;
  const TypeRef element = array->element;
  if (is_own[next]) {
    brought.push_back(names_.newSizeBinder("k", inference_.current_span));
    size = binderSize(brought.back());
  }
  return inference_.array(std::move(size), withOwnSizes(element, is_own, next + 1, brought));
}

}  // namespace halo::types
