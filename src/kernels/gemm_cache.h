#pragma once

#include <functional>
#include <map>
#include <mutex>

#include "kernels/gemm.h"

namespace mirrorball::kernels {

/// One product for any number of rows (or another size): the code for a size is made on first use and kept.
/// Tiles come in two or three sizes, so this stays small.
template <class Product, class Size = std::size_t>
class ProductCache {
 public:
  explicit ProductCache(std::function<Product(Size)> make) : make_(std::move(make)) {}

  Product operator[](Size size) {
    const std::lock_guard hold(lock_);
    const auto found = made_.find(size);
    return found != made_.end() ? found->second : made_.emplace(size, make_(size)).first->second;
  }

 private:
  std::function<Product(Size)> make_;
  std::mutex lock_;
  std::map<Size, Product> made_;
};

using GemmCache = ProductCache<Gemm>;

}  // namespace mirrorball::kernels
