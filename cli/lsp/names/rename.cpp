// A new name in every file of a program, and in open programs that read the name's file. The
// changed texts are checked before anything is answered: a name that hides another one, or is
// hidden, has other uses than before.
#include <algorithm>
#include <cctype>
#include <map>

#include "cli/lsp/answers.h"
#include "cli/lsp/names/mention.h"
#include "cli/lsp/names/uses.h"

namespace halo::lsp {
namespace {

bool isName(const std::string& text) {
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
         std::all_of(text.begin(), text.end(),
                     [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '\''; });
}

// The length of what stands in front of the name of a type parameter or a constructor.
size_t marksOf(std::string_view text) { return text.find_first_not_of("'~^#"); }

struct Edit {
  uint32_t end = 0;
  std::string text;
};
struct EditedFile {
  std::string uri, text;           // as it was
  std::map<uint32_t, Edit> edits;  // by their begin

  // The place of an edit's new text.
  uint32_t moved(uint32_t begin) const {
    size_t place = begin;
    for (const auto& [at, edit] : edits) {
      if (at < begin) place += edit.text.size() - (edit.end - at);
    }
    return static_cast<uint32_t>(place);
  }
  // From the back, so that places stay right.
  std::string changed() const {
    std::string after = text;
    for (auto edit = edits.rbegin(); edit != edits.rend(); ++edit) {
      after.replace(edit->first, edit->second.end - edit->first, edit->second.text);
    }
    return after;
  }
};

class Renaming {
 public:
  Renaming(const Place& place, const Uses& uses, const std::string& name)
      : place_(place), uses_(uses), name_(name) {
    const source::Files& files = place.analysis.files();
    home_ = canonical(files[uses.definition->file].name);
    old_name_ = files.text(uses.at);
  }

  Renamed run(const OpenTexts& others) {
    for (const OpenText& other : others) uris_[pathOf(other.analysis)] = other.uri;
    uris_[pathOf(place_.analysis)] = place_.uri;
    const std::string broken = uses_.is_local ? "" : brokenUser(others);
    if (!broken.empty()) {
      return {nullptr, "`" + broken + "`, which is open, has errors: mend them first"};
    }
    gather(place_.analysis, uses_.spans);
    std::vector<std::pair<const OpenText*, size_t>> users;
    for (const OpenText& other : others) {
      const Analysis& analysis = other.analysis;
      const auto file = fileOf(analysis, home_);
      if (uses_.is_local || !analysis.environment || !file) continue;
      const source::Span definition{*file, uses_.definition->begin, uses_.definition->end};
      const Spans found = usesOf(analysis, definition, old_name_, uses_.is_member);
      gather(analysis, found);
      users.emplace_back(&other, found.size());
    }
    const Texts texts = textsAfter(others);
    bool is_kept = keepsMeaning(place_.analysis, texts);
    for (const auto& [other, count] : users) {
      is_kept = is_kept && keepsUses(other->analysis, count, texts);
    }
    if (is_kept) return {{{"changes", changes()}}, ""};
    return {nullptr, "with `" + name_ + "` in its place the program means something else"};
  }

 private:
  static std::string pathOf(const Analysis& analysis) {
    return canonical(analysis.files()[analysis.file].name);
  }

  // An open program with errors that may use the name; empty: none.
  std::string brokenUser(const OpenTexts& others) const {
    Sought sought{home_, old_name_.substr(std::min(marksOf(old_name_), old_name_.size())),
                  place_.analysis.paths};
    Texts texts;
    for (const OpenText& other : others) {
      texts[pathOf(other.analysis)] = other.analysis.text;
      if (!other.analysis.environment) continue;
      sought.known.insert(other.analysis.paths.begin(), other.analysis.paths.end());
    }
    texts[pathOf(place_.analysis)] = place_.analysis.text;
    for (const OpenText& other : others) {
      const Analysis& analysis = other.analysis;
      if (!analysis.environment && mayUse(pathOf(analysis), sought, texts)) {
        return analysis.files()[analysis.file].name;
      }
    }
    return "";
  }

  void gather(const Analysis& analysis, const Spans& spans) {
    const source::Files& files = analysis.files();
    for (const source::Span& span : spans) {
      const std::string path = canonical(files[span.file].name);
      EditedFile& file = files_[path];
      const auto opened = uris_.find(path);
      file.uri = opened != uris_.end() ? opened->second : uriOfPath(path);
      file.text = files[span.file].text;
      file.edits[span.begin] = {span.end, newTextOf(analysis, span)};
    }
  }

  // Of all files that open programs read, some of which an editor has not saved.
  Texts textsAfter(const OpenTexts& others) const {
    Texts texts;
    const auto add = [&](const Analysis& analysis) {
      texts[pathOf(analysis)] = analysis.text;
      for (const source::FileId id : analysis.imported) {
        texts[canonical(analysis.files()[id].name)] = analysis.files()[id].text;
      }
    };
    for (const OpenText& other : others) add(other.analysis);
    add(place_.analysis);
    for (const auto& [path, file] : files_) texts[path] = file.changed();
    return texts;
  }

  Json changes() const {
    Json changes = Json::object();
    for (const auto& [path, file] : files_) {
      const Lines lines(file.text, place_.encoding);
      Json edits = Json::array();
      for (auto edit = file.edits.rbegin(); edit != file.edits.rend(); ++edit) {
        edits.push_back({{"range", lines.rangeOf(edit->first, edit->second.end)},
                         {"newText", edit->second.text}});
      }
      changes[file.uri] = std::move(edits);
    }
    return changes;
  }

  // The name, behind the quote of a type parameter or the `#` of a constructor. `{a}` is `{a = a}`.
  std::string newTextOf(const Analysis& analysis, const source::Span& span) const {
    const std::string old(analysis.files().text(span));
    const size_t marks = marksOf(old);
    if (marks > 0 && marks != std::string::npos) return old.substr(0, marks) + name_;
    if (!isPun(analysis, span)) return name_;
    return uses_.is_member ? name_ + " = " + old : old + " = " + name_;
  }

  // A field and the name of its value at once.
  static bool isPun(const Analysis& analysis, const source::Span& span) {
    const syntax::Tree& tree = analysis.program().tree;
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

  static std::unique_ptr<Analysis> analysed(const Analysis& before, const Texts& texts) {
    return analyse(before.files()[before.file].name, texts.at(pathOf(before)), texts);
  }

  // No errors, and as many uses as before. The first occurrence in the open text, which moves
  // nothing in front of it, is where the name is looked for.
  bool keepsMeaning(const Analysis& before, const Texts& texts) const {
    const auto after = analysed(before, texts);
    if (after->environment == nullptr) return false;
    const auto own = files_.find(pathOf(before));
    if (own == files_.end()) return false;
    const auto& [begin, edit] = *own->second.edits.begin();
    const bool is_pun = isPun(before, {before.file, begin, edit.end});
    const size_t to_name = uses_.is_member && is_pun ? 0 : edit.text.size() - name_.size();
    const Uses found = usesAt(*after, static_cast<uint32_t>(begin + to_name));
    return found.is_member == uses_.is_member && found.spans.size() == uses_.spans.size();
  }

  // A program whose own text may have no use of the name: what it reads is defined where it was.
  bool keepsUses(const Analysis& before, size_t count, const Texts& texts) const {
    const auto after = analysed(before, texts);
    if (after->environment == nullptr) return false;
    const EditedFile& home = files_.at(home_);
    const auto found = home.edits.find(uses_.definition->begin);
    if (found == home.edits.end()) return false;
    const Edit& edit = found->second;
    const uint32_t begin = home.moved(uses_.definition->begin);
    const source::Span definition{*fileOf(*after, home_), begin,
                                  static_cast<uint32_t>(begin + edit.text.size())};
    return usesOf(*after, definition, edit.text, uses_.is_member).size() == count;
  }

  const Place& place_;
  const Uses& uses_;
  const std::string& name_;
  std::string home_;                         // the file of the definition
  std::string old_name_;                     // a constructor's with its `#`
  std::map<std::string, std::string> uris_;  // of open files, by path
  std::map<std::string, EditedFile> files_;
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

Renamed rename(const Place& place, const std::string& wanted, const OpenTexts& others) {
  const Uses uses = renamed(place);
  if (const std::string problem = problemOf(place, uses); !problem.empty()) {
    return {nullptr, problem};
  }
  const bool is_constructor = place.text().substr(uses.at.begin).starts_with("#");
  const std::string name = is_constructor && wanted.starts_with("#") ? wanted.substr(1) : wanted;
  if (!isName(name)) return {nullptr, "`" + wanted + "` is no name"};
  return Renaming(place, uses, name).run(others);
}

Renamed prepareRename(const Place& place) {
  const Uses uses = renamed(place);
  if (const std::string problem = problemOf(place, uses); !problem.empty()) {
    return {nullptr, problem};
  }
  const std::string_view text = place.text().substr(uses.at.begin, uses.at.end - uses.at.begin);
  const size_t marks = std::min(marksOf(text), text.size());
  const auto begin = static_cast<uint32_t>(uses.at.begin + marks);
  return {{{"range", place.lines.rangeOf(begin, uses.at.end)},
           {"placeholder", std::string(text.substr(marks))}},
          ""};
}

}  // namespace halo::lsp
