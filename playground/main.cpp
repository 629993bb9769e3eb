// The functions that the page's worker calls. Each returns an answer as JSON, which stays until the
// next call: {"ok": true, "text": "..", "errors": "..", "pictures": [{"width", "height", "frames",
// "at"}]}; `at` is where the frames are in memory, as bytes of red, green, blue and opacity.
#include <emscripten.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "cli/picture/frames.h"
#include "cli/repl/repl.h"
#include "cli/session/testing/test_block.h"
#include "cli/session/testing/tester.h"
#include "cli/session/values/arguments.h"
#include "lang/format/format.h"
#include "lang/value/format.h"

namespace halo::web {

namespace {

using Json = nlohmann::json;
using session::Backend;

class Playground {
 public:
  const char* enter(const std::string& text) {
    begin();
    const int failures = repl_->failures();
    repl_->enter(text);
    return end(repl_->failures() == failures);
  }

  // A program of its own session: entry and arguments from `words`, as `halo run` takes them; from
  // its `-- run:` line if there are none.
  const char* run(const std::string& path, const std::string& words) {
    begin();
    session::Session session{session::SessionOptions{}};
    diag::Sink sink;
    auto loaded = session.load(path, sink);
    if (!loaded) {
      errors_ += diag::render(sink, session.files(), {});
      return end(false);
    }
    const auto done = call(session, *loaded, words);
    if (!done) errors_ += diag::render(done.error(), session.files(), {});
    return end(done.has_value());
  }

  const char* layOut(const std::string& text) {
    begin();
    source::Files files;
    diag::Sink sink;
    const auto result = format::format(files, files.add("program.fut", text), sink);
    errors_ += diag::render(sink, files, {});
    text_ = result.value_or("");
    return end(result.has_value());
  }

  // Test blocks of a program: `N passed, M failed`, and failures as errors.
  const char* test(const std::string& path) {
    begin();
    session::TestOptions options;
    options.backends = {Backend::kInterp};
    options.wording = true;
    const session::TestReport report = session::testProgram(path, {.tuning = "tuning"}, options);
    text_ = fmt::format("{} passed, {} failed, {} skipped\n", report.passed, report.failed,
                        report.skipped);
    for (const std::string& failure : report.failures) errors_ += failure + "\n";
    return end(report.failed == 0);
  }

 private:
  void begin() {
    if (!repl_) {
      repl_ = std::make_unique<repl::Repl>(
          session::SessionOptions{},
          repl::Io{.out = [this](std::string_view text) { text_ += text; },
                   .err = [this](std::string_view text) { errors_ += text; },
                   .pictures = [this](const auto& frames) { add(frames); }});
      repl_->settings.backends = {Backend::kInterp};
    }
    text_.clear();
    errors_.clear();
    pictures_ = Json::array();
    pixels_.clear();
  }

  const char* end(bool ok) {
    answer_ = Json{{"ok", ok}, {"text", text_}, {"errors", errors_}, {"pictures", pictures_}}.dump(
        -1, ' ', false, Json::error_handler_t::replace);
    return answer_.c_str();
  }

  bool show(const value::Value& value) {
    const auto frames = picture::framesOf(value);
    if (!frames) {
      errors_ += diag::render(frames.error(), {}, {});
      return false;
    }
    add(*frames);
    return true;
  }

  void add(const std::vector<picture::Pixels>& frames) {
    std::vector<uint32_t> rgba;
    for (const picture::Pixels& frame : frames) {
      for (uint32_t pixel : frame.argb) {
        rgba.push_back((pixel & 0xff00ff00) | (pixel >> 16 & 0xff) | (pixel & 0xff) << 16);
      }
    }
    pixels_.push_back(std::move(rgba));
    pictures_.push_back({{"width", frames[0].width},
                         {"height", frames[0].height},
                         {"frames", frames.size()},
                         {"at", reinterpret_cast<uintptr_t>(pixels_.back().data())}});
  }

  diag::Result<std::monostate> call(session::Session& session, const session::Loaded& loaded,
                                    std::string line) {
    if (line.empty()) {
      const auto blocks = session::parseTestProgram(session.files(), loaded.file);
      if (blocks && blocks->run_line) line = *blocks->run_line;
    }
    std::string entry_name;
    bool is_picture = false;
    std::vector<std::string> words = session::splitWords(line);
    for (size_t i = 0; i < words.size();) {
      const bool is_entry = words[i].starts_with("--entry=");
      const bool is_save = words[i] == "--save" && i + 1 < words.size();
      if (is_entry) entry_name = words[i].substr(8);
      if (is_save) is_picture = words[i + 1].ends_with(".png");
      const auto at = words.begin() + static_cast<ptrdiff_t>(i);
      if (is_entry || is_save) {
        words.erase(at, at + (is_save ? 2 : 1));
      } else {
        ++i;
      }
    }
    const auto entry = session.findEntry(loaded, entry_name);
    if (!entry) return diag::Failure(entry.error());
    const types::Program& program = types::program(*loaded.environment);
    const auto values = session::argumentsFromWords(session, program, *entry, words, ".");
    if (!values) return diag::Failure(values.error());
    auto prepared = session.prepare(Backend::kInterp, loaded, *entry);
    if (!prepared) return diag::Failure(prepared.error());
    const auto results = (*prepared)->call(*values, {});
    if (!results) return diag::Failure(results.error());
    if (is_picture && !results->empty() && show(results->front())) return std::monostate{};
    for (const value::Value& result : *results) text_ += value::toText(result) + "\n";
    return std::monostate{};
  }

  std::unique_ptr<repl::Repl> repl_;  // made when it is asked for the first time
  std::string text_, errors_, answer_;
  Json pictures_ = Json::array();
  std::vector<std::vector<uint32_t>> pixels_;
};

Playground& playground() {
  static Playground instance;
  return instance;
}

}  // namespace

}  // namespace halo::web

extern "C" {

EMSCRIPTEN_KEEPALIVE const char* halo_enter(const char* text) {
  return halo::web::playground().enter(text);
}
EMSCRIPTEN_KEEPALIVE const char* halo_run(const char* path, const char* words) {
  return halo::web::playground().run(path, words);
}
EMSCRIPTEN_KEEPALIVE const char* halo_format(const char* text) {
  return halo::web::playground().layOut(text);
}
EMSCRIPTEN_KEEPALIVE const char* halo_test(const char* path) {
  return halo::web::playground().test(path);
}

}  // extern "C"
