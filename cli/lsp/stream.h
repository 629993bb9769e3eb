// Messages of the protocol: `Content-Length: N`, an empty line, N bytes of JSON.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace halo::lsp {

using Json = nlohmann::json;

class Stream {
 public:
  Stream(int in, int out) : in_(in), out_(out) {}

  // Whether there is something to read within that time.
  bool waitFor(std::chrono::milliseconds time) const;
  // The next message; one that is no JSON is `discarded`. Nothing at the end of the input.
  std::optional<Json> read();
  void write(const Json& message) const;

 private:
  bool fill();

  int in_, out_;
  std::string buffer_;
};

}  // namespace halo::lsp
