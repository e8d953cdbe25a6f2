# SPDX-License-Identifier: GPL-3.0-or-later
"""Rotary embeddings in config.json: random ones, and the spelling of transformers 5, which 4.57 does not read."""


TYPES = ["default", "linear", "dynamic", "llama3", "yarn", "longrope"]


def newer_spelling(fields):
    """rope_theta and rope_scaling become rope_parameters; the original length of longrope moves into it."""
    parameters = dict(fields.pop("rope_scaling", None) or {"rope_type": "default"})
    kind = parameters.pop("type", None)
    parameters.setdefault("rope_type", kind)
    parameters["rope_theta"] = fields.pop("rope_theta")
    original = fields.pop("original_max_position_embeddings", None)
    if original is not None:
        parameters["original_max_position_embeddings"] = original
    return {**fields, "rope_parameters": parameters}


def scaling_of(rng, kind, dims, fields):
    factor = rng.choice([1.5, 2, 4.0, 8.0])
    if kind in ("linear", "dynamic"):
        return {"factor": factor}
    if kind == "llama3":
        low = rng.choice([1.0, 2, 0.5])
        return {"factor": factor, "low_freq_factor": low, "high_freq_factor": low * rng.choice([2.0, 4.0]),
                "original_max_position_embeddings": rng.choice([8, 32, 100])}
    if kind == "yarn":
        scaling = {"factor": factor}
        optional = {"original_max_position_embeddings": rng.choice([8, 32, 100]), "beta_fast": rng.choice([4, 32]),
                    "beta_slow": rng.choice([1, 2.0]), "truncate": rng.random() < 0.5, "attention_factor": rng.choice([0.8, 1.3]),
                    "mscale": rng.choice([0.7, 1.0]), "mscale_all_dim": rng.choice([0.5, 1.0])}
        scaling.update({key: value for key, value in optional.items() if rng.random() < 0.5})
        return scaling
    scaling = {name: [rng.uniform(1.0, most) for _ in range(dims // 2)] for name, most in (("short_factor", 1.5), ("long_factor", 9.0))}
    if rng.random() < 0.5:
        fields["original_max_position_embeddings"] = rng.choice([2, 8, 32])
    else:
        scaling["factor"] = factor
    if rng.random() < 0.3:
        scaling["attention_factor"] = rng.choice([0.8, 1.3])
    return scaling


def random_rope(rng, dims, forms=None):
    """Fields of the older spelling, and what rewrites config.json (or nothing). `forms`: the types to draw from; "two fields" among
    them stands for rope_scaling of type and factor alone, "new name" for no `type` without rope_type."""
    fields = {"rope_theta": rng.choice([100.0, 10000.0, 500000]), "max_position_embeddings": rng.choice([8, 16, 40])}
    kinds = [kind for kind in forms or TYPES if kind not in ("two fields", "new name")]
    if dims <= 2:
        kinds = [kind for kind in kinds if kind != "dynamic"]
    kind = rng.choice(kinds)
    spelling = newer_spelling if rng.random() < 0.3 else None
    if kind == "default":
        return fields, spelling
    scaling = scaling_of(rng, kind, dims, fields)
    if forms and "two fields" in forms:
        scaling["factor"] = float(scaling["factor"])
        return dict(fields, rope_scaling={"type": kind, **scaling}), spelling
    names = ["rope_type"] if forms and "new name" in forms else rng.choice([["type"], ["rope_type"], ["type", "rope_type"]])
    return dict(fields, rope_scaling={**{name: kind for name in names}, **scaling}), spelling
