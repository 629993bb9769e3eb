// Ctrl-C: while a call of the main thread runs, it cancels the call, too. Then Python's own handler
// notes it.
#pragma once

#include <thread>

namespace halo_python {

// The call that runs on the main thread, and how it is cancelled.
struct Running {
  void* object;
  void (*cancel)(void*);
};

class Interruptible {
 public:
  Interruptible(void* object, void (*cancel)(void*));
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

  static std::thread::id mainThread();  // that imports the module first

 private:
  bool is_main_;
  Running self_;
};

}  // namespace halo_python
