// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/caption.h"

#include "core/base/check.h"
#include "ui/format.h"
#include "ui/heatmap/figure_layout.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <fmt/format.h>

namespace headscope::ui {

namespace {

struct Caption {
    Q_DECLARE_TR_FUNCTIONS(Caption)
};

constexpr qsizetype kLongestText = 200; ///< characters of the text that are quoted

/// The shortest decimal that reads back as the same float.
QString exact(float number) {
    return QString::fromStdString(fmt::format("{}", number));
}

QString modelName(const Analysis& analysis) {
    return QString::fromStdString(analysis.model->name);
}

QString quoted(const std::string& text) {
    QString plain = QString::fromStdString(text).simplified();
    if (plain.size() > kLongestText) {
        qsizetype end = kLongestText;
        if (plain.at(end - 1).isHighSurrogate()) --end;
        plain = plain.left(end) + QChar(0x2026);
    }
    return QChar(0x201c) + plain + QChar(0x201d);
}

/// "“The cat” (4 tokens)"
QString textOf(const Analysis& analysis) {
    const QString count = tokensText(analysis.text.axis->size());
    QString text;
    if (analysis.input.ids)
        text = Caption::tr("%1 given as ids").arg(count);
    else if (analysis.input.text.empty())
        text = count;
    else
        text = QStringLiteral("%1 (%2)").arg(quoted(analysis.input.text), count);
    if (analysis.input.pair && !analysis.input.ids)
        text = Caption::tr("the pair of %1 and %2, %3")
                   .arg(quoted(analysis.input.text), quoted(*analysis.input.pair), count);
    if (analysis.input.target)
        text += Caption::tr(", target %1 (%2)")
                    .arg(quoted(*analysis.input.target), tokensText(analysis.target->axis->size()));
    else if (analysis.input.writeTarget)
        text +=
            Caption::tr(", target written by the model (%1)").arg(tokensText(analysis.target->axis->size()));
    return text;
}

/// "Attention weights", "Cross-attention weights times the norms ..."
QString quantityOf(AttentionKind kind, const MapView& view) {
    if (view.heads == HeadsShown::Rollout) return Caption::tr("Attention rollout");
    QString name = kind == AttentionKind::Self ? Caption::tr("Attention weights")
                                               : Caption::tr("%1 weights").arg(kindText(kind));
    name[0] = name.at(0).toUpper();
    if (view.valueWeighted)
        name += Caption::tr(", each times the norm of what its key gives (no shares of 1),");
    return name;
}

QString name(const HeadRef& head) {
    return Caption::tr("head %1").arg(QString::fromStdString(headText(head)));
}

/// "the 12 heads of layer 3", "heads 3.1, 4.0"
QString listed(const ExportPart& part) {
    const std::vector<HeadRef>& heads = part.heads;
    const auto layer = headsOfLayer(part.analysis->model->spec(), heads.front().kind, heads.front().layer);
    if (heads == layer)
        return Caption::tr("the %1 heads of layer %2").arg(heads.size()).arg(heads.front().layer.value);
    QStringList names;
    for (const HeadRef& head : heads) names << QString::fromStdString(headText(head));
    return Caption::tr("heads %1").arg(names.join(QStringLiteral(", ")));
}

/// "Attention weights of head 3.1", "Attention weights (mean over the 12 heads of layer 3)"
QString whatOf(const ExportPart& part) {
    const QString quantity = quantityOf(part.heads.front().kind, part.view);
    switch (part.view.heads) {
    case HeadsShown::Rollout:
        return Caption::tr(
                   "%1 to layer %2 (the mean maps of all layers up to it, each half of it with half of "
                   "the identity, multiplied)")
            .arg(quantity)
            .arg(part.heads.front().layer.value);
    case HeadsShown::Mean:
        return Caption::tr("%1 (mean over %2)").arg(quantity, listed(part));
    case HeadsShown::Largest:
        return Caption::tr("%1 (largest over %2)").arg(quantity, listed(part));
    case HeadsShown::One:
        break;
    }
    QStringList names;
    for (std::size_t i = 0; i < part.size(); ++i)
        names << (part.size() > 1 ? letterOf(i) + u' ' + name(part.heads[i]) : name(part.heads[i]));
    return Caption::tr("%1 of %2").arg(quantity, names.join(QStringLiteral(", ")));
}

QString axesOf(const FigureOptions& options) {
    QString text =
        Caption::tr("Rows are the tokens that read (queries), columns the tokens that are read (keys).");
    if (!options.yLabel.isEmpty() || !options.xLabel.isEmpty()) {
        QStringList named;
        if (!options.yLabel.isEmpty()) named << Caption::tr("rows are named “%1”").arg(options.yLabel);
        if (!options.xLabel.isEmpty()) named << Caption::tr("columns are named “%1”").arg(options.xLabel);
        text.chop(1);
        text += Caption::tr("; %1.").arg(named.join(QStringLiteral(", ")));
    }
    return text;
}

/// Each thing that the view does to the map.
QStringList viewSentences(const MapView& view) {
    QStringList said;
    if (view.words)
        said << Caption::tr(
            "Tokens are put together by words: summed over the tokens of a key word, averaged "
            "over those of a query word.");
    if (view.hideSpecial)
        said << Caption::tr(
            "Special tokens are left out as rows and columns; the other weights are as they were.");
    if (view.hideFirst) said << Caption::tr("The first key is masked; the other weights are as they were.");
    return said;
}

/// "rows 2 to 5" where only a part is shown.
QString partSentence(const ExportPart& part) {
    const AttentionKind kind = part.heads.front().kind;
    const ViewedAxes all = viewedAxes(*part.analysis, kind, part.view);
    QStringList parts;
    const auto add = [&parts](const QString& what, const ViewedAxis& shown, const ViewedAxis& whole) {
        if (shown.size() == whole.size()) return;
        parts << Caption::tr("%1 %2 to %3 of %4, counted from 0")
                     .arg(what)
                     .arg(shown.positions.front())
                     .arg(shown.positions.back())
                     .arg(whole.positions.back() + 1);
    };
    add(Caption::tr("rows"), part.axes.queries, all.queries);
    add(Caption::tr("columns"), part.axes.keys, all.keys);
    if (parts.isEmpty()) return {};
    return Caption::tr("Shown: %1.").arg(parts.join(QStringLiteral("; ")));
}

QString colormapName(Colormap map) {
    return fromUtf8(nameOf(map));
}

QString clippedWords(const DisplayRange& resolved, const RangeStatistics& statistics) {
    if (!isClipped(resolved, statistics)) return {};
    return Caption::tr("; larger weights have the colour of its end, the largest is %1")
        .arg(exact(statistics.maximum));
}

QString clippedWords(const FigureOptions& options, const RangeStatistics& statistics) {
    return clippedWords(resolve(options.range, statistics), statistics);
}

/// "0 to 0.27 (automatic: ...)"
QString scaleWords(const FigureOptions& options, const RangeStatistics& statistics) {
    const DisplayRange range = resolve(options.range, statistics);
    switch (options.range.mode) {
    case RangeMode::Auto:
        return Caption::tr(
                   "0 to %1 (automatic: the 95th percentile of the row maxima without the first key, at "
                   "least four times the even weight)")
            .arg(exact(range.high));
    case RangeMode::Fixed:
        return Caption::tr("%1 to %2 (fixed)").arg(exact(range.low), exact(range.high));
    case RangeMode::PerRow:
        return Caption::tr("each row from 0 to its own largest weight");
    case RangeMode::Log:
        break;
    }
    return Caption::tr("logarithmic, %1 to %2").arg(exact(kLogLow), exact(kLogHigh));
}

/// "Colour scale viridis, 0 to 0.27 (automatic: ...)."
QString scaleSentence(const FigureOptions& options, const RangeStatistics& statistics) {
    return Caption::tr("Colour scale %1, %2%3.")
        .arg(colormapName(options.colormap), scaleWords(options, statistics),
             clippedWords(options, statistics));
}

/// Of several maps whose automatic ranges differ.
QString ownScales(std::span<const HeadFigure> figures, const FigureOptions& options) {
    QStringList ends;
    for (std::size_t i = 0; i < figures.size(); ++i) {
        const RangeStatistics& statistics = figures[i].statistics;
        ends << letterOf(i) + u' ' + exact(resolve(options.range, statistics).high) +
                    (isClipped(resolve(options.range, statistics), statistics)
                         ? Caption::tr(" (largest %1)").arg(exact(statistics.maximum))
                         : QString());
    }
    return Caption::tr(
               "Colour scale %1, of each map from 0 to its own end (automatic: the 95th percentile of the "
               "row maxima without the first key, at least four times the even weight): %2.")
        .arg(colormapName(options.colormap), ends.join(QStringLiteral(", ")));
}

QString scaleOf(std::span<const HeadFigure> figures, const FigureOptions& options) {
    if (figures.size() > 1 && options.range.mode == RangeMode::Auto) return ownScales(figures, options);
    RangeStatistics all = figures.front().statistics;
    for (const HeadFigure& figure : figures) all.maximum = std::max(all.maximum, figure.statistics.maximum);
    return scaleSentence(options, all);
}

/// What is true of the picture and not of the numbers: masked cells, and several cells a dot.
QStringList pictureSentences(const HeadFigure& figure, const FigureOptions& options) {
    const figure::HeadLayout layout(figure, options);
    QStringList said;
    if (layout.legend.masked) said << Caption::tr("Grey cells are masked: the query may not see the key.");
    if (layout.dots.width() >= layout.columns.size() && layout.dots.height() >= layout.rows.size())
        return said;
    switch (options.pooling) {
    case Pooling::Max:
        said << Caption::tr("A dot of the picture shows the largest of its cells.");
        break;
    case Pooling::Mean:
        said << Caption::tr("A dot of the picture shows the mean of its cells.");
        break;
    case Pooling::MaxAbs:
        said << Caption::tr("A dot of the picture shows that of its cells which is farthest from 0.");
        break;
    }
    return said;
}

/// What the strips beside the maps are.
QStringList marginSentences(std::span<const HeadFigure> figures) {
    if (!figures.front().margins) return {};
    if (figures.size() > 1)
        return {Caption::tr(
            "Bars at the right of each map: how widely each row spreads over the keys shown, up to "
            "as widely as it can; below: the mean weight that each key gets from the queries "
            "that may see it, up to the largest of them.")};
    const figure::MarginEnds ends = figure::marginEnds(*figures.front().margins);
    return {
        Caption::tr("Bars at the right: how widely each row spreads over the keys shown, 0 to %1 nats; "
                    "below: the mean weight that each key gets from the queries that may see it, 0 to %2.")
            .arg(QString::fromStdString(fmt::format("{}", ends.spread)),
                 exact(static_cast<float>(ends.received)))};
}

/// "“it” (token 8)"
QString followedToken(const ExportPart& part, const FollowedToken& followed) {
    const AttentionKind kind = part.heads.front().kind;
    const Axis& axis = followed.isKey ? part.analysis->keyAxis(kind) : part.analysis->queryAxis(kind);
    return Caption::tr("%1 (token %2)")
        .arg(tokenText(axis.entries[static_cast<std::size_t>(followed.index)]))
        .arg(followed.index);
}

/// "Attention weights of heads 3.1, 3.5"
QString whatOfLines(const ExportPart& part) {
    if (part.size() == 1) return whatOf(part);
    QStringList names;
    for (const HeadRef& head : part.heads) names << QString::fromStdString(headText(head));
    return Caption::tr("%1 of heads %2")
        .arg(quantityOf(part.heads.front().kind, part.view), names.join(QStringLiteral(", ")));
}

/// How many lines there are, and which.
QString linesSentence(const DrawnLines& lines, const LinePicks& picks) {
    const auto drawn = static_cast<qint64>(picks.lines.size());
    if (picks.leftOut() == 0)
        return drawn == 0 ? Caption::tr("There are no weights between these tokens.")
                          : Caption::tr("All %1 weights above 0 are drawn.").arg(drawn);
    const QString least = drawn == 0 ? QString() : exact(picks.lines.front().weight);
    if (lines.rule.strongest == 0 && drawn < LinePicks::kMost)
        return Caption::tr("Drawn are the %1 weights of at least %2; %3 smaller ones are left out.")
            .arg(drawn)
            .arg(exact(lines.rule.from))
            .arg(picks.leftOut());
    return Caption::tr("Drawn are the %1 largest weights, down to %2; %3 smaller ones are left out.")
        .arg(drawn)
        .arg(least)
        .arg(picks.leftOut());
}

/// What the strength of a line says.
QString strengthSentence(const ExportPart& part, const FigureOptions& options) {
    const QString begin = Caption::tr("The larger its weight, the stronger a line:");
    QStringList ends;
    RangeStatistics all = part.statistics(0);
    for (std::size_t i = 0; i < part.size(); ++i) {
        const RangeStatistics statistics = part.statistics(i);
        const DisplayRange range = resolve(options.range, statistics);
        all.maximum = std::max(all.maximum, statistics.maximum);
        if (part.size() > 1 && options.range.mode == RangeMode::Auto)
            ends << QStringLiteral("%1 %2").arg(QString::fromStdString(headText(part.heads[i])),
                                                exact(range.high)) +
                        (isClipped(range, statistics)
                             ? Caption::tr(" (largest %1)").arg(exact(statistics.maximum))
                             : QString());
    }
    if (!ends.isEmpty())
        return Caption::tr("%1 of each head from 0 to its own end (automatic: the 95th percentile of the row "
                           "maxima without the first key, at least four times the even weight): %2.")
            .arg(begin, ends.join(QStringLiteral(", ")));
    const bool clipped = isClipped(resolve(options.range, all), all);
    return QStringLiteral("%1 %2%3.")
        .arg(begin, scaleWords(options, all),
             clipped ? Caption::tr("; larger weights are drawn as its end, the largest is %1")
                           .arg(exact(all.maximum))
                     : QString());
}

bool hasRollout(const HeadComparison& comparison) {
    return std::ranges::any_of(
        comparison.sides, [](const ComparedSide& side) { return side.view.heads == HeadsShown::Rollout; });
}

/// What both sides show; what only one of them does is said of it.
QString comparedQuantity(const HeadComparison& comparison) {
    if (hasRollout(comparison)) return Caption::tr("Attention");
    MapView view;
    view.valueWeighted = !comparison.sides[0].view.showsWeights() && !comparison.sides[1].view.showsWeights();
    return quantityOf(comparison.sides[0].head.kind, view);
}

/// "(a) head 1.11 of minilm for “The cat” (4 tokens)"
QString sideOf(const HeadComparison& comparison, std::size_t index) {
    const ComparedSide& side = comparison.sides[index];
    const MapView& view = side.view;
    QString what = name(side.head);
    if (view.heads != HeadsShown::One) {
        const auto heads = shownHeads(side.analysis->model->spec(), side.head, view);
        what = headsName(heads, view.heads);
        what[0] = what.at(0).toLower();
        what += u',';
    }
    if (!view.showsWeights() && comparison.sides[1 - index].view.showsWeights())
        what += Caption::tr(" (each weight times the norm of what its key gives, no shares of 1)");
    return Caption::tr("%1 %2 of %3 for %4")
        .arg(letterOf(index), what, modelName(*side.analysis), textOf(*side.analysis));
}

/// What the views do to the maps, once where they are alike.
QStringList comparedViews(const HeadComparison& comparison) {
    QStringList said;
    if (hasRollout(comparison))
        said << Caption::tr("A rollout is the mean maps of all layers up to it, each half of it with half of "
                            "the identity, multiplied.");
    if (comparison.regrouped) {
        said << viewSentences({.words = true});
        return said;
    }
    const QStringList first = viewSentences(comparison.sides[0].view);
    const QStringList second = viewSentences(comparison.sides[1].view);
    if (first == second) return said << first;
    for (const QString& sentence : first) said << letterOf(0) + u' ' + sentence;
    for (const QString& sentence : second) said << letterOf(1) + u' ' + sentence;
    return said;
}

QString joined(QStringList sentences) {
    sentences.removeAll(QString());
    return sentences.join(u' ');
}

} // namespace

QString letterOf(std::size_t index) {
    QString letters;
    for (std::size_t rest = index + 1; rest > 0; rest = (rest - 1) / 26)
        letters.prepend(QChar(static_cast<char16_t>(u'a' + (rest - 1) % 26)));
    return u'(' + letters + u')';
}

QString headsCaption(const ExportPart& part, std::span<const HeadFigure> figures,
                     const FigureOptions& options) {
    HS_CHECK_EQ(figures.size(), part.size());
    QStringList sentences = {
        Caption::tr("%1 of %2 for %3.").arg(whatOf(part), modelName(*part.analysis), textOf(*part.analysis)),
        axesOf(options)};
    sentences << viewSentences(part.view) << partSentence(part) << scaleOf(figures, options);
    sentences << pictureSentences(figures.front(), options) << marginSentences(figures);
    return joined(sentences);
}

QString textCaption(const ExportPart& part, const FollowedToken& followed, bool masked,
                    const FigureOptions& options) {
    const QString token = followedToken(part, followed);
    QStringList sentences = {
        Caption::tr("%1 of %2 for %3.").arg(whatOf(part), modelName(*part.analysis), textOf(*part.analysis)),
        followed.isKey
            ? Caption::tr("The colour behind each token is the weight with which it reads %1.").arg(token)
            : Caption::tr("The colour behind each token is the weight with which %1 reads it.").arg(token)};
    sentences << scaleSentence(options, part.statistics(0));
    if (masked) sentences << Caption::tr("Tokens in grey letters have none: the mask leaves them out.");
    return joined(sentences);
}

QString linesCaption(const ExportPart& part, const DrawnLines& lines, const LinePicks& picks,
                     const FigureOptions& options) {
    QStringList sentences = {Caption::tr("%1 of %2 for %3.")
                                 .arg(whatOfLines(part), modelName(*part.analysis), textOf(*part.analysis)),
                             Caption::tr("Lines go from the tokens that read (queries), at the left, to the "
                                         "tokens that are read (keys), at the right.")};
    sentences << viewSentences(part.view) << partSentence(part);
    if (lines.followed)
        sentences << (lines.followed->isKey ? Caption::tr("Only those to %1 are drawn.")
                                            : Caption::tr("Only those from %1 are drawn."))
                         .arg(followedToken(part, *lines.followed));
    sentences << linesSentence(lines, picks) << strengthSentence(part, options);
    if (part.size() > 1) sentences << Caption::tr("Each head has a colour of its own.");
    return joined(sentences);
}

QString comparisonCaption(const HeadComparison& comparison, const FigureOptions& options) {
    QStringList sentences = {
        Caption::tr("%1 of %2, %3.")
            .arg(comparedQuantity(comparison), sideOf(comparison, 0), sideOf(comparison, 1)),
        axesOf(options)};
    sentences << comparedViews(comparison);
    if (!comparison.note.empty()) sentences << QString::fromStdString(comparison.note);
    const auto ranges = comparedRanges(comparison);
    if (ranges[0] == ranges[1])
        sentences << scaleSentence(options, ranges[0]);
    else
        for (std::size_t i = 0; i < 2; ++i)
            sentences << letterOf(i) + u' ' + scaleSentence(options, ranges[i]);
    if (comparison.difference) {
        const auto end = static_cast<float>(comparison.numbers.largest);
        const QString what =
            comparison.sides[0].view.showsWeights()
                ? Caption::tr("%1 the weight of a less that of b, colour scale %2, -%3 to %3.")
                : Caption::tr("%1 the number of a less that of b, colour scale %2, -%3 to %3.");
        sentences << what.arg(letterOf(2), colormapName(Colormap::Diverging), exact(end > 0.0F ? end : 1.0F));
    }
    return joined(sentences);
}

QString gridCaption(const Analysis& analysis, AttentionKind kind, const FigureOptions& options) {
    QStringList sentences = {
        Caption::tr("%1 of all heads of %2 for %3.")
            .arg(quantityOf(kind, {}), modelName(analysis), textOf(analysis)),
        Caption::tr(
            "Layers down, heads across, both counted from 0; of each map rows are the tokens that read "
            "(queries), columns the tokens that are read (keys).")};
    if (options.range.mode == RangeMode::Auto)
        sentences << Caption::tr(
                         "Colour scale %1, of each head from 0 to its own end (automatic: the 95th "
                         "percentile of the row maxima without the first key, at least four times the "
                         "even weight).")
                         .arg(colormapName(options.colormap));
    else
        sentences << scaleSentence(options, {});
    return joined(sentences);
}

} // namespace headscope::ui
