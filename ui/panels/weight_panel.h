// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/analysis.h"
#include "core/maps/score_steps.h"

#include <QScrollArea>

#include <memory>

class QLabel;
class QToolButton;
class QVBoxLayout;

namespace headscope::ui {

class ProductStrip;

/// One cell of one head, with the layer that it comes from.
struct WeightedCell {
    HeadRef head;
    std::shared_ptr<const LayerResult> layer;
    std::shared_ptr<const Axis> queries;
    std::shared_ptr<const Axis> keys;
    std::int64_t query = 0;
    std::int64_t key = 0;
    QString note{}; ///< what is said beside the numbers: that the map shows something else
};

/// How the weight of the chosen cell came about: the products of q and k by dimension, then every step from
/// their sum to the score and from the score to the weight.
class WeightPanel final : public QScrollArea {
    Q_OBJECT

  public:
    explicit WeightPanel(QWidget* parent = nullptr);

    void showNothing(const QString& reason);
    void showCell(const WeightedCell& cell);

    ProductStrip* strip() const { return m_strip; }
    /// All lines of the ladder as "name|number|result", top down.
    QStringList ladder() const { return m_lines; }
    QString title() const;
    QString message() const;
    QString number() const;

  private:
    void buildProducts(QVBoxLayout* layout);
    void showSteps(const WeightedCell& cell, const ScoreSteps& steps);
    void addScoreLines(const ScoreSteps& steps);
    void addWeightLines(const WeightedCell& cell, const ScoreSteps& steps);

    struct Line {
        QString name;
        QString number; ///< what this step brings in; may be empty
        double result = 0.0;
        QString tip;
        bool strong = false;
    };
    void restartLadder();
    void addHeading(const QString& words);
    void addLine(const Line& line);
    void addWords(const QString& words);

    QLabel* m_title;
    QLabel* m_place;
    QLabel* m_number;
    QLabel* m_times;
    QLabel* m_message;
    QWidget* m_products; ///< heading, strip and its words
    ProductStrip* m_strip;
    QLabel* m_pointed;
    QToolButton* m_inOrder = nullptr;
    QToolButton* m_bySize = nullptr;
    QWidget* m_ladder = nullptr;
    QVBoxLayout* m_ladderPlace;
    QStringList m_lines;
};

} // namespace headscope::ui
