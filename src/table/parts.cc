#include "table/parts.h"

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <utility>

#include "table/file_list.h"
#include "table/foreign.h"

namespace mirrorball::table {
namespace {

bool is_regular(const std::string& file) {
  std::error_code unknown;
  return std::filesystem::is_regular_file(file, unknown);
}

}  // namespace

Parts::Parts(std::unique_ptr<ByteSource> only)
    : name_(only->name()), text_(std::make_unique<TextSource>(std::move(only))) {}

Parts::Parts(std::vector<std::string> files) : files_(std::move(files)), name_(name_of_files(files_)) {
  for (const std::string& file : files_) {
    std::error_code unknown;
    bytes_.push_back(is_regular(file) ? std::filesystem::file_size(file, unknown) : 0);  // a pipe has none
  }
  open(0);
}

void Parts::open(std::size_t place) {
  place_ = place;
  const std::string& file = files_[place];
  if (foreign_format_of(file)) {
    ForeignTable table = open_foreign(file);
    categories_ = std::move(table.categories);
    text_ = std::make_unique<TextSource>(std::move(table.text));
  } else {
    categories_.reset();
    text_ = std::make_unique<TextSource>(open_bytes(file));
  }
}

ReadOptions Parts::reading(const ReadOptions& asked) const {
  return categories_ ? with_types(asked, *categories_) : asked;
}

std::vector<std::string> Parts::others() const {
  std::vector<std::string> regular;
  for (std::size_t i = 1; i < files_.size(); ++i)
    if (is_regular(files_[i])) regular.push_back(files_[i]);
  return regular;
}

bool Parts::advance() {
  if (place_ + 1 >= files_.size()) return false;
  open(place_ + 1);
  return true;
}

bool Parts::can_rewind() const {
  if (files_.empty()) return text_->can_rewind();
  return std::all_of(files_.begin(), files_.end(), is_regular);
}

void Parts::rewind() {
  if (files_.empty()) return text_->rewind();
  open(0);
}

std::optional<double> Parts::share() const {
  if (files_.size() <= 1) return text_->share();
  const auto sum = [&](std::size_t count) {
    return static_cast<double>(std::accumulate(
        bytes_.begin(), bytes_.begin() + static_cast<std::ptrdiff_t>(count), std::uintmax_t{0}));
  };
  const double all = sum(files_.size());
  if (std::find(bytes_.begin(), bytes_.end(), 0u) != bytes_.end()) return std::nullopt;
  return (sum(place_) + text_->share().value_or(0) * static_cast<double>(bytes_[place_])) / all;
}

}  // namespace mirrorball::table
