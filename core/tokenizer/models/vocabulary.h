// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/json.h"
#include "core/tokenizer/models/hash_seed.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headscope {

/// Hash of a piece that can be carried on byte by byte, so that all prefixes of a word are hashed in one
/// pass.
class PieceHash {
  public:
    PieceHash() : m_state(hashSeed()) {}
    explicit PieceHash(std::string_view text) : PieceHash() { add(text); }

    void add(char byte) { m_state = (m_state ^ static_cast<unsigned char>(byte)) * 0x9e3779b97f4a7c15U; }
    void add(std::string_view text) {
        for (const char byte : text) add(byte);
    }
    std::uint64_t value() const { return m_state ^ (m_state >> 32); }

  private:
    std::uint64_t m_state;
};

/// Pieces and their ids, in both directions. Immutable after reading; looking up allocates nothing.
class Vocabulary {
  public:
    /// From {"piece": id}. A piece that is written twice has the last id. Throws Error for an empty
    /// vocabulary, ids that are no integers from 0 to 2^32 - 1, and one id for two pieces.
    Vocabulary(const Json& json, const std::string& subject);
    Vocabulary(const Vocabulary&) = delete; // the entries view its own text
    Vocabulary& operator=(const Vocabulary&) = delete;

    struct Entry {
        std::string_view piece; ///< lives as long as the vocabulary
        std::int64_t id;
    };

    std::size_t size() const { return m_entries.size(); } ///< number of pieces, not the largest id
    /// Entries are numbered from 0 to size() - 1, whatever their ids.
    const Entry& entry(std::uint32_t number) const { return m_entries[number]; }
    std::uint32_t number(const Entry& entry) const {
        return static_cast<std::uint32_t>(&entry - m_entries.data());
    }
    const Entry* find(std::string_view piece) const { return find(PieceHash(piece), {}, piece); }
    /// The entry that is spelled `prefix` + `rest`, whose hash the caller has. nullptr when there is none.
    const Entry* find(const PieceHash& hash, std::string_view prefix, std::string_view rest) const;
    const Entry* findId(std::int64_t id) const;
    std::int64_t largestId() const;
    std::size_t longestPiece() const { return m_longestPiece; } ///< bytes

  private:
    void insert(std::string_view piece, std::int64_t id);
    void indexIds(const std::string& subject);

    std::string m_spellings; ///< all pieces, one behind the other
    std::vector<Entry> m_entries;
    std::vector<std::uint32_t> m_slots; ///< open addressing, a power of two; entry + 1, or 0 when free
    std::vector<std::uint32_t> m_byId;  ///< entries in the order of their ids
    std::size_t m_longestPiece = 0;
};

} // namespace headscope
