// The manifest is JSON; each value is a .npy file with its hash in the manifest.
#include "cli/distributed/checkpoints.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "lang/base/files.h"
#include "lang/value/format.h"
#include "lang/value/picture.h"

namespace halo::distributed {
namespace {

using diag::Code;
using value::Value;
using Json = nlohmann::json;

constexpr char kManifest[] = "manifest.json";
constexpr char kPrevious[] = "manifest.previous.json";
constexpr int kVersion = 1;
constexpr size_t kMaxManifest = size_t{1} << 26;  // bytes
constexpr size_t kMaxFile = size_t{1} << 42;
// By time, pieces grow by this factor until one lasts as long as a fraction of the interval.
constexpr int64_t kGrowth = 4;
constexpr double kFraction = 0.25;
constexpr double kNearly = 0.75;  // of the interval: a checkpoint is due

std::string hashOf(const std::string& bytes) {
  return fmt::format("{:016x}", XXH3_64bits(bytes.data(), bytes.size()));
}

std::string pathOf(const std::string& folder, const std::string& name) {
  return (std::filesystem::path(folder) / name).string();
}

// loop0-1000-2.npy
bool isValueFile(const std::string& name) {
  constexpr std::string_view kBegin = "loop", kEnd = ".npy";
  if (!name.starts_with(kBegin) || !name.ends_with(kEnd)) return false;
  const std::string numbers = name.substr(kBegin.size(), name.size() - kBegin.size() - kEnd.size());
  return numbers.find_first_not_of("0123456789-") == std::string::npos &&
         std::count(numbers.begin(), numbers.end(), '-') == 2;
}

diag::Failure damaged(const std::string& path, const std::string& why) {
  return diag::fail(Code::malformed_value, {},
                    fmt::format("the checkpoint in `{}` is damaged: {}", path, why));
}

}  // namespace

Checkpoints::Checkpoints(CheckpointOptions options, std::string engine, std::string program)
    : options_(std::move(options)), engine_(std::move(engine)), program_(hashOf(program)) {}

double Checkpoints::secondsSince(Clock::time_point then) const {
  return std::chrono::duration<double>(Clock::now() - then).count();
}

// ---- reading

diag::Result<std::monostate> Checkpoints::begin(const std::vector<Value>& arguments) {
  std::string all;
  for (const Value& argument : arguments) {
    auto host = value::toHost(argument);
    if (!host) return diag::Failure(host.error());
    all += hashOf(value::toNpy(*host));
  }
  arguments_ = hashOf(all);
  resumed_.clear();
  newest_ = previous_ = {};
  piece_ = 0;
  last_save_ = Clock::now();
  std::error_code error;
  const bool continues = options_.folder == options_.resume;
  if (!options_.folder.empty() && !continues &&
      std::filesystem::exists(pathOf(options_.folder, kManifest), error)) {
    return diag::fail(
        Code::unwritable_file, {}, fmt::format("`{}` holds a checkpoint already", options_.folder),
        {fmt::format("help: --resume={} continues it, another folder keeps it", options_.folder)});
  }
  if (options_.resume.empty()) return std::monostate();
  auto loaded = loadAll(kManifest);
  if (loaded || loaded.error().code != Code::malformed_value) return loaded;
  return loadAll(kPrevious) ? diag::Result<std::monostate>(std::monostate()) : loaded;
}

diag::Result<Checkpoints::Manifest> Checkpoints::read(const std::string& name) const {
  const std::string path = pathOf(options_.resume, name);
  const base::ReadFile file = base::readFile(path, kMaxManifest);
  if (file.is_missing) {
    return diag::fail(
        Code::missing_file, {},
        fmt::format("there is no checkpoint in `{}`: no file {}", options_.resume, name));
  }
  if (!file.problem.empty()) {
    return diag::fail(Code::unreadable_file, {},
                      fmt::format("file `{}` cannot be read: {}", path, file.problem));
  }
  const Json json = Json::parse(file.bytes, nullptr, false);
  if (!json.is_object() || !json.contains("loops") || !json["loops"].is_array()) {
    return damaged(path, "it is no manifest");
  }
  Manifest manifest;
  try {
    if (json.at("halo_checkpoint") != kVersion) return damaged(path, "it has another version");
    const std::tuple<const char*, const std::string*, const char*> wanted[] = {
        {"program", &program_, "of another program"},
        {"arguments", &arguments_, "of a call with other arguments"},
        {"engine", &engine_, "of another engine"}};
    for (const auto& [key, mine, text] : wanted) {
      const std::string found = json.at(key).get<std::string>();
      if (found == *mine) continue;
      return diag::fail(Code::wrong_argument_type, {},
                        fmt::format("the checkpoint in `{}` is {}", options_.resume, text),
                        {fmt::format("it has {} {}, this call has {}", key, found, *mine)});
    }
    for (const Json& loop : json.at("loops")) {
      Loop& of = manifest[loop.at("loop").get<int64_t>()];
      of.step = loop.at("step").get<int64_t>();
      for (const Json& one : loop.at("files")) {
        of.files.push_back({one.at("name").get<std::string>(), one.at("hash").get<std::string>()});
      }
    }
  } catch (const Json::exception&) {  // the library reports missing keys and wrong types so
    return damaged(path, "a part of the manifest is missing");
  }
  return manifest;
}

diag::Result<Checkpoints::Saved> Checkpoints::load(const Loop& loop) const {
  Saved saved{loop.step, {}};
  for (const File& one : loop.files) {
    const std::string path = pathOf(options_.resume, one.name);
    const base::ReadFile file = base::readFile(path, kMaxFile);
    if (!file.problem.empty()) return damaged(path, file.problem);
    if (hashOf(file.bytes) != one.hash) return damaged(path, "its bytes are not those written");
    auto value = value::readNpy(file.bytes, {});
    if (!value) return damaged(path, value.error().message);
    saved.values.push_back(std::move(*value));
  }
  return saved;
}

diag::Result<std::monostate> Checkpoints::loadAll(const std::string& name) {
  auto manifest = read(name);
  if (!manifest) return diag::Failure(manifest.error());
  std::map<int64_t, Saved> all;
  for (const auto& [number, loop] : *manifest) {
    auto saved = load(loop);
    if (!saved) return diag::Failure(saved.error());
    all[number] = std::move(*saved);
  }
  if (options_.folder == options_.resume) {
    newest_ = std::move(*manifest);
  } else if (!options_.folder.empty()) {
    for (const auto& [number, saved] : all) {
      auto written = write(number, saved);
      if (!written) return diag::Failure(written.error());
      newest_[number] = std::move(*written);
    }
    if (auto written = writeManifest(kManifest, newest_); !written) return written;
  }
  resumed_ = std::move(all);
  return std::monostate();
}

diag::Result<std::optional<Checkpoints::Saved>> Checkpoints::resume(
    int64_t loop, size_t count, const std::vector<Value>& arguments) {
  if (loop == 0) {
    if (auto begun = begin(arguments); !begun) return diag::Failure(begun.error());
  }
  auto found = resumed_.find(loop);
  if (found == resumed_.end()) return std::nullopt;
  Saved saved = std::move(found->second);
  resumed_.erase(found);
  if (saved.values.size() != count) return damaged(options_.resume, "values are missing");
  return saved;
}

// ---- writing

int64_t Checkpoints::steps(int64_t left) {
  if (options_.folder.empty()) return left;
  if (options_.steps > 0) return std::min(options_.steps, left);
  if (piece_ == 0) {
    piece_ = 1;
  } else {
    const double took = secondsSince(piece_start_);
    const double whole = static_cast<double>(piece_) * options_.seconds / std::max(took, 1e-9);
    const double grown = static_cast<double>(piece_ * kGrowth);
    const bool is_short = took < kFraction * options_.seconds;
    piece_ = std::max<int64_t>(static_cast<int64_t>(is_short ? std::min(grown, whole) : whole), 1);
  }
  piece_ = std::min(piece_, left);
  piece_start_ = Clock::now();
  return piece_;
}

diag::Result<std::monostate> Checkpoints::save(int64_t loop, int64_t step, bool goes_on,
                                               const std::vector<Value>& values) {
  if (options_.folder.empty()) return std::monostate();
  const bool is_due = options_.steps > 0 || secondsSince(last_save_) >= kNearly * options_.seconds;
  if (goes_on && !is_due) return std::monostate();
  auto written = write(loop, {step, values});
  if (!written) return diag::Failure(written.error());
  Manifest next = newest_;
  next[loop] = std::move(*written);
  if (auto done = writeManifest(kManifest, next); !done) return done;
  if (!newest_.empty()) {  // behind the newer one: at any time both manifests have their files
    if (auto kept = writeManifest(kPrevious, newest_); !kept) return kept;
  }
  previous_ = std::exchange(newest_, std::move(next));
  removeOld();
  last_save_ = Clock::now();
  return std::monostate();
}

diag::Result<Checkpoints::Loop> Checkpoints::write(int64_t loop, const Saved& saved) const {
  std::error_code error;  // writing tells
  std::filesystem::create_directories(options_.folder, error);
  Loop written{saved.step, {}};
  for (const Value& value : saved.values) {
    auto host = value::toHost(value);
    if (!host) return diag::Failure(host.error());
    const std::string bytes = value::toNpy(*host);
    const size_t place = written.files.size();
    written.files.push_back(
        {fmt::format("loop{}-{}-{}.npy", loop, saved.step, place), hashOf(bytes)});
    const std::string path = pathOf(options_.folder, written.files.back().name);
    if (auto done = value::writeBytes(path, bytes); !done) return diag::Failure(done.error());
  }
  return written;
}

diag::Result<std::monostate> Checkpoints::writeManifest(const std::string& name,
                                                        const Manifest& manifest) const {
  return value::writeBytes(pathOf(options_.folder, name), text(manifest));
}

std::string Checkpoints::text(const Manifest& manifest) const {
  Json loops = Json::array();
  for (const auto& [number, loop] : manifest) {
    Json files = Json::array();
    for (const File& file : loop.files) files.push_back({{"name", file.name}, {"hash", file.hash}});
    loops.push_back({{"loop", number}, {"step", loop.step}, {"files", std::move(files)}});
  }
  const Json json = {{"halo_checkpoint", kVersion},
                     {"engine", engine_},
                     {"program", program_},
                     {"arguments", arguments_},
                     {"loops", std::move(loops)}};
  return json.dump(1) + "\n";
}

// Files of checkpoints before the two that are kept.
void Checkpoints::removeOld() const {
  std::set<std::string> kept;
  for (const Manifest* manifest : {&newest_, &previous_}) {
    for (const auto& [number, loop] : *manifest) {
      for (const File& file : loop.files) kept.insert(file.name);
    }
  }
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(options_.folder, error)) {
    const std::string name = entry.path().filename().string();
    if (isValueFile(name) && !kept.contains(name)) std::filesystem::remove(entry.path(), error);
  }
}

}  // namespace halo::distributed
