#pragma once

#include <span>
#include <string>
#include <vector>

namespace mirrorball::table {

/// The files that names and patterns stand for. A name that has *, ? or [ in it, and that no file has, is a
/// pattern as the shell knows it; the files that match come in the order of the bytes of their names,
/// whatever the locale. Names stay where they are given. Throws where nothing matches, where a file would be
/// read twice, and for standard input among others.
std::vector<std::string> files_of(std::span<const std::string> names);

/// How a table of these files is called: "a.csv", or "a.csv and 2 more files".
std::string name_of_files(std::span<const std::string> files);

}  // namespace mirrorball::table
