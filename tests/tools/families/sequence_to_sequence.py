# SPDX-License-Identifier: GPL-3.0-or-later
"""Encoder-decoders: T5, BART and their relatives."""
import torch
from transformers import (BartConfig, BartForConditionalGeneration, M2M100Config, M2M100ForConditionalGeneration, MarianConfig,
                          MarianMTModel, MBartConfig, MBartForConditionalGeneration, MT5Config, MT5ForConditionalGeneration, PegasusConfig,
                          PegasusForConditionalGeneration, T5Config, T5EncoderModel, T5ForConditionalGeneration, T5ForSequenceClassification,
                          T5ForTokenClassification, UMT5Config, UMT5ForConditionalGeneration)

from families.common import Family, Variant

T5 = dict(vocab_size=48, d_model=16, d_kv=6, d_ff=24, num_layers=2, num_decoder_layers=3, num_heads=3, relative_attention_num_buckets=8,
          relative_attention_max_distance=20, decoder_start_token_id=0)
BART = dict(vocab_size=48, d_model=24, encoder_layers=2, decoder_layers=3, encoder_attention_heads=3, decoder_attention_heads=4,
            encoder_ffn_dim=24, decoder_ffn_dim=20, max_position_embeddings=40, pad_token_id=1, bos_token_id=0, eos_token_id=2,
            decoder_start_token_id=2, forced_eos_token_id=2)


def quieter(model, generator):
    """Scores that nothing scales grow with the width of a head."""
    for name, parameter in model.named_parameters():
        if ".q." in name or ".k." in name:
            parameter.data.mul_(0.5)


def ended(generator, vocabulary, count):
    """A classifier of sequences reads the place of the end token, 1."""
    return [generator.randrange(3, vocabulary) for _ in range(count - 1)] + [1]


def bart_base(model):
    return getattr(model, "model", model)


def filled_bias(model, generator):
    """final_logits_bias is a buffer of zeros: give it values."""
    if hasattr(model, "final_logits_bias"):
        model.final_logits_bias.normal_(0.0, 0.5, generator=generator)


def own_words(model, generator):
    """Where nothing is tied each stack has a word table of its own, which the library begins as one."""
    filled_bias(model, generator)
    if not model.config.tie_word_embeddings:
        for stack in (model.model.encoder, model.model.decoder):
            stack.embed_tokens.weight = torch.nn.Parameter(torch.empty_like(stack.embed_tokens.weight).normal_(generator=generator))


def lengths(rng):
    return dict(tokens=rng.choice([1, 2, 9, 17, 33]), target_tokens=rng.choice([1, 2, 8, 21]),
                dtype=rng.choice([torch.float32, torch.float16, torch.bfloat16]))


def random_t5(rng):
    buckets = rng.choice([4, 8, 16, 32])
    gated = rng.random() < 0.5
    activation = rng.choice(["relu", "gelu", "silu"])
    return Variant(dict(vocab_size=rng.choice([48, 61]), d_model=rng.choice([8, 15, 24]), d_kv=rng.choice([3, 6, 10]), d_ff=rng.choice([16, 29]),
                        num_layers=rng.choice([1, 2, 3]), num_decoder_layers=rng.choice([1, 2]), num_heads=rng.choice([1, 2, 5]),
                        relative_attention_num_buckets=buckets, relative_attention_max_distance=rng.choice([buckets + 3, 128]),
                        feed_forward_proj=("gated-" if gated else "") + activation, tie_word_embeddings=rng.random() < 0.5,
                        layer_norm_epsilon=rng.choice([1e-6, 1e-5]), decoder_start_token_id=0), **lengths(rng))


def random_bart(rng):
    encoder, decoder, size = rng.choice([1, 2, 3]), rng.choice([1, 2, 3]), rng.choice([4, 8])
    return Variant(dict(BART, vocab_size=rng.choice([48, 61]), d_model=encoder * decoder * size, encoder_attention_heads=encoder,
                        decoder_attention_heads=decoder, encoder_layers=rng.choice([1, 2]), decoder_layers=rng.choice([1, 2, 3]),
                        encoder_ffn_dim=rng.choice([16, 29]), decoder_ffn_dim=rng.choice([16, 23]), scale_embedding=rng.random() < 0.3,
                        activation_function=rng.choice(["gelu", "relu", "swish"])),
                   headless=rng.random() < 0.3, **lengths(rng))


def random_marian(rng):
    variant = random_bart(rng)
    variant.fields.update(pad_token_id=3, decoder_start_token_id=3, eos_token_id=0)
    if rng.random() < 0.5:
        variant.fields.update(share_encoder_decoder_embeddings=False)
        if rng.random() < 0.5 and not variant.headless:
            variant.fields.update(decoder_vocab_size=rng.choice([37, 52]), tie_word_embeddings=False)
    return variant


def random_untied(rng):
    variant = random_bart(rng)
    variant.fields["tie_word_embeddings"] = rng.random() < 0.7
    return variant


def random_m2m(rng):
    variant = random_untied(rng)
    variant.ids = lambda generator, vocabulary, count: [generator.randrange(0, vocabulary) for _ in range(count)]
    return variant


T5_VARIANTS = {
    "plain": Variant(dict(T5)),
    "gated-gelu": Variant(dict(T5, feed_forward_proj="gated-gelu", tie_word_embeddings=False), tokens=30, target_tokens=24),
    "gated-silu": Variant(dict(T5, feed_forward_proj="gated-silu", relative_attention_num_buckets=32, relative_attention_max_distance=128),
                          tokens=40, target_tokens=3),
    "gelu": Variant(dict(T5, feed_forward_proj="gelu"), dtype=torch.float32),
    "old-file": Variant(dict(T5, relative_attention_num_buckets=32, relative_attention_max_distance=128), config=lambda fields: {
        key: value for key, value in fields.items() if key not in ("relative_attention_max_distance", "is_gated_act", "dense_act_fn")}),
    "encoder-alone": Variant(dict(T5), model=T5EncoderModel),
    "sequence-classification": Variant(dict(T5), model=T5ForSequenceClassification, ids=ended, target_tokens=14),
    "token-classification": Variant(dict(T5), model=T5ForTokenClassification),
    "deep": Variant(dict(T5, d_model=8, d_ff=8, d_kv=4, num_heads=2, num_layers=16, num_decoder_layers=16), tokens=7, target_tokens=6,
                    mixing=0.6),
}


def in_decoder(tensors):
    """As facebook/bart-large-cnn is saved: the words that both stacks read stand with the decoder."""
    return {name.replace("shared.", "decoder.embed_tokens."): value for name, value in tensors.items()}


BART_VARIANTS = {
    "plain": Variant(dict(BART)),
    "scaled": Variant(dict(BART, scale_embedding=True, activation_function="relu"), headless=True),
    "bfloat16": Variant(dict(BART, activation_function="swish"), dtype=torch.bfloat16),
    "words-in-decoder": Variant(dict(BART, encoder_layers=1, decoder_layers=1), tensors=in_decoder),
}


def narrower(**fields):
    return dict(BART, d_model=12, encoder_attention_heads=2, decoder_attention_heads=3, encoder_ffn_dim=12, decoder_ffn_dim=12, **fields)


DEEP = Variant(narrower(), tokens=8, target_tokens=6, mixing=0.7)
DEEP.fields.update(encoder_layers=8, decoder_layers=8)
OWN_WORDS = Variant(narrower(tie_word_embeddings=False))
OWN_WORDS.fields.update(encoder_layers=1, decoder_layers=1)

FAMILIES = [
    Family("t5", T5Config, T5ForConditionalGeneration, T5_VARIANTS, random_t5, None, quieter),
    Family("mt5", MT5Config, MT5ForConditionalGeneration, {
        "plain": Variant(dict(T5, feed_forward_proj="gated-gelu")),
        "tied": Variant(dict(T5, tie_word_embeddings=True, num_decoder_layers=None), target_tokens=14)}, random_t5, None, quieter),
    Family("umt5", UMT5Config, UMT5ForConditionalGeneration, {
        "plain": Variant(dict(T5, feed_forward_proj="gated-gelu")),
        "untied": Variant(dict(T5, tie_word_embeddings=False, relative_attention_num_buckets=32, relative_attention_max_distance=128),
                          tokens=30, target_tokens=25)}, random_t5, None, quieter),
    Family("bart", BartConfig, BartForConditionalGeneration, {**BART_VARIANTS, "own-words": OWN_WORDS, "deep": DEEP}, random_untied, bart_base,
           own_words),
    Family("mbart", MBartConfig, MBartForConditionalGeneration, {
        "plain": Variant(dict(BART)),
        "scaled": Variant(dict(BART, scale_embedding=True), headless=True),
        "own-words": OWN_WORDS,
        "deep": DEEP}, random_untied, bart_base, own_words),
    Family("marian", MarianConfig, MarianMTModel, {
        "plain": Variant(dict(BART, pad_token_id=3, decoder_start_token_id=3, eos_token_id=0)),
        "scaled": Variant(dict(BART, scale_embedding=True, activation_function="swish", pad_token_id=3, decoder_start_token_id=3), headless=True,
                          score=0.5),
        "own-words": Variant(dict(BART, share_encoder_decoder_embeddings=False, pad_token_id=3, decoder_start_token_id=3)),
        "own-head": Variant(dict(BART, share_encoder_decoder_embeddings=False, decoder_vocab_size=37, tie_word_embeddings=False,
                                 pad_token_id=3, decoder_start_token_id=3)),
        "odd-width": Variant(dict(BART, d_model=15, encoder_attention_heads=3, decoder_attention_heads=5, pad_token_id=3,
                                  decoder_start_token_id=3))}, random_marian, bart_base, filled_bias),
    Family("pegasus", PegasusConfig, PegasusForConditionalGeneration, {
        "plain": Variant(dict(BART, pad_token_id=0, decoder_start_token_id=0)),
        "scaled": Variant(dict(BART, scale_embedding=True, activation_function="relu", pad_token_id=0, decoder_start_token_id=0),
                          headless=True)}, random_bart, bart_base, filled_bias),
    Family("m2m_100", M2M100Config, M2M100ForConditionalGeneration, {
        "plain": Variant(dict(BART), ids=lambda generator, vocabulary, count: [generator.randrange(0, 6) for _ in range(count)]),
        "unscaled": Variant(dict(BART, scale_embedding=False, max_position_embeddings=10), tokens=22, headless=True),
        "own-words": OWN_WORDS,
        "odd-width": Variant(dict(BART, d_model=15, encoder_attention_heads=3, decoder_attention_heads=5))}, random_m2m, bart_base, own_words),
]
