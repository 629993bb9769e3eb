#include "cli/lsp/complete/complete.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "cli/lsp/chunk.h"
#include "cli/lsp/complete/text_before.h"
#include "cli/lsp/complete/written.h"
#include "cli/lsp/cut.h"
#include "cli/lsp/module_names.h"
#include "cli/lsp/names/names.h"
#include "lang/syntax/lex/keywords.h"
#include "lang/types/modules/visible.h"
#include "lang/types/sizes/given.h"

namespace halo::lsp {
namespace {

// The protocol's kinds of items.
constexpr int kFunction = 3, kField = 5, kVariable = 6, kModule = 9, kKeyword = 14, kFile = 17,
              kInterface = 8, kMember = 20, kType = 22;

class Completion {
 public:
  explicit Completion(const CompletionPlace& place)
      : place_(place),
        text_(place.lines.text()),
        word_(beginOfName(text_, place.offset)),
        typed_(text_.substr(word_, place.offset - word_)),
        shown_from_(typed_.rfind('.') == std::string::npos ? 0 : typed_.rfind('.') + 1) {}

  Json run() {
    if (const auto path = pathBefore(text_, place_.offset)) {
      addFiles(*path);
    } else if (beginsDeclaration()) {
      addKeywords();
      addGlobal(*place_.known.environment, typed_.substr(0, typed_.find('.')));
    } else if (word_ > 0 && text_[word_ - 1] == '#') {
      addConstructors();
    } else if (const auto updated = rangeBeforeWith(text_, word_)) {
      const Typed typed = typeEndingAt(updated->end, updated->begin);
      if (typed.type) addFieldsOfPath(types::program(*typed.environment), typed.type, 0);
    } else if (const auto wanted = moduleNamesAt(text_, word_)) {
      addVisible(*wanted);
    } else if (typed_.starts_with('.')) {
      addFieldsOf(typeEndingAt(word_));
    } else {
      if (shown_from_ == 0 && isField(text_, word_)) addDeclaredFields();
      addNames();
    }
    return {{"isIncomplete", false}, {"items", items_}};
  }

 private:
  Cut cutAt(uint32_t end, Ending ending) const {
    return halo::lsp::cutAt({text_, place_.known, place_.texts}, end, ending);
  }

  // ---- the text in front of the place

  bool beginsDeclaration() const {
    if (word_ == 0) return true;
    return text_[word_ - 1] == '\n' && !isContinued(text_, word_);
  }

  // ---- items

  void add(const std::string& name, int kind, const std::string& detail, char order = '1') {
    if (!name.starts_with(typed_) || !seen_.insert(name).second) return;
    addItem(name.substr(shown_from_), name, kind, detail, order);
  }

  void addItem(const std::string& label, const std::string& name, int kind,
               const std::string& detail, char order) {
    Json item = {{"label", label}, {"kind", kind}, {"sortText", order + label}};
    if (!detail.empty()) item["detail"] = detail;
    item["data"] = {{"uri", place_.uri}, {"name", name}};  // for `resolved`
    items_.push_back(std::move(item));
  }

  void addFiles(const std::string& path) {
    namespace fs = std::filesystem;
    const fs::path folder =
        fs::path(pathOfUri(place_.uri)).parent_path() / fs::path(path).parent_path();
    const std::string begun = fs::path(path).filename().string();
    std::error_code none;
    for (fs::directory_iterator entry(folder, none), end; !none && entry != end;
         entry.increment(none)) {
      const std::string name = entry->path().filename().string();
      const bool is_folder = entry->is_directory(none);
      const bool is_program = entry->path().extension() == ".fut";
      if (name.starts_with('.') || (!is_folder && !is_program) || !name.starts_with(begun))
        continue;
      addItem(is_folder ? name + "/" : entry->path().stem().string(), name, kFile, "", '1');
    }
  }

  void addDeclaredFields() {
    for (const syntax::TypeExpr& type : place_.known.program().tree.types) {
      const auto* record = std::get_if<syntax::TypeRecord>(&type.node);
      if (record == nullptr || place_.known.isPrelude(type.span.file)) continue;
      for (const auto& [name, part] : record->fields) {
        const source::Span span = place_.known.program().tree.types[part].span;
        add(name.name, kField, std::string(place_.known.files().text(span)), '0');
      }
    }
  }

  void addConstructors() {
    for (const syntax::TypeExpr& type : place_.known.program().tree.types) {
      const auto* sum = std::get_if<syntax::TypeSum>(&type.node);
      if (sum == nullptr || place_.known.isPrelude(type.span.file)) continue;
      for (const auto& [name, parts] : sum->constructors) add(name.name, kMember, "");
    }
  }

  // The type of an expression that ends at a byte, and its program. Of several, the smallest one
  // counts, or the one that begins at a given place.
  struct Typed {
    types::EnvironmentRef environment;
    types::TypeId type;
  };
  Typed typeEndingAt(uint32_t end, std::optional<uint32_t> begin = std::nullopt) const {
    const Cut cut = cutAt(end, Ending::kValue);
    if (!cut.environment) return {};
    const types::Program& program = types::program(*cut.environment);
    const uint32_t at = end - cut.begin + cut.shift;
    Typed best{cut.environment, {}};
    uint32_t length = 0xffffffff;
    for (size_t i = 0; i < program.tree.exprs.size(); ++i) {
      const syntax::ExprId id(i);
      const source::Span span = program.tree.exprs[id].span;
      if (span.file != cut.file || span.end != at || span.end - span.begin >= length) continue;
      if (begin && span.begin != *begin - cut.begin + cut.shift) continue;
      if (!program.type_of.at(id)) continue;
      best.type = program.type_of.at(id);
      length = span.end - span.begin;
    }
    return best;
  }

  void addFieldsOf(const Typed& typed) {
    if (!typed.environment || !typed.type) return;
    const types::Program& program = types::program(*typed.environment);
    const auto* record = std::get_if<types::RecordType>(&program.types[typed.type]);
    if (record == nullptr) return;
    const std::string begun = typed_.substr(shown_from_);
    for (size_t i = 0; i < record->names.size(); ++i) {
      if (!record->names[i].starts_with(begun)) continue;
      addItem(record->names[i], record->names[i], kField, types::print(program, record->fields[i]),
              '0');
    }
  }

  // `w.position.` where `w`, the part in front of `at`, is a value.
  void addFieldsOfPath(const types::Program& program, types::TypeId type, size_t at) {
    while (at < shown_from_) {
      const size_t end = typed_.find('.', at);
      const auto* record = std::get_if<types::RecordType>(&program.types[type]);
      if (record == nullptr) return;
      const auto name =
          std::find(record->names.begin(), record->names.end(), typed_.substr(at, end - at));
      if (name == record->names.end()) return;
      type = record->fields[name - record->names.begin()];
      at = end + 1;
    }
    const auto* record = std::get_if<types::RecordType>(&program.types[type]);
    for (size_t i = 0; record != nullptr && i < record->names.size(); ++i) {
      add(typed_.substr(0, shown_from_) + record->names[i], kField,
          types::print(program, record->fields[i]), '0');
    }
  }

  // Of a name whose type the text behind the place decides.
  void addFieldsByWhole(const std::string& name) {
    const auto dot = static_cast<uint32_t>(word_ + name.size());
    const Cut cut = wholeAt({text_, place_.known, place_.texts}, word_, dot, place_.offset);
    if (!cut.environment) return;
    const types::Program& program = types::program(*cut.environment);
    for (const types::Binder& binder : program.binders) {
      const bool is_it = binder.name == "halo_field" && binder.span.file == cut.file;
      if (is_it && binder.type) addFieldsOfPath(program, binder.type, name.size() + 1);
    }
  }

  void addNames() {
    const Cut cut = cutAt(word_, Ending::kOpen);
    const types::EnvironmentRef environment =
        cut.environment ? cut.environment : place_.known.environment;
    const types::Program& program = types::program(*environment);
    if (cut.wanted == Wanted::kType) return addTypes();
    std::vector<types::BinderId> binders;
    if (cut.environment) {
      binders = bindersAround(program, cut.file, word_ - cut.begin + cut.shift);
    } else {
      for (const WrittenName& name : namesWritten(cut.text, word_ - cut.begin)) {
        add(name.name, kVariable, name.is_size ? "i64" : "", '0');
      }
      const uint32_t offset = Carry(text_, place_.known.text)(word_);
      if (offset <= place_.known.text.size()) {
        binders = bindersAround(program, place_.known.file, offset);
      }
    }
    const std::string first = typed_.substr(0, typed_.find('.'));
    for (size_t i = binders.size(); i-- > 0;) {  // the last one hides those before
      const types::Binder& binder = program.binders[binders[i]];
      if (shown_from_ > 0 && binder.name == first && binder.type) {
        addFieldsOfPath(program, binder.type, first.size() + 1);
        if (items_.empty()) addFieldsByWhole(first);
        return;
      }
      add(binder.name, kVariable, typeOf(program, binders[i]), '0');
    }
    addGlobal(*environment, first);
    if (shown_from_ > 0) {
      for (const std::string& name : specsOf(place_.known, first)) add(name, kFunction, "");
    }
    if (shown_from_ > 0 && items_.empty()) addFieldsByWhole(first);
    if (shown_from_ > 0 || typed_.empty()) return;
    addKeywords();
  }

  void addKeywords() {
    for (const syntax::Keyword& keyword : syntax::kKeywords) {
      add(std::string(keyword.word), kKeyword, "", '2');
    }
  }

  void addGlobal(const types::Environment& environment, const std::string& first) {
    const types::Program& program = types::program(environment);
    if (shown_from_ > 0) {
      const auto value = types::findValue(environment, first);
      if (value) addFieldsOfPath(program, program.defs[*value].type, first.size() + 1);
    }
    for (const std::string& name : types::visibleNames(environment)) {
      const auto def = types::findValue(environment, name);
      add(name, def ? kFunction : kModule,
          def ? types::print(program, program.defs[*def].type) : "");
    }
    if (shown_from_ > 0) addMembers(environment);
    const auto& imported = place_.known.imported;
    for (const types::Def& def : program.defs) {
      const bool is_imported =
          std::find(imported.begin(), imported.end(), def.span.file) != imported.end();
      if (is_imported) add(def.name, kFunction, types::print(program, def.type));
    }
  }

  // `m.n.`: values and modules of a module in modules.
  void addMembers(const types::Environment& environment) {
    const std::string prefix = typed_.substr(0, shown_from_);
    std::vector<std::string> path;
    for (size_t begin = 0; begin < prefix.size(); begin = prefix.find('.', begin) + 1) {
      path.push_back(prefix.substr(begin, prefix.find('.', begin) - begin));
    }
    const types::VisibleNames names = types::visibleIn(environment, place_.known.file, path);
    const types::Program& program = types::program(environment);
    for (const std::string& name : names.values) {
      const auto def = types::findValue(environment, prefix + name);
      add(prefix + name, kFunction, def ? types::print(program, program.defs[*def].type) : "");
    }
    for (const std::string& name : names.modules) add(prefix + name, kModule, "");
  }

  // The names of a kind in scope, or in the module whose name is in front of the place.
  void addVisible(const ModuleNames& wanted) {
    const types::VisibleNames names = visibleNames();
    const std::string before = typed_.substr(0, shown_from_);
    const auto addAll = [&](const std::set<std::string>& all, int kind) {
      for (const std::string& name : all) add(before + name, kind, "");
    };
    if (wanted.types) addAll(names.types, kType);
    if (wanted.modules) addAll(names.modules, kModule);
    if (wanted.parametric) addAll(names.parametric_modules, kModule);
    if (wanted.module_types) addAll(names.module_types, kInterface);
  }

  types::VisibleNames visibleNames() const {
    std::vector<std::string> path;
    for (size_t at = 0; at < shown_from_;) {
      const size_t end = typed_.find('.', at);
      path.push_back(typed_.substr(at, end - at));
      at = end + 1;
    }
    return types::visibleIn(*place_.known.environment, place_.known.file, path);
  }

  void addTypes() {
    addVisible({.types = true, .modules = true});
    if (shown_from_ > 0) return;
    const auto around = topChunkAround(text_, word_);  // a module, with types of its own
    for (const syntax::Decl& decl : place_.known.program().tree.decls) {
      const auto* node = std::get_if<syntax::TypeDecl>(&decl.node);
      if (node == nullptr || !around || decl.span.file != place_.known.file) continue;
      const uint32_t at = Carry(place_.known.text, text_)(decl.span.begin);
      if (around->begin <= at && at < around->end) add(node->name.name, kType, "");
    }
    for (prim::ScalarType type : prim::kAllScalarTypes)
      add(std::string(prim::name(type)), kType, "");
  }

  const CompletionPlace& place_;
  std::string_view text_;
  uint32_t word_;
  std::string typed_;
  size_t shown_from_;
  std::set<std::string> seen_;
  Json items_ = Json::array();
};

}  // namespace

Json completions(const CompletionPlace& place) { return Completion(place).run(); }

}  // namespace halo::lsp
