// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tokenizer/word_boundaries.h"

#include "core/base/error.h"

#include <memory>
#include <unicode/brkiter.h>
#include <unicode/locid.h>
#include <unicode/utext.h>

namespace headscope {

namespace {

struct CloseText {
    void operator()(UText* text) const { utext_close(text); }
};

void require(UErrorCode status) {
    if (U_FAILURE(status))
        fail("words", std::string("ICU cannot find word boundaries (") + u_errorName(status) + ")", "",
             "look at tokens instead of words");
}

} // namespace

std::vector<std::int64_t> wordBoundaries(std::string_view text) {
    UErrorCode status = U_ZERO_ERROR;
    const std::unique_ptr<icu::BreakIterator> words(
        icu::BreakIterator::createWordInstance(icu::Locale::getRoot(), status));
    require(status);
    const std::unique_ptr<UText, CloseText> source(
        utext_openUTF8(nullptr, text.data(), static_cast<std::int64_t>(text.size()), &status));
    require(status);
    words->setText(source.get(), status);
    require(status);

    std::vector<std::int64_t> boundaries;
    std::size_t byte = 0;
    std::int64_t codePoints = 0;
    for (std::int32_t at = words->first(); at != icu::BreakIterator::DONE; at = words->next()) {
        for (; byte < static_cast<std::size_t>(at); ++byte)
            if ((static_cast<unsigned char>(text[byte]) & 0xC0U) != 0x80U) ++codePoints;
        boundaries.push_back(codePoints);
    }
    return boundaries;
}

} // namespace headscope
