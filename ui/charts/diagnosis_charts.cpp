// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/diagnosis_charts.h"

#include "ui/format.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace headscope::ui {

namespace {

struct DiagnosisCharts {
    Q_DECLARE_TR_FUNCTIONS(DiagnosisCharts)
};

/// Padding is never read, so it has no bar.
constexpr std::array kClasses{TokenClass::Start, TokenClass::Separator, TokenClass::Punctuation,
                              TokenClass::Newline, TokenClass::Content};

std::optional<double> numberOf(const DiagnosedHead& head, std::string_view name,
                               std::string_view group = {}) {
    for (const MetricNumber& one : head.metrics)
        if (one.name == name && one.group == group) return one.value;
    return std::nullopt;
}

/// The flag that a point wears: the gravest of those that are listed as more than dependent on the text.
Label flagOf(const DiagnosedHead& head) {
    for (const Label flag : {Label::Stuck, Label::Uniform, Label::Sink})
        if (const HeadLabel* label = head.diagnosis.find(flag))
            if (label->confidence > Confidence::InputDependent) return flag;
    return head.diagnosis.primary;
}

HeadPoint pointOf(const DiagnosedHead& head, std::string_view name) {
    return {head.ref, numberOf(head, name), flagOf(head), {}};
}

std::vector<HeadPoint> pointsOf(const Diagnosis& diagnosis, AttentionKind kind, std::string_view name) {
    std::vector<HeadPoint> points;
    for (const DiagnosedHead& head : diagnosis.heads)
        if (head.ref.kind == kind) points.push_back(pointOf(head, name));
    return points;
}

/// Keys of offsets first..last from `query` that the spans hold.
std::int64_t seen(const std::vector<Span>& spans, std::int64_t query, const OffsetMetrics::Bin& bin) {
    std::int64_t keys = 0;
    for (const Span& span : spans)
        keys += std::max<std::int64_t>(0, std::min(span.end, query + bin.last + 1) -
                                              std::max(span.begin, query + bin.first));
    return keys;
}

/// What even weights put into each bin, a mean over the rows that count. Empty where these are not the rows
/// that the metrics were taken over.
std::vector<double> evenMasses(const HeadMetrics& metrics, const HeadMap& map) {
    const std::vector<OffsetMetrics::Bin>& bins = metrics.offsets->histogram;
    std::vector<double> masses(bins.size(), 0.0);
    std::vector<Span> spans;
    std::int64_t rows = 0;
    for (std::int64_t row = 0; row < map.extent().rows; ++row) {
        spans.clear();
        map.visibleSpans(row, spans);
        std::int64_t visible = 0;
        for (const Span& span : spans) visible += span.size();
        if (visible < kMinimumVisibleKeys) continue;
        ++rows;
        for (std::size_t i = 0; i < bins.size(); ++i)
            masses[i] += static_cast<double>(seen(spans, row, bins[i])) / static_cast<double>(visible);
    }
    if (rows != metrics.rows) return {};
    for (double& mass : masses) mass /= static_cast<double>(rows);
    return masses;
}

} // namespace

std::vector<HeadPoint> entropyPoints(const Diagnosis& diagnosis, AttentionKind kind) {
    return pointsOf(diagnosis, kind, "kl_to_uniform");
}

std::vector<HeadPoint> sinkPoints(const Diagnosis& diagnosis, AttentionKind kind) {
    std::vector<HeadPoint> points;
    for (const DiagnosedHead& head : diagnosis.heads) {
        if (head.ref.kind != kind) continue;
        points.push_back(pointOf(head, "top_column_mass"));
        HeadPoint& point = points.back();
        const double learned = numberOf(head, "virtual_sink").value_or(0.0);
        if (learned <= point.value.value_or(0.0)) continue;
        point.value = learned;
        point.note = DiagnosisCharts::tr("the learned sink, which is no token");
    }
    return points;
}

std::vector<DistancePoint> distancePoints(const Diagnosis& diagnosis, AttentionKind kind) {
    std::vector<DistancePoint> points;
    for (const DiagnosedHead& head : diagnosis.heads)
        if (head.ref.kind == kind)
            points.push_back({pointOf(head, "mean_distance"), numberOf(head, "even_distance")});
    return points;
}

std::vector<ClassBar> classBars(const DiagnosedHead& head) {
    std::vector<ClassBar> bars;
    for (const TokenClass one : kClasses)
        bars.push_back(
            {one, numberOf(head, nameOf(one), "class_mass"), numberOf(head, nameOf(one), "class_chance")});
    const bool known =
        std::any_of(bars.begin(), bars.end(), [](const ClassBar& bar) { return bar.mass.has_value(); });
    return known ? bars : std::vector<ClassBar>();
}

TextDots textDots(const Diagnosis& diagnosis, const HeadLabel& label) {
    TextDots dots;
    dots.label = label.label;
    dots.mean = label.score;
    dots.texts = label.texts;
    dots.measure = DiagnosisCharts::tr("score");
    // The score is one of the measures; of labels where it is not, no single threshold decides.
    for (const Measure& measure : label.measures) {
        if (std::abs(measure.value - label.score) > 1e-9 * std::max(1.0, std::abs(label.score))) continue;
        dots.measure = measureText(measure.name);
        dots.threshold = measure.threshold;
        dots.atMost = measure.atMost;
        break;
    }
    for (const DiagnosedText& text : diagnosis.texts)
        dots.dots.push_back({fromUtf8(text.name), {}, false, false});
    for (const HeadLabel::OnText& one : label.onTexts) {
        TextDot& dot = dots.dots[one.text];
        dot.score = one.score;
        dot.fires = one.fires;
        dot.isWorst = label.worst == one.text;
    }
    return dots;
}

std::vector<ClassBar> classBars(const HeadMetrics& metrics) {
    std::vector<ClassBar> bars;
    if (!metrics.tokens) return bars;
    for (const TokenClass one : kClasses) {
        const ClassMass& mass = metrics.tokens->of(one);
        bars.push_back({one, {}, {}});
        if (mass.rows == 0) continue;
        bars.back().mass = mass.mass;
        bars.back().chance = mass.chance;
    }
    return bars;
}

std::vector<OffsetBar> offsetBars(const HeadMetrics& metrics, const HeadMap& map) {
    std::vector<OffsetBar> bars;
    if (!metrics.offsets || metrics.rows == 0) return bars;
    const std::vector<double> even = evenMasses(metrics, map);
    for (std::size_t i = 0; i < metrics.offsets->histogram.size(); ++i) {
        const OffsetMetrics::Bin& bin = metrics.offsets->histogram[i];
        bars.push_back({bin.first, bin.last, bin.mass, {}});
        if (!even.empty()) bars.back().even = even[i];
    }
    return bars;
}

} // namespace headscope::ui
