#pragma once

#include <string_view>

namespace mirrorball {

/// The pages that `web/` builds, each one self-contained HTML file, put into the program at build time. Built
/// without them, a page that says how to build it stands in.
std::string_view explorer_page();
std::string_view report_page();

}  // namespace mirrorball
