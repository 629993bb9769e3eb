// A new name in every file of a program. The changed texts are checked before anything is answered:
// a name that hides another one, or is hidden, has other uses than before.
#include <algorithm>
#include <cctype>
#include <map>

#include "cli/lsp/answers.h"
#include "cli/lsp/names/uses.h"

namespace halo::lsp {
namespace {

bool isName(const std::string& text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '\''; });
}

class Renaming {
 public:
  Renaming(const Place& place, const Uses& uses, const std::string& name)
      : place_(place), uses_(uses), name_(name), files_(place.analysis.files()) {
    for (const source::Span& span : uses.spans) spans_[span.file].push_back(span);
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

  // The name, behind the quote of a type parameter or the `#` of a constructor. `{a}` is `{a = a}`.
  std::string newTextOf(const source::Span& span, const std::string& before) const {
    const std::string old = before.substr(span.begin, span.end - span.begin);
    const size_t marks = old.find_first_not_of("'~^#");
    if (marks > 0 && marks != std::string::npos) return old.substr(0, marks) + name_;
    if (!isPun(span)) return name_;
    return uses_.is_member ? name_ + " = " + old : old + " = " + name_;
  }

  // A field and the name of its value at once.
  bool isPun(const source::Span& span) const {
    const syntax::Tree& tree = place_.analysis.program().tree;
    const auto hasPun = [&](const auto& fields, const auto& parts) {
      return std::any_of(fields.begin(), fields.end(), [&](const auto& field) {
        return field.first.span == span && parts[field.second].span == span;
      });
    };
    for (const syntax::Expr& expr : tree.exprs) {
      const auto* record = std::get_if<syntax::RecordExpr>(&expr.node);
      if (record != nullptr && hasPun(record->fields, tree.exprs)) return true;
    }
    for (const syntax::Pattern& pattern : tree.patterns) {
      const auto* record = std::get_if<syntax::PatternRecord>(&pattern.node);
      if (record != nullptr && hasPun(record->fields, tree.patterns)) return true;
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
    const std::string written = newTextOf(first, files_[place_.analysis.file].text);
    const auto moved = static_cast<uint32_t>(
        uses_.is_member && isPun(first) ? 0 : written.size() - name_.size());  // to the name
    const Uses found = usesAt(after, first.begin + moved);
    return found.is_member == uses_.is_member && found.spans.size() == uses_.spans.size();
  }

  const Place& place_;
  const Uses& uses_;
  const std::string& name_;
  const source::Files& files_;
  struct ByIndex {
    bool operator()(source::FileId a, source::FileId b) const { return a.index < b.index; }
  };
  std::map<source::FileId, std::vector<source::Span>, ByIndex> spans_;  // sorted by place
};

Uses renamed(const Place& place) {
  const uint32_t offset = place.to(place.offset);
  return offset > place.analysis.text.size() ? Uses() : usesAt(place.analysis, offset);
}

// Why the name keeps its text; empty: it may have another.
std::string problemOf(const Place& place, const Uses& uses) {
  if (!uses.definition) return "there is no name here that has a definition";
  if (!place.to.isSame() || place.analysis.is_partial) {
    return "the program has errors: mend them first";
  }
  const bool is_prelude = std::any_of(uses.spans.begin(), uses.spans.end(), [&](const auto& span) {
    return place.analysis.isPrelude(span.file);
  });
  return is_prelude ? "this name belongs to the prelude" : "";
}

}  // namespace

Renamed rename(const Place& place, const std::string& wanted) {
  const Uses uses = renamed(place);
  if (const std::string problem = problemOf(place, uses); !problem.empty()) {
    return {nullptr, problem};
  }
  const bool is_constructor = place.text().substr(uses.at.begin).starts_with("#");
  const std::string name = is_constructor && wanted.starts_with("#") ? wanted.substr(1) : wanted;
  if (!isName(name)) return {nullptr, "`" + wanted + "` is no name"};
  return Renaming(place, uses, name).run();
}

Renamed prepareRename(const Place& place) {
  const Uses uses = renamed(place);
  if (const std::string problem = problemOf(place, uses); !problem.empty()) {
    return {nullptr, problem};
  }
  const std::string_view text = place.text().substr(uses.at.begin, uses.at.end - uses.at.begin);
  const size_t marks = std::min(text.find_first_not_of("'~^#"), text.size());
  const auto begin = static_cast<uint32_t>(uses.at.begin + marks);
  return {{{"range", place.lines.rangeOf(begin, uses.at.end)},
           {"placeholder", std::string(text.substr(marks))}},
          ""};
}

}  // namespace halo::lsp
