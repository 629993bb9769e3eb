// halo literate FILE: a program and the results of its directives, as Markdown beside it, or as a
// notebook.
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "cli/commands.h"
#include "cli/literate/render.h"
#include "cli/session/imports.h"
#include "lang/value/picture.h"

namespace halo::cli {

namespace fs = std::filesystem;

namespace {

// A notebook holds its pictures: they are files for a while only.
class PictureFolder {
 public:
  explicit PictureFolder(bool is_needed) {
    std::string name = (fs::temp_directory_path() / "halo-pictures-XXXXXX").string();
    if (is_needed && mkdtemp(name.data()) != nullptr) path_ = name;
  }
  ~PictureFolder() {
    std::error_code error;
    if (!path_.empty()) fs::remove_all(path_, error);
  }
  PictureFolder(const PictureFolder&) = delete;
  PictureFolder& operator=(const PictureFolder&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

}  // namespace

int literate(const Common& common, const LiterateArguments& arguments) {
  session::SessionOptions session_options = sessionOptions(common);
  session_options.cancel = &cancelFlag();
  session::Session session(session_options);
  auto backend = session::backendFromName(arguments.backend);
  if (!backend) return report(common, session.files(), backend.error());
  repl::Workspace workspace(session);
  diag::Sink sink;
  workspace.load(arguments.file, sink);
  if (int status = report(common, session.files(), sink); status != kOk) return status;
  const fs::path output = arguments.output.empty()
                              ? fs::path(arguments.file).replace_extension(arguments.format)
                              : fs::path(arguments.output);
  literate::RenderOptions options;
  options.backend = *backend;
  options.stop_on_error = arguments.stop_on_error;
  const bool is_notebook = arguments.format == "ipynb";
  const PictureFolder pictures(is_notebook);
  options.draws = is_notebook;
  options.folder = is_notebook ? pictures.path() : output.parent_path().string();
  options.picture_folder = output.stem().string() + "-img";
  options.data_folder = fs::path(arguments.file).parent_path().string();
  const std::string program = session::readText(arguments.file).value_or("");
  auto rendered = literate::render(workspace, program, options);
  if (!rendered) return report(common, session.files(), rendered.error());
  int status = kOk;
  for (const diag::Diagnostic& failure : rendered->failures) {
    status = std::max(status, report(common, session.files(), failure));
  }
  if (status != kOk && arguments.stop_on_error) return status;
  auto written = value::writeBytes(
      output.string(), is_notebook ? literate::toNotebook(rendered->parts, options.folder)
                                   : literate::toMarkdown(rendered->parts));
  if (!written) return report(common, session.files(), written.error());
  if (!common.quiet) tell(common, "wrote " + output.string());
  return status;
}

}  // namespace halo::cli
