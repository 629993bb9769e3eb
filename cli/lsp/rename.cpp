// A new name in every file of a program. The changed texts are checked before anything is answered:
// a name that hides another one, or is hidden, has other uses than before.
#include <algorithm>
#include <cctype>
#include <map>

#include "cli/lsp/answers.h"

namespace halo::lsp {
namespace {

bool isName(const std::string& text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '\''; });
}

class Renaming {
 public:
  Renaming(const Place& place, const Target& target, const std::string& name)
      : place_(place), target_(target), name_(name), files_(place.analysis.files()) {
    for (const source::Span& span : occurrences(*place.analysis.environment, target)) {
      if (place.analysis.isPrelude(span.file)) continue;
      spans_[span.file].push_back(span);
      count_++;
    }
  }

  Renamed run() {
    Json changes = Json::object();
    Texts texts = textsRead();
    std::string own_text(place_.text());
    for (const auto& [file, spans] : spans_) {
      const bool is_own = file == place_.analysis.file;
      const std::string path = canonical(files_[file].name);
      std::string text = files_[file].text;
      changes[is_own ? place_.uri : uriOfPath(path)] = change(spans, &text);
      (is_own ? own_text : texts[path]) = std::move(text);
    }
    const auto after = analyse(files_[place_.analysis.file].name, own_text, texts);
    if (!keepsMeaning(*after)) {
      return {nullptr, "with `" + name_ + "` in its place the program means something else"};
    }
    return {{{"changes", std::move(changes)}}, ""};
  }

 private:
  // Of imported files, some of which an editor has not saved.
  Texts textsRead() const {
    Texts texts;
    for (const source::FileId id : place_.analysis.imported) {
      texts[canonical(files_[id].name)] = files_[id].text;
    }
    return texts;
  }

  // From the back, so that places stay right.
  Json change(const std::vector<source::Span>& spans, std::string* text) const {
    const std::string before = *text;
    const Lines lines(before, place_.encoding);
    Json edits = Json::array();
    for (auto span = spans.rbegin(); span != spans.rend(); ++span) {
      const std::string written = newTextOf(*span, before);
      edits.push_back({{"range", lines.rangeOf(span->begin, span->end)}, {"newText", written}});
      text->replace(span->begin, span->end - span->begin, written);
    }
    return edits;
  }

  // The name, behind the quote of a type parameter, or as the value of a field: `{a}` is `{a = a}`.
  std::string newTextOf(const source::Span& span, const std::string& before) const {
    const std::string old = before.substr(span.begin, span.end - span.begin);
    const size_t quoted = old.find_first_not_of("'~^");
    if (quoted > 0 && quoted != std::string::npos) return old.substr(0, quoted) + name_;
    return isField(span) ? old + " = " + name_ : name_;
  }

  // A field and the name of its value at once.
  bool isField(const source::Span& span) const {
    const syntax::Tree& tree = place_.analysis.program().tree;
    const auto isPun = [&](const auto& fields, const auto& parts) {
      return std::any_of(fields.begin(), fields.end(), [&](const auto& field) {
        return field.first.span == span && parts[field.second].span == span;
      });
    };
    for (const syntax::Expr& expr : tree.exprs) {
      const auto* record = std::get_if<syntax::RecordExpr>(&expr.node);
      if (record != nullptr && isPun(record->fields, tree.exprs)) return true;
    }
    for (const syntax::Pattern& pattern : tree.patterns) {
      const auto* record = std::get_if<syntax::PatternRecord>(&pattern.node);
      if (record != nullptr && isPun(record->fields, tree.patterns)) return true;
    }
    return false;
  }

  // No errors, and as many uses as before. The first occurrence in the open text, which moves
  // nothing in front of it, is where the name is looked for.
  bool keepsMeaning(const Analysis& after) const {
    if (after.environment == nullptr) return false;
    const auto own = spans_.find(place_.analysis.file);
    if (own == spans_.end()) return false;
    const source::Span& first = own->second.front();
    const std::string& text = files_[place_.analysis.file].text;
    const auto moved =
        static_cast<uint32_t>(newTextOf(first, text).size() - name_.size());  // to the new name
    const auto found = findAt(*after.environment, after.file, first.begin + moved);
    if (!found || !found->target) return false;
    const std::vector<source::Span> spans = occurrences(*after.environment, *found->target);
    return count_ ==
           static_cast<size_t>(std::count_if(spans.begin(), spans.end(), [&](const auto& span) {
             return !after.isPrelude(span.file);
           }));
  }

  const Place& place_;
  const Target& target_;
  const std::string& name_;
  const source::Files& files_;
  struct ByIndex {
    bool operator()(source::FileId a, source::FileId b) const { return a.index < b.index; }
  };
  std::map<source::FileId, std::vector<source::Span>, ByIndex> spans_;  // sorted by place
  size_t count_ = 0;
};

}  // namespace

Renamed rename(const Place& place, const std::string& name) {
  if (!isName(name)) return {nullptr, "`" + name + "` is no name"};
  const auto found = foundAt(place);
  if (!found || !found->target) return {nullptr, "there is no name here that has a definition"};
  if (!place.to.isSame() || place.analysis.is_partial)
    return {nullptr, "the program has errors: mend them first"};
  const source::Span own = definitionOf(place.analysis.program(), *found->target);
  if (place.analysis.isPrelude(own.file)) {
    return {nullptr, "this name belongs to the prelude"};
  }
  return Renaming(place, *found->target, name).run();
}

}  // namespace halo::lsp
