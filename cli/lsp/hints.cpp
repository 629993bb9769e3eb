#include "cli/lsp/hints.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "cli/lsp/chunk.h"
#include "lang/syntax/lex/lexer.h"

namespace halo::lsp {
namespace {

class HintFinder {
 public:
  HintFinder(const Place& place, const types::Program& program, uint32_t begin, uint32_t end)
      : place_(place), program_(program), begin_(begin), end_(end) {}

  std::vector<Hint> run() {
    for (const syntax::Pattern& pattern : program_.tree.patterns) {
      if (const auto* typed = std::get_if<syntax::PatternTyped>(&pattern.node)) {
        typed_.insert(typed->pattern);
      }
    }
    for (const syntax::Expr& expr : program_.tree.exprs) {
      if (const auto* lambda = std::get_if<syntax::Lambda>(&expr.node)) {
        addParameters(lambda->parameters);
      } else if (const auto* local = std::get_if<syntax::LetFunction>(&expr.node)) {
        addParameters(local->function.parameters);
      } else if (const auto* let = std::get_if<syntax::Let>(&expr.node)) {
        addPattern(let->pattern);
      }
    }
    for (const syntax::Decl& decl : program_.tree.decls) {
      if (const auto* function = std::get_if<syntax::FunctionDecl>(&decl.node)) {
        addFunction(function->function);
      }
    }
    if (place_.analysis.is_partial) dropMended();
    return std::move(hints_);
  }

 private:
  // A declaration that a hole mended has types that its text does not have.
  void dropMended() {
    for (const syntax::Expr& expr : program_.tree.exprs) {
      const bool is_hole = std::holds_alternative<syntax::Hole>(expr.node);
      if (!is_hole || expr.span.file != place_.analysis.file) continue;
      const auto chunk = chunkAround(place_.text(), expr.span.begin);
      std::erase_if(hints_, [&](const Hint& hint) {
        return chunk && chunk->begin <= hint.offset && hint.offset < chunk->end;
      });
    }
  }

  bool isHere(const source::Span& span) const {
    return span.file == place_.analysis.file && span.end >= begin_ && span.end <= end_;
  }

  Json insertion(uint32_t offset, const std::string& text) const {
    return {{"range", place_.lines.rangeOf(offset, offset)}, {"newText", text}};
  }

  void add(uint32_t offset, types::TypeId type, Json edits = {}) {
    const std::string text = ": " + types::print(program_, type);
    if (edits.is_null()) edits = Json::array({insertion(offset, text)});
    hints_.push_back({offset, text, std::move(edits)});
  }

  // Names of a pattern that has no type around it.
  void addPattern(syntax::PatternId id) {
    const syntax::Pattern& pattern = program_.tree.patterns[id];
    if (const auto* tuple = std::get_if<syntax::PatternTuple>(&pattern.node)) {
      for (syntax::PatternId element : tuple->elements) addPattern(element);
    } else if (isUntypedName(id)) {
      add(pattern.span.end, program_.pattern_type.at(id));
    }
  }

  bool isUntypedName(syntax::PatternId id) const {
    const syntax::Pattern& pattern = program_.tree.patterns[id];
    const bool is_name = std::holds_alternative<syntax::PatternName>(pattern.node);
    return is_name && isHere(pattern.span) && !typed_.contains(id) && program_.pattern_type.at(id);
  }

  void addParameters(const std::vector<syntax::PatternId>& parameters) {
    for (syntax::PatternId id : parameters) {
      if (!isUntypedName(id)) {
        addPattern(id);
        continue;
      }
      const source::Span span = program_.tree.patterns[id].span;
      const types::TypeId type = program_.pattern_type.at(id);
      add(span.end, type,
          {insertion(span.begin, "("),
           insertion(span.end, ": " + types::print(program_, type) + ")")});
    }
  }

  void addFunction(const syntax::FunctionParts& function) {
    addParameters(function.parameters);
    if (function.result || !isHere(function.name.span)) return;
    const auto def =
        std::find_if(program_.defs.begin(), program_.defs.end(),
                     [&](const types::Def& one) { return one.span == function.name.span; });
    if (def == program_.defs.end()) return;
    types::TypeId type = def->type;
    for (size_t i = 0; i < function.parameters.size(); ++i) {
      const auto* arrow = std::get_if<types::FunctionType>(&program_.types[type]);
      if (arrow == nullptr) return;
      type = arrow->result;
    }
    add(endOfHead(function), type);
  }

  // In front of the `=`. Parentheses of parameters are not in the tree.
  uint32_t endOfHead(const syntax::FunctionParts& function) {
    if (tokens_.empty()) {
      diag::Sink sink;
      tokens_ = syntax::lex(place_.analysis.files(), place_.analysis.file, sink).tokens;
    }
    uint32_t from = function.name.span.end;
    for (syntax::PatternId id : function.parameters) {
      from = std::max(from, program_.tree.patterns[id].span.end);
    }
    uint32_t end = from;
    for (const syntax::Token& token : tokens_) {
      if (token.span.begin < from) continue;
      if (token.text == "=") break;
      end = token.span.end;
    }
    return end;
  }

  const Place& place_;
  const types::Program& program_;
  uint32_t begin_, end_;
  std::set<syntax::PatternId> typed_;
  std::vector<syntax::Token> tokens_;
  std::vector<Hint> hints_;
};

// Edits from the last place to the first, as hints have at most two.
std::string edited(const Place& place, const Json& edits) {
  std::string text(place.text());
  for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit) {
    text.insert(place.lines.offsetOf((*edit)["range"]["start"]),
                (*edit)["newText"].get<std::string>());
  }
  return text;
}

}  // namespace

std::vector<Hint> hintsBetween(const Place& place, uint32_t begin, uint32_t end) {
  if (!place.to.isSame()) return {};
  const types::Environment& engines = *place.analysis.environment;
  const types::Environment& users = types::opaqueWorld(engines);
  std::vector<Hint> all = HintFinder(place, types::program(engines), begin, end).run();
  if (&users != &engines) {  // where copies are for each application, the body itself counts
    const syntax::Tree& tree = place.analysis.program().tree;
    const auto isParametricAt = [&](const Hint& hint) {
      return isParametric(tree, {place.analysis.file, hint.offset, hint.offset});
    };
    std::erase_if(all, isParametricAt);
    for (Hint& hint : HintFinder(place, types::program(users), begin, end).run()) {
      if (isParametricAt(hint)) all.push_back(std::move(hint));
    }
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const Hint& a, const Hint& b) { return a.offset < b.offset; });
  // The body with unknown parameters is there before its applications.
  const auto end_of_first = std::unique(
      all.begin(), all.end(), [](const Hint& a, const Hint& b) { return a.offset == b.offset; });
  all.erase(end_of_first, all.end());
  return all;
}

Json inlayHints(const Place& place, uint32_t begin, uint32_t end) {
  Json all = Json::array();
  for (const Hint& hint : hintsBetween(place, begin, end)) {
    all.push_back(
        {{"position", place.lines.positionOf(hint.offset)}, {"label", hint.text}, {"kind", 1}});
  }
  return all;
}

namespace {

// None where the program with these types in it has errors.
void addAction(const Place& place, const Texts& texts, const std::string& title, const Json& edits,
               Json& all) {
  const auto trial = analyse(pathOfUri(place.uri), edited(place, edits), texts);
  if (!trial->environment) return;
  all.push_back({{"title", title},
                 {"kind", "refactor.rewrite"},
                 {"edit", {{"changes", {{place.uri, edits}}}}}});
}

}  // namespace

Json hintActions(const Place& place, uint32_t begin, uint32_t end, const Texts& texts) {
  constexpr size_t kMaxAlone = 4;  // a check of the program each
  Json all = Json::array();
  const std::vector<Hint> hints = hintsBetween(place, begin, end);
  if (hints.size() > kMaxAlone) {
    Json edits = Json::array();
    for (const Hint& hint : hints) edits.insert(edits.end(), hint.edits.begin(), hint.edits.end());
    addAction(place, texts, fmt::format("Write {} types", hints.size()), edits, all);
    return all;
  }
  for (const Hint& hint : hints) {
    addAction(place, texts, fmt::format("Write the type `{}`", hint.text), hint.edits, all);
  }
  return all;
}

}  // namespace halo::lsp
