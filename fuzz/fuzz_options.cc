// Options as text: lines of name=value, as the command line, Python and model files give them.

#include <stdexcept>
#include <string_view>

#include "check.h"
#include "mirrorball/options.h"

using namespace mirrorball;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  Options options;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(line.size() < text.size() ? line.size() + 1 : text.size());
    const std::string_view name = line.substr(0, line.find('='));
    const std::string_view value = name.size() < line.size() ? line.substr(name.size() + 1) : "";
    try {
      if (name == "preset") {
        options = preset(value);
        continue;
      }
      set_option(options, name, value);
      const std::string stored = get_option(options, name);
      set_option(options, name, stored);
      FUZZ_CHECK(get_option(options, name) == stored);
    } catch (const std::invalid_argument&) {
    }
  }
  return 0;
}
