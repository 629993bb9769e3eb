// One function per directive.
#include "cli/literate/render.h"

#include <fmt/format.h>

#include <cctype>
#include <charconv>
#include <filesystem>
#include <fstream>

#include "cli/picture/file.h"
#include "cli/picture/plot.h"
#include "lang/value/format.h"
#include "lang/value/wav.h"

namespace halo::literate {

namespace fs = std::filesystem;
using diag::Code;
using value::Value;
using Text = diag::Result<std::string>;
using Done = diag::Result<std::monostate>;

namespace {

constexpr int64_t kPlotWidth = 640, kPlotHeight = 400;

// `(400, 300)`: width and height.
struct Size {
  int64_t width = kPlotWidth, height = kPlotHeight;
};
Size sizeFrom(const std::string& text) {
  Size size;
  const char* end = text.data() + text.size();
  const size_t comma = text.find(',');
  if (!text.starts_with("(") || comma == std::string::npos) return size;
  std::from_chars(text.data() + 1, end, size.width);
  const size_t second = text.find_first_not_of(' ', comma + 1);
  if (second != std::string::npos) std::from_chars(text.data() + second, end, size.height);
  size.width = std::clamp<int64_t>(size.width, 100, 4000);
  size.height = std::clamp<int64_t>(size.height, 80, 4000);
  return size;
}

class Renderer {
 public:
  Renderer(repl::Workspace& workspace, const RenderOptions& options)
      : workspace_(workspace), options_(options) {}

  diag::Result<Rendered> run(const std::string& program) {
    Rendered rendered;
    for (Block& block : parseDocument(program)) {
      Part part{std::move(block)};
      if (part.block.kind == Block::kDirective) {
        part.input = part.block.expression;
        auto done = directive(part);
        if (!done) {
          rendered.failures.push_back(done.error());
          if (options_.stop_on_error) return rendered;
          part.failure = done.error().message;
        }
      }
      rendered.parts.push_back(std::move(part));
    }
    return rendered;
  }

 private:
  Done directive(Part& part) {
    const std::string& command = part.block.command;
    if (command.empty()) return shown(part);
    if (command == "img") return pictures(part, false);
    if (command == "video") return pictures(part, true);
    if (command == "plot2d" || command == "plot") return plot(part);
    return diag::fail(
        Code::malformed_test_block, {},
        "there is no directive `:" + command +
            "`: there are `:img`, `:video`, `:plot2d`, and `:brief` and `:covert` in front");
  }

  diag::Result<repl::Checked> check(const std::string& expression) {
    diag::Sink sink;
    auto loaded = withFiles(expression, sink);
    if (!loaded) return diag::Failure(loaded.error());
    auto checked = workspace_.check(*loaded, sink);
    if (!checked) return diag::Failure(sink.all().front());
    return std::move(*checked);
  }

  diag::Result<Value> evaluate(const repl::Checked& checked, const std::string& expression) {
    if (!checked.isValue()) {
      return diag::fail(Code::value_not_printable, {},
                        "`" + expression + "` is a function, of type `" + checked.type() + "`");
    }
    auto evaluation = workspace_.evaluate(checked, options_.backend);
    if (!evaluation) return diag::Failure(evaluation.error());
    return value::toHost(evaluation->value);
  }

  diag::Result<Value> evaluate(const std::string& expression) {
    auto checked = check(expression);
    if (!checked) return diag::Failure(checked.error());
    return evaluate(*checked, expression);
  }

  Done shown(Part& part) {
    auto checked = check(part.input);
    if (!checked) return diag::Failure(checked.error());
    auto value = evaluate(*checked, part.input);
    if (!value) return diag::Failure(value.error());
    auto text = repl::show(*value, repl::layoutOf(checked->program(), checked->definition().type));
    if (!text) return diag::Failure(text.error());
    part.shown = text->substr(text->starts_with('\n') ? 1 : 0);
    return std::monostate{};
  }

  // A video may also be `(step, initial, n)`: n times a picture and the next state.
  static std::string unfolded(const std::string& triple) {
    return "let (step, initial, n) = (" + triple +
           ") let (first, second) = step initial "
           "in (loop (frames, state) = (replicate n first, second) for i in 1..<n do "
           "let (frame, next) = step state in (frames with [i] = frame, next)).0";
  }

  Text videoExpression(const std::string& expression) {
    auto checked = check(expression);
    if (!checked) return diag::Failure(checked.error());
    return checked->isValue() ? expression : unfolded(expression);
  }

  Done pictures(Part& part, bool is_video) {
    Text expression = is_video ? videoExpression(part.input) : part.input;
    if (!expression) return diag::Failure(expression.error());
    part.input = *expression;
    auto value = evaluate(part.input);
    if (!value) return diag::Failure(value.error());
    auto name = fileFor(part.block, ".png");
    if (!name) return diag::Failure(name.error());
    auto written = picture::writeFile((fs::path(options_.folder) / *name).string(), *value);
    if (!written) return diag::Failure(written.error());
    part.picture = *name;
    part.caption = part.block.expression;
    return std::monostate{};
  }

  Done plot(Part& part) {
    auto value = evaluate(part.input);
    if (!value) return diag::Failure(value.error());
    auto plot = picture::plotOf(*value);
    if (!plot) return diag::Failure(plot.error());
    const auto option = part.block.options.find("size");
    const Size size = option == part.block.options.end() ? Size{} : sizeFrom(option->second);
    const auto file = part.block.options.find("file");
    const bool is_named = file != part.block.options.end() && file->second.ends_with(".svg");
    const bool draws = plot->heat.empty() && (options_.draws || is_named);
    auto name = fileFor(part.block, draws ? ".svg" : ".png");
    if (!name) return diag::Failure(name.error());
    auto written =
        value::writeBytes((fs::path(options_.folder) / *name).string(),
                          draws ? picture::asSvg(*plot, size.width, size.height)
                                : value::toPng(picture::asPicture(*plot, size.width, size.height)));
    if (!written) return diag::Failure(written.error());
    part.picture = *name;
    part.caption = "plot of " + part.block.expression;
    return std::monostate{};
  }

  // In the picture folder, whatever the document asks for.
  Text fileFor(const Block& block, const std::string& extension) {
    const auto option = block.options.find("file");
    std::string name = option == block.options.end() ? fmt::format("{}.png", ++pictures_)
                                                     : fs::path(option->second).filename().string();
    if (name.ends_with(".png") || name.ends_with(".svg")) name.erase(name.size() - 4);
    name += extension;
    std::error_code error;
    fs::create_directories(fs::path(options_.folder) / options_.picture_folder, error);
    if (error) {
      return diag::fail(Code::unwritable_file, {},
                        "folder `" + options_.picture_folder + "`: " + error.message());
    }
    return options_.picture_folder + "/" + name;
  }

  // `$loadimg "a.png"` and its kin, and Futhark's values without elements, become names of values.
  diag::Result<std::string> withFiles(const std::string& expression, diag::Sink& sink) {
    std::string text = expression;
    for (const char* word : {"$loadimg", "$loaddata", "$loadbytes", "$loadaudio"}) {
      for (size_t at = 0; (at = text.find(word, at)) != std::string::npos;) {
        const size_t open = text.find('"', at);
        const size_t close = text.find('"', open + 1);
        if (open == std::string::npos || close == std::string::npos) break;
        const std::string path =
            (fs::path(options_.data_folder) / text.substr(open + 1, close - open - 1)).string();
        auto value = read(word, path);
        if (!value) return diag::Failure(value.error());
        if (auto failed = named(std::move(*value), text, at, close + 1, sink)) return *failed;
      }
    }
    for (size_t at = 0; (at = text.find("empty(", at)) != std::string::npos; ++at) {
      const bool is_name = at > 0 && (std::isalnum(static_cast<unsigned char>(text[at - 1])) != 0 ||
                                      text[at - 1] == '_' || text[at - 1] == '.');
      const size_t close = text.find(')', at);
      if (is_name || close == std::string::npos) continue;
      source::Files& files = workspace_.session().files();
      auto values =
          value::parseValues(files, files.add("an empty array", text.substr(at, close + 1 - at)));
      if (!values) return diag::Failure(values.error());
      if (auto failed = named((*values)[0], text, at, close + 1, sink)) return *failed;
    }
    return text;
  }

  diag::Result<Value> read(const std::string& word, const std::string& path) {
    if (word == "$loadbytes" || word == "$loadaudio") {
      std::ifstream in(path, std::ios::binary);
      if (!in) return diag::fail(Code::missing_file, {}, "no file `" + path + "`");
      const std::string bytes{std::istreambuf_iterator<char>(in), {}};
      if (word == "$loadaudio") return value::readWav(bytes, {});
      auto array = value::makeArray(prim::ScalarType::kU8, {static_cast<int64_t>(bytes.size())});
      if (!array) return diag::Failure(array.error());
      std::copy(bytes.begin(), bytes.end(), reinterpret_cast<char*>(array->data()));
      return Value(std::move(*array));
    }
    auto values = value::readFile(workspace_.session().files(), path, std::nullopt);
    if (!values) return diag::Failure(values.error());
    return values->size() == 1 ? (*values)[0] : value::makeTuple(std::move(*values));
  }

  // A name for the value takes the place of the text from `begin` to `end`.
  std::optional<diag::Failure> named(Value value, std::string& text, size_t begin, size_t end,
                                     diag::Sink& sink) {
    const std::string name = fmt::format("file_{}", ++files_);
    if (!workspace_.define(name, std::move(value), sink)) return diag::Failure(sink.all().front());
    text.replace(begin, end - begin, name);
    return std::nullopt;
  }

  repl::Workspace& workspace_;
  const RenderOptions& options_;
  int pictures_ = 0, files_ = 0;
};

}  // namespace

diag::Result<Rendered> render(repl::Workspace& workspace, const std::string& program,
                              const RenderOptions& options) {
  return Renderer(workspace, options).run(program);
}

}  // namespace halo::literate
