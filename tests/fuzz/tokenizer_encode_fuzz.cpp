// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/fuzz/pipeline_grammar.h"
#include "tests/fuzz/token_checks.h"

#include <map>
#include <memory>

using namespace headscope;
using namespace headscope::test;

namespace {

/// The pipelines that were asked for last: reading one takes longer than encoding with it. nullptr for one
/// that is refused, as its normalizer cannot be run on its added tokens.
const Tokenizer* pipelineOf(const PipelineChoice& choice) {
    constexpr std::size_t kKept = 1000;
    static std::map<PipelineChoice, std::shared_ptr<const Tokenizer>> kept;
    if (const auto known = kept.find(choice); known != kept.end()) return known->second.get();
    if (kept.size() >= kKept) kept.clear();
    std::shared_ptr<const Tokenizer>& pipeline = kept[choice];
    readOrRefuse([&] { pipeline = parseTokenizer(pipelineJson(choice), "tokenizer.json", {}); });
    HS_CHECK(pipeline != nullptr || choice.addedTokens != 0);
    return pipeline.get();
}

} // namespace

/// One pipeline of a small grammar, which the first bytes choose (PipelineChoice), on a text and, behind the
/// byte 1f, a second one. Text that is no UTF-8 must be refused, and is then made UTF-8.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input = textOf(data, size);
    if (input.size() <= PipelineChoice::kBytes) return 0;
    const PipelineChoice choice = PipelineChoice::read(input);
    std::string_view text = input.substr(PipelineChoice::kBytes);
    std::optional<std::string> pair;
    if (const std::size_t end = text.find('\x1f'); end != std::string_view::npos) {
        pair = asUtf8(text.substr(end + 1));
        text = text.substr(0, end);
    }
    const Tokenizer* tokenizer = pipelineOf(choice);
    if (tokenizer == nullptr) return 0;
    const bool addSpecial = (static_cast<unsigned char>(input[PipelineChoice::kBytes - 1]) & 1) != 0;
    if (firstInvalidUtf8(text)) {
        bool refused = false;
        try {
            tokenizer->encode(text, std::nullopt, {});
        } catch (const Error&) {
            refused = true;
        }
        HS_CHECK(refused);
    }
    checkEncoding(*tokenizer, asUtf8(text), pair, {.addSpecial = addSpecial},
                  choice.hasBytesOfAffixes() ? Spans::Anywhere : Spans::Inside);
    return 0;
}
