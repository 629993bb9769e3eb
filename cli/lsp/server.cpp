// One thread. Messages are read until none has come for a moment, then changed texts are checked.
// So work that a newer text would make stale is not begun. The moment is a quarter of the last
// check's time. A long text waits for a pause in typing; a short one is checked at every key.
// Before the pause, the function that is being typed is checked alone (preview.h). A question about
// a text has it checked first. Read serve, then Server from `handle` on.
#include "cli/lsp/server.h"

#include <algorithm>
#include <map>

#include "cli/lsp/answers.h"
#include "cli/lsp/capabilities.h"
#include "cli/lsp/complete/complete.h"
#include "cli/lsp/documents.h"
#include "cli/lsp/evaluate.h"
#include "cli/lsp/hints.h"
#include "cli/lsp/lenses.h"
#include "cli/lsp/preview.h"
#include "cli/lsp/tokens.h"

namespace halo::lsp {
namespace {

constexpr std::chrono::milliseconds kMinSilence{1}, kMaxSilence{50};
constexpr std::chrono::milliseconds kLongCheck{10};  // worth a preview
// A text whose check takes longer is not checked again with holes, of which it may need many.
constexpr std::chrono::milliseconds kLongestMended{100};
constexpr std::chrono::milliseconds kForever{-1};

// Errors of JSON-RPC.
constexpr int kParseError = -32700;
constexpr int kInvalidRequest = -32600;
constexpr int kMethodNotFound = -32601;
constexpr int kNotInitialized = -32002;
constexpr int kRequestFailed = -32803;
constexpr int kRequestCancelled = -32800;

class Server {
 public:
  Server(int in, int out) : stream_(in, out) {}

  int run() {
    while (!is_ended_) {
      const bool waits = std::any_of(documents_.begin(), documents_.end(),
                                     [](const auto& entry) { return entry.second.is_dirty; });
      if (waits && !stream_.waitFor(kMinSilence)) {
        for (auto& [uri, document] : documents_) showEarly(uri, document);
      }
      if (!stream_.waitFor(waits ? silence_ : kForever)) {
        for (auto& [uri, document] : documents_) check(uri, document);
        continue;
      }
      const auto message = stream_.read();
      if (!message) break;
      try {
        handle(*message);
      } catch (const Json::exception& exception) {  // a member of another type than the protocol's
        const Json id = message->is_object() ? message->value("id", Json()) : Json();
        if (!id.is_null()) fail(id, kInvalidRequest, exception.what());
      }
    }
    return is_shut_down_ ? 0 : 1;
  }

 private:
  void handle(const Json& message) {
    if (message.is_discarded()) return fail(nullptr, kParseError, "this is no JSON");
    if (!message.is_object()) return fail(nullptr, kInvalidRequest, "a message is an object");
    const Json id = message.value("id", Json());
    const Json method = message.value("method", Json());
    if (!method.is_string()) {
      if (!id.is_null() && !message.contains("result") && !message.contains("error")) {
        fail(id, kInvalidRequest, "a request names a method");
      }
      return;
    }
    const Json parameters = message.value("params", Json::object());
    if (message.contains("id")) {
      if (stream_.isCancelled(id)) return fail(id, kRequestCancelled, "cancelled");
      request(id, method.get<std::string>(), parameters);
    } else {
      notify(method.get<std::string>(), parameters);
    }
  }

  void fail(const Json& id, int code, const std::string& text) const {
    stream_.write({{"jsonrpc", "2.0"}, {"id", id}, {"error", {{"code", code}, {"message", text}}}});
  }
  void answer(const Json& id, Json result) const {
    stream_.write({{"jsonrpc", "2.0"}, {"id", id}, {"result", std::move(result)}});
  }

  // ---- texts

  static std::string uriIn(const Json& parameters) {
    const Json text = parameters.is_object() ? parameters.value("textDocument", Json()) : Json();
    const Json uri = text.is_object() ? text.value("uri", Json()) : Json();
    return uri.is_string() ? uri.get<std::string>() : "";
  }

  void notify(const std::string& method, const Json& parameters) {
    if (method == "exit") is_ended_ = true;
    const std::string uri = uriIn(parameters);
    if (uri.empty() || !is_initialized_) return;
    const Json& text = parameters["textDocument"];
    if (method == "textDocument/didOpen") {
      const Json content = text.value("text", Json());
      Document& document = documents_[uri];
      document.text = content.is_string() ? content.get<std::string>() : "";
      document.version = text.value("version", Json());
      document.is_dirty = true;
      documents_.touch(uri);
    }
    const auto found = documents_.find(uri);
    if (found == documents_.end()) return;
    if (method == "textDocument/didChange") {
      const Json changes = parameters.value("contentChanges", Json::array());
      for (const Json& change : changes) applyChange(found->second.text, change, encoding_);
      found->second.version = text.value("version", Json());
      found->second.is_dirty = true;
      found->second.is_previewed = false;
      documents_.touch(uri);
    } else if (method == "textDocument/didSave") {
      for (auto& [other, document] : documents_) document.changedBeside();  // they may import it
    } else if (method == "textDocument/didClose") {
      publish(uri, nullptr, Json::array());
      documents_.erase(found);
      documents_.touch(uri);
    }
  }

  void publish(const std::string& uri, const Json& version, Json diagnostics) const {
    Json parameters = {{"uri", uri}, {"diagnostics", std::move(diagnostics)}};
    if (version.is_number()) parameters["version"] = version;
    stream_.write({{"jsonrpc", "2.0"},
                   {"method", "textDocument/publishDiagnostics"},
                   {"params", std::move(parameters)}});
  }

  // Of a long text, while it is typed.
  void showEarly(const std::string& uri, Document& document) {
    const bool is_wanted = document.is_dirty && !document.is_previewed && document.is_alone;
    if (!is_wanted || document.took < kLongCheck) return;
    document.is_previewed = true;
    auto found = preview(*document.program(), document.text, uri, encoding_);
    if (found) publish(uri, document.version, std::move(*found));
  }

  void check(const std::string& uri, Document& document) {
    if (!document.is_dirty) return;
    documents_.analyse(uri, document);
    silence_ = std::clamp(document.took / 8, kMinSilence, kMaxSilence);
    const Analysis& analysis = *document.latest;
    publish(uri, document.version,
            diagnosticsOf({analysis.files(), analysis.file, analysis.sink},
                          Lines(analysis.text, encoding_), uri));
  }

  // ---- questions

  void request(const Json& id, const std::string& method, const Json& parameters) {
    if (method == "initialize") return answer(id, initialize(parameters));
    if (!is_initialized_) return fail(id, kNotInitialized, "`initialize` comes first");
    if (method == "shutdown") {
      is_shut_down_ = true;
      return answer(id, nullptr);
    }
    if (is_shut_down_) return fail(id, kInvalidRequest, "nothing is answered after `shutdown`");
    if (method == "workspace/executeCommand") return execute(id, parameters);
    if (method == "completionItem/resolve") return answer(id, resolve(parameters));
    const bool is_stage = method == "halo/core" || method == "halo/glsl";
    if (!method.starts_with("textDocument/") && !is_stage) {
      return fail(id, kMethodNotFound, "there is no method `" + method + "`");
    }
    const std::string uri = uriIn(parameters);
    const auto found = documents_.find(uri);
    if (found == documents_.end())
      return fail(id, kRequestFailed, "the text `" + uri + "` is not open");
    check(uri, found->second);
    if (method == "textDocument/rename" || method == "textDocument/references") {
      for (auto& [other, document] : documents_) check(other, document);
    }
    if (found->second.program() == nullptr) documents_.mend(uri, found->second);
    ask(id, method.substr(method.find('/') + 1), parameters, found->second, uri);
  }

  Json resolve(const Json& item) {
    const Json data = item.is_object() ? item.value("data", Json()) : Json();
    if (!data.is_object()) return item;
    const auto found = documents_.find(data.value("uri", ""));
    const Analysis* program = found != documents_.end() ? found->second.program() : nullptr;
    return program != nullptr ? resolved(*program, item, data.value("name", "")) : item;
  }

  // `halo.evaluate URI LINE`: the editor is asked to write the answer.
  void execute(const Json& id, const Json& parameters) {
    const Json arguments = parameters.value("arguments", Json::array());
    if (parameters.value("command", "") != "halo.evaluate" || arguments.size() != 2) {
      return fail(id, kMethodNotFound, "the one command is `halo.evaluate URI LINE`");
    }
    const std::string uri = arguments[0].get<std::string>();
    const auto found = documents_.find(uri);
    if (found == documents_.end())
      return fail(id, kRequestFailed, "the text `" + uri + "` is not open");
    const Document& document = found->second;
    const Answered asked = answeredAt(document.text, arguments[1].get<uint32_t>());
    if (asked.expression.empty()) return fail(id, kRequestFailed, "no `-- >>> ` line is here");
    const Evaluated value =
        evaluate(pathOfUri(uri), document.text, documents_.textsBeside(uri), asked.expression);
    const Json edit = {{"range", Lines(document.text, encoding_).rangeOf(asked.begin, asked.end)},
                       {"newText", answerLine(value.text)}};
    stream_.write({{"jsonrpc", "2.0"},
                   {"id", "edit-" + std::to_string(++edits_)},
                   {"method", "workspace/applyEdit"},
                   {"params", {{"edit", {{"changes", {{uri, {edit}}}}}}}}});
    answer(id, value.text);
  }

  void ask(const Json& id, const std::string& method, const Json& parameters, Document& document,
           const std::string& uri) const {
    const Lines lines(document.text, encoding_);
    if (method == "codeLens") return answer(id, codeLenses(lines, uri));
    if (method == "formatting") return answer(id, formatting(lines));
    Analysis* program = document.program();
    if (program == nullptr) {  // too much of it has errors
      if (method == "codeAction")
        return answer(id, codeActions(diagnosticsIn(parameters), lines, uri));
      return answer(id, method == "semanticTokens/full" ? semanticTokens(lines, nullptr) : Json());
    }
    const Json position = parameters.value("position", Json::object());
    const Place place{*program, lines, uri, encoding_, lines.offsetOf(position)};
    if (method == "completion") {
      return answer(id,
                    completions({lines, uri, place.offset, documents_.textsBeside(uri), *program}));
    }
    if (method == "signatureHelp") return answer(id, signature(place, documents_.textsBeside(uri)));
    if (kAnswers.contains(method)) {
      Json found = kAnswers.at(method)(place);
      if (!found.empty()) return answer(id, std::move(found));
      if (document.took < kLongestMended) documents_.mend(uri, document);
      if (document.partial == nullptr) return answer(id, std::move(found));
      return answer(id,
                    kAnswers.at(method)({*document.partial, lines, uri, encoding_, place.offset}));
    }
    askMore(id, method, parameters, place);
  }

  static Json diagnosticsIn(const Json& parameters) {
    const Json context = parameters.value("context", Json::object());
    return context.is_object() ? context.value("diagnostics", Json()) : Json();
  }

  // Methods with more than a place.
  void askMore(const Json& id, const std::string& method, const Json& parameters,
               const Place& place) const {
    if (method == "core" || method == "glsl") {
      const StageText found = stageAt(place, method);
      if (!found.problem.empty()) return fail(id, kRequestFailed, found.problem);
      return answer(id, found.text);
    }
    if (method == "references")
      return answer(id, references(place, documents_.openBeside(place.uri)));
    if (method == "rename" || method == "prepareRename") {
      const Json name = parameters.value("newName", Json());
      Renamed renamed = method == "rename"
                            ? rename(place, name.is_string() ? name.get<std::string>() : "",
                                     documents_.openBeside(place.uri))
                            : prepareRename(place);
      if (!renamed.problem.empty()) return fail(id, kRequestFailed, renamed.problem);
      return answer(id, std::move(renamed.edit));
    }
    const Json range = parameters.value("range", Json::object());
    const uint32_t begin = place.lines.offsetOf(range.value("start", Json()));
    const uint32_t end = place.lines.offsetOf(range.value("end", Json()));
    if (method == "inlayHint") return answer(id, inlayHints(place, begin, end));
    if (method == "codeAction") {
      Json actions = codeActions(diagnosticsIn(parameters), place.lines, place.uri);
      for (Json& action : hintActions(place, begin, end, documents_.textsBeside(place.uri))) {
        actions.push_back(std::move(action));
      }
      return answer(id, std::move(actions));
    }
    fail(id, kMethodNotFound, "there is no method `textDocument/" + method + "`");
  }

  Json initialize(const Json& parameters) {
    is_initialized_ = true;
    const Json general =
        parameters.value("/capabilities/general/positionEncodings"_json_pointer, Json::array());
    for (const Json& encoding : general) {
      if (encoding == "utf-8") encoding_ = Encoding::kUtf8;
    }
    return capabilities(encoding_);
  }

  using Answer = Json (*)(const Place&);
  static const std::map<std::string, Answer> kAnswers;

  Stream stream_;
  std::chrono::milliseconds silence_ = kMinSilence;
  Documents documents_;
  Encoding encoding_ = Encoding::kUtf16;
  int edits_ = 0;
  bool is_initialized_ = false;
  bool is_shut_down_ = false;
  bool is_ended_ = false;
};

const std::map<std::string, Server::Answer> Server::kAnswers = {
    {"hover", hover},
    {"definition", definition},
    {"documentHighlight", highlights},
    {"documentSymbol", symbols},
    {"foldingRange", folds},
    {"semanticTokens/full", [](const Place& place) { return semanticTokens(place.lines, &place); }},
};

}  // namespace

int serve(int in, int out) { return Server(in, out).run(); }

}  // namespace halo::lsp
