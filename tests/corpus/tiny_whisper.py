# SPDX-License-Identifier: MIT
# Writes a tiny Whisper model as whisper.cpp reads it: four layers, fixed random weights, words that are numbers. And
# two seconds of a chirp to hear. usage: tiny_whisper.py MODEL SOUND
import math
import random
import struct
import sys

STATE, HEADS, LAYERS, MELS, AUDIO, TEXT = 128, 2, 4, 80, 1500, 64
TOKENS, WORDS, BINS = 51864, 50257, 201
F32, F16 = 0, 1
random.seed(1)


# Numbers of 1/32 to 1/16, of both signs.
def numbers(count, kind):
    if kind == F32:
        keep, put = b"\xff\xff\x7f\x80", b"\x00\x00\x00\x3d"
    else:
        keep, put = b"\xff\x83", b"\x00\x28"
    size = count * len(keep)
    bits = random.getrandbits(8 * size) & int.from_bytes(keep * count, "little") | int.from_bytes(put * count, "little")
    return bits.to_bytes(size, "little")


def tensor(name, shape, kind=F16, data=None):
    count = math.prod(shape)
    head = struct.pack("<3i%di" % len(shape), len(shape), len(name), kind, *shape)
    return head + name.encode() + (numbers(count, kind) if data is None else data)


def vector(name, shape, value):
    return tensor(name, shape, F32, struct.pack("<f", value) * math.prod(shape))


def norm(name):
    return vector(name + ".weight", (STATE,), 1) + vector(name + ".bias", (STATE,), 0)


def linear(name, inputs, outputs, bias=True):
    return tensor(name + ".weight", (inputs, outputs)) + (tensor(name + ".bias", (outputs,), F32) if bias else b"")


def attention(name):
    parts = [linear(name + "." + what, STATE, STATE, what != "key") for what in ("query", "key", "value", "out")]
    return norm(name + "_ln") + b"".join(parts)


def block(name, crosses):
    layers = attention(name + ".attn") + (attention(name + ".cross_attn") if crosses else b"")
    return layers + norm(name + ".mlp_ln") + linear(name + ".mlp.0", STATE, 4 * STATE) + linear(name + ".mlp.2", 4 * STATE, STATE)


with open(sys.argv[1], "wb") as f:
    f.write(struct.pack("<I11i", 0x67676D6C, TOKENS, AUDIO, STATE, HEADS, LAYERS, TEXT, STATE, HEADS, LAYERS, MELS, 1))
    f.write(struct.pack("<2i", MELS, BINS))
    for m in range(MELS):  # triangles of three bins
        f.write(struct.pack("<%df" % BINS, *(max(0, 1 - abs(b - 2 * m - 2) / 2) / 50 for b in range(BINS))))
    f.write(struct.pack("<i", WORDS))
    for n in range(WORDS):
        word = (" ", " -", " '")[n] if n < 3 else " %d" % n  # the first three are looked for
        f.write(struct.pack("<i", len(word)) + word.encode())
    f.write(tensor("encoder.positional_embedding", (STATE, AUDIO), F32))
    f.write(tensor("encoder.conv1.weight", (3, MELS, STATE)) + tensor("encoder.conv1.bias", (1, STATE), F32))
    f.write(tensor("encoder.conv2.weight", (3, STATE, STATE)) + tensor("encoder.conv2.bias", (1, STATE), F32))
    for i in range(LAYERS):
        f.write(block("encoder.blocks.%d" % i, False))
    f.write(norm("encoder.ln_post"))
    f.write(tensor("decoder.positional_embedding", (STATE, TEXT), F32))
    f.write(tensor("decoder.token_embedding.weight", (STATE, TOKENS)))
    for i in range(LAYERS):
        f.write(block("decoder.blocks.%d" % i, True))
    f.write(norm("decoder.ln"))

with open(sys.argv[2], "wb") as f:
    samples = [int(9000 * math.sin(t * t / 60000)) for t in range(32000)]
    data = struct.pack("<%dh" % len(samples), *samples)
    f.write(b"RIFF" + struct.pack("<I", 36 + len(data)) + b"WAVEfmt " + struct.pack("<IHHIIHH", 16, 1, 1, 16000, 32000, 2, 16))
    f.write(b"data" + struct.pack("<I", len(data)) + data)
