#include "models/json_reader.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace vmafx {
namespace {

const std::string kValid =
    R"({"param_dict": {"C": 4.0}, "model_dict": {"model_type": "LIBSVMNUSVR",
"norm_type": "linear_rescale",
"feature_names": ["VMAF_integer_feature_adm3_score", "Speed_chroma_feature_speed_chroma_uv_score"],
"feature_opts_dicts": [{"adm_csf_mode": 2, "adm_noise_weight": 0.02}, {"speed_prescale_method": "bilinear"}],
"slopes": [0.01, 1, 0.05], "intercepts": [-0.3, 0, 0],
"score_clip": [0, 100], "score_transform": {"p1": 2, "p0": null, "out_gte_in": "true"},
"model": "svm_type nu_svr\nkernel_type rbf\ngamma 0.04\nnr_class 2\ntotal_sv 3\nrho -1.5\nSV\n4 1:0.5 2:0.25 \n-4 2:0.75 \n2 1:0.5 2:0.25 \n"}})";

std::string with(const std::string& from, const std::string& to) {
  std::string text = kValid;
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string set_of(const std::vector<std::string>& members) {
  std::string text;
  for (std::size_t i = 0; i < members.size(); ++i) {
    text += (i == 0 ? "{\"" : ", \"") + std::to_string(i) + "\": " + members[i];
  }
  return text + "}";
}

const std::string kBootstrapMember = with("LIBSVMNUSVR", "BOOTSTRAP_LIBSVMNUSVR");

TEST(JsonModel, ReadsAModel) {
  const auto content = read_json_model(kValid);
  ASSERT_TRUE(content.ok()) << content.error().message;
  ASSERT_EQ(content->features.size(), 2u);
  EXPECT_EQ(content->features[0].name, "VMAF_integer_feature_adm3_score");
  const std::map<std::string, std::string> adm = {{"adm_csf_mode", "2"},
                                                  {"adm_noise_weight", "0.02"}};
  EXPECT_EQ(content->features[0].options, adm);
  ASSERT_EQ(content->members.size(), 1u);
  const ModelMember& member = content->members[0];
  EXPECT_EQ(member.score, (LinearRescale{0.01, -0.3}));
  EXPECT_EQ(member.regression.rho, -1.5);
  ASSERT_EQ(member.regression.terms.size(), 3u);
  EXPECT_EQ(member.regression.terms[1].point, 1u);
  EXPECT_EQ(member.regression.terms[2].point, 0u);  // the same support vector as the first
  EXPECT_EQ(member.regression.terms[2].weight, 2);
  ASSERT_EQ(content->spaces.size(), 1u);
  EXPECT_EQ(content->spaces[0].basis.size(), 2u);
  EXPECT_EQ(content->spaces[0].basis.gamma(), 0.04);
  EXPECT_EQ(content->spaces[0].rescale[1], (LinearRescale{0.05, 0}));
  EXPECT_FALSE(content->spaces[0].correction);
  ASSERT_TRUE(member.mapping.transform);
  EXPECT_FALSE(member.mapping.transform_enabled);
  EXPECT_EQ(member.mapping.transform->p0, std::nullopt);
  EXPECT_EQ(member.mapping.transform->p1, 2);
  EXPECT_TRUE(member.mapping.transform->at_least_input);
  ASSERT_TRUE(member.mapping.clip);
  EXPECT_EQ(member.mapping.clip->max, 100);
}

TEST(JsonModel, AcceptsWhatIsOptional) {
  for (const std::string& text : {
           with("\"score_clip\": [0, 100], ", ""),
           with("[0, 100]", "null"),
           with("\"score_transform\": {\"p1\": 2, \"p0\": null, \"out_gte_in\": \"true\"},", ""),
           with("\"score_transform\": {", "\"score_transform\": {\"enabled\": true, "),
           with("\"true\"", "true"),
           with("\"p0\": null", "\"knots\": [[0, 0], [1, 0], [2, 5]]"),
           with("nu_svr", "epsilon_svr"),
           with("\"linear_rescale\"", "\"none\""),
           with("\"param_dict\"", "\"anything else\""),
           with("\\n4 1:0.5", "\\r\\n4\\t1:0.5"),
           with("\"score_clip\"", "\"chroma_correction_parameter\": 120.0, \"score_clip\""),
           kBootstrapMember,
       }) {
    const auto content = read_json_model(text);
    EXPECT_TRUE(content.ok()) << content.error().message << "\n" << text;
  }
}

TEST(JsonModel, WritesOptionsSoThatTheyParse) {
  const auto content = read_json_model(
      with("\"adm_csf_mode\": 2, \"adm_noise_weight\": 0.02",
           R"("a": 1000000.0, "b": 0.1234567890123, "c": true, "d": -3, "e": false)"));
  ASSERT_TRUE(content.ok()) << content.error().message;
  const std::map<std::string, std::string> expected = {
      {"a", "1000000"}, {"b", "0.1234567890123"}, {"c", "true"}, {"d", "-3"}, {"e", "false"}};
  EXPECT_EQ(content->features[0].options, expected);
}

TEST(JsonModel, ReadsABootstrapSetInOrder) {
  std::vector<std::string> members(12, kBootstrapMember);
  for (std::size_t i = 0; i < members.size(); ++i) {
    members[i].replace(members[i].find("-1.5"), 4, std::to_string(i));
  }
  const auto content = read_json_model(set_of(members));
  ASSERT_TRUE(content.ok()) << content.error().message;
  ASSERT_EQ(content->members.size(), 12u);
  for (std::size_t i = 0; i < members.size(); ++i) {
    EXPECT_EQ(content->members[i].regression.rho, static_cast<double>(i));
  }
  EXPECT_EQ(content->spaces.size(), 1u);
}

TEST(JsonModel, KeepsMembersOfOtherRescalingApart) {
  std::string other = kBootstrapMember;
  other.replace(other.find("0.01, 1, 0.05"), 13, "0.01, 1, 0.06");
  const auto content = read_json_model(set_of({kBootstrapMember, other, kBootstrapMember}));
  ASSERT_TRUE(content.ok()) << content.error().message;
  ASSERT_EQ(content->spaces.size(), 2u);
  EXPECT_EQ(content->members[1].space, 1u);
  EXPECT_EQ(content->members[2].space, 0u);
  EXPECT_EQ(content->spaces[1].rescale[1].slope, 0.06);
}

struct Hostile {
  std::string text;
  std::string message;
};

void expect_refused(const std::vector<Hostile>& cases) {
  for (const Hostile& hostile : cases) {
    const auto content = read_json_model(hostile.text);
    ASSERT_FALSE(content.ok()) << hostile.message;
    EXPECT_EQ(content.error().code, ErrorCode::kBadInput);
    EXPECT_EQ(content.error().message, hostile.message);
  }
}

TEST(JsonModel, RefusesWhatIsNotJson) {
  const std::string bomb(100000, '[');
  std::string deep_object;
  for (int i = 0; i < 100000; ++i) deep_object += "{\"a\":";
  expect_refused({
      {"", "the file is empty"},
      {" \n\t", "the file is empty"},
      {bomb, "nested deeper than 512"},
      {"{\"model_dict\": " + bomb, "nested deeper than 512"},
      {deep_object, "nested deeper than 512"},
      {"[]", "is not a JSON object"},
      {"12", "is not a JSON object"},
      {"{}", "has neither model_dict nor members 0, 1, 2, ...: not a model"},
      {R"({"a": 1})", "has neither model_dict nor members 0, 1, 2, ...: not a model"},
      {kValid.substr(0, 20),
       "not JSON: parse error at line 1, column 21: syntax error while parsing value - "
       "unexpected end of input; expected '[', '{', or a literal"},
      {kValid + "}",
       "not JSON: parse error at line 7, column 144: syntax error while parsing value - "
       "unexpected '}'; expected end of input"},
      {std::string("\x80\x04\x95", 3),
       "not JSON: parse error at line 1, column 1: syntax error while parsing value - "
       "invalid literal"},
      {R"({"model_dict": NaN})",
       "not JSON: parse error at line 1, column 16: syntax error while parsing value - "
       "invalid literal"},
      {R"({"model_dict": {}, "model_dict": {}})", "member 'model_dict' is there twice"},
      {with("[0, 100]", "[0, 1e999]"), "not JSON: number overflow parsing '1e999'"},
      {with("[0, 100]", "[0, Infinity]"),
       "not JSON: parse error at line 6, column 19: syntax error while parsing value - "
       "invalid literal"},
  });
}

TEST(JsonModel, RefusesWrongMembers) {
  const std::string m = "model_dict.";
  expect_refused({
      {R"({"model_dict": 3})", "model_dict: is not an object"},
      {R"({"model_dict": {}})", m + "model_type: is missing"},
      {with("\"LIBSVMNUSVR\"", "7"), m + "model_type: is not a string"},
      {with("LIBSVMNUSVR", "RANDOMFOREST"),
       m + "model_type: 'RANDOMFOREST' is not LIBSVMNUSVR, BOOTSTRAP_LIBSVMNUSVR or "
           "RESIDUEBOOTSTRAP_LIBSVMNUSVR"},
      {with("linear_rescale", "zscore"),
       m + "norm_type: 'zscore' is neither linear_rescale nor none"},
      {with("feature_names", "features"), m + "feature_names: is missing"},
      {with(R"(["VMAF_integer_feature_adm3_score", "Speed_chroma_feature_speed_chroma_uv_score"])",
            "[]"),
       m + "feature_names: is empty"},
      {with("\"VMAF_integer_feature_adm3_score\"", "null"),
       m + "feature_names[0]: is not a string"},
      {with(", {\"speed_prescale_method\": \"bilinear\"}", ""),
       m + "feature_opts_dicts: 1 entries for 2 features"},
      {with("{\"speed_prescale_method\": \"bilinear\"}", "[]"),
       m + "feature_opts_dicts[1]: is not an object"},
      {with("\"adm_csf_mode\": 2", "\"adm_csf_mode\": [2]"),
       m + "feature_opts_dicts[0].adm_csf_mode: is not a number, a string, true or false"},
      {with("[0.01, 1, 0.05]", "[0.01, 1]"),
       m + "slopes: 2 numbers instead of 3: one for the score, then one for each feature"},
      {with("[-0.3, 0, 0]", "[-0.3, 0, 0, 0]"),
       m + "intercepts: 4 numbers instead of 3: one for the score, then one for each feature"},
      {with("[-0.3, 0, 0]", "{\"a\": 1}"), m + "intercepts: is not an array"},
      {with("[0.01, 1, 0.05]", "[0.01, \"1\", 0.05]"), m + "slopes[1]: is not a number"},
      {with("[0.01, 1, 0.05]", "[0.01, true, 0.05]"), m + "slopes[1]: is not a number"},
      {with("[0.01, 1, 0.05]", "[0, 1, 0.05]"), m + "slopes[0]: is 0"},
      {with("[0, 100]", "[0]"), m + "score_clip: is not [min, max]"},
      {with("[0, 100]", "[100, 0]"), m + "score_clip: min is greater than max"},
      {with("\"p1\": 2", "\"p1\": \"2\""), m + "score_transform.p1: is not a number"},
      {with("\"true\"", "\"yes\""), m + "score_transform.out_gte_in: is neither true nor false"},
      {with("{\"p1\": 2, \"p0\": null, \"out_gte_in\": \"true\"}", "[1]"),
       m + "score_transform: is not an object"},
      {with("\"p0\": null", "\"knots\": [[0, 0]]"),
       m + "score_transform.knots: fewer than two knots"},
      {with("\"p0\": null", "\"knots\": [[0, 0], [1]]"),
       m + "score_transform.knots[1]: is not [x, y]"},
      {with("\"p0\": null", "\"knots\": [[0, 0], [0, 1]]"),
       m + "score_transform.knots[1]: x does not increase"},
      {with("\"p0\": null", "\"knots\": [[0, 5], [1, 1]]"),
       m + "score_transform.knots[1]: y decreases"},
      {with("\"score_clip\"", "\"chroma_correction_parameter\": 0, \"score_clip\""),
       m + "chroma_correction_parameter: is 0"},
      {with("\"score_clip\"", "\"chroma_correction_parameter\": null, \"score_clip\""),
       m + "chroma_correction_parameter: is not a number"},
  });
  std::string two_guides =
      with("\"score_clip\"", "\"chroma_correction_parameter\": 1, \"score_clip\"");
  two_guides.replace(two_guides.find("Speed_chroma_feature_speed_chroma_uv_score"), 42, "adm3");
  expect_refused({{two_guides, m + "chroma_correction_parameter: needs exactly one feature of adm3 "
                                   "and exactly one of speed_chroma"}});
}

TEST(JsonModel, RefusesWrongLibsvmText) {
  const std::string m = "model_dict.model: ";
  expect_refused({
      {with("\"model\": ", "\"libsvm\": "), "model_dict.model: is missing"},
      {with("svm_type nu_svr\\n", "garbage\\n"),
       m + "line 1: 'garbage' is not a parameter of a regression"},
      {with("nu_svr", "c_svc"), m + "line 1: svm_type 'c_svc' is not nu_svr"},
      {with("rbf", "linear"), m + "line 2: kernel_type 'linear' is not rbf"},
      {with("gamma 0.04\\n", ""), m + "line 6: no gamma before the support vectors"},
      {with("rho -1.5\\n", ""), m + "line 6: no rho before the support vectors"},
      {with("total_sv 3\\n", ""), m + "line 6: no total_sv before the support vectors"},
      {with("gamma 0.04", "gamma -0.04"), m + "line 7: gamma -0.04 is not positive"},
      {with("gamma 0.04", "gamma 0"), m + "line 7: gamma 0 is not positive"},
      {with("gamma 0.04", "gamma nan"), m + "line 3: gamma 'nan' is not a finite number"},
      {with("rho -1.5", "rho 1e999"), m + "line 6: rho '1e999' is not a finite number"},
      {with("total_sv 3", "total_sv -3"), m + "line 5: total_sv '-3' is not a positive number"},
      {with("total_sv 3", "total_sv 99999999999"),
       m + "line 5: total_sv 99999999999 with 2 features is too large"},
      {with("total_sv 3", "total_sv 4"), m + "line 10: 3 support vectors instead of total_sv 4"},
      {with("total_sv 3", "total_sv 2"), m + "line 10: more support vectors than total_sv 2"},
      {with("\\nSV\\n4 1:0.5 2:0.25 \\n-4 2:0.75 \\n2 1:0.5 2:0.25 \\n", ""),
       m + "line 6: ends before the support vectors"},
      {with("\\n4 1:0.5 2:0.25", "\\n4 2:0.5 1:0.25"),
       m + "line 8: index 1 follows 2: not ascending"},
      {with("\\n4 1:0.5 2:0.25", "\\n4 1:0.5 1:0.25"),
       m + "line 8: index 1 follows 1: not ascending"},
      {with("-4 2:0.75", "-4 3:0.75"), m + "line 9: index 3 is not in 1..2, the features"},
      {with("-4 2:0.75", "-4 0:0.75"), m + "line 9: index 0 is not in 1..2, the features"},
      {with("-4 2:0.75", "-4 2:inf"), m + "line 9: '2:inf' is not index:number"},
      {with("-4 2:0.75", "-4 2=0.75"), m + "line 9: '2=0.75' is not index:number"},
      {with("-4 2:0.75", "-4 2:0.75x"), m + "line 9: '2:0.75x' is not index:number"},
      {with("-4 2:0.75", "-nan 2:0.75"), m + "line 9: weight '-nan' is not a finite number"},
      {with("-4 2:0.75", "2:0.75"), m + "line 9: weight '2:0.75' is not a finite number"},
  });
}

TEST(JsonModel, RefusesWrongSets) {
  std::string fewer = kBootstrapMember;
  fewer.replace(fewer.find("0.01, 1, 0.05"), 13, "0.01");
  std::string other_options = kBootstrapMember;
  other_options.replace(other_options.find("0.02"), 4, "0.03");
  expect_refused({
      {set_of({kBootstrapMember}), "a bootstrap set needs at least members 0 and 1"},
      {set_of({kValid, kValid}),
       "0.model_dict.model_type: 'LIBSVMNUSVR' is not BOOTSTRAP_LIBSVMNUSVR or "
       "RESIDUEBOOTSTRAP_LIBSVMNUSVR"},
      {set_of({kBootstrapMember, fewer}),
       "1.model_dict.slopes: 1 numbers instead of 3: one for the score, then one for each feature"},
      {set_of({kBootstrapMember, "{}"}), "1.model_dict: is missing"},
      {set_of({kBootstrapMember, "5"}), "1: is not an object"},
      {set_of({kBootstrapMember, other_options}),
       "1.model_dict.feature_names: the features differ from those of the first model of the set"},
      {R"({"0": )" + kBootstrapMember + R"(, "2": {}})", "1: is missing"},
  });
}

// Every prefix and every single changed byte gives a model or an error, and nothing else.
TEST(JsonModel, SurvivesDamagedFiles) {
  for (std::size_t size = 0; size < kValid.size(); ++size) {
    EXPECT_FALSE(read_json_model(kValid.substr(0, size)).ok());
  }
  for (std::size_t at = 0; at < kValid.size(); ++at) {
    for (const char damage : {'\0', '"', '-', '9', '{', '\xff'}) {
      std::string text = kValid;
      text[at] = damage;
      const auto content = read_json_model(text);
      if (!content) {
        EXPECT_FALSE(content.error().message.empty());
      }
    }
  }
}

}  // namespace
}  // namespace vmafx
