// A command of the server protocol as words.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace halo::server {

// Separated by white space; text between double quotes is one word, with `\"` and `\\`.
std::vector<std::string> wordsOf(std::string_view line);

}  // namespace halo::server
