# SPDX-License-Identifier: MIT
# Writes a tiny LLaMA model as a GGUF file: two layers, fixed random weights, a vocabulary of bytes. And a text to
# evaluate. usage: tiny_llama.py MODEL TEXT
import random
import struct
import sys

EMBEDDING, HEADS, KV_HEADS, LAYERS, FORWARD, CONTEXT = 256, 4, 2, 2, 512, 256
TOKENS = 3 + 256
U32, I32, F32, STRING, ARRAY = 4, 5, 6, 8, 9
NORMAL, UNKNOWN, CONTROL, BYTE = 1, 2, 3, 6


def text(s):
    return struct.pack("<Q", len(s.encode())) + s.encode()


def value(key, kind, packed):
    return text(key) + struct.pack("<I", kind) + packed


def number(key, n):
    return value(key, U32, struct.pack("<I", n))


def real(key, x):
    return value(key, F32, struct.pack("<f", x))


def array(key, kind, items):
    pack = {STRING: text, F32: lambda x: struct.pack("<f", x), I32: lambda n: struct.pack("<i", n)}[kind]
    return value(key, ARRAY, struct.pack("<IQ", kind, len(items)) + b"".join(map(pack, items)))


facts = [
    value("general.architecture", STRING, text("llama")),
    value("general.name", STRING, text("tiny")),
    number("llama.context_length", CONTEXT),
    number("llama.embedding_length", EMBEDDING),
    number("llama.block_count", LAYERS),
    number("llama.feed_forward_length", FORWARD),
    number("llama.attention.head_count", HEADS),
    number("llama.attention.head_count_kv", KV_HEADS),
    number("llama.rope.dimension_count", EMBEDDING // HEADS),
    number("llama.vocab_size", TOKENS),
    real("llama.attention.layer_norm_rms_epsilon", 1e-5),
    value("tokenizer.ggml.model", STRING, text("llama")),
    array("tokenizer.ggml.tokens", STRING, ["<unk>", "<s>", "</s>"] + ["<0x%02X>" % b for b in range(256)]),
    array("tokenizer.ggml.scores", F32, [0.0] * TOKENS),
    array("tokenizer.ggml.token_type", I32, [UNKNOWN, CONTROL, CONTROL] + [BYTE] * 256),
    number("tokenizer.ggml.unknown_token_id", 0),
    number("tokenizer.ggml.bos_token_id", 1),
    number("tokenizer.ggml.eos_token_id", 2),
]
keys = EMBEDDING // HEADS * KV_HEADS
shapes = [("token_embd.weight", (EMBEDDING, TOKENS)), ("output_norm.weight", (EMBEDDING,)), ("output.weight", (EMBEDDING, TOKENS))]
for i in range(LAYERS):
    for name, shape in (
        ("attn_norm", (EMBEDDING,)),
        ("attn_q", (EMBEDDING, EMBEDDING)),
        ("attn_k", (EMBEDDING, keys)),
        ("attn_v", (EMBEDDING, keys)),
        ("attn_output", (EMBEDDING, EMBEDDING)),
        ("ffn_norm", (EMBEDDING,)),
        ("ffn_gate", (EMBEDDING, FORWARD)),
        ("ffn_up", (EMBEDDING, FORWARD)),
        ("ffn_down", (FORWARD, EMBEDDING)),
    ):
        shapes.append(("blk.%d.%s.weight" % (i, name), shape))

source = random.Random(20)
heads, data = [], b""
for name, shape in shapes:
    count = 1
    for n in shape:
        count *= n
    # Norms are near 1; what is multiplied keeps the size of its input.
    weights = [1 + source.gauss(0, 0.1) if len(shape) == 1 else source.gauss(0, 1.5 / shape[0] ** 0.5) for _ in range(count)]
    heads.append(text(name) + struct.pack("<I", len(shape)) + struct.pack("<%dQ" % len(shape), *shape) + struct.pack("<IQ", 0, len(data)))
    data += struct.pack("<%df" % count, *weights)
    data += bytes(-len(data) % 32)
head = b"GGUF" + struct.pack("<IQQ", 3, len(shapes), len(facts)) + b"".join(facts) + b"".join(heads)
with open(sys.argv[1], "wb") as f:
    f.write(head + bytes(-len(head) % 32) + data)
with open(sys.argv[2], "w") as f:
    f.write("".join(source.choice("abcdefghij klmnop.\n") for _ in range(3 * CONTEXT)))
