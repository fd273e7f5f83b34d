#pragma once

namespace mirrorball::bench {

/// The best that products of 128 x 128 x 128 reach here, all `threads` at work, in GFLOP/s: what other
/// numbers are compared with. Measured anew each time it is asked for (a tenth of a second), since the speed
/// of a shared machine changes.
double gemm_ceiling(unsigned threads);

}  // namespace mirrorball::bench
