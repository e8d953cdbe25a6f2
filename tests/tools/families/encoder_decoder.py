# SPDX-License-Identifier: GPL-3.0-or-later
"""Folders of two models: an encoder, and a decoder that reads it (EncoderDecoderModel)."""
from transformers import (AlbertConfig, BertConfig, DebertaV2Config, DistilBertConfig, ElectraConfig, EncoderDecoderConfig,
                          EncoderDecoderModel, GPT2Config, ModernBertConfig, MPNetConfig, RobertaConfig, XLNetConfig)

from families.bert import BF16, TINY, random_text
from families.common import Family, Variant
from families.disentangled import V2, XLNET
from families.encoders import ALBERT, DISTILBERT, MODERNBERT, MPNET

SMALL = dict(TINY, num_hidden_layers=1)
GPT2 = dict(vocab_size=32, n_positions=24, n_embd=12, n_layer=1, n_head=2, n_inner=14, bos_token_id=0, eos_token_id=0)


def pair_of(encoder, decoder, **fields):
    """The fields of an EncoderDecoderConfig, from two configurations."""
    decoder.is_decoder = decoder.add_cross_attention = True
    return dict(encoder=encoder.to_dict(), decoder=decoder.to_dict(), **fields)


ENCODERS = [
    lambda rng: BertConfig(**dict(SMALL, hidden_size=rng.choice([12, 20]), position_embedding_type=rng.choice(["absolute", "relative_key"]))),
    lambda rng: RobertaConfig(**SMALL),
    lambda rng: ElectraConfig(**dict(SMALL, embedding_size=10)),
    lambda rng: DistilBertConfig(**DISTILBERT),
    lambda rng: AlbertConfig(**ALBERT),
    lambda rng: MPNetConfig(**MPNET),
    lambda rng: ModernBertConfig(**MODERNBERT),
    lambda rng: DebertaV2Config(**V2),
    lambda rng: XLNetConfig(**XLNET),
]
DECODERS = [
    lambda rng: BertConfig(**dict(SMALL, hidden_size=rng.choice([12, 20]), vocab_size=32, num_hidden_layers=rng.choice([1, 3]))),
    lambda rng: RobertaConfig(**dict(SMALL, num_attention_heads=4, tie_word_embeddings=rng.random() < 0.5)),
    lambda rng: ElectraConfig(**dict(SMALL, embedding_size=10)),
    lambda rng: GPT2Config(**dict(GPT2, tie_word_embeddings=rng.random() < 0.5, scale_attn_by_inverse_layer_idx=rng.random() < 0.5)),
]


def random_encoder_decoder(rng):
    fields = pair_of(rng.choice(ENCODERS)(rng), rng.choice(DECODERS)(rng), decoder_start_token_id=rng.choice([None, 0, 3]))
    return Variant(fields, target_tokens=rng.choice([1, 5, 20]), **random_text(rng, 20))


FAMILIES = [
    Family("encoder-decoder", EncoderDecoderConfig, EncoderDecoderModel, {
        "bert-bert": Variant(pair_of(BertConfig(**SMALL), BertConfig(**dict(SMALL, vocab_size=32)), decoder_start_token_id=2), pair=True),
        "wider-encoder": Variant(pair_of(BertConfig(**dict(SMALL, hidden_size=18, num_attention_heads=3)),
                                         BertConfig(**dict(SMALL, tie_word_embeddings=False))), dtype=BF16),
        "roberta-roberta": Variant(pair_of(RobertaConfig(**SMALL), RobertaConfig(**SMALL))),
        "distilbert-electra": Variant(pair_of(DistilBertConfig(**dict(DISTILBERT, n_layers=1)),
                                              ElectraConfig(**dict(SMALL, embedding_size=10)))),
        "bert-gpt2": Variant(pair_of(BertConfig(**SMALL), GPT2Config(**GPT2))),
    }, random_encoder_decoder),
]
