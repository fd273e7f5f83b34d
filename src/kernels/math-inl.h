// Vector functions for the kernels. Included once per instruction set by Highway's foreach_target, so the
// guard toggles with it.
#if defined(MIRRORBALL_KERNELS_MATH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef MIRRORBALL_KERNELS_MATH_INL_H_
#undef MIRRORBALL_KERNELS_MATH_INL_H_
#else
#define MIRRORBALL_KERNELS_MATH_INL_H_
#endif

#include <hwy/highway.h>
// After highway.h.
#include <hwy/contrib/math/math-inl.h>

HWY_BEFORE_NAMESPACE();
namespace mirrorball::kernels {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class D, class V>
HWY_INLINE V Horner(D, V, V sum) {
  return sum;
}

/// sum * x^n + c1 * x^(n-1) + … : coefficients from the highest power down.
template <class D, class V, class... More>
HWY_INLINE V Horner(D d, V x, V sum, float next, More... more) {
  return Horner(d, x, hn::MulAdd(sum, x, hn::Set(d, next)), more...);
}

/// tanh(x) = x P(x^2) / Q(x^2) for |x| <= 8, P and Q of degree 4, fitted for the least largest relative error
/// (6.4e-9 before rounding, 2.5e-7 in float); beyond 8 the value at 8, off by 2.3e-7.
template <class D, class V>
HWY_INLINE V FastTanh(D d, V x) {
  x = hn::Min(hn::Max(x, hn::Set(d, -8.0f)), hn::Set(d, 8.0f));
  const V s = hn::Mul(x, x);
  const V p = Horner(d, s, hn::Set(d, 1.523018333671189e-08f), 2.1894520614296198e-05f,
                     3.5715901758521795e-03f, 0.134444922208786f, 1.0f);
  const V q = Horner(d, s, hn::Set(d, 8.522359280505043e-07f), 3.4112788853235543e-04f,
                     2.616441436111927e-02f, 0.46777817606925964f, 1.0f);
  return hn::Div(hn::Mul(x, p), q);
}

/// cos(pi r) for |r| <= 1, or hardly more: a polynomial in r^2 fitted for the least largest error (1.1e-8
/// before rounding).
template <class D, class V>
HWY_INLINE V CosPi(D d, V r) {
  return Horner(d, hn::Mul(r, r), hn::Set(d, 1.5941431047394872e-03f), -2.5359680876135826e-02f,
                0.23503059148788452f, -1.3351588249206543f, 4.058694839477539f, -4.93480110168457f, 1.0f);
}

}  // namespace HWY_NAMESPACE
}  // namespace mirrorball::kernels
HWY_AFTER_NAMESPACE();

#endif
