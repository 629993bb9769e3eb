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
  // Whether the editor has taken a request back, in a message that has arrived already.
  bool isCancelled(const Json& id);
  void write(const Json& message) const;

 private:
  bool fill();
  // Where the first message behind `at` begins and ends in the buffer; nothing: not all is here.
  std::optional<std::pair<size_t, size_t>> messageBehind(size_t at) const;

  int in_, out_;
  std::string buffer_;
};

}  // namespace halo::lsp
