#include "interrupt.h"

#include <signal.h>

#include <atomic>

namespace halo_python {

namespace {

std::atomic<const Running*> running = nullptr;
struct sigaction before;

void onInterrupt(int signal, siginfo_t* info, void* context) {
  if (const Running* now = running.load()) now->cancel(now->object);
  if ((before.sa_flags & SA_SIGINFO) != 0) {
    before.sa_sigaction(signal, info, context);
  } else if (before.sa_handler != SIG_DFL && before.sa_handler != SIG_IGN) {
    before.sa_handler(signal);
  }
}

}  // namespace

Interruptible::Interruptible(void* object, void (*cancel)(void*))
    : is_main_(std::this_thread::get_id() == mainThread()), self_{object, cancel} {
  if (!is_main_) return;
  struct sigaction action {};
  action.sa_sigaction = onInterrupt;
  action.sa_flags = SA_SIGINFO | SA_RESTART;
  sigaction(SIGINT, &action, &before);
  running = &self_;
}

Interruptible::~Interruptible() {
  if (!is_main_) return;
  running = nullptr;
  sigaction(SIGINT, &before, nullptr);
}

std::thread::id Interruptible::mainThread() {
  static const std::thread::id thread = std::this_thread::get_id();
  return thread;
}

}  // namespace halo_python
