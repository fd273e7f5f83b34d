#pragma once

namespace mirrorball::kernels {

/// Whether this process may run code that it has written: systemd's MemoryDenyWriteExecute, SELinux and
/// others refuse it.
bool may_run_generated_code();

/// Whether code at this address can be run. Where the system refuses executable memory, libxsmm returns code
/// in memory that is none.
bool is_executable(const void* code);

}  // namespace mirrorball::kernels
