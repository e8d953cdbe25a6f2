// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/diagnose_table.h"

#include "core/analysis/diagnosis_json.h"

#include <algorithm>
#include <fmt/format.h>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace headscope::app {

namespace {

constexpr std::size_t kWidth = 80;

std::string wordsOf(std::string_view name) {
    std::string words(name);
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

std::size_t charactersOf(std::string_view text) {
    return static_cast<std::size_t>(std::count_if(
        text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

/// `text` in lines of at most kWidth characters, broken at spaces; all but the first are indented.
std::string wrapped(std::string_view text, std::size_t indent) {
    std::string lines;
    std::size_t used = 0;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(' '), text.size());
        const std::string_view word = text.substr(0, end);
        const std::size_t length = charactersOf(word);
        if (used > 0 && used + 1 + length > kWidth) {
            lines += '\n' + std::string(indent, ' ');
            used = indent;
        } else if (used > 0) {
            lines += ' ';
            ++used;
        }
        lines += word;
        used += length;
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines + '\n';
}

/// "sink on [CLS] 0.68", "fixed offset -47 1.00"
std::string labelWords(const Diagnosis& diagnosis, const HeadRef& head, const HeadLabel& label) {
    std::string words = wordsOf(nameOf(label.label));
    if (label.label == Label::Redundant) return words + " with " + label.detail;
    if (label.label == Label::FixedOffset)
        return words + label.detail.substr(std::string_view("offset").size());
    if (label.label == Label::Delimiter) return words + " " + label.detail;
    if (label.label == Label::Sink || label.label == Label::Stuck) {
        const std::string token = tokenOf(diagnosis, head, label);
        const std::string& place = token.empty() ? label.detail : token;
        if (!place.empty()) words += " on " + place;
    }
    return words;
}

std::string headLine(const Diagnosis& diagnosis, const DiagnosedHead& head) {
    const HeadDiagnosis& found = head.diagnosis;
    const HeadLabel* primary = found.find(found.primary);
    std::string line = fmt::format("{:<7}", headText(head.ref));
    if (primary != nullptr)
        line += fmt::format("{:<22}{:>6.2f}  {:>5}  {:<15}", labelWords(diagnosis, head.ref, *primary),
                            primary->score, fmt::format("{}/{}", primary->texts.fired, primary->texts.tested),
                            wordsOf(nameOf(primary->confidence)));
    else
        line += fmt::format("{:<52}", wordsOf(nameOf(found.primary)));
    std::vector<std::string> others;
    for (const HeadLabel& label : found.labels)
        if (&label != primary) others.push_back(labelWords(diagnosis, head.ref, label));
    line += fmt::format(" {}", fmt::join(others, ", "));
    line.erase(line.find_last_not_of(' ') + 1);
    return wrapped(line, 60);
}

void addPairs(std::string& table, const Diagnosis& diagnosis) {
    if (diagnosis.pairs.empty()) return;
    table += "\nnear-copies (divergence without the keys they rest on, in nats)\n";
    for (const DiagnosedPair& pair : diagnosis.pairs)
        table += fmt::format("{:<7}{:<7}{:>10.2g}  {:>5}\n", headText(pair.first), headText(pair.second),
                             pair.divergence, fmt::format("{}/{}", pair.texts.fired, pair.texts.tested));
}

void addUntested(std::string& table, const Diagnosis& diagnosis) {
    const std::vector<UntestedHeads> groups = untestedHeads(diagnosis);
    if (groups.empty()) return;
    table += "\nnot tested\n";
    for (const UntestedHeads& group : groups) {
        const bool all = group.heads.size() == diagnosis.heads.size();
        const std::string heads = all ? std::string("all heads")
                                  : group.heads.size() > 6
                                      ? fmt::format("{} heads", group.heads.size())
                                      : fmt::format("{}", [&] {
                                            std::vector<std::string> names;
                                            for (const HeadRef& head : group.heads)
                                                names.push_back(headText(head));
                                            return fmt::format("{}", fmt::join(names, ", "));
                                        }());
        table += wrapped(fmt::format("{} ({}): {}", wordsOf(nameOf(group.label)), heads, group.reason), 2);
    }
}

} // namespace

std::string diagnosisTable(const Diagnosis& diagnosis) {
    std::int64_t tokens = 0;
    for (const DiagnosedText& text : diagnosis.texts) tokens += text.tokens;
    std::string table =
        wrapped(fmt::format("{}: {} heads judged by {} {} of {} tokens in {:.1f} s", diagnosis.model,
                            diagnosis.heads.size(), diagnosis.texts.size(),
                            diagnosis.texts.size() == 1 ? "text" : "texts", tokens, diagnosis.seconds),
                2);
    // Layers of a decoder and its cross-attention alternate; people read them kind by kind.
    for (const AttentionKind kind :
         {AttentionKind::Self, AttentionKind::Encoder, AttentionKind::Decoder, AttentionKind::Cross}) {
        bool isFirst = true;
        for (const DiagnosedHead& head : diagnosis.heads) {
            if (head.ref.kind != kind) continue;
            if (std::exchange(isFirst, false))
                table += fmt::format("\n{}\n{:<7}{:<22}{:>6}  {:>5}  {:<15} {}\n", nameOf(kind), "head",
                                     "label", "score", "texts", "how sure", "also");
            table += headLine(diagnosis, head);
        }
    }
    addPairs(table, diagnosis);
    addUntested(table, diagnosis);
    return table;
}

} // namespace headscope::app
