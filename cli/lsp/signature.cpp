// The type of the function that is being applied at a place. The text there is hardly ever whole,
// so tokens tell which function it is and how many arguments it has.
#include <algorithm>

#include "cli/lsp/answers.h"
#include "cli/lsp/chunk.h"
#include "cli/lsp/cut.h"
#include "lang/syntax/lex/lexer.h"

namespace halo::lsp {
namespace {

using syntax::Token;
using syntax::TokenKind;

struct Application {
  Range name;    // of the function
  int argument;  // from 0: the one at the place
};

// Reads the tokens in front of the place. A frame is the application that an open bracket, or the
// declaration, is in the middle of.
class Applications {
 public:
  void read(const Token& token) {
    if (isOneOf(token.text, {"(", "[", "{", "#["}) && isSign(token)) {
      const bool is_index = token.text == "[" && !token.space_before && frames_.back().parts > 0;
      frames_.push_back({.is_index = is_index});
    } else if (isOneOf(token.text, {")", "]", "}"}) && isSign(token)) {
      close();
    } else if (token.text == "." && !token.space_before) {
      joins_ = true;  // a field or the name behind a module
      return;
    } else if (token.kind == TokenKind::kIdentifier || isOneOf(token.text, {"_", "???"}) ||
               isLiteral(token)) {
      addPart(token);
    } else if (token.text != "#") {
      frames_.back() = {.is_index = frames_.back().is_index};
    }
    joins_ = false;
  }

  // `touches`: the last token ends at the place, which is still in its part.
  std::optional<Application> innermost(bool touches) const {
    for (size_t i = frames_.size(); i-- > 0;) {
      const Frame& frame = frames_[i];
      const bool is_last = i + 1 == frames_.size();
      const bool is_inside = is_last ? touches && !frame.is_closed : frames_[i + 1].is_index;
      const int argument = frame.parts - (is_inside ? 2 : 1);
      if (argument >= 0 && frame.name) return Application{*frame.name, argument};
    }
    return std::nullopt;
  }

 private:
  struct Frame {
    std::optional<Range> name = std::nullopt;  // where the first part is one
    int parts = 0;                             // the function and its arguments
    bool is_closed = false;                    // the last part is in brackets
    bool is_index = false;                     // goes on with a part of the frame around
  };

  static bool isOneOf(std::string_view text, std::initializer_list<std::string_view> texts) {
    return std::find(texts.begin(), texts.end(), text) != texts.end();
  }
  static bool isSign(const Token& token) { return token.kind == TokenKind::kPunctuation; }
  static bool isLiteral(const Token& token) {
    return token.kind == TokenKind::kNumber || token.kind == TokenKind::kString ||
           token.kind == TokenKind::kChar || isOneOf(token.text, {"true", "false"});
  }

  void addPart(const Token& token) {
    Frame& frame = frames_.back();
    if (!joins_) frame.parts++;
    frame.is_closed = false;
    if (frame.parts != 1 || token.kind != TokenKind::kIdentifier) return;
    if (!joins_) frame.name = Range{token.span.begin, 0};
    if (frame.name) frame.name->end = token.span.end;
  }

  void close() {
    const bool is_index = frames_.back().is_index;
    if (frames_.size() > 1) frames_.pop_back();
    Frame& frame = frames_.back();
    frame.is_closed = true;
    if (is_index && frame.parts == 1) frame.name = std::nullopt;
    if (!is_index) frame.parts++;
  }

  std::vector<Frame> frames_ = {{}};
  bool joins_ = false;
};

std::optional<Application> applicationAround(std::string_view text, uint32_t offset) {
  const auto chunk = topChunkAround(text, offset);
  if (!chunk) return std::nullopt;
  source::Files files;
  diag::Sink unheard;
  const std::string before(text.substr(chunk->begin, offset - chunk->begin));
  const source::FileId file = files.add("", before);
  Applications applications;
  bool touches = false;
  for (const Token& token : syntax::lex(files, file, unheard).tokens) {
    if (token.kind == TokenKind::kEnd) break;
    applications.read(token);
    touches = token.span.end == before.size();
  }
  auto found = applications.innermost(touches);
  if (found) found->name = {found->name.begin + chunk->begin, found->name.end + chunk->begin};
  return found;
}

// Where the parameters stand in a function's type as it is printed: between arrows that no bracket
// encloses.
Json parametersOf(const std::string& label, size_t begin) {
  Json all = Json::array();
  int depth = 0;
  for (size_t at = begin; at < label.size(); ++at) {
    const bool is_arrow = label.compare(at, 4, " -> ") == 0;
    if (std::string_view("([{").find(label[at]) != std::string_view::npos) depth++;
    if (std::string_view(")]}").find(label[at]) != std::string_view::npos) depth--;
    if (!is_arrow || depth != 0) continue;
    all.push_back({{"label", {begin, at}}});
    begin = at + 4;
  }
  return all;
}

Json shown(const types::Environment& environment, const Found& function, int argument) {
  const types::Program& program = types::program(environment);
  const std::string type = function.target ? typeOf(program, *function.target)
                           : function.type ? types::print(program, function.type)
                                           : "";
  const std::string label = function.name + " : " + type;
  Json parameters = parametersOf(label, function.name.size() + 3);
  if (static_cast<size_t>(argument) >= parameters.size()) return nullptr;
  const std::string text = function.target ? documentationOf(program, *function.target) : "";
  return {{"signatures",
           {{{"label", label},
             {"parameters", std::move(parameters)},
             {"documentation", {{"kind", "markdown"}, {"value", text}}}}}},
          {"activeSignature", 0},
          {"activeParameter", argument}};
}

}  // namespace

Json signature(const Place& place, const Texts& texts) {
  const auto application = applicationAround(place.text(), place.offset);
  if (!application) return nullptr;
  auto& known = const_cast<Analysis&>(place.analysis);
  const Range name = application->name;
  const auto [cut, end] = nameAt({place.text(), known, texts}, name.begin, name.end);
  if (cut.environment) {
    const auto found = findIn(*cut.environment, cut.file, end);
    const bool is_name = found && !found->name.empty();
    return is_name ? shown(*cut.environment, *found, application->argument) : Json();
  }
  const uint32_t known_end = place.to(name.end);  // the declaration has other mistakes
  if (known_end > place.analysis.text.size()) return nullptr;
  const auto found = findAt(place.analysis, known_end);
  if (!found || found->name.empty()) return nullptr;
  return shown(*found->world, *found, application->argument);
}

}  // namespace halo::lsp
