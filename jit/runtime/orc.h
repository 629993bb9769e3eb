// Linking: object code becomes a unit of this process, which sees the runtime's functions and
// nothing else of it. LLVM stays behind this header.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "jit/runtime/runtime.h"
#include "lang/diag/diagnostic.h"

namespace halo::jit {

// Linked code of one program; dropped with this object, so no call may be in flight then.
class Unit {
 public:
  using Entry = int32_t (*)(RunContext*, const uint64_t* arguments, uint64_t* results);
  virtual ~Unit() = default;
  virtual Entry entry() const = 0;
  // The number of nests, and behind it the slot of each. A slot is the address of the code, which
  // compiled code looks up at every call (emit.h).
  virtual uint64_t* nests() const = 0;
};

diag::Result<std::unique_ptr<Unit>> link(const std::string& object);

}  // namespace halo::jit
