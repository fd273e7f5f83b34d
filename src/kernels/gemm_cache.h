#pragma once

#include <functional>
#include <map>
#include <mutex>

#include "kernels/gemm.h"

namespace mirrorball {

/// One product for any number of rows: the code for a row count is made on first use and kept. Tiles come in
/// two or three sizes, so this stays small.
template <class Product>
class ProductCache {
 public:
  explicit ProductCache(std::function<Product(std::size_t rows)> make) : make_(std::move(make)) {}

  Product operator[](std::size_t rows) {
    const std::lock_guard hold(lock_);
    const auto found = made_.find(rows);
    return found != made_.end() ? found->second : made_.emplace(rows, make_(rows)).first->second;
  }

 private:
  std::function<Product(std::size_t)> make_;
  std::mutex lock_;
  std::map<std::size_t, Product> made_;
};

using GemmCache = ProductCache<Gemm>;

}  // namespace mirrorball
