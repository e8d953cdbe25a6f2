// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/diagnose_table.h"

#include "app/display_width.h"
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
constexpr std::size_t kLabelWidth = 22;
constexpr std::size_t kTokenWidth = 13; ///< "stuck on " before it fills a label

std::string wordsOf(std::string_view name) {
    std::string words(name);
    std::replace(words.begin(), words.end(), '_', ' ');
    return words;
}

std::string wrapped(std::string_view text, std::size_t indent) {
    return wrappedToWidth(text, kWidth, indent);
}

/// Where it is, as short as a table needs it.
std::string shortPlace(std::string place) {
    constexpr std::string_view kStart = " from the start";
    if (place.ends_with(kStart)) place.resize(place.size() - kStart.size());
    return place;
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
        const std::string place = token.empty() ? shortPlace(label.detail) : cutToWidth(token, kTokenWidth);
        if (!place.empty()) words += " on " + place;
    }
    return words;
}

std::string headLine(const Diagnosis& diagnosis, const DiagnosedHead& head) {
    const HeadDiagnosis& found = head.diagnosis;
    const HeadLabel* primary = found.find(found.primary);
    std::string line = fmt::format("{:<7}", headText(head.ref));
    if (primary != nullptr)
        line += fmt::format("{}{:>6.2f}  {:>5}  {:<15}",
                            paddedToWidth(labelWords(diagnosis, head.ref, *primary), kLabelWidth),
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

std::size_t headsOf(const Diagnosis& diagnosis, AttentionKind kind) {
    return static_cast<std::size_t>(
        std::count_if(diagnosis.heads.begin(), diagnosis.heads.end(),
                      [&](const DiagnosedHead& one) { return one.ref.kind == kind; }));
}

/// " of cross_attentions" where there is more than one kind: heads of all of them have the same numbers.
std::string ofKind(const Diagnosis& diagnosis, AttentionKind kind) {
    return headsOf(diagnosis, kind) == diagnosis.heads.size() ? std::string()
                                                              : fmt::format(" of {}", nameOf(kind));
}

void addPairs(std::string& table, const Diagnosis& diagnosis) {
    if (diagnosis.pairs.empty()) return;
    table += "\nnear-copies (divergence without the keys they rest on, in nats)\n";
    for (const DiagnosedPair& pair : diagnosis.pairs)
        table += fmt::format("{:<7}{:<7}{:>10.2g}  {:>5} {}\n", headText(pair.first), headText(pair.second),
                             pair.divergence, fmt::format("{}/{}", pair.texts.fired, pair.texts.tested),
                             ofKind(diagnosis, pair.first.kind));
}

std::string headsInWords(const Diagnosis& diagnosis, const std::vector<HeadRef>& heads) {
    constexpr std::size_t kNamed = 6;
    const AttentionKind kind = heads.front().kind;
    if (heads.size() == headsOf(diagnosis, kind)) return "all heads" + ofKind(diagnosis, kind);
    if (heads.size() > kNamed) return fmt::format("{} heads{}", heads.size(), ofKind(diagnosis, kind));
    std::vector<std::string> names;
    for (const HeadRef& head : heads) names.push_back(headText(head));
    return fmt::format("{}{}", fmt::join(names, ", "), ofKind(diagnosis, kind));
}

/// Labels that were not tested on the same heads for the same reason share an entry.
void addUntested(std::string& table, const Diagnosis& diagnosis) {
    struct Entry {
        std::string labels;
        UntestedHeads group;
    };
    std::vector<Entry> entries;
    for (UntestedHeads& group : untestedHeads(diagnosis)) {
        const std::string label = wordsOf(nameOf(group.label));
        const auto same = std::find_if(entries.begin(), entries.end(), [&](const Entry& one) {
            return one.group.reason == group.reason && one.group.heads == group.heads;
        });
        if (same != entries.end())
            same->labels += ", " + label;
        else
            entries.push_back({label, std::move(group)});
    }
    if (!entries.empty()) table += "\nnot tested\n";
    for (const auto& [labels, group] : entries)
        table += wrapped(
            fmt::format("{} ({}): {}", labels, headsInWords(diagnosis, group.heads), group.reason), 2);
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
                table += fmt::format("\n{}\n{:<7}{:<{}}{:>6}  {:>5}  {:<15} {}\n", nameOf(kind), "head",
                                     "label", kLabelWidth, "score", "texts", "how sure", "also");
            table += headLine(diagnosis, head);
        }
    }
    addPairs(table, diagnosis);
    addUntested(table, diagnosis);
    return table;
}

} // namespace headscope::app
