// A table of commands, then a function for each. Values are those of libhalo: they stay where calls
// made them until `store` asks for their bytes.
#include "cli/server/server.h"

#include <fmt/format.h>

#include <chrono>
#include <istream>
#include <map>
#include <ostream>

#include "api/objects.h"
#include "cli/server/words.h"
#include "lang/value/format.h"
#include "lang/value/memory.h"
#include "lang/value/picture.h"

namespace halo::server {

namespace {

using Words = std::vector<std::string>;

// `[][]f32`: ranks without sizes; other types by their text.
std::string nameOf(const halo_type& type) {
  if (type.kind != HALO_SCALAR && type.kind != HALO_ARRAY) return type.text;
  std::string name;
  for (int i = 0; i < type.rank; ++i) name += "[]";
  return name + std::string(prim::name(static_cast<prim::ScalarType>(type.scalar)));
}

struct Release {
  void operator()(halo_value* value) const { halo_release(value); }
};
using ValueRef = std::unique_ptr<halo_value, Release>;

struct Variable {
  ValueRef value;
  halo_type type;
};

class Server {
 public:
  Server(halo_context* context, halo_program* program, std::istream& in, std::ostream& out)
      : context_(context), program_(program), in_(in), out_(out) {}

  void run() {
    out_ << "%%% OK" << std::endl;
    for (std::string line; std::getline(in_, line);) {
      const Words words = wordsOf(line);
      if (words.empty()) continue;
      const std::string problem = answer(words);
      if (!problem.empty()) out_ << "%%% FAILURE\n" << problem << '\n';
      out_ << "%%% OK" << std::endl;
    }
  }

 private:
  using Command = std::string (Server::*)(const Words&);  // why it failed, or nothing
  struct Row {
    Command command;
    size_t least;  // words behind the command
    const char* usage;
  };
  static const std::map<std::string, Row> kCommands;

  std::string answer(const Words& words) {
    const auto found = kCommands.find(words[0]);
    if (found == kCommands.end()) return fmt::format("unknown command `{}`", words[0]);
    const Words rest(words.begin() + 1, words.end());
    if (rest.size() < found->second.least) {
      return fmt::format("`{}` is used as: {} {}", words[0], words[0], found->second.usage);
    }
    return (this->*found->second.command)(rest);
  }

  // ---- the program

  const api::Entry* entryOf(const std::string& name) const {
    size_t number = 0;
    return halo_find_entry(program_, name.c_str(), &number) ? &program_->entries[number] : nullptr;
  }
  static std::string noEntry(const std::string& name) {
    return fmt::format("the program has no entry `{}`", name);
  }

  std::string entryPoints(const Words&) {
    for (const api::Entry& entry : program_->entries) out_ << entry.name << '\n';
    return "";
  }

  std::string typeNames(const Words&) {
    for (const auto& [name, type] : allTypes()) out_ << name << '\n';
    return "";
  }

  std::map<std::string, halo_type> allTypes() const {
    std::map<std::string, halo_type> all;
    for (const api::Entry& entry : program_->entries) {
      for (const auto* list : {&entry.inputs, &entry.outputs}) {
        for (const halo_type& type : *list) all.emplace(nameOf(type), type);
      }
    }
    return all;
  }

  // `*[]f32`: the entry may overwrite the argument; ours copy it, so that it stays valid.
  std::string inputs(const Words& words) {
    const api::Entry* entry = entryOf(words[0]);
    if (entry == nullptr) return noEntry(words[0]);
    const types::Program& program = *program_->loaded->program();
    types::TypeId type = program.defs[entry->def].type;
    for (const halo_type& input : entry->inputs) {
      const auto* function = std::get_if<types::FunctionType>(&program.types[type]);
      const bool consumes = function != nullptr && function->consumes;
      out_ << (consumes ? "*" : "") << nameOf(input) << '\n';
      if (function != nullptr) type = function->result;
    }
    return "";
  }

  std::string outputs(const Words& words) {
    const api::Entry* entry = entryOf(words[0]);
    if (entry == nullptr) return noEntry(words[0]);
    for (const halo_type& output : entry->outputs) out_ << nameOf(output) << '\n';
    return "";
  }

  // ---- calls

  std::string call(const Words& words) {
    const api::Entry* entry = entryOf(words[0]);
    if (entry == nullptr) return noEntry(words[0]);
    const size_t outputs = entry->outputs.size(), inputs = entry->inputs.size();
    if (words.size() != 1 + outputs + inputs) {
      return fmt::format("`{}` gives {} values and takes {}, {} names were given", words[0],
                         outputs, inputs, words.size() - 1);
    }
    std::vector<halo_value*> arguments, results(outputs);
    for (size_t i = 0; i < outputs; ++i) {
      if (std::string problem = requireFree(words[1 + i]); !problem.empty()) return problem;
    }
    for (size_t i = 0; i < inputs; ++i) {
      const Variable* variable = find(words[1 + outputs + i]);
      if (variable == nullptr) return noVariable(words[1 + outputs + i]);
      arguments.push_back(variable->value.get());
    }
    const auto begin = std::chrono::steady_clock::now();
    halo_error* error = nullptr;
    const auto number = static_cast<size_t>(entry - program_->entries.data());
    if (halo_call(program_, number, arguments.data(), inputs, results.data(), outputs, &error) !=
        HALO_OK) {
      const std::string text = halo_error_text(error);
      halo_error_free(error);
      return text;
    }
    const auto time = std::chrono::duration_cast<std::chrono::microseconds>(
        std::chrono::steady_clock::now() - begin);
    for (size_t i = 0; i < outputs; ++i) {
      variables_[words[1 + i]] = {ValueRef(results[i]), entry->outputs[i]};
    }
    out_ << "runtime: " << time.count() << '\n';
    return "";
  }

  // ---- variables

  const Variable* find(const std::string& name) const {
    const auto found = variables_.find(name);
    return found == variables_.end() ? nullptr : &found->second;
  }
  static std::string noVariable(const std::string& name) {
    return fmt::format("unknown variable `{}`", name);
  }
  std::string requireFree(const std::string& name) const {
    return find(name) == nullptr ? "" : fmt::format("variable `{}` exists already", name);
  }

  // FILE NAME TYPE ..; a type of several leaves takes several values of the file.
  std::string restore(const Words& words) {
    if (words.size() % 2 == 0)
      return "`restore` takes a file, and a name and a type for each value";
    source::Files files;
    auto values = value::readFile(files, words[0], {});
    if (!values) return diag::render(values.error(), files, {});
    const size_t count = (words.size() - 1) / 2;
    if (values->size() != count) {
      return fmt::format("file `{}` has {} values, {} were asked for", words[0], values->size(),
                         count);
    }
    for (size_t i = 0; i < count; ++i) {
      const std::string &name = words[1 + 2 * i], &type = words[2 + 2 * i];
      if (std::string problem = requireFree(name); !problem.empty()) return problem;
      const halo_type found = api::typeOf((*values)[i]);
      if (nameOf(found) != type) {
        return fmt::format("value {} of file `{}` is `{}`, not `{}`", i, words[0], nameOf(found),
                           type);
      }
      ValueRef made(api::newValue(context_->state, std::move((*values)[i])));
      variables_[name] = {std::move(made), found};
    }
    return "";
  }

  std::string store(const Words& words) {
    std::string bytes;
    for (size_t i = 1; i < words.size(); ++i) {
      const Variable* variable = find(words[i]);
      if (variable == nullptr) return noVariable(words[i]);
      auto host = value::toHost(variable->value->value);
      if (!host) return diag::render(host.error(), {}, {});
      if (host->record() != nullptr || host->sum() != nullptr) {
        return fmt::format("`{}` is no scalar and no array of scalars", words[i]);
      }
      bytes += value::toBinary(*host);
    }
    const auto done = value::writeBytes(words[0], bytes);
    return done ? "" : diag::render(done.error(), {}, {});
  }

  std::string free(const Words& words) {
    for (const std::string& name : words) {
      if (variables_.erase(name) == 0) return noVariable(name);
    }
    return "";
  }

  std::string rename(const Words& words) {
    auto node = variables_.extract(words[0]);
    if (node.empty()) return noVariable(words[0]);
    const std::string problem = requireFree(words[1]);
    if (problem.empty()) node.key() = words[1];
    variables_.insert(std::move(node));
    return problem;
  }

  // ---- records and tuples

  std::string fields(const Words& words) {
    const auto all = allTypes();
    const auto found = all.find(words[0]);
    if (found == all.end()) return fmt::format("unknown type `{}`", words[0]);
    for (size_t i = 0; i < found->second.fields.size(); ++i) {
      out_ << fieldName(found->second, i) << ' ' << nameOf(found->second.fields[i]) << '\n';
    }
    return found->second.fields.empty() ? fmt::format("`{}` is no record", words[0]) : "";
  }

  static std::string fieldName(const halo_type& type, size_t i) {
    return type.names.empty() ? std::to_string(i) : type.names[i];
  }

  std::string project(const Words& words) {
    const Variable* variable = find(words[1]);
    if (variable == nullptr) return noVariable(words[1]);
    if (std::string problem = requireFree(words[0]); !problem.empty()) return problem;
    const halo_type& type = variable->type;
    for (size_t i = 0; i < type.fields.size(); ++i) {
      if (fieldName(type, i) != words[2]) continue;
      Variable made{ValueRef(halo_field(variable->value.get(), i)), type.fields[i]};
      variables_[words[0]] = std::move(made);
      return "";
    }
    return fmt::format("`{}` has no field `{}`", nameOf(type), words[2]);
  }

  // NAME TYPE FIELD ..
  std::string make(const Words& words) {
    if (std::string problem = requireFree(words[0]); !problem.empty()) return problem;
    const auto all = allTypes();
    const auto found = all.find(words[1]);
    if (found == all.end()) return fmt::format("unknown type `{}`", words[1]);
    const halo_type& type = found->second;
    if (words.size() - 2 != type.fields.size()) {
      return fmt::format("`{}` has {} fields, {} were given", words[1], type.fields.size(),
                         words.size() - 2);
    }
    std::vector<halo_value*> fields;
    std::vector<const char*> names;
    for (size_t i = 0; i < type.fields.size(); ++i) {
      const Variable* variable = find(words[2 + i]);
      if (variable == nullptr) return noVariable(words[2 + i]);
      fields.push_back(variable->value.get());
      names.push_back(type.names[i].c_str());
    }
    halo_value* made = nullptr;
    if (type.kind == HALO_TUPLE) {
      halo_tuple(context_, fields.data(), fields.size(), &made, nullptr);
    } else {
      halo_record(context_, names.data(), fields.data(), fields.size(), &made, nullptr);
    }
    variables_[words[0]] = {ValueRef(made), type};
    return "";
  }

  // ---- the rest

  // Memory that waits for reuse.
  std::string clear(const Words&) {
    value::releaseHostCache();
    return "";
  }
  std::string report(const Words&) {
    halo_statistics times;
    times.size = sizeof times;
    halo_stats(context_, &times);
    out_ << fmt::format("compile {:.3f} ms\ntransfer {:.3f} ms\nrun {:.3f} ms\ndevice {:.3f} ms\n",
                        times.compile_ms, times.transfer_ms, times.run_ms, times.device_ms);
    return "";
  }
  std::string nothing(const Words&) { return ""; }

  halo_context* context_;
  halo_program* program_;
  std::istream& in_;
  std::ostream& out_;
  std::map<std::string, Variable> variables_;
};

const std::map<std::string, Server::Row> Server::kCommands = {
    {"entry_points", {&Server::entryPoints, 0, ""}},
    {"types", {&Server::typeNames, 0, ""}},
    {"inputs", {&Server::inputs, 1, "ENTRY"}},
    {"outputs", {&Server::outputs, 1, "ENTRY"}},
    {"call", {&Server::call, 1, "ENTRY RESULT.. ARGUMENT.."}},
    {"restore", {&Server::restore, 1, "FILE NAME TYPE .."}},
    {"store", {&Server::store, 1, "FILE NAME.."}},
    {"free", {&Server::free, 0, "NAME.."}},
    {"rename", {&Server::rename, 2, "OLD NEW"}},
    {"fields", {&Server::fields, 1, "TYPE"}},
    {"project", {&Server::project, 3, "NEW NAME FIELD"}},
    {"new", {&Server::make, 2, "NAME TYPE FIELD.."}},
    {"clear", {&Server::clear, 0, ""}},
    {"report", {&Server::report, 0, ""}},
    {"pause_profiling", {&Server::nothing, 0, ""}},
    {"unpause_profiling", {&Server::nothing, 0, ""}},
};

}  // namespace

void serve(halo_context* context, halo_program* program, std::istream& in, std::ostream& out) {
  Server(context, program, in, out).run();
}

}  // namespace halo::server
