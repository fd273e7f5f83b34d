#include "kernels/activation.h"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernels/activation.cc"
#include <hwy/foreach_target.h>
// After foreach_target.h.
#include <hwy/highway.h>

#include "kernels/level.h"
#include "kernels/math-inl.h"

HWY_BEFORE_NAMESPACE();
namespace mirrorball::kernels {
namespace HWY_NAMESPACE {

using Floats = hn::CappedTag<float, kPadding>;
using Vec = hn::Vec<Floats>;

// Klambauer et al. 2017.
constexpr float kSeluScale = 1.0507009873554805f, kSeluAlpha = 1.6732632423543772f;

/// One activation: value from the input, derivative from the input (`slope`) and, where possible, from the
/// value.
struct Identity {
  static constexpr bool kKeeps = false;
  static Vec value(Floats, Vec z) { return z; }
  static Vec slope_at(Floats d, Vec) { return hn::Set(d, 1.0f); }
};
struct Relu {
  static constexpr bool kKeeps = false;
  static Vec value(Floats d, Vec z) { return hn::Max(z, hn::Zero(d)); }
  static Vec slope_at(Floats d, Vec h) {
    return hn::IfThenElseZero(hn::Gt(h, hn::Zero(d)), hn::Set(d, 1.0f));
  }
};
struct Selu {
  static constexpr bool kKeeps = false;
  static Vec value(Floats d, Vec z) {
    const Vec below = hn::Mul(hn::Set(d, kSeluScale * kSeluAlpha), hn::Expm1(d, hn::Min(z, hn::Zero(d))));
    return hn::IfThenElse(hn::Gt(z, hn::Zero(d)), hn::Mul(hn::Set(d, kSeluScale), z), below);
  }
  static Vec slope_at(Floats d, Vec h) {
    const Vec below = hn::Add(h, hn::Set(d, kSeluScale * kSeluAlpha));
    return hn::IfThenElse(hn::Gt(h, hn::Zero(d)), hn::Set(d, kSeluScale), below);
  }
};
struct TanhAct {
  static constexpr bool kKeeps = false;
  static Vec value(Floats d, Vec z) { return FastTanh(d, z); }
  static Vec slope_at(Floats d, Vec h) { return hn::NegMulAdd(h, h, hn::Set(d, 1.0f)); }
};
struct Gcu {
  static constexpr bool kKeeps = true;
  static Vec value(Floats d, Vec z) { return hn::Mul(z, hn::Cos(d, z)); }
  static Vec slope(Floats d, Vec z) { return hn::NegMulAdd(z, hn::Sin(d, z), hn::Cos(d, z)); }
};
struct Silu {
  static constexpr bool kKeeps = true;
  static Vec sigmoid(Floats d, Vec z) {
    const Vec one = hn::Set(d, 1.0f);
    return hn::Div(one, hn::Add(one, hn::Exp(d, hn::Min(hn::Neg(z), hn::Set(d, 80.0f)))));
  }
  static Vec value(Floats d, Vec z) { return hn::Mul(z, sigmoid(d, z)); }
  static Vec slope(Floats d, Vec z) {
    const Vec s = sigmoid(d, z), one = hn::Set(d, 1.0f);
    return hn::Mul(s, hn::MulAdd(z, hn::Sub(one, s), one));
  }
};

template <class A>
void ActivateRows(float* z, const float* bias, float* derivative, std::size_t rows, std::size_t width) {
  const Floats d;
  const std::size_t step = hn::Lanes(d);
  for (std::size_t row = 0; row < rows; ++row, z += width) {
    for (std::size_t j = 0; j < width; j += step) {
      Vec v = hn::Load(d, z + j);
      if (bias) v = hn::Add(v, hn::Load(d, bias + j));
      if constexpr (A::kKeeps) {
        if (derivative) hn::Store(A::slope(d, v), d, derivative + row * width + j);
      }
      hn::Store(A::value(d, v), d, z + j);
    }
  }
}

template <class A>
HWY_INLINE Vec ScaledGradient(Floats d, float* gradient, const float* output, const float* derivative,
                              std::size_t at) {
  Vec slope;
  if constexpr (A::kKeeps) {
    slope = hn::Load(d, derivative + at);
  } else {
    slope = A::slope_at(d, hn::Load(d, output + at));
  }
  const Vec g = hn::Mul(hn::Load(d, gradient + at), slope);
  hn::Store(g, d, gradient + at);
  return g;
}

/// Vector column by vector column, so that the bias sums stay in registers over all rows; four sums hide the
/// latency of the additions.
template <class A>
void BackwardRows(float* gradient, const float* output, const float* derivative, float* bias_gradient,
                  std::size_t rows, std::size_t width) {
  const Floats d;
  const std::size_t step = hn::Lanes(d);
  for (std::size_t j = 0; j < width; j += step) {
    Vec sum0 = hn::Zero(d), sum1 = hn::Zero(d), sum2 = hn::Zero(d), sum3 = hn::Zero(d);
    std::size_t row = 0;
    for (; row + 4 <= rows; row += 4) {
      const std::size_t at = row * width + j;
      sum0 = hn::Add(sum0, ScaledGradient<A>(d, gradient, output, derivative, at));
      sum1 = hn::Add(sum1, ScaledGradient<A>(d, gradient, output, derivative, at + width));
      sum2 = hn::Add(sum2, ScaledGradient<A>(d, gradient, output, derivative, at + 2 * width));
      sum3 = hn::Add(sum3, ScaledGradient<A>(d, gradient, output, derivative, at + 3 * width));
    }
    for (; row < rows; ++row)
      sum0 = hn::Add(sum0, ScaledGradient<A>(d, gradient, output, derivative, row * width + j));
    const Vec sum = hn::Add(hn::Add(sum0, sum1), hn::Add(sum2, sum3));
    if (bias_gradient) hn::Store(hn::Add(hn::Load(d, bias_gradient + j), sum), d, bias_gradient + j);
  }
}

void Activate(Act act, float* z, const float* bias, float* derivative, std::size_t rows, std::size_t width) {
  switch (act) {
    case Act::kIdentity:
      return ActivateRows<Identity>(z, bias, derivative, rows, width);
    case Act::kRelu:
      return ActivateRows<Relu>(z, bias, derivative, rows, width);
    case Act::kSelu:
      return ActivateRows<Selu>(z, bias, derivative, rows, width);
    case Act::kTanh:
      return ActivateRows<TanhAct>(z, bias, derivative, rows, width);
    case Act::kGcu:
      return ActivateRows<Gcu>(z, bias, derivative, rows, width);
    case Act::kSilu:
      return ActivateRows<Silu>(z, bias, derivative, rows, width);
  }
}

void Backward(Act act, float* gradient, const float* output, const float* derivative, float* bias_gradient,
              std::size_t rows, std::size_t width) {
  switch (act) {
    case Act::kIdentity:
      return BackwardRows<Identity>(gradient, output, derivative, bias_gradient, rows, width);
    case Act::kRelu:
      return BackwardRows<Relu>(gradient, output, derivative, bias_gradient, rows, width);
    case Act::kSelu:
      return BackwardRows<Selu>(gradient, output, derivative, bias_gradient, rows, width);
    case Act::kTanh:
      return BackwardRows<TanhAct>(gradient, output, derivative, bias_gradient, rows, width);
    case Act::kGcu:
      return BackwardRows<Gcu>(gradient, output, derivative, bias_gradient, rows, width);
    case Act::kSilu:
      return BackwardRows<Silu>(gradient, output, derivative, bias_gradient, rows, width);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace mirrorball::kernels
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace mirrorball::kernels {

HWY_EXPORT(Activate);
HWY_EXPORT(Backward);

Act act_of(Activation activation) {
  switch (activation) {
    case Activation::kRelu:
      return Act::kRelu;
    case Activation::kSelu:
      return Act::kSelu;
    case Activation::kTanh:
      return Act::kTanh;
    case Activation::kGcu:
      return Act::kGcu;
    case Activation::kSilu:
      return Act::kSilu;
  }
  return Act::kIdentity;
}

bool keeps_derivative(Act act) { return act == Act::kGcu || act == Act::kSilu; }

void activate(Act act, float* z, const float* bias, float* derivative, std::size_t rows, std::size_t width) {
  MIRRORBALL_DISPATCH(Activate)(act, z, bias, derivative, rows, width);
}

void activate_backward(Act act, float* gradient, const float* output, const float* derivative,
                       float* bias_gradient, std::size_t rows, std::size_t width) {
  MIRRORBALL_DISPATCH(Backward)(act, gradient, output, derivative, bias_gradient, rows, width);
}

}  // namespace mirrorball::kernels
#endif
