// The outline of a text: its declarations, with those of a module within it.
#include <algorithm>
#include <limits>

#include "cli/lsp/answers.h"
#include "cli/lsp/names/declaration.h"

namespace halo::lsp {

namespace {

enum SymbolKind { kModule = 2, kClass = 5, kInterface = 11, kFunction = 12 };  // of the protocol

SymbolKind kindOf(const syntax::DeclNode& node) {
  if (std::holds_alternative<syntax::TypeDecl>(node)) return kClass;
  if (std::holds_alternative<syntax::ModuleDecl>(node)) return kModule;
  return std::holds_alternative<syntax::ModuleTypeDecl>(node) ? kInterface : kFunction;
}
SymbolKind kindOf(const syntax::SpecNode& node) {
  if (std::holds_alternative<syntax::TypeSpec>(node)) return kClass;
  return std::holds_alternative<syntax::ModuleSpec>(node) ? kModule : kFunction;
}

struct Symbol {
  uint32_t begin, end;
  Json json;
};

template <typename Nodes>
void addSymbols(const Place& place, const Nodes& nodes, std::vector<Symbol>* all) {
  for (const auto& node : nodes) {
    const syntax::Identifier* name = declaredName(node.node);
    if (name == nullptr || node.span.file != place.analysis.file) continue;
    const uint32_t begin = place.from(node.span.begin);
    const uint32_t at = place.from(name->span.begin);
    const uint32_t end = begin + node.span.end - node.span.begin;
    if (end > place.text().size() || at > place.text().size()) continue;
    const uint32_t name_end = at + name->span.end - name->span.begin;
    all->push_back({begin,
                    end,
                    {{"name", name->name},
                     {"kind", kindOf(node.node)},
                     {"range", place.lines.rangeOf(begin, end)},
                     {"selectionRange", place.lines.rangeOf(at, name_end)}}});
  }
}

// Those that begin in front of `end`, from the one at `*next` on; those within others are theirs.
Json nested(std::vector<Symbol>& all, size_t* next, uint32_t end) {
  Json symbols = Json::array();
  while (*next < all.size() && all[*next].begin < end) {
    Symbol& symbol = all[(*next)++];
    Json children = nested(all, next, symbol.end);
    if (!children.empty()) symbol.json["children"] = std::move(children);
    symbols.push_back(std::move(symbol.json));
  }
  return symbols;
}

void addFolds(const Json& symbols, Json* all) {
  for (const Json& symbol : symbols) {
    const int begin = symbol["range"]["start"]["line"], end = symbol["range"]["end"]["line"];
    if (end > begin) all->push_back({{"startLine", begin}, {"endLine", end}});
    if (symbol.contains("children")) addFolds(symbol["children"], all);
  }
}

}  // namespace

Json symbols(const Place& place) {
  std::vector<Symbol> all;
  const syntax::Tree& tree = place.analysis.program().tree;
  addSymbols(place, tree.decls, &all);
  addSymbols(place, tree.specs, &all);
  std::sort(all.begin(), all.end(), [](const Symbol& a, const Symbol& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
  });
  size_t next = 0;
  return nested(all, &next, std::numeric_limits<uint32_t>::max());
}

Json folds(const Place& place) {
  Json all = Json::array();
  addFolds(symbols(place), &all);
  return all;
}

}  // namespace halo::lsp
