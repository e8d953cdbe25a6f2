// SPDX-License-Identifier: GPL-3.0-or-later
// The special tokens that classes know by parameters of their own, for the table of classes alone.
#pragma once

#include "core/tokenizer/class_rules_table.h"

namespace headscope::defaults {

inline constexpr StringWrap kObject = {.becomesObject = true};
inline constexpr StringWrap kSpecial = {.becomesObject = true, .special = true};
inline constexpr StringWrap kSpecialAsTyped = {.becomesObject = true, .special = true, .normalized = false};
inline constexpr StringWrap kSpecialNormalized = {.becomesObject = true, .special = true, .normalized = true};
inline constexpr StringWrap kLeft = {.becomesObject = true, .lstrip = true};
inline constexpr StringWrap kBothSides = {.becomesObject = true, .lstrip = true, .rstrip = true};
inline constexpr StringWrap kLeftAsTyped = {.becomesObject = true, .lstrip = true, .normalized = false};
inline constexpr StringWrap kLeftSpecial = {.becomesObject = true, .lstrip = true, .special = true};
inline constexpr StringWrap kLeftSpecialAsTyped = {
    .becomesObject = true, .lstrip = true, .special = true, .normalized = false};
inline constexpr StringWrap kLeftSpecialNormalized = {
    .becomesObject = true, .lstrip = true, .special = true, .normalized = true};

// --- BERT and its kin ---

inline constexpr DefaultToken kBert[] = {{"unk_token", "[UNK]"},
                                         {"sep_token", "[SEP]"},
                                         {"pad_token", "[PAD]"},
                                         {"cls_token", "[CLS]"},
                                         {"mask_token", "[MASK]"}};
inline constexpr DefaultToken kMpNet[] = {
    {"bos_token", "<s>", kObject},   {"eos_token", "</s>", kObject},  {"sep_token", "</s>", kObject},
    {"cls_token", "<s>", kObject},   {"unk_token", "[UNK]", kObject}, {"pad_token", "<pad>", kObject},
    {"mask_token", "<mask>", kLeft},
};
inline constexpr DefaultToken kSlowMpNet[] = {
    {"bos_token", "<s>", kSpecial},         {"eos_token", "</s>", kSpecial},
    {"sep_token", "</s>", kSpecial},        {"cls_token", "<s>", kSpecial},
    {"unk_token", "[UNK]", kSpecial},       {"pad_token", "<pad>", kSpecial},
    {"mask_token", "<mask>", kLeftSpecial},
};

// --- byte-level BPE ---

inline constexpr DefaultToken kRoberta[] = {
    {"bos_token", "<s>"},
    {"eos_token", "</s>"},
    {"sep_token", "</s>"},
    {"cls_token", "<s>"},
    {"unk_token", "<unk>"},
    {"pad_token", "<pad>"},
    {"mask_token", "<mask>", kLeftAsTyped},
};
inline constexpr DefaultToken kSlowRoberta[] = {
    {"bos_token", "<s>", kObject},          {"eos_token", "</s>", kObject},  {"sep_token", "</s>", kObject},
    {"cls_token", "<s>", kObject},          {"unk_token", "<unk>", kObject}, {"pad_token", "<pad>", kObject},
    {"mask_token", "<mask>", kLeftAsTyped},
};
inline constexpr DefaultToken kBart[] = {
    {"bos_token", "<s>"},
    {"eos_token", "</s>"},
    {"sep_token", "</s>"},
    {"cls_token", "<s>"},
    {"unk_token", "<unk>"},
    {"pad_token", "<pad>"},
    {"mask_token", "<mask>", kLeftSpecialNormalized},
};
inline constexpr DefaultToken kSlowBart[] = {
    {"bos_token", "<s>", kObject},   {"eos_token", "</s>", kObject},  {"sep_token", "</s>", kObject},
    {"cls_token", "<s>", kObject},   {"unk_token", "<unk>", kObject}, {"pad_token", "<pad>", kObject},
    {"mask_token", "<mask>", kLeft},
};
inline constexpr DefaultToken kDeberta[] = {
    {"bos_token", "[CLS]"}, {"eos_token", "[SEP]"}, {"sep_token", "[SEP]"},   {"cls_token", "[CLS]"},
    {"unk_token", "[UNK]"}, {"pad_token", "[PAD]"}, {"mask_token", "[MASK]"},
};
inline constexpr DefaultToken kSlowDeberta[] = {
    {"bos_token", "[CLS]", kSpecial}, {"eos_token", "[SEP]", kSpecial}, {"sep_token", "[SEP]", kSpecial},
    {"cls_token", "[CLS]", kSpecial}, {"unk_token", "[UNK]", kSpecial}, {"pad_token", "[PAD]", kSpecial},
    {"mask_token", "[MASK]", kLeft},
};
inline constexpr DefaultToken kGpt2[] = {
    {"unk_token", "<|endoftext|>"}, {"bos_token", "<|endoftext|>"}, {"eos_token", "<|endoftext|>"}};
inline constexpr DefaultToken kSlowGpt2[] = {{"unk_token", "<|endoftext|>", kObject},
                                             {"bos_token", "<|endoftext|>", kObject},
                                             {"eos_token", "<|endoftext|>", kObject},
                                             {"pad_token", {}, kObject}};
inline constexpr DefaultToken kSlowCodeGen[] = {{"unk_token", "<|endoftext|>", kSpecial},
                                                {"bos_token", "<|endoftext|>", kSpecial},
                                                {"eos_token", "<|endoftext|>", kSpecial},
                                                {"pad_token", {}, kSpecial}};
inline constexpr DefaultToken kGptNeoX[] = {{"unk_token", "<|endoftext|>"},
                                            {"bos_token", "<|endoftext|>"},
                                            {"eos_token", "<|endoftext|>"},
                                            {"pad_token", {}}};
inline constexpr DefaultToken kBloom[] = {
    {"unk_token", "<unk>"}, {"bos_token", "<s>"}, {"eos_token", "</s>"}, {"pad_token", "<pad>"}};
inline constexpr DefaultToken kCohere[] = {
    {"unk_token", "<UNK>"}, {"bos_token", "<BOS_TOKEN>"}, {"eos_token", "<|END_OF_TURN_TOKEN|>"}};
inline constexpr DefaultToken kQwen2[] = {{"unk_token", "<|endoftext|>", kSpecialAsTyped},
                                          {"bos_token", {}, kSpecialAsTyped},
                                          {"eos_token", "<|endoftext|>", kSpecialAsTyped},
                                          {"pad_token", "<|endoftext|>", kSpecialAsTyped}};
inline constexpr DefaultToken kWhisper[] = {{"unk_token", "<|endoftext|>", kSpecialAsTyped},
                                            {"bos_token", "<|endoftext|>", kSpecialAsTyped},
                                            {"eos_token", "<|endoftext|>", kSpecialAsTyped}};
inline constexpr DefaultToken kSlowWhisper[] = {{"unk_token", "<|endoftext|>", kSpecialAsTyped},
                                                {"bos_token", "<|endoftext|>", kSpecialAsTyped},
                                                {"eos_token", "<|endoftext|>", kSpecialAsTyped},
                                                {"pad_token", {}, kSpecialAsTyped}};
inline constexpr DefaultToken kClip[] = {{"unk_token", "<|endoftext|>"},
                                         {"bos_token", "<|startoftext|>"},
                                         {"eos_token", "<|endoftext|>"},
                                         {"pad_token", "<|endoftext|>"}};
inline constexpr DefaultToken kSlowClip[] = {{"unk_token", "<|endoftext|>", kObject},
                                             {"bos_token", "<|startoftext|>", kObject},
                                             {"eos_token", "<|endoftext|>", kObject},
                                             {"pad_token", "<|endoftext|>"}};

// --- sentencepiece ---

inline constexpr DefaultToken kXlmRoberta[] = {
    {"bos_token", "<s>"},   {"eos_token", "</s>"},  {"sep_token", "</s>"},           {"cls_token", "<s>"},
    {"unk_token", "<unk>"}, {"pad_token", "<pad>"}, {"mask_token", "<mask>", kLeft},
};
inline constexpr DefaultToken kSlowXlmRoberta[] = {
    {"bos_token", "<s>"},
    {"eos_token", "</s>"},
    {"sep_token", "</s>"},
    {"cls_token", "<s>"},
    {"unk_token", "<unk>"},
    {"pad_token", "<pad>"},
    {"mask_token", "<mask>", kLeftSpecial},
};
inline constexpr DefaultToken kSlowCamembert[] = {
    {"bos_token", "<s>"},
    {"eos_token", "</s>"},
    {"sep_token", "</s>"},
    {"cls_token", "<s>"},
    {"unk_token", "<unk>"},
    {"pad_token", "<pad>"},
    {"mask_token", "<mask>", kLeftSpecialAsTyped},
};
inline constexpr DefaultToken kSlowMBart[] = {
    {"bos_token", "<s>"},
    {"eos_token", "</s>"},
    {"sep_token", "</s>"},
    {"cls_token", "<s>"},
    {"unk_token", "<unk>"},
    {"pad_token", "<pad>"},
    {"mask_token", "<mask>", kLeftAsTyped},
};
inline constexpr DefaultToken kMBart50[] = {
    {"eos_token", "</s>"},  {"sep_token", "</s>"},  {"cls_token", "<s>"},
    {"unk_token", "<unk>"}, {"pad_token", "<pad>"}, {"mask_token", "<mask>", kLeft},
};
inline constexpr DefaultToken kNllb[] = {
    {"bos_token", "<s>"},
    {"eos_token", "</s>"},
    {"sep_token", "</s>"},
    {"cls_token", "<s>"},
    {"unk_token", "<unk>"},
    {"pad_token", "<pad>"},
    {"mask_token", "<mask>", kLeftSpecialNormalized},
};
inline constexpr DefaultToken kSlowNllb[] = {
    {"bos_token", "<s>", kSpecialAsTyped},
    {"eos_token", "</s>", kSpecialAsTyped},
    {"sep_token", "</s>"},
    {"cls_token", "<s>"},
    {"unk_token", "<unk>", kSpecialAsTyped},
    {"pad_token", "<pad>", kSpecialAsTyped},
    {"mask_token", "<mask>", kLeftSpecialNormalized},
};
inline constexpr DefaultToken kAlbert[] = {
    {"bos_token", "[CLS]"},
    {"eos_token", "[SEP]"},
    {"unk_token", "<unk>"},
    {"sep_token", "[SEP]"},
    {"pad_token", "<pad>"},
    {"cls_token", "[CLS]"},
    {"mask_token", "[MASK]", kLeftAsTyped},
};
inline constexpr DefaultToken kXlNet[] = {
    {"bos_token", "<s>"},   {"eos_token", "</s>"},  {"unk_token", "<unk>"},          {"sep_token", "<sep>"},
    {"pad_token", "<pad>"}, {"cls_token", "<cls>"}, {"mask_token", "<mask>", kLeft},
};
inline constexpr DefaultToken kSlowXlNet[] = {
    {"bos_token", "<s>"},
    {"eos_token", "</s>"},
    {"unk_token", "<unk>"},
    {"sep_token", "<sep>"},
    {"pad_token", "<pad>"},
    {"cls_token", "<cls>"},
    {"mask_token", "<mask>", kLeftSpecial},
};
inline constexpr DefaultToken kSlowDebertaV2[] = {
    {"bos_token", "[CLS]"},   {"eos_token", "[SEP]"}, {"unk_token", "[UNK]", kSpecialNormalized},
    {"sep_token", "[SEP]"},   {"pad_token", "[PAD]"}, {"cls_token", "[CLS]"},
    {"mask_token", "[MASK]"},
};
inline constexpr DefaultToken kT5[] = {{"eos_token", "</s>"}, {"unk_token", "<unk>"}, {"pad_token", "<pad>"}};
inline constexpr DefaultToken kSlowT5[] = {
    {"eos_token", "</s>", kSpecial}, {"unk_token", "<unk>", kSpecial}, {"pad_token", "<pad>", kSpecial}};
inline constexpr DefaultToken kByT5[] = {{"eos_token", "</s>", kBothSides},
                                         {"unk_token", "<unk>", kBothSides},
                                         {"pad_token", "<pad>", kBothSides}};
inline constexpr DefaultToken kPegasus[] = {
    {"pad_token", "<pad>"}, {"eos_token", "</s>"}, {"unk_token", "<unk>"}, {"mask_token", "<mask_2>"}};
inline constexpr DefaultToken kLlama[] = {
    {"unk_token", "<unk>"}, {"bos_token", "<s>"}, {"eos_token", "</s>"}};
inline constexpr DefaultToken kSlowLlama[] = {{"unk_token", "<unk>", kSpecialAsTyped},
                                              {"bos_token", "<s>", kSpecialAsTyped},
                                              {"eos_token", "</s>", kSpecialAsTyped},
                                              {"pad_token", {}, kSpecialAsTyped}};
inline constexpr DefaultToken kSlowCodeLlama[] = {{"unk_token", "<unk>", kSpecialAsTyped},
                                                  {"bos_token", "<s>", kSpecialAsTyped},
                                                  {"eos_token", "</s>", kSpecialAsTyped}};
inline constexpr DefaultToken kGemma[] = {
    {"unk_token", "<unk>"}, {"bos_token", "<bos>"}, {"eos_token", "<eos>"}, {"pad_token", "<pad>"}};
inline constexpr DefaultToken kSlowGemma[] = {{"unk_token", "<unk>", kSpecialAsTyped},
                                              {"bos_token", "<bos>", kSpecialAsTyped},
                                              {"eos_token", "<eos>", kSpecialAsTyped},
                                              {"pad_token", "<pad>", kSpecialAsTyped}};
inline constexpr DefaultToken kMarian[] = {
    {"unk_token", "<unk>"}, {"eos_token", "</s>"}, {"pad_token", "<pad>"}};
inline constexpr DefaultToken kM2m100[] = {{"bos_token", "<s>"},
                                           {"eos_token", "</s>"},
                                           {"sep_token", "</s>"},
                                           {"unk_token", "<unk>"},
                                           {"pad_token", "<pad>"}};

} // namespace headscope::defaults
