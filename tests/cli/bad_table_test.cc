#include "fixture.h"

namespace mirrorball::cli_test {
namespace {

/// Tables that cannot be fitted: one line that says where, and what to do.
class CliBadTable : public CliTest {
 protected:
  void expect_unfit(const std::string& table, std::initializer_list<std::string_view> parts,
                    const Settings& settings = {}, const Words& more = {}) const {
    write("bad.csv", table);
    expect_refused(fit_words(settings, more, "bad.csv"), parts);
  }
};

TEST_F(CliBadTable, MissingTarget) {
  write("bad.csv", "size,price\n1,2\n2,3\n");
  const auto fit = [](const char* target) {
    return Words{"fit", "bad.csv", "--target", target, "--out", "model"};
  };
  expect_refused(fit("Price"), {"bad.csv", "'Price'", "did you mean 'price'?"});
  expect_refused(fit("prcie"), {"bad.csv", "'prcie'", "size, price", "did you mean 'price'?"});
  expect_refused(fit("colour"), {"bad.csv", "'colour'", "size, price"});
}

TEST_F(CliBadTable, OtherMissingColumns) {
  const std::string table = "a,b,y\n1,2,3\n2,3,4\n3,4,5\n";
  expect_unfit(table, {"bad.csv", "'weight'"}, {{"weight", "weight"}});
  expect_unfit(table, {"bad.csv", "'c'"}, {{"ignore", "c"}});
  expect_unfit(table, {"bad.csv", "'c'"}, {{"category", "c"}});
}

TEST_F(CliBadTable, TargetThatIsNoNumber) {
  expect_unfit("x,y\n1,2\n2,high\n3,4\n", {"bad.csv:3", "'y'", "'high'", "not a number", "replace"});
}

TEST_F(CliBadTable, ClassesAreNotSupported) {
  const std::string animals = "x,y\n1,cat\n2,dog\n3,cat\n";
  expect_unfit(animals, {"bad.csv", "'y'", "cat, dog", "not classes", "0 and 1"});
  expect_refused({"cv", "bad.csv", "--target", "y"}, {"not classes"});
  expect_unfit("x,y\n1,2024-01-01\n2,2024-01-02\n3,2024-01-03\n", {"'y'", "contains dates", "days since"});
}

TEST_F(CliBadTable, NothingInTheFile) {
  expect_unfit("", {"bad.csv", "empty", "header"});
  expect_unfit("\n\n", {"bad.csv"});
  expect_unfit("x,y\n", {"bad.csv", "no rows"});
}

TEST_F(CliBadTable, RaggedRows) {
  expect_unfit("x,y\n1,2\n3\n4,5\n", {"bad.csv:3", "1 cell", "2 columns"});
  expect_unfit("x,y\n1,2\n3,4,5\n", {"bad.csv:3", "3 cells", "2 columns"});
}

TEST_F(CliBadTable, GapsInTheTarget) {
  expect_unfit("x,y\n1,\n2,NA\n3,?\n", {"bad.csv", "'y'", "all 3 rows"});
  expect_unfit("x,y\n1,1\n2,\n3,NaN\n", {"bad.csv", "'y'", "2 of 3 rows", "row 2", "remove"});
}

TEST_F(CliBadTable, OneRowOnly) { expect_unfit("x,y\n1,2\n", {"bad.csv", "1 row", "give more rows"}); }

TEST_F(CliBadTable, InfiniteValues) {
  expect_unfit("x,y\n1,2\n2,inf\n", {"bad.csv:3", "'y'", "'inf'", "infinite", "replace"});
  expect_unfit("x,y\n-Infinity,2\n2,3\n", {"bad.csv:2", "'x'", "'-Infinity'", "infinite"});
  expect_unfit("x,y\n1,2\n1e999,3\n", {"bad.csv:3", "'x'", "'1e999'"});
}

TEST_F(CliBadTable, Weights) {
  expect_unfit("x,w,y\n1,-1,2\n2,1,3\n3,1,3\n", {"bad.csv", "'w'", "-1", "row 1"}, {{"weight", "w"}});
  expect_unfit("x,w,y\n1,1,2\n2,,3\n3,1,3\n", {"bad.csv", "'w'", "row 2"}, {{"weight", "w"}});
  expect_unfit("x,w,y\n1,1,2\n2,heavy,3\n3,1,3\n", {"bad.csv", "--weight w", "text", "numbers"},
               {{"weight", "w"}});
  expect_unfit("x,w,y\n1,0,2\n2,0,3\n3,0,3\n", {"bad.csv", "weight 'w' is 0"}, {{"weight", "w"}});
}

TEST_F(CliBadTable, RolesThatContradict) {
  const std::string table = "x,z,y\n1,2,3\n2,3,4\n3,4,5\n";
  expect_unfit(table, {"'y'", "twice"}, {}, {"--target", "y"});
  expect_unfit(table, {"'y'", "ignored"}, {{"ignore", "y"}});
  expect_unfit(table, {"'y'", "weight"}, {{"weight", "y"}});
  expect_unfit(table, {"--category y", "target"}, {{"category", "y"}});
  expect_unfit(table, {"bad.csv", "no feature"}, {}, {"--ignore", "x", "--ignore", "z"});
}

TEST_F(CliBadTable, ValidationTables) {
  write("data.csv", sample_table(40));
  const auto expect_invalid = [&](const std::string& table, std::initializer_list<std::string_view> parts) {
    write("valid.csv", table);
    expect_refused(fit_words({{"valid", "valid.csv"}}), parts);
  };
  expect_invalid("", {"valid.csv", "empty"});
  expect_invalid("a,b,color,w,y\n", {"valid.csv", "no rows"});
  expect_invalid("a,b,color,w\n1,2,red,1\n", {"valid.csv", "'y'"});
  expect_invalid("a,color,w,y\n1,red,1,2\n", {"valid.csv", "b"});
  expect_invalid("a,b,color,w,y\n1,2,red,1,\n", {"valid.csv", "'y'"});
  expect_invalid("a,b,color,w,y\n1,two,red,1,2\n", {"valid.csv:2", "'b'", "'two'"});
  expect_refused(fit_words({{"valid", "missing.csv"}}), {"missing.csv"});
  expect_refused(fit_words({{"valid", "-"}}, {}, "-"), {"standard input"}, {.input = sample_table(40)});
}

TEST_F(CliBadTable, StandardInputHasAName) {
  expect_refused(fit_words({}, {}, "-"), {"stdin", "empty"});
  expect_refused(fit_words({}, {}, "-"), {"stdin>:3", "'high'"}, {.input = "x,y\n1,2\n2,high\n"});
}

TEST_F(CliBadTable, AtPrediction) {
  write("data.csv", sample_table(40));
  make_model({{"ignore", "w"}});
  const auto expect_both = [&](const std::string& table, std::initializer_list<std::string_view> parts) {
    write("bad.csv", table);
    expect_refused({"predict", "model", "bad.csv"}, parts);
    expect_refused({"score", "model", "bad.csv"}, parts);
  };
  expect_both("", {"bad.csv", "empty"});
  write("bad.csv", "a,b,color,y\n");
  expect_refused({"score", "model", "bad.csv"}, {"bad.csv", "no rows"});
  expect_both("a,b,color,y\n1,2,red,1\n1,2,red\n", {"bad.csv:3", "3 cells"});
  expect_both("a,b,color,y\n1,two,red,1\n", {"bad.csv:2", "'b'", "'two'"});
  expect_both("a,b,color,y\n1,inf,red,1\n", {"bad.csv:2", "'b'", "infinite"});
  expect_both("b,color,y\n1,red,1\n", {"bad.csv", "a"});
  write("bad.csv", "a,b,color,y\n1,2,red,1\n1,2,red,\n");
  expect_refused({"score", "model", "bad.csv"}, {"bad.csv", "'y'", "row 2"});
  write("bad.csv", "a,b,color,why\n1,2,red,1\n");
  expect_refused({"score", "model", "bad.csv"}, {"bad.csv", "'y'", "target"});
}

}  // namespace
}  // namespace mirrorball::cli_test
