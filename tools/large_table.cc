// large_table ROWS [SEED]: writes a table of 20 numbers and a target y as CSV, for measuring fits of tables
// larger than memory. Compile it with g++ -O2.
//
//   y = sin(6 a) + 2 b c + d + (0.1 + 0.4 e) noise,  noise ~ N(0, 1); 15 more columns are independent of it
//
// All columns are uniform in [0, 1) with four decimals, so the true CRPS of a row is (0.1 + 0.4 e) / sqrt(pi)
// and its mean 0.3 / sqrt(pi) = 0.1693.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

int main(int count, char** words) {
  if (count < 2) return std::fprintf(stderr, "large_table ROWS [SEED]\n"), 2;
  const long rows = std::atol(words[1]);
  std::mt19937_64 random(count > 2 ? std::strtoull(words[2], nullptr, 10) : 0);
  std::normal_distribution<double> noise;
  std::string text = "a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p,q,r,s,t,y\n";
  for (long row = 0; row < rows; ++row) {
    double x[20];
    for (double& value : x) {
      const unsigned digits = static_cast<unsigned>(random() >> 32) % 10000;
      value = digits / 1e4;
      char cell[] = "0.0000,";
      for (unsigned i = 5, rest = digits; i > 1; --i, rest /= 10)
        cell[i] = static_cast<char>('0' + rest % 10);
      text += cell;
    }
    const double y = std::sin(6 * x[0]) + 2 * x[1] * x[2] + x[3] + (0.1 + 0.4 * x[4]) * noise(random);
    char cell[32];
    text.append(cell, static_cast<std::size_t>(std::snprintf(cell, sizeof cell, "%.5f\n", y)));
    if (text.size() < (1 << 20) && row + 1 < rows) continue;
    if (std::fwrite(text.data(), 1, text.size(), stdout) != text.size()) return std::perror("large_table"), 1;
    text.clear();
  }
}
