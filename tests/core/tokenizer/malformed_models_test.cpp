// SPDX-License-Identifier: GPL-3.0-or-later
// Models that no tokenizer can be made of, each with the sentence that a user reads.
#include "tests/core/tokenizer/model_json.h"
#include "tests/support/sentence_of.h"

#include <gtest/gtest.h>

namespace headscope {
namespace {

using test::bpeModel;
using test::tokenizerOf;
using test::unigramModel;

struct BadModel {
    std::string json;
    std::string sentence; ///< behind "tokenizer.json: model"
};

void expectRefused(const std::vector<BadModel>& models) {
    for (const BadModel& model : models)
        EXPECT_EQ(test::sentenceOf([&] { tokenizerOf(model.json); }),
                  "tokenizer.json: model" + model.sentence)
            << model.json;
}

std::string bpeWith(const std::string& fields) {
    return bpeModel({"a", "b", "ab"}, R"("a b")", "," + fields);
}

TEST(MalformedModels, Any) {
    expectRefused({
        {"7", ": found 7, expected an object."},
        {"[]", ": found an array, expected an object."},
        {"null", ": found null, expected an object."},
        {R"({"type":null,"vocab":{"a":0}})", ": type: found null, expected a string."},
        {R"({"type":7})", ": type: found 7, expected a string."},
        {R"({"type":"bpe","vocab":{"a":0},"merges":[]})",
         ": type \"bpe\", expected one of the types that are computed (BPE, WordPiece, WordLevel, Unigram); "
         "give the "
         "text as token ids with --ids, or use another checkpoint."},
    });
}

TEST(MalformedModels, BpeMerges) {
    const auto merges = [](const std::string& items) { return bpeModel({"a", "b", "ab"}, items); };
    const std::string both = ", expected both pieces of a merge and the one they make there.";
    expectRefused({
        {R"({"type":"BPE","vocab":{"a":0}})", ": \"merges\" is missing."},
        {R"({"type":"BPE","vocab":{"a":0},"merges":null})",
         ": merges: found null, expected an array of pairs."},
        {R"({"type":"BPE","vocab":{"a":0},"merges":{"a b":0}})",
         ": merges: found an object, expected an array of pairs."},
        {merges(R"("ab")"), ": merges: 0: \"ab\", expected two pieces with one space between."},
        {merges(R"("a b","a  b")"), ": merges: 1: \"a  b\", expected two pieces with one space between."},
        {merges(R"("a b ")"), ": merges: 0: \"a b \", expected two pieces with one space between."},
        {merges(R"("a b",["a","b"])"), ": merges: 1: an array, expected a string, as before it."},
        {merges(R"(["a","b"],"a b")"), ": merges: 1: a string, expected an array of two strings."},
        {merges("7"), ": merges: 0: an integer, expected an array of two strings."},
        {merges(R"(["a"])"), ": merges: 0: an array of another form, expected two strings."},
        {merges(R"(["a","b","ab"])"), ": merges: 0: an array of another form, expected two strings."},
        {merges(R"(["a",1])"), ": merges: 0: an array of another form, expected two strings."},
        {merges(R"("c b")"), ": merges: 0: \"c\" is not in the vocabulary" + both},
        {merges(R"("a c")"), ": merges: 0: \"c\" is not in the vocabulary" + both},
        {merges(R"("a b","b a")"), ": merges: 1: \"ba\" is not in the vocabulary" + both},
        {merges(R"(" a")"), ": merges: 0: \"\" is not in the vocabulary" + both},
    });
}

TEST(MalformedModels, BpeOptions) {
    const std::string affix = R"(,"continuing_subword_prefix":"##")";
    const std::string number = ", expected null or 0, as tokens would differ from run to run.";
    expectRefused({
        {R"({"type":"BPE","merges":[]})", ": \"vocab\" is missing."},
        {R"({"type":"BPE","vocab":{},"merges":[]})", ": vocab: no pieces, expected at least one."},
        {R"({"type":"BPE","vocab":["a"],"merges":[]})",
         ": vocab: found an array, expected an object of pieces and ids."},
        {R"({"type":"BPE","vocab":{"a":0,"b":0},"merges":[]})",
         ": vocab: \"a\" and \"b\" have the same id 0, expected one id for each piece."},
        {R"({"type":"BPE","vocab":{"a":4294967296},"merges":[]})",
         ": vocab: the id of \"a\" is 4294967296, expected an integer from 0 to 4294967295."},
        {bpeWith(R"("dropout":0.1)"), ": dropout: found 0.1" + number},
        {bpeWith(R"("dropout":2)"), ": dropout: found 2" + number},
        {bpeWith(R"("dropout":-0.5)"), ": dropout: found -0.5" + number},
        {bpeWith(R"("dropout":true)"), ": dropout: found a boolean" + number},
        {bpeWith(R"("unk_token":0)"), ": unk_token: found 0, expected a string."},
        {bpeWith(R"("fuse_unk":1)"), ": fuse_unk: found 1, expected true or false."},
        {bpeWith(R"("byte_fallback":"yes")"), ": byte_fallback: found \"yes\", expected true or false."},
        {bpeWith(R"("ignore_merges":[])"), ": ignore_merges: found an array, expected true or false."},
        {bpeWith(R"("end_of_word_suffix":false)"),
         ": end_of_word_suffix: found a boolean, expected a string."},
        {bpeWith(R"("end_of_word_suffix":")" + std::string(65, 'x') + "\""),
         ": end_of_word_suffix: 65 bytes, expected at most 64."},
        {bpeWith(R"("continuing_subword_prefix":")" + std::string(65, 'x') + "\""),
         ": continuing_subword_prefix: 65 bytes, expected at most 64."},
        // Where the library stops because it would cut the second piece apart:
        {bpeModel({"a", "b", "ab"}, R"("a b")", affix),
         ": merges: 0: \"b\", expected a second piece that starts with continuing_subword_prefix."},
        {bpeModel({"a", "x中", "ab"}, R"("a x中")", affix),
         ": merges: 0: \"x中\", expected a second piece that starts with continuing_subword_prefix."},
    });
}

TEST(MalformedModels, Unigram) {
    const std::string good = R"(["<unk>",0.0])";
    const std::string pair = ", expected [\"piece\", score].";
    expectRefused({
        {R"({"type":"Unigram"})", ": \"vocab\" is missing."},
        {R"({"type":"Unigram","vocab":{"a":-1.0}})", ": vocab: found an object, expected an array."},
        {unigramModel(""), ": vocab: no pieces, expected at least one."},
        {unigramModel(good + R"(,["a"])"), ": vocab: 1: an array of another form" + pair},
        {unigramModel(good + R"(,["a",-1.0,0])"), ": vocab: 1: an array of another form" + pair},
        {unigramModel(good + R"(,[1,-1.0])"), ": vocab: 1: an array of another form" + pair},
        {unigramModel(good + R"(,"a")"), ": vocab: 1: a string" + pair},
        {unigramModel(good + R"(,["a","b"])"),
         ": vocab: 1: found a string, expected a score, a number within 1e19."},
        {unigramModel(good + R"(,["a",null])"),
         ": vocab: 1: found null, expected a score, a number within 1e19."},
        {unigramModel(good + R"(,["a",18446744073709551616])"),
         ": vocab: 1: found 1.8446744073709552e+19, expected a score, a number within 1e19."},
        {unigramModel(good + R"(,[")" + std::string(1025, 'x') + R"(",-1.0])"),
         ": vocab: 1: a piece of 1025 bytes, expected at most 1024."},
        {unigramModel(good, R"(,"unk_id":1)"), ": unk_id: found 1, expected an integer from 0 to 0."},
        {unigramModel(good, R"(,"unk_id":-1)"), ": unk_id: found -1, expected an integer from 0 to 0."},
        {unigramModel(good, R"(,"unk_id":0.0)"),
         ": unk_id: found a number, expected an integer from 0 to 0."},
        {unigramModel(good, R"(,"unk_id":"<unk>")"),
         ": unk_id: found \"<unk>\", expected an integer from 0 to 0."},
        {unigramModel(good, R"(,"byte_fallback":null)"),
         ": byte_fallback: found null, expected true or false."},
        {unigramModel(good, R"(,"byte_fallback":1)"), ": byte_fallback: found 1, expected true or false."},
    });
    for (const char* number : {"1e400", "-1e309", "NaN", "-Infinity", "01", ".5"})
        EXPECT_NE(test::sentenceOf([&] {
                      tokenizerOf(unigramModel(fmt::format(R"(["a",{}])", number)));
                  }).find("tokenizer.json: the JSON is malformed"),
                  std::string::npos)
            << number;
}

TEST(MalformedModels, WordLevel) {
    const std::string id = ", expected an integer from 0 to 4294967295.";
    expectRefused({
        {R"({"type":"WordLevel","vocab":{"a":0}})", ": \"unk_token\" is missing."},
        {R"({"type":"WordLevel","unk_token":"a"})", ": \"vocab\" is missing."},
        {R"({"type":"WordLevel","vocab":{"a":0},"unk_token":null})",
         ": unk_token: found null, expected a string."},
        {R"({"type":"WordLevel","vocab":{},"unk_token":"a"})", ": vocab: no pieces, expected at least one."},
        {R"({"type":"WordLevel","vocab":{"a":-1},"unk_token":"a"})", ": vocab: the id of \"a\" is -1" + id},
        {R"({"type":"WordLevel","vocab":{"a":"1"},"unk_token":"a"})",
         ": vocab: the id of \"a\" is a string" + id},
        {R"({"type":"WordLevel","vocab":{"a":1.0},"unk_token":"a"})",
         ": vocab: the id of \"a\" is a number" + id},
    });
}

} // namespace
} // namespace headscope
