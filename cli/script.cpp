// halo script: the value of an expression that calls entries, `f (g 10) ($loaddata "x.in")`.
#include <cstdio>
#include <filesystem>

#include "cli/commands.h"
#include "cli/session/imports.h"
#include "cli/session/values/script.h"
#include "lang/value/format.h"

namespace halo::cli {

namespace {

int print(const Common& common, const source::Files& files, const value::Value& value,
          bool is_binary) {
  auto host = value::toHost(value);
  if (!host) return report(common, files, host.error());
  const std::string text = is_binary ? value::toBinary(*host) : value::toText(*host) + "\n";
  return std::fwrite(text.data(), 1, text.size(), stdout) == text.size() ? kOk : kRunTimeError;
}

}  // namespace

int script(const Common& common, const ScriptArguments& arguments) {
  session::SessionOptions options = sessionOptions(common);
  options.cancel = &cancelFlag();
  session::Session session(std::move(options));
  const auto backend = session::backendFromName(arguments.backend);
  if (!backend) return report(common, session.files(), backend.error());
  std::string text = arguments.expression;
  if (!arguments.expression_file.empty()) {
    auto read = session::readText(arguments.expression_file);
    if (!read) {
      return report(common, session.files(),
                    diag::fail(diag::Code::missing_file, {},
                               "there is no readable file `" + arguments.expression_file + "`")
                        .value());
    }
    text = std::move(*read);
  }
  diag::Sink sink;
  auto loaded = session.load(arguments.file, sink);
  if (!loaded) return report(common, session.files(), sink);
  const std::string folder = std::filesystem::path(arguments.file).parent_path().string();
  auto values = session::scriptValues(session, {*loaded, *backend, folder}, text);
  if (!values) return report(common, session.files(), values.error());
  int status = kOk;
  for (const value::Value& value : *values) {
    if (status == kOk) status = print(common, session.files(), value, arguments.binary);
  }
  return status;
}

}  // namespace halo::cli
