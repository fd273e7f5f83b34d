# cmake -DNAME=explorer -DPAGE=FILE -DTEMPLATE=page.cc.in -DOUT=FILE -P embed.cmake
# Writes a page as a C++ source. Raw strings are cut in pieces, which some compilers need.
file(READ "${PAGE}" text)
set(page_name "${NAME}")
set(page_file "${NAME}.html")
set(page_text "")
string(LENGTH "${text}" left)
set(at 0)
while(at LESS left)
  string(SUBSTRING "${text}" ${at} 12000 piece)
  string(APPEND page_text "\n      R\"mirror(${piece})mirror\"")
  math(EXPR at "${at} + 12000")
endwhile()
configure_file("${TEMPLATE}" "${OUT}" @ONLY)
