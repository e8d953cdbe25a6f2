// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/strip_run.h"

#include "core/attention/output_check.h"
#include "core/attention/row_norms.h"
#include "core/attention/thread_team.h"
#include "core/base/check.h"
#include "core/base/error.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <fmt/format.h>
#include <mutex>

namespace headscope {

namespace {

/// A strip should stay in the second-level cache beside the key panels it is made from.
constexpr std::int64_t kStripCells = 96 * 1024;
constexpr std::int64_t kMostStripRows = 96;
constexpr std::int64_t kFewestStripRows = 24; ///< below, each panel is read too often for one pass of it

std::int64_t stripRows(std::int64_t keys) {
    // Multiples of 12 fill the row blocks of all kernels.
    const std::int64_t fitting = kStripCells / std::max<std::int64_t>(keys, 1) / 12 * 12;
    return std::clamp(fitting, kFewestStripRows, kMostStripRows);
}

/// Hands the tasks 0..count-1 in ascending order to LibTorch's threads, each thread with its own scratch
/// memory. The first exception stops the rest and is thrown again here: none may leave a thread of the team.
template <typename Work>
void forEachTask(std::int64_t count, Work work) {
    std::atomic<std::int64_t> next{0};
    std::exception_ptr failure;
    std::mutex failureMutex;
    const auto drain = [&] {
        try {
            PageVector<float> scratch;
            for (std::int64_t task = next++; task < count; task = next++) work(task, scratch);
        } catch (...) {
            next = count;
            const std::lock_guard lock(failureMutex);
            if (!failure) failure = std::current_exception();
        }
    };
    const std::int64_t workers = std::min<std::int64_t>(count, at::get_num_threads());
    onThreads(workers, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t worker = begin; worker < end; ++worker) drain();
    });
    if (failure) std::rethrow_exception(failure);
}

MatrixView<const float> columnsOf(MatrixView<const float> matrix, std::int64_t first, std::int64_t count) {
    return {matrix.data + first, matrix.rows, count, matrix.stride};
}

} // namespace

StripRun::StripRun(const Setup& setup) : m_setup(setup) {
    const LayerMaps& layer = *setup.layer;
    layer.rule.check(layer.heads, layer.headSize);
    HS_CHECK(layer.keyValueHeads > 0 && layer.heads % layer.keyValueHeads == 0);
    HS_CHECK_EQ(layer.queries.rows, layer.rule.mask.queries);
    HS_CHECK_EQ(layer.queries.columns, layer.heads * layer.headSize);
    for (const auto& matrix : {setup.keys, setup.values}) {
        HS_CHECK_EQ(matrix.rows, layer.rule.mask.keys);
        HS_CHECK_EQ(matrix.columns, layer.keyValueHeads * layer.headSize);
    }
}

void StripRun::pack(bool withValueNorms) {
    LayerMaps& layer = *m_setup.layer;
    const auto heads = static_cast<std::size_t>(layer.keyValueHeads);
    const std::int64_t keys = layer.rule.mask.keys;
    layer.keys.resize(heads);
    layer.normalisers.resize(static_cast<std::size_t>(layer.heads * layer.queries.rows));
    if (withValueNorms) layer.valueNorms.resize(heads * static_cast<std::size_t>(keys));
    m_values.resize(heads);
    forEachTask(layer.keyValueHeads, [&](std::int64_t head, PageVector<float>&) {
        const std::int64_t first = head * layer.headSize;
        const MatrixView<const float> values = columnsOf(m_setup.values, first, layer.headSize);
        const auto at = static_cast<std::size_t>(head);
        layer.keys[at] = std::make_shared<const KeyPanels>(columnsOf(m_setup.keys, first, layer.headSize));
        m_values[at] = std::make_unique<const ValueRows>(values);
        const ValueRows& packed = *m_values[at];
        if (withValueNorms && keys > 0)
            euclideanNorms({packed.row(0), keys, layer.headSize, packed.stride()},
                           layer.valueNorms.data() + head * keys);
    });
}

void StripRun::computeOutput(MatrixView<float> out) {
    pack(false);
    const LayerMaps& layer = *m_setup.layer;
    const std::int64_t step = stripRows(layer.rule.mask.keys);
    const std::int64_t strips = (layer.queries.rows + step - 1) / step;
    forEachTask(layer.heads * strips, [&](std::int64_t task, PageVector<float>& scratch) {
        const HeadIndex head(task / strips);
        const std::int64_t begin = task % strips * step;
        const Span rows{begin, std::min(begin + step, layer.queries.rows)};
        runRows(head, rows, {}, outputOf(head, out), scratch);
    });
}

void StripRun::observe(const std::shared_ptr<const LayerMaps>& layer,
                       const std::vector<RowAccumulator*>& accumulators, MatrixView<float> out) {
    HS_CHECK(layer.get() == m_setup.layer);
    pack(true);
    const auto heads = static_cast<std::size_t>(layer->heads);
    std::vector<LayerChecks> checks(heads);
    // One task a head: accumulators are promised the rows of a head in order, from one thread.
    forEachTask(layer->heads, [&](std::int64_t task, PageVector<float>& scratch) {
        const HeadIndex head(task);
        const auto at = static_cast<std::size_t>(task);
        const MatrixView<float> headOut = outputOf(head, out);
        checks[at].rowSumError = runRows(head, {0, layer->queries.rows}, accumulators, headOut, scratch);
        checks[at].outputError = outputError(
            *recomputedMap(layer, head), *m_values[static_cast<std::size_t>(keyValueHead(head))], headOut);
    });
    measureNorms(out);
    m_checks = {};
    for (const LayerChecks& head : checks) {
        keepLargest(m_checks.rowSumError, head.rowSumError);
        keepLargest(m_checks.outputError, head.outputError);
    }
}

std::int64_t StripRun::keyValueHead(HeadIndex head) const {
    return head.value / (m_setup.layer->heads / m_setup.layer->keyValueHeads);
}

MatrixView<float> StripRun::outputOf(HeadIndex head, MatrixView<float> out) const {
    const std::int64_t size = m_setup.layer->headSize;
    return {out.data + head.value * size, out.rows, size, out.stride};
}

void StripRun::requireFinite(const RowNormaliser& row, HeadIndex head, std::int64_t query) const {
    if (std::isfinite(row.sum) && (std::isfinite(row.maximum) || row.sum == 0.0F)) return;
    fail(fmt::format("{}, head {}, query {}", m_setup.name, head.value, query),
         "its scores hold NaN or infinity", "expected finite numbers",
         "the weights are damaged or too large for float32");
}

/// Returns the largest deviation from 1 of a row's sum, with what its sink took.
double StripRun::runRows(HeadIndex head, Span rows, const std::vector<RowAccumulator*>& accumulators,
                         MatrixView<float> headOut, PageVector<float>& scratch) {
    LayerMaps& layer = *m_setup.layer;
    const MaskRule& mask = layer.rule.mask;
    const ScoreSource source = layer.sourceOf(head);
    const SoftmaxRule softmax = layer.softmaxOf(head);
    const ValueRows& values = *m_values[static_cast<std::size_t>(keyValueHead(head))];
    RowNormaliser* normalisers = layer.normalisers.data() + head.value * mask.queries;
    const std::int64_t step = stripRows(mask.keys);
    scratch.resize(static_cast<std::size_t>(step * mask.keys));
    std::vector<RowSums> sums(static_cast<std::size_t>(step));
    double rowSumError = 0.0;
    for (std::int64_t begin = rows.begin; begin < rows.end; begin += step) {
        if (m_setup.cancel != nullptr) m_setup.cancel->throwIfCancelled();
        const Span block{begin, std::min(begin + step, rows.end)};
        const MatrixView<float> strip(scratch.data(), block.size(), mask.keys);
        scoreVisible(source, mask, {block, {0, mask.keys}}, strip);
        softmaxRows(softmax, block, strip, sums.data());
        for (std::int64_t r = 0; r < block.size(); ++r) {
            const RowSums& row = sums[static_cast<std::size_t>(r)];
            normalisers[block.begin + r] = row.normaliser;
            requireFinite(row.normaliser, head, block.begin + r);
            if (row.normaliser.sum != 0.0F)
                keepLargest(rowSumError, std::abs(row.weightSum + row.sinkWeight - 1.0));
        }
        const RowBlock seen{
            .head = head, .rows = block, .weights = strip, .sums = sums.data(), .mask = &mask};
        for (RowAccumulator* accumulator : accumulators) accumulator->observe(seen);
        mixValues({mask, block, strip}, values,
                  {headOut.row(begin), block.size(), headOut.columns, headOut.stride});
    }
    return rowSumError;
}

/// Row by row through all heads, as they lie in memory: a head alone would fetch its lines one by one.
void StripRun::measureNorms(MatrixView<const float> out) {
    const LayerMaps& layer = *m_setup.layer;
    constexpr std::int64_t kRows = 256;
    std::vector<float> norms(static_cast<std::size_t>(out.rows * layer.heads));
    forEachTask((out.rows + kRows - 1) / kRows, [&](std::int64_t task, PageVector<float>&) {
        for (std::int64_t row = task * kRows; row < std::min((task + 1) * kRows, out.rows); ++row)
            euclideanNorms({out.row(row), layer.heads, layer.headSize, layer.headSize},
                           norms.data() + row * layer.heads);
    });
    m_norms.meanNorm.assign(static_cast<std::size_t>(layer.heads), 0.0);
    std::int64_t count = 0;
    const float* ofRow = norms.data();
    for (std::int64_t row = 0; row < out.rows; ++row, ofRow += layer.heads) {
        if (!layer.rule.mask.isCounted(row)) continue;
        for (std::size_t head = 0; head < m_norms.meanNorm.size(); ++head)
            m_norms.meanNorm[head] += static_cast<double>(ofRow[head]);
        ++count;
    }
    for (double& norm : m_norms.meanNorm) norm /= static_cast<double>(std::max<std::int64_t>(count, 1));
}

} // namespace headscope
