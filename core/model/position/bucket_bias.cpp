// SPDX-License-Identifier: GPL-3.0-or-later
// T5's bias by buckets of distances (Raffel et al. 2020), also MPNet's.
#include "core/model/position/position_maker.h"

#include <cmath>

namespace headscope {

namespace {

/// The bucket of each distance, int64. Distances are key - query. The logarithm is float32's, as upstream.
at::Tensor bucketsOf(const BucketBias& bias, const at::Tensor& distances) {
    const std::int64_t half = bias.bidirectional ? bias.buckets / 2 : bias.buckets;
    const std::int64_t exact = half / 2;
    const at::Tensor away = bias.bidirectional ? distances.abs() : distances.neg().clamp_min(0);
    const double range = std::log(static_cast<double>(bias.maxDistance) / static_cast<double>(exact));
    at::Tensor far =
        at::log(away.to(at::kFloat) / static_cast<double>(exact)) / range * static_cast<double>(half - exact);
    // log(0) belongs to a distance that is counted exactly.
    far = at::where(away > 0, far, at::zeros_like(far)).to(at::kLong) + exact;
    const at::Tensor bucket = at::where(away < exact, away, far.clamp_max(half - 1));
    return bias.bidirectional ? bucket + (distances > 0).to(at::kLong) * half : bucket;
}

class BucketBiasMaker final : public PositionMaker {
  public:
    BucketBiasMaker(BucketBias bias, at::Tensor table) : m_bias(std::move(bias)), m_table(std::move(table)) {}

    std::shared_ptr<const PositionTerms> make(const TermContext& context) const override {
        const at::Tensor distances = at::arange(1 - context.queries, context.keys, at::kLong);
        const at::Tensor bias =
            m_table.to(at::kCPU).index_select(0, bucketsOf(m_bias, distances)).t().contiguous();
        auto terms = std::make_shared<PositionTerms>();
        const float* values = bias.const_data_ptr<float>();
        terms->distanceBias.assign(values, values + bias.numel());
        return terms;
    }
    std::string sharingKey() const override { return m_bias.table; }

  private:
    BucketBias m_bias;
    at::Tensor m_table; ///< [buckets, heads]
};

} // namespace

std::unique_ptr<const PositionMaker> readBucketBias(const WeightLoader& loader, const BucketBias& bias,
                                                    int heads) {
    return std::make_unique<BucketBiasMaker>(bias, loader.matrix(bias.table, bias.buckets, heads));
}

} // namespace headscope
