// What a rendered document is written as: Markdown, or a notebook of Jupyter.
#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "cli/literate/render.h"
#include "cli/picture/base64.h"
#include "lang/base/files.h"

namespace halo::literate {

namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMaxPicture = size_t{64} << 20;

// Files that directives read are loaded in lines of their own: `$loadimg "a.png"` is not an
// expression of the session.
class Cells {
 public:
  explicit Cells(std::string folder) : folder_(std::move(folder)) {}

  void add(const Part& part) {
    if (part.block.kind == Block::kText) {
      cells_.push_back({{"cell_type", "markdown"},
                        {"id", nextId()},
                        {"metadata", Json::object()},
                        {"source", part.block.text}});
      return;
    }
    const bool is_code = part.block.kind == Block::kCode;
    cells_.push_back({{"cell_type", "code"},
                      {"id", nextId()},
                      {"execution_count", nullptr},
                      {"metadata", metadataOf(part)},
                      {"source", is_code ? part.block.text : inputOf(part)},
                      {"outputs", is_code ? Json::array() : outputsOf(part)}});
  }

  std::string text() const {
    const Json page = {
        {"nbformat", 4},
        {"nbformat_minor", 5},
        {"metadata",
         {{"kernelspec", {{"name", "halo"}, {"display_name", "Halo"}, {"language", "futhark"}}},
          {"language_info", {{"name", "futhark"}, {"file_extension", ".fut"}}}}},
        {"cells", cells_}};
    return page.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  }

 private:
  std::string nextId() const { return "cell-" + std::to_string(cells_.size() + 1); }

  static Json metadataOf(const Part& part) {
    Json metadata = Json::object();
    if (!part.failure.empty()) metadata["tags"] = {"raises-exception"};
    if (part.block.is_covert) metadata["jupyter"] = {{"source_hidden", true}};
    return metadata;
  }

  std::string inputOf(const Part& part) {
    std::string expression = part.input, before;
    for (const char* word : {"$loadimg", "$loaddata"}) {
      for (size_t at = 0; (at = expression.find(word, at)) != std::string::npos;) {
        const size_t open = expression.find('"', at), close = expression.find('"', open + 1);
        if (open == std::string::npos || close == std::string::npos) break;
        const std::string name = "file_" + std::to_string(++files_);
        before += ":load " + expression.substr(open + 1, close - open - 1) + " " + name + "\n";
        expression.replace(at, close + 1 - at, name);
      }
    }
    const std::string& command = part.block.command;
    const bool is_line = !command.empty();  // commands of the session take one line
    if (is_line) std::replace(expression.begin(), expression.end(), '\n', ' ');
    if (command == "img" || command == "video") return before + ":img " + expression;
    return before + (is_line ? ":plot " : "") + expression;
  }

  Json outputsOf(const Part& part) const {
    if (!part.failure.empty()) {
      return {{{"output_type", "error"},
               {"ename", "error"},
               {"evalue", part.failure},
               {"traceback", {"error: " + part.failure}}}};
    }
    if (part.picture.empty()) {
      return {{{"output_type", "execute_result"},
               {"execution_count", nullptr},
               {"metadata", Json::object()},
               {"data", {{"text/plain", part.shown}}}}};
    }
    const bool is_drawing = part.picture.ends_with(".svg");
    const std::string bytes =
        base::readFile((std::filesystem::path(folder_) / part.picture).string(), kMaxPicture).bytes;
    return {{{"output_type", "display_data"},
             {"metadata", Json::object()},
             {"data",
              {{is_drawing ? "image/svg+xml" : "image/png",
                is_drawing ? bytes : picture::base64(bytes)}}}}};
  }

  std::string folder_;
  Json cells_ = Json::array();
  int files_ = 0;
};

std::string resultOf(const Part& part) {
  if (!part.failure.empty()) return "**This failed:** " + part.failure + "\n";
  if (part.picture.empty()) return "```\n" + part.shown + "\n```\n";
  return "![" + part.caption + "](" + part.picture + ")\n";
}

}  // namespace

std::string toMarkdown(const std::vector<Part>& parts) {
  std::string page;
  for (const Part& part : parts) {
    if (!page.empty()) page += "\n";
    if (part.block.kind == Block::kText) {
      page += part.block.text + "\n";
    } else if (part.block.kind == Block::kCode) {
      page += "```futhark\n" + part.block.text + "\n```\n";
    } else {
      if (!part.block.is_covert) page += "```\n> " + part.block.text + "\n```\n\n";
      page += resultOf(part);
    }
  }
  return page;
}

std::string toNotebook(const std::vector<Part>& parts, const std::string& folder) {
  Cells cells(folder);
  for (const Part& part : parts) cells.add(part);
  return cells.text();
}

}  // namespace halo::literate
