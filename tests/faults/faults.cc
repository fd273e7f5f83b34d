// A library to preload: the N-th call of a kind fails, as on a system that has run out of something.
//
//   FAULT=malloc:17  LD_PRELOAD=libfaults.so  mirrorball fit …
//
// Kinds are malloc, write, fsync, rename, open, mmap and thread. Calls are counted from main on; what the
// loader does before is nobody's to mend. FAULT_COUNT names a file that gets the number of calls when the
// program ends.

#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace {

const char* kind = "";
long failing = 0;  // the number of the call that fails
std::atomic<long> calls{0};
std::atomic<bool> counting{false};

/// The function that this one stands before.
template <class Function>
Function real(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_NEXT, name));
}

bool fails(const char* what) {
  if (!counting.load(std::memory_order_relaxed) || std::strcmp(what, kind) != 0) return false;
  return calls.fetch_add(1) + 1 == failing;
}

/// dlsym allocates before it has found malloc.
alignas(16) char early[16384];
std::atomic<std::size_t> early_used{0};

void* early_memory(std::size_t bytes) {
  return early + early_used.fetch_add((bytes + 15) & ~std::size_t{15});
}
bool is_early(const void* memory) {
  return memory >= static_cast<void*>(early) && memory < static_cast<void*>(early + sizeof early);
}

void* (*real_malloc)(std::size_t) = nullptr;
void* (*real_calloc)(std::size_t, std::size_t) = nullptr;
void* (*real_realloc)(void*, std::size_t) = nullptr;
void* (*real_aligned)(std::size_t, std::size_t) = nullptr;
void (*real_free)(void*) = nullptr;
thread_local bool finding = false;

void find_allocator() {
  if (real_free || finding) return;
  finding = true;
  real_malloc = real<decltype(real_malloc)>("malloc");
  real_calloc = real<decltype(real_calloc)>("calloc");
  real_realloc = real<decltype(real_realloc)>("realloc");
  real_aligned = real<decltype(real_aligned)>("aligned_alloc");
  real_free = real<decltype(real_free)>("free");
  finding = false;
}

void* out_of_memory() {
  errno = ENOMEM;
  return nullptr;
}

void write_count() {
  counting = false;
  const char* path = std::getenv("FAULT_COUNT");
  std::FILE* file = path ? std::fopen(path, "w") : nullptr;
  if (!file) return;
  std::fprintf(file, "%ld\n", calls.load());
  std::fclose(file);
}

using Main = int (*)(int, char**, char**);
Main real_main;

int counted_main(int argc, char** argv, char** environment) {
  if (const char* fault = std::getenv("FAULT")) {
    static char copy[64];
    std::snprintf(copy, sizeof copy, "%s", fault);
    if (char* colon = std::strchr(copy, ':')) {
      *colon = '\0';
      failing = std::atol(colon + 1);
    }
    kind = copy;
    std::atexit(write_count);
    counting = true;
  }
  return real_main(argc, argv, environment);
}

}  // namespace

extern "C" {

int __libc_start_main(Main main, int argc, char** argv, int (*init)(int, char**, char**), void (*fini)(),
                      void (*rtld_fini)(), void* stack_end) {
  find_allocator();
  real_main = main;
  using Start = int (*)(Main, int, char**, int (*)(int, char**, char**), void (*)(), void (*)(), void*);
  return real<Start>("__libc_start_main")(counted_main, argc, argv, init, fini, rtld_fini, stack_end);
}

void* malloc(std::size_t bytes) {
  find_allocator();
  if (!real_malloc) return early_memory(bytes);
  return fails("malloc") ? out_of_memory() : real_malloc(bytes);
}

void* calloc(std::size_t count, std::size_t bytes) {
  find_allocator();
  if (!real_calloc) return early_memory(count * bytes);
  return fails("malloc") ? out_of_memory() : real_calloc(count, bytes);
}

void* realloc(void* memory, std::size_t bytes) {
  find_allocator();
  return fails("malloc") ? out_of_memory() : real_realloc(memory, bytes);
}

void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  find_allocator();
  return fails("malloc") ? out_of_memory() : real_aligned(alignment, bytes);
}

void free(void* memory) {
  if (memory && !is_early(memory) && real_free) real_free(memory);
}

void* mmap(void* address, std::size_t bytes, int protection, int flags, int file, off_t offset) noexcept {
  static const auto next = real<void* (*)(void*, std::size_t, int, int, int, off_t)>("mmap");
  if (!fails("mmap")) return next(address, bytes, protection, flags, file, offset);
  errno = ENOMEM;
  return MAP_FAILED;
}

ssize_t write(int file, const void* bytes, std::size_t count) {
  static const auto next = real<ssize_t (*)(int, const void*, std::size_t)>("write");
  if (file <= STDERR_FILENO || !fails("write")) return next(file, bytes, count);
  errno = ENOSPC;
  return -1;
}

int fsync(int file) {
  static const auto next = real<int (*)(int)>("fsync");
  if (!fails("fsync")) return next(file);
  errno = EIO;
  return -1;
}

int rename(const char* from, const char* to) noexcept {
  static const auto next = real<int (*)(const char*, const char*)>("rename");
  if (!fails("rename")) return next(from, to);
  errno = EACCES;
  return -1;
}

static int open_as(const char* name, const char* path, int flags, mode_t mode) {
  const auto next = real<int (*)(const char*, int, ...)>(name);
  if (!fails("open")) return next(path, flags, mode);
  errno = EMFILE;
  return -1;
}

int open(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const auto mode = static_cast<mode_t>(va_arg(more, int));
  va_end(more);
  return open_as("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const auto mode = static_cast<mode_t>(va_arg(more, int));
  va_end(more);
  return open_as("open64", path, flags, mode);
}

FILE* fopen(const char* path, const char* mode) {
  static const auto next = real<FILE* (*)(const char*, const char*)>("fopen");
  if (!fails("open")) return next(path, mode);
  errno = EMFILE;
  return nullptr;
}

FILE* fopen64(const char* path, const char* mode) {
  static const auto next = real<FILE* (*)(const char*, const char*)>("fopen64");
  if (!fails("open")) return next(path, mode);
  errno = EMFILE;
  return nullptr;
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*),
                   void* argument) noexcept {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto next = real<Create>("pthread_create");
  return fails("thread") ? EAGAIN : next(thread, attributes, work, argument);
}

}  // extern "C"
