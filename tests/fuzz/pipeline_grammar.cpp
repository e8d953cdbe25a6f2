// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/pipeline_grammar.h"

#include "core/tokenizer/base64.h"
#include "tests/core/tokenizer/charsmap_builder.h"

#include <fmt/format.h>
#include <iterator>
#include <map>

namespace headscope::test {

namespace {

// Pieces of several lengths, bytes, scripts and holes among the ids; what is not here is unknown.
constexpr std::string_view kWords =
    R"("[UNK]":0,"a":1,"b":2,"##b":3,"ab":4,"é":5,"##é":6,"中":7,"##a":8,"▁":9,"▁a":10,"Ġ":11,"Ġa":12,)"
    R"("Ã":13,"©":14,"Ã©":15," ":16,"aé":17,"ﬁ":19,"😀":40,"[CLS]":41,"[SEP]":42)";
constexpr std::string_view kSomeBytes = R"(,"<0x61>":50,"<0xC3>":51,"<0xA9>":52,"<0x23>":53,"<0x0A>":54)";
constexpr std::string_view kMerges = R"("a b","Ã ©","▁ a","Ġ a","a é")";

constexpr std::string_view kModels[] = {
    R"({{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"##",)"
    R"("max_input_chars_per_word":100,"vocab":{{{words}}}}})",
    R"({{"type":"WordPiece","unk_token":"[UNK]","continuing_subword_prefix":"",)"
    R"("max_input_chars_per_word":4,"vocab":{{{words}}}}})",
    R"({{"type":"WordLevel","unk_token":"[UNK]","vocab":{{{words}}}}})",
    R"({{"type":"WordLevel","unk_token":"none","vocab":{{{words}}}}})",
    R"({{"type":"BPE","unk_token":"[UNK]","fuse_unk":true,"vocab":{{{words}}},"merges":[{merges}]}})",
    R"({{"type":"BPE","unk_token":"[UNK]","byte_fallback":true,"vocab":{{{words}{bytes}}},)"
    R"("merges":[{merges}]}})",
    R"({{"type":"BPE","vocab":{{{words}}},"merges":[{merges}]}})",
    R"({{"type":"BPE","ignore_merges":true,"vocab":{{{words}}},"merges":[{merges}]}})",
    R"({{"type":"BPE","unk_token":"[UNK]","continuing_subword_prefix":"##","end_of_word_suffix":"a",)"
    R"("vocab":{{{words}}},"merges":["a ##b"]}})",
    R"({{"type":"BPE","byte_fallback":true,"continuing_subword_prefix":"##","end_of_word_suffix":"é",)"
    R"("vocab":{{{words}{bytes}}},"merges":["a ##b"]}})",
    R"({{"type":"Unigram","unk_id":0,"vocab":[["<unk>",0],["a",-1.5],["b",-2],["ab",-3],["é",-1],["▁",-2],)"
    R"(["▁a",-2.5],["中",-3],["aa",-3]]}})",
    R"({{"type":"Unigram","unk_id":0,"byte_fallback":true,"vocab":[["<unk>",0],["a",1],["é",-1e9],["▁a",0],)"
    R"(["<0x62>",-5],["<0xC3>",-5],["<0xA9>",-5],["",0],["a",2]]}})",
    R"({{"type":"Unigram","vocab":[["a",-1],["b",-1],["é",-1],["▁",-1],[" ",-1]]}})",
};

constexpr std::string_view kNormalizers[] = {
    R"({"type":"NFC"})",
    R"({"type":"NFD"})",
    R"({"type":"NFKC"})",
    R"({"type":"NFKD"})",
    R"({"type":"Lowercase"})",
    R"({"type":"StripAccents"})",
    R"({"type":"Nmt"})",
    R"({"type":"ByteLevel"})",
    R"({"type":"Strip","strip_left":true,"strip_right":true})",
    R"({"type":"Strip","strip_left":false,"strip_right":true})",
    R"({"type":"BertNormalizer","clean_text":true,"handle_chinese_chars":true,)"
    R"("strip_accents":null,"lowercase":true})",
    R"({"type":"BertNormalizer","clean_text":false,"handle_chinese_chars":true,)"
    R"("strip_accents":true,"lowercase":false})",
    R"({"type":"Prepend","prepend":"▁"})",
    R"({"type":"Prepend","prepend":""})",
    R"({"type":"Replace","pattern":{"String":" "},"content":"▁"})",
    R"({"type":"Replace","pattern":{"String":"a"},"content":""})",
    R"({"type":"Replace","pattern":{"String":""},"content":"é"})",
    R"({"type":"Replace","pattern":{"Regex":"\\s+"},"content":" "})",
    R"({"type":"Replace","pattern":{"Regex":"(a|ab)*?(?=$|b)(?=|x)|q"},"content":"aé"})",
    R"({"type":"Replace","pattern":{"Regex":"(?<=a)\\p{L}|\\Kb"},"content":""})",
    R"({"type":"Precompiled","precompiled_charsmap":"CHARSMAP"})",
};

constexpr std::string_view kPreTokenizers[] = {
    R"({"type":"BertPreTokenizer"})",
    R"({"type":"ByteLevel","add_prefix_space":true,"trim_offsets":true,"use_regex":true})",
    R"({"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":false})",
    R"({"type":"CharDelimiterSplit","delimiter":"a"})",
    R"({"type":"Digits","individual_digits":true})",
    R"({"type":"Digits","individual_digits":false})",
    R"({"type":"FixedLength","length":2})",
    R"({"type":"Metaspace","replacement":"▁","prepend_scheme":"always","split":true})",
    R"({"type":"Metaspace","replacement":"▁","prepend_scheme":"first","split":false})",
    R"({"type":"Punctuation","behavior":"MergedWithPrevious"})",
    R"({"type":"Punctuation","behavior":"Contiguous"})",
    R"({"type":"UnicodeScripts"})",
    R"({"type":"Whitespace"})",
    R"({"type":"WhitespaceSplit"})",
    R"({"type":"Split","pattern":{"String":"a"},"behavior":"MergedWithNext","invert":false})",
    R"({"type":"Split","pattern":{"String":""},"behavior":"Isolated","invert":false})",
    R"({"type":"Split","pattern":{"Regex":"\\w+|[^\\w\\s]+"},"behavior":"Isolated","invert":true})",
    R"({"type":"Split","pattern":{"Regex":"'(?i:[sdmt]|ll|ve|re)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}|)"
    R"( ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]|\\s+(?!\\S)|\\s+"},"behavior":"Isolated","invert":false})",
    R"({"type":"Split","pattern":{"Regex":"(?=a)|\\bb"},"behavior":"Removed","invert":false})",
};

constexpr std::string_view kSpecialTokens =
    R"("special_tokens":{"[CLS]":{"id":"[CLS]","ids":[41],"tokens":["[CLS]"]},)"
    R"("two":{"id":"two","ids":[42,7],"tokens":["[SEP]","x"]}})";
constexpr std::string_view kPostProcessors[] = {
    R"({"type":"BertProcessing","sep":["[SEP]",42],"cls":["[CLS]",41]})",
    R"({"type":"RobertaProcessing","sep":["[SEP]",42],"cls":["[CLS]",41],)"
    R"("trim_offsets":true,"add_prefix_space":true})",
    R"({"type":"RobertaProcessing","sep":["[SEP]",42],"cls":["[CLS]",41],)"
    R"("trim_offsets":true,"add_prefix_space":false})",
    R"({"type":"ByteLevel","add_prefix_space":true,"trim_offsets":true,"use_regex":true})",
    R"({"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":true})",
    R"({"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"[CLS]","type_id":0}},)"
    R"({"Sequence":{"id":"A","type_id":1}},{"Sequence":{"id":"A","type_id":2}}],)"
    R"("pair":[{"Sequence":{"id":"B",)"
    R"("type_id":0}},{"SpecialToken":{"id":"two","type_id":3}},)"
    R"({"Sequence":{"id":"A","type_id":1}}],SPECIAL})",
    R"({"type":"TemplateProcessing","single":[],"pair":[{"Sequence":{"id":"B","type_id":0}}],SPECIAL})",
    R"({"type":"Sequence","processors":[{"type":"ByteLevel","add_prefix_space":true,"trim_offsets":true,)"
    R"("use_regex":true},{"type":"TemplateProcessing","single":[{"SpecialToken":{"id":"[CLS]","type_id":0}},)"
    R"({"Sequence":{"id":"A","type_id":0}}],"pair":[{"Sequence":{"id":"A","type_id":0}},)"
    R"({"Sequence":{"id":"B","type_id":1}}],SPECIAL}]})",
};

/// So long that it is searched for from the end.
constexpr std::string_view kLong = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab";
static_assert(kLong.size() > 64);

/// Contents with the flags single_word, lstrip, rstrip, normalized, special as bits.
struct Added {
    std::string_view content;
    unsigned flags;
};
constexpr Added kAddedTokens[] = {
    {"<s>", 16}, {"a", 1},  {"<m>", 2 | 16}, {"<r>", 4}, {" b", 0},  {"É", 8},   {"\\u0001", 8},
    {"é", 9},    {"  ", 4}, {"\\n", 6},      {"b", 15},  {"ab", 31}, {kLong, 8}, {"\\u0301", 10},
};

template <std::size_t N>
std::string_view chosen(const std::string_view (&table)[N], unsigned char choice) {
    return choice == 0 ? std::string_view("null") : table[choice - 1];
}

void replaceAll(std::string& text, std::string_view from, std::string_view to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
}

const std::string& charsmap() {
    static const std::string result = toBase64(CharsmapBuilder({{"é", "e"},
                                                                {"e\u0301", "é"},
                                                                {"ﬁ", "fi"},
                                                                {"½", "1⁄2"},
                                                                {"\u0001", ""},
                                                                {"\r\n", " "},
                                                                {"b", ""}})
                                                   .bytes());
    return result;
}

std::string model(unsigned char choice) {
    return fmt::format(fmt::runtime(kModels[choice]), fmt::arg("words", kWords),
                       fmt::arg("bytes", kSomeBytes), fmt::arg("merges", kMerges));
}

/// Every bit of `choice` takes two of the tokens.
std::string addedTokens(unsigned char choice) {
    std::string list;
    for (std::size_t i = 0; i < std::size(kAddedTokens); ++i) {
        if ((choice >> i / 2 & 1) == 0) continue;
        const auto has = [&](unsigned bit) { return (kAddedTokens[i].flags & bit) != 0; };
        list += fmt::format(R"({}{{"id":{},"content":"{}","single_word":{},"lstrip":{},"rstrip":{},)"
                            R"("normalized":{},"special":{}}})",
                            list.empty() ? "" : ",", 100 + i, kAddedTokens[i].content, has(1), has(2), has(4),
                            has(8), has(16));
    }
    return list;
}

} // namespace

PipelineChoice PipelineChoice::read(std::string_view input) {
    const auto choice = [&](std::size_t place, std::size_t count) {
        return static_cast<unsigned char>(static_cast<unsigned char>(input[place]) % count);
    };
    return {.model = choice(0, std::size(kModels)),
            .firstNormalizer = choice(1, std::size(kNormalizers) + 1),
            .secondNormalizer = choice(2, std::size(kNormalizers) + 1),
            .firstPreTokenizer = choice(3, std::size(kPreTokenizers) + 1),
            .secondPreTokenizer = choice(4, std::size(kPreTokenizers) + 1),
            .postProcessor = choice(5, std::size(kPostProcessors) + 1),
            .addedTokens = choice(6, 128)};
}

bool PipelineChoice::hasBytesOfAffixes() const {
    const std::string_view chosen = kModels[model];
    return chosen.find("{bytes}") != std::string_view::npos &&
           chosen.find("suffix") != std::string_view::npos;
}

std::string pipelineJson(const PipelineChoice& choice) {
    const auto sequence = [](std::string_view type, std::string_view first, std::string_view second) {
        if (first == "null") return std::string(second);
        if (second == "null") return std::string(first);
        return fmt::format(R"({{"type":"Sequence","{}":[{},{}]}})", type, first, second);
    };
    std::string json = fmt::format(
        R"({{"added_tokens":[{}],"normalizer":{},"pre_tokenizer":{},"post_processor":{},"model":{}}})",
        addedTokens(choice.addedTokens),
        sequence("normalizers", chosen(kNormalizers, choice.firstNormalizer),
                 chosen(kNormalizers, choice.secondNormalizer)),
        sequence("pretokenizers", chosen(kPreTokenizers, choice.firstPreTokenizer),
                 chosen(kPreTokenizers, choice.secondPreTokenizer)),
        chosen(kPostProcessors, choice.postProcessor), model(choice.model));
    replaceAll(json, "SPECIAL", kSpecialTokens);
    replaceAll(json, "CHARSMAP", charsmap());
    return json;
}

} // namespace headscope::test
