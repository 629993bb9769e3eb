// A library to preload: the n-th call of one kind fails, all others do as they should.
// NTH_FAULT=KIND:N, with the kinds memory, open, read, write, rename, thread, and kill, which ends
// the process in the middle of a write. Calls count from `main` on: the loader may end the program
// before.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char* wanted = "";
static size_t wanted_length;
static _Atomic long left;  // calls until the one that fails; below zero: it is over

static void readRequest(void) {
  const char* request = getenv("NTH_FAULT");
  const char* colon = request ? strchr(request, ':') : NULL;
  if (!colon) return;
  left = atol(colon + 1);
  wanted = request;
  wanted_length = (size_t)(colon - request);
}

static int fails(const char* kind) {
  if (wanted_length != strlen(kind) || strncmp(wanted, kind, wanted_length) != 0) return 0;
  return atomic_fetch_sub(&left, 1) == 1;
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))
// Names are looked up once; dlsym itself may allocate, so not within the allocator.
#define FORWARD(name)                    \
  static __typeof__(&name) next = NULL;  \
  if (!next) next = NEXT(name)

typedef int Main(int, char**, char**);
static Main* program;
static int countedMain(int count, char** words, char** environment) {
  readRequest();
  return program(count, words, environment);
}
int __libc_start_main(Main* main, int count, char** words, void (*init)(void), void (*fini)(void),
                      void (*end)(void), void* stack) {
  int (*next)(Main*, int, char**, void (*)(void), void (*)(void), void (*)(void), void*) =
      dlsym(RTLD_NEXT, "__libc_start_main");
  program = main;
  return next(countedMain, count, words, init, fini, end, stack);
}

extern void* __libc_malloc(size_t);
extern void* __libc_calloc(size_t, size_t);
extern void* __libc_realloc(void*, size_t);
extern void* __libc_memalign(size_t, size_t);

static void* noMemory(void) {
  errno = ENOMEM;
  return NULL;
}
void* malloc(size_t size) { return fails("memory") ? noMemory() : __libc_malloc(size); }
void* calloc(size_t count, size_t size) {
  return fails("memory") ? noMemory() : __libc_calloc(count, size);
}
void* realloc(void* old, size_t size) {
  return fails("memory") ? noMemory() : __libc_realloc(old, size);
}
void* aligned_alloc(size_t alignment, size_t size) {
  return fails("memory") ? noMemory() : __libc_memalign(alignment, size);
}
int posix_memalign(void** to, size_t alignment, size_t size) {
  *to = fails("memory") ? NULL : __libc_memalign(alignment, size);
  return *to ? 0 : ENOMEM;
}

static int error(int code) {
  errno = code;
  return -1;
}
#define OPENS(name)                                              \
  int name(const char* path, int flags, ...) {                   \
    va_list rest;                                                \
    va_start(rest, flags);                                       \
    const mode_t mode = (flags & O_CREAT) ? va_arg(rest, mode_t) : 0; \
    va_end(rest);                                                \
    FORWARD(name);                                               \
    return fails("open") ? error(EMFILE) : next(path, flags, mode); \
  }
OPENS(open)
OPENS(open64)
#define STREAMS(name)                                      \
  FILE* name(const char* path, const char* mode) {         \
    FORWARD(name);                                         \
    if (fails("open")) return error(EMFILE), (FILE*)NULL;  \
    return next(path, mode);                               \
  }
STREAMS(fopen)
STREAMS(fopen64)
ssize_t read(int file, void* to, size_t size) {
  FORWARD(read);
  return fails("read") ? error(EIO) : next(file, to, size);
}
ssize_t write(int file, const void* from, size_t size) {
  FORWARD(write);
  if (fails("kill")) {
    next(file, from, size / 2);
    raise(SIGKILL);
  }
  return fails("write") ? error(ENOSPC) : next(file, from, size);
}
int rename(const char* from, const char* to) {
  FORWARD(rename);
  if (fails("kill")) raise(SIGKILL);
  return fails("rename") ? error(EACCES) : next(from, to);
}
int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*start)(void*),
                   void* argument) {
  FORWARD(pthread_create);
  return fails("thread") ? EAGAIN : next(thread, attributes, start, argument);
}
