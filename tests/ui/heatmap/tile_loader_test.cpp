// SPDX-License-Identifier: GPL-3.0-or-later
#include "heat_support.h"
#include "ui/heatmap/tile_loader.h"

#include <QElapsedTimer>
#include <QTest>

#include <gtest/gtest.h>

namespace headscope::ui {
namespace {

TileKey keyOf(std::uint64_t map, TileAddress address = {}) {
    return {map, address, {{RangeMode::Fixed, 0.0F, 1.0F}, Pooling::Max, Colormap::Grey, {}}};
}

std::shared_ptr<const PixelTile> tileOf(std::size_t pixels) {
    auto tile = std::make_shared<PixelTile>();
    tile->pixels.resize(pixels);
    return tile;
}

TEST(TileCache, DropsTheLeastRecentlyUsed) {
    TileCache cache(3 * 4096 * sizeof(Rgb) + 1024);
    for (std::uint64_t i = 1; i <= 3; ++i) cache.insert(keyOf(i), tileOf(4096));
    EXPECT_EQ(cache.size(), 3U);
    EXPECT_NE(cache.find(keyOf(1)), nullptr); // now 2 is the oldest
    cache.insert(keyOf(4), tileOf(4096));
    EXPECT_EQ(cache.find(keyOf(2)), nullptr);
    EXPECT_NE(cache.find(keyOf(1)), nullptr);
    EXPECT_NE(cache.find(keyOf(3)), nullptr);
    EXPECT_LE(cache.bytes(), 3 * 4096 * sizeof(Rgb) + 1024);
}

TEST(TileCache, ReplacesAndKeepsTheNewestEvenWhenTooLarge) {
    TileCache cache(100);
    cache.insert(keyOf(1), tileOf(4096));
    EXPECT_NE(cache.find(keyOf(1)), nullptr);
    const std::size_t bytes = cache.bytes();
    cache.insert(keyOf(1), tileOf(4096));
    EXPECT_EQ(cache.bytes(), bytes);
    EXPECT_EQ(cache.size(), 1U);
}

TEST(TileCache, EverythingThatDecidesThePixelsIsInTheKey) {
    const TileKey key = keyOf(1, {1, 2, 3});
    std::vector<TileKey> others(9, key);
    others[0].map = 2;
    others[1].address.level = 0;
    others[2].address.row = 9;
    others[3].address.column = 9;
    others[4].style.range.high = 0.5F;
    others[5].style.range.mode = RangeMode::Log;
    others[6].style.pooling = Pooling::Mean;
    others[7].style.colormap = Colormap::Magma;
    others[8].style.colors.masked = 0xff000000;
    TileCache cache(1 << 20);
    cache.insert(key, tileOf(1));
    for (const TileKey& other : others) EXPECT_EQ(cache.find(other), nullptr);
    TileKey negativeZero = key;
    negativeZero.style.range.low = -0.0F;
    EXPECT_NE(cache.find(negativeZero), nullptr);
}

TEST(MapIdentities, FollowTheObjectNotTheAddress) {
    MapIdentities identities;
    EXPECT_EQ(identities.of(nullptr), 0U);
    const auto first = storedMap(2, 2);
    const std::uint64_t number = identities.of(first);
    EXPECT_EQ(identities.of(first), number);
    EXPECT_NE(identities.of(storedMap(2, 2)), number);
    // Maps that come and go, some at the same address, all get numbers of their own.
    std::uint64_t last = number;
    for (int i = 0; i < 20; ++i) {
        const std::uint64_t next = identities.of(storedMap(2, 2));
        EXPECT_GT(next, last);
        last = next;
    }
}

TEST(TileLoader, RendersWhatIsAskedForAndKeepsIt) {
    TileLoader loader;
    const auto map = std::make_shared<CausalMap>(600);
    int ready = 0;
    QObject::connect(&loader, &TileLoader::tileReady, &loader, [&] { ++ready; });
    const std::vector<TileKey> wanted = {keyOf(1, {0, 0, 0}), keyOf(1, {0, 1, 1}), keyOf(1, {1, 0, 0})};
    loader.request(map, wanted);
    ASSERT_TRUE(QTest::qWaitFor([&] { return ready == 3; }, 10000));
    EXPECT_TRUE(loader.isIdle());
    for (const TileKey& key : wanted) {
        ASSERT_NE(loader.find(key), nullptr);
        EXPECT_EQ(loader.find(key)->pixels, renderTile(*map, key.address, key.style).pixels);
    }
    const int calls = map->calls();
    loader.request(map, wanted);
    EXPECT_TRUE(loader.isIdle());
    EXPECT_EQ(map->calls(), calls);
}

TEST(TileLoader, JobsOutOfSightAreCancelledAndTheirResultsDropped) {
    TileLoader loader;
    const auto slow = std::make_shared<CausalMap>(4096, std::chrono::milliseconds(20));
    int ready = 0;
    QObject::connect(&loader, &TileLoader::tileReady, &loader, [&] { ++ready; });
    std::vector<TileKey> many;
    for (std::int64_t i = 0; i < 16; ++i) many.push_back(keyOf(1, {0, i, 0}));
    loader.request(slow, many);
    const auto fast = std::make_shared<CausalMap>(64);
    loader.request(fast, {keyOf(2)});
    ASSERT_TRUE(QTest::qWaitFor([&] { return loader.find(keyOf(2)) != nullptr; }, 10000));
    QTest::qWait(100);
    EXPECT_EQ(ready, 1);
    for (const TileKey& key : many) EXPECT_EQ(loader.find(key), nullptr);
    EXPECT_LT(slow->calls(), 16);
}

TEST(TileLoader, EndsCleanlyWhileJobsRun) {
    QElapsedTimer timer;
    timer.start();
    const auto slow = std::make_shared<CausalMap>(8192, std::chrono::milliseconds(10));
    for (int i = 0; i < 5; ++i) {
        auto loader = std::make_unique<TileLoader>();
        std::vector<TileKey> many;
        for (std::int64_t k = 0; k < 32; ++k) many.push_back(keyOf(1, {0, k, 0}));
        loader->request(slow, many);
        QTest::qWait(5);
        loader.reset();
    }
    // All jobs together would take 5 x 32 x 10 ms on a thread.
    EXPECT_LT(timer.elapsed(), 1000);
}

} // namespace
} // namespace headscope::ui
