# SPDX-License-Identifier: MIT
# Compares what `dis --llvm` prints with what llc printed: same_text.py LLC.s DIS.txt. Both are reduced to pairs of
# encoding and text; blanks, commas before them and the clauses' headings do not count. Prints differing lines and how
# many were compared.
import collections
import re
import sys

pair = re.compile(r"^(.*?)\s*; encoding: \[(.+)\]")


def normal(text):
    text = re.sub(r"\s+", " ", text.strip())
    text = re.sub(r"\s*,\s*", ",", text).rstrip(",")
    # Literals, which llc prints with a sign or without.
    return re.sub(r"(^|,)(-?\d+)\(", lambda m: "%s%d(" % (m.group(1), int(m.group(2)) % 2**32), text)


def pairs(name):
    found = collections.defaultdict(set)
    count = 0
    for line in open(name, errors="replace"):
        m = pair.match(line)
        if m and "A" not in m.group(2):  # what a relocation fills in
            found[m.group(2)].add(normal(m.group(1)))
            count += 1
    return found, count


llc, words = pairs(sys.argv[1])
ours, words_ours = pairs(sys.argv[2])
bad = 0
for encoding, texts in llc.items():
    if encoding not in ours:
        print("not listed:", encoding, texts)
        bad += 1
    elif texts - ours[encoding]:
        print("llc", sorted(texts), "ours", sorted(ours[encoding]), encoding)
        bad += 1
print(words, words_ours, bad)
sys.exit(bad != 0 or not words)
