// Tuning files as Futhark has them: lines `name=40`, which give `#[param(name)]` its value.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <utility>

namespace halo::session {

using Params = std::unordered_map<std::string, int64_t>;

// `name=40`; nothing for other text.
std::optional<std::pair<std::string, int64_t>> parseParam(const std::string& text);
// Lines of another form are left out; none where there is no such file.
std::optional<Params> readTuning(const std::string& path);

}  // namespace halo::session
