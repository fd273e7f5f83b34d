#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace mirrorball {

/// The bytes this process may use: no more than the machine has, its control groups allow (version 1 or 2)
/// and its limit of address space (ulimit -v). `root` is the folder in which /proc and /sys lie.
std::uint64_t usable_memory(const std::filesystem::path& root = "/");

/// "2G", "500M", "1.5 GB", "64k", "1000000": bytes, with units of 1024. None for anything else, and for 0.
std::optional<std::uint64_t> bytes_from(std::string_view text);

/// "1.5 GB", with the same units.
std::string bytes_text(std::uint64_t bytes);

}  // namespace mirrorball
