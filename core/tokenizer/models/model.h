// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// A token as the model finds it in one piece.
struct ModelToken {
    std::int64_t id = 0;
    std::string_view value; ///< as the vocabulary spells it; lives as long as the model
    std::size_t begin = 0;  ///< bytes [begin, end) of the piece, not empty
    std::size_t end = 0;
};

/// Turns one piece of text into tokens. Immutable.
class Model {
  public:
    virtual ~Model() = default;
    /// Adds the tokens of `piece` (not empty) to `out`.
    virtual void encode(std::string_view piece, std::vector<ModelToken>& out) const = 0;
    virtual std::optional<std::int64_t> id(std::string_view piece) const = 0;
    virtual std::optional<std::string_view> piece(std::int64_t id) const = 0;
    virtual std::int64_t size() const = 0; ///< number of vocabulary entries
    virtual std::int64_t largestId() const = 0;
};

using ModelPtr = std::unique_ptr<const Model>;

/// Reads the model by its "type"; a file of the time before types is told by its fields. `subject` names it
/// in errors.
ModelPtr parseModel(const Json& json, const std::string& subject);

// One parser a type; each stands in the file of that name.
ModelPtr parseWordPiece(const Json& json, const std::string& subject);

} // namespace headscope
