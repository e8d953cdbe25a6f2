// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/families/unsupported.h"

#include <algorithm>
#include <array>
#include <fmt/format.h>
#include <numeric>
#include <string>
#include <vector>

namespace headscope {

namespace {

/// Model types that are the same sort of thing, between spaces.
struct UnsupportedKind {
    std::string_view what;
    std::string_view modelTypes;
};

// The model types of transformers 4.57 and some of later releases.
constexpr std::array kKinds{
    UnsupportedKind{"Falcon's name in files from before it had this one, with other fields",
                    " RefinedWeb RefinedWebModel "},
    UnsupportedKind{"its attention is sparse or in windows and chunks, so that its weights are no matrix of "
                    "queries and keys",
                    " longformer led big_bird bigbird bigbird_pegasus reformer longt5 pegasus_x "
                    "nystromformer yoso mra ibert "
                    "mega fnet canine "},
    UnsupportedKind{"it pools or replaces its tokens between layers", " funnel perceiver "},
    UnsupportedKind{"its keys reach back into a memory, and its vocabulary is a pickle",
                    " transfo-xl transfo_xl "},
    UnsupportedKind{"a state-space or recurrent model without attention maps",
                    " mamba mamba2 falcon_mamba codestral_mamba rwkv xlstm "},
    UnsupportedKind{
        "a mix of attention with state-space, recurrent or linear-attention layers",
        " jamba bamba zamba zamba2 recurrent_gemma qwen3_next falcon_h1 granitemoehybrid lfm2 lfm2_moe "
        "minimax nemotron_h plamo2 kimi_linear olmo_hybrid qwen3_5 qwen3_5_text qwen3_5_moe "
        "qwen3_5_moe_text "},
    UnsupportedKind{"its attention is computed in chunks on most layers, some without rotary embeddings",
                    " llama4 llama4_text "},
    UnsupportedKind{"its keys and values are compressed (multi-head latent attention)",
                    " deepseek_v2 deepseek_v3 deepseek_v32 minicpm3 longcat_flash kimi_k2 glm4_moe_lite "},
    UnsupportedKind{"its layers are not those of Gemma 2 and 3",
                    " gemma3n gemma3n_text gemma4 gemma4_text t5gemma t5gemma2 vaultgemma "},
    UnsupportedKind{
        "a vision model",
        " vit deit dinov2 dinov2_with_registers dinov3_vit dinov3_convnext swin swinv2 swin2sr "
        "maskformer-swin "
        "donut-swin beit data2vec-vision bit convnext convnextv2 cvt dinat nat dpt efficientformer "
        "efficientnet "
        "focalnet glpn hgnet_v2 hiera ijepa imagegpt levit mobilenet_v1 mobilenet_v2 mobilevit mobilevitv2 "
        "mlcd "
        "poolformer pvt pvt_v2 regnet resnet segformer seggpt swiftformer textnet timm_backbone "
        "timm_wrapper timesformer upernet van videomae vit_hybrid vit_mae vit_msn vitdet vitmatte vitpose "
        "vitpose_backbone vivit vjepa2 yolos zoedepth depth_anything depth_pro prompt_depth_anything detr "
        "conditional_detr d_fine dab-detr deformable_detr deta rt_detr rt_detr_v2 rt_detr_resnet "
        "table-transformer mask2former maskformer eomt oneformer univnet superglue superpoint lightglue "
        "efficientloftr sam sam2 sam_hq sam_vision_model sam_hq_vision_model sam2_vision_model sam2_video "
        "sam2_hiera_det_model sam3 edgetam edgetam_video edgetam_vision_model siglip_vision_model "
        "siglip2_vision_model clip_vision_model chinese_clip_vision_model aimv2_vision_model idefics3_vision "
        "smolvlm_vision internvl_vision gemma3n_vision pixtral "},
    UnsupportedKind{
        "an audio model",
        " whisper wav2vec2 wav2vec2-bert wav2vec2-conformer hubert wavlm data2vec-audio unispeech "
        "unispeech-sat "
        "sew sew-d speecht5 speech_to_text speech_to_text_2 speech-encoder-decoder seamless_m4t "
        "seamless_m4t_v2 "
        "audio-spectrogram-transformer bark encodec dac mimi moshi musicgen musicgen_melody moonshine mctct "
        "clap "
        "clvp csm dia fastspeech2_conformer fastspeech2_conformer_with_hifigan vits xcodec parakeet_ctc "
        "parakeet_encoder kyutai_speech_to_text pop2piano jukebox tvlt gemma3n_audio qwen2_audio_encoder "
        "voxtral_encoder granite_speech "},
    UnsupportedKind{
        "a model of text with images, sound or page layouts",
        " clip clip_text_model siglip siglip2 siglip_text_model altclip chinese_clip clipseg align aimv2 "
        "groupvit "
        "metaclip_2 flava blip blip-2 blip_2_qformer instructblip instructblipvideo bridgetower vilt "
        "visual_bert "
        "lxmert git owlvit owlv2 xclip tvp omdet-turbo grounding-dino mm-grounding-dino "
        "vision-encoder-decoder "
        "vision-text-dual-encoder trocr nougat pix2struct mgp-str llava llava_next llava_next_video "
        "llava_onevision video_llava vipllava mllama mistral3 paligemma shieldgemma2 colpali colqwen2 fuyu "
        "chameleon emu3 janus kosmos-2 kosmos-2.5 idefics idefics2 idefics3 smolvlm internvl got_ocr2 "
        "florence2 "
        "aria aria_text aya_vision cohere2_vision deepseek_vl deepseek_vl_hybrid glm4v glm4v_text glm4v_moe "
        "glm4v_moe_text granitevision lfm2_vl ovis2 perception_encoder perception_lm phi4_multimodal "
        "qwen2_vl "
        "qwen2_vl_text qwen2_5_vl qwen2_5_vl_text qwen2_5_omni qwen2_audio qwen3_vl qwen3_vl_text "
        "qwen3_vl_moe "
        "qwen3_vl_moe_text qwen3_omni_moe voxtral layoutlm layoutlmv2 layoutlmv3 lilt bros udop markuplm "
        "tapas "},
    UnsupportedKind{"a model of time series, trajectories or graphs",
                    " autoformer informer patchtsmixer patchtst time_series_transformer timesfm "
                    "decision_transformer trajectory_transformer graphormer "},
    UnsupportedKind{
        "a text model whose layers are not computed here",
        " apertus arcee bert-generation biogpt bitnet blenderbot blenderbot-small blt codegen "
        "convbert "
        "cpmant ctrl data2vec-text dbrx diffllama doge dots1 dpr ernie ernie4_5 ernie4_5_moe ernie_m esm "
        "evolla "
        "exaone4 flaubert flex_olmo fsmt glm glm4 glm4_moe gpt-sw3 gpt_neox_japanese gptsan-japanese "
        "granitemoe "
        "granitemoeshared helium hunyuan_v1_dense hunyuan_v1_moe jetmoe luke megatron-bert mobilebert "
        "modernbert-decoder mpt mvp nemotron nezha nllb-moe olmo olmo3 olmoe open-llama openai-gpt persimmon "
        "phimoe plbart prophetnet qdqbert rag realm rembert retribert roberta-prelayernorm roc_bert roformer "
        "seed_oss splinter squeezebert switch_transformers xglm xlm xlm-prophetnet xlm-roberta-xl xmod "},
};

/// Levenshtein 1966: insertions, deletions and replacements between two short names.
std::size_t editDistance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 0; i < a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i + 1;
        for (std::size_t j = 0; j < b.size(); ++j) {
            const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
            diagonal = row[j + 1];
            row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
        }
    }
    return row.back();
}

constexpr std::size_t kLongestName = 40;

} // namespace

std::string_view unsupportedKind(std::string_view modelType) {
    // A name with spaces would be found across two names.
    if (modelType.empty() || modelType.find(' ') != std::string_view::npos) return {};
    const std::string entry = fmt::format(" {} ", modelType);
    const auto found = std::find_if(kKinds.begin(), kKinds.end(), [&](const UnsupportedKind& kind) {
        return kind.modelTypes.find(entry) != std::string_view::npos;
    });
    return found == kKinds.end() ? std::string_view() : found->what;
}

std::string_view nearestName(std::string_view name, std::span<const std::string_view> known) {
    if (name.size() > kLongestName) return {};
    std::string lower(name);
    for (char& c : lower)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    // One letter in four may differ, and one in any name of at least three.
    std::size_t smallest =
        std::max(lower.size() / 4, lower.size() >= 3 ? std::size_t{1} : std::size_t{0}) + 1;
    std::string_view nearest;
    for (const std::string_view one : known) {
        const std::size_t distance = editDistance(lower, one);
        if (distance >= smallest) continue;
        smallest = distance;
        nearest = one;
    }
    return nearest;
}

} // namespace headscope
