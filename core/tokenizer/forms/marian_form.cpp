// SPDX-License-Identifier: GPL-3.0-or-later
// source.spm, target.spm and vocab.json: Marian, which has no fast tokenizer.
#include "core/base/error.h"
#include "core/tokenizer/forms/form.h"
#include "core/tokenizer/forms/piece_encoder.h"
#include "core/tokenizer/forms/slow_tokenizer.h"

#include <fmt/format.h>

namespace headscope {

namespace {

std::shared_ptr<const PieceEncoder> readEncoder(const FormInputs& form, const std::string& name) {
    return std::make_shared<PieceEncoder>(form.read(name), name);
}

std::shared_ptr<const PieceIds> readVocabulary(const FormInputs& form, const std::string& name) {
    return std::make_shared<PieceIds>(parseJson(form.read(name), name), name);
}

} // namespace

std::shared_ptr<const Tokenizer> buildMarian(const FormInputs& form) {
    const auto source = readVocabulary(form, form.vocabularyFile);
    const bool apart = form.settings().loose("separate_vocabs", false);
    const auto target = apart ? readVocabulary(form, "target_vocab.json") : source;

    const SlowTokens added(source->ids, form.slowTokens(), form.special);
    const std::string& pad = form.special.content("pad_token");
    if (!source->ids.contains(pad))
        fail(form.vocabularyFile, fmt::format("there is no \"{}\"", escapeForMessage(pad, 40)),
             "expected the padding token");
    const std::vector<std::int64_t> end = {added.id(form.special.content("eos_token")).value()};
    SlowSide sourceSide = {readEncoder(form, "source.spm"), source, {}, end, {}};
    SlowSide targetSide = {readEncoder(form, "target.spm"), target, {}, end, {}};
    SlowParts parts(std::move(sourceSide), std::move(targetSide), added);
    parts.splitter = slowSplitter(form, added);
    parts.unknown = form.special.content("unk_token");
    parts.cutsLanguage = true;
    return makeSlowTokenizer(std::move(parts));
}

} // namespace headscope
