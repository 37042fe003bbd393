#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what `softwave obj --json` says of code objects with llvm-readobj, fact by fact.

usage: obj_facts.py SOFTWAVE READOBJ OBJECT...
Header, sections, program headers, both symbol tables, relocations, notes, the metadata's YAML to the
character, and the rows of line tables with llvm-dwarfdump (beside READOBJ). Prints each difference (at most 5 an object) and `N objects, N facts, N differ`; fails on any.
"""
import json
import subprocess
import sys


def run(*command):
    return subprocess.run(command, capture_output=True, check=False)


class Facts:
    """Counts comparisons of one object and remembers those that differ."""

    def __init__(self):
        self.count = 0
        self.bad = []

    def same(self, what, ours, theirs):
        self.count += 1
        if ours != theirs:
            self.bad.append(f"{what}: {ours!r}, llvm-readobj says {theirs!r}")


def number(field):
    """A field of llvm-readobj: a number, a number in text, or a name with a value."""
    if isinstance(field, dict):
        return field["Value"] if "Value" in field else field["RawFlags"]
    return int(field)


def printable(name):
    """A name as `softwave obj` prints it: control characters as \\xNN."""
    return "".join(c if c >= " " and c != "\x7f" else f"\\x{ord(c):02x}" for c in name)


def header(facts, ours, theirs):
    ident = theirs["Ident"]
    facts.same("OS ABI", ours["os_abi"], number(ident["OS/ABI"]))
    facts.same("ABI version", ours["abi_version"], ident["ABIVersion"])
    facts.same("machine", ours["machine"], number(theirs["Machine"]))
    facts.same("flags", ours["flags"], number(theirs["Flags"]))
    facts.same("entry", ours["entry"], theirs["Entry"])
    kinds = {"ET_REL": "Relocatable", "ET_DYN": "SharedObject", "ET_EXEC": "Executable", "ET_CORE": "Core"}
    facts.same("type", kinds[ours["type"]], theirs["Type"].split(" ")[0])


def sections(facts, ours, theirs):
    facts.same("sections", len(ours), len(theirs))
    for i, (a, b) in enumerate(zip(ours, theirs)):
        b = b["Section"]
        where = f"section {i} "
        facts.same(where + "name", a["name"], printable(b["Name"]["Name"]))
        for key, theirs_key in (("type_number", "Type"), ("flags", "Flags"), ("address", "Address"),
                                ("offset", "Offset"), ("size", "Size"), ("link", "Link"), ("info", "Info"),
                                ("alignment", "AddressAlignment"), ("entry_size", "EntrySize")):
            facts.same(where + key, a[key], number(b[theirs_key]))


def segments(facts, ours, theirs):
    facts.same("program headers", len(ours), len(theirs))
    for i, (a, b) in enumerate(zip(ours, theirs)):
        b = b["ProgramHeader"]
        for key, theirs_key in (("type_number", "Type"), ("flags", "Flags"), ("address", "VirtualAddress"),
                                ("offset", "Offset"), ("file_size", "FileSize"), ("memory_size", "MemSize"),
                                ("alignment", "Alignment")):
            facts.same(f"program header {i} {key}", a[key], number(b[theirs_key]))


def symbols(facts, what, ours, theirs, section_names):
    theirs = [t["Symbol"] for t in theirs[1:]]  # without the null symbol
    facts.same(what, len(ours), len(theirs))
    types = {"None": "notype", "Function": "func", "AMDGPU_HSA_KERNEL": "kernel"}
    for i, (a, b) in enumerate(zip(ours, theirs)):
        where = f"{what} {i + 1} "
        name = b["Name"]["Name"]
        if not (a["type"] == "section" and not a["name"]):  # whose name llvm-readobj fills in
            facts.same(where + "name", a["name"], printable(name))
        facts.same(where + "value", a["value"], b["Value"])
        facts.same(where + "size", a["size"], b["Size"])
        facts.same(where + "binding", a["binding"], number(b["Binding"]))
        theirs_type = b["Type"]["Name"]
        facts.same(where + "type", a["type"], types.get(theirs_type, theirs_type.lower()))
        facts.same(where + "visibility", a["visibility"], number(b["Other"]) & 3)
        facts.same(where + "section", a["section"], number(b["Section"]))


def relocations(facts, ours, theirs, names):
    flat = []
    for table in theirs:
        index = table["SectionIndex"] if "SectionIndex" in table else None
        for r in table.get("Relocs", []):
            flat.append((index, r["Relocation"]))
    facts.same("relocations", len(ours), len(flat))
    for i, (a, (_, b)) in enumerate(zip(ours, flat)):
        where = f"relocation {i} "
        facts.same(where + "offset", a["offset"], b["Offset"])
        facts.same(where + "type", a["type"], b["Type"]["Name"])
        theirs_name = b["Symbol"]["Name"]
        if a["symbol"] != "" and not (a["symbol"] is None and theirs_name in ("", "-")):
            facts.same(where + "symbol", a["symbol"], printable(theirs_name))
        if "addend" in a:
            facts.same(where + "addend", a["addend"] % 2**64, b.get("Addend", 0) % 2**64)


def notes(facts, ours, theirs, yaml):
    flat = [n for s in theirs for n in s.get("NoteSection", s).get("Notes", [])]
    facts.same("notes", len(ours), len(flat))
    for i, (a, b) in enumerate(zip(ours, flat)):
        facts.same(f"note {i} owner", a["vendor"], b["Owner"])
        facts.same(f"note {i} size", a["size"], b["Data size"])
        if a["name"]:
            facts.same(f"note {i} type", a["name"], b["Type"].split(" ")[0])
    texts = [n["AMDGPU Metadata"] for n in flat if "AMDGPU Metadata" in n]
    if len(texts) == 1 and yaml is not None:
        facts.same("metadata", yaml.split("\n"), texts[0].split("\n"))


def line_rows(text):
    """Rows of llvm-dwarfdump --debug-line as softwave prints them, without the file."""
    rows = []
    for line in text.split("\n"):
        words = line.split()
        if len(words) < 7 or not line.startswith("0x"):
            continue
        flags = words[7:]
        if "end_sequence" in flags:
            rows.append((int(words[0], 16), "end"))
            continue
        where = f"{words[1]}:{words[2]}"
        where += "" if "is_stmt" in flags else " not a statement"
        where += " prologue end" if "prologue_end" in flags else ""
        where += " epilogue begin" if "epilogue_begin" in flags else ""
        where += "" if words[5] == "0" else f" discriminator {words[5]}"
        rows.append((int(words[0], 16), where))
    return rows


def lines(facts, softwave, dwarfdump, path, relocatable):
    ours = []
    result = run(softwave, "obj", "--lines", path)
    facts.same("line table's status", result.returncode, 0)
    for line in result.stdout.decode(errors="replace").splitlines():
        offset, rest = line.split(" ", 1)
        rest = rest if rest == "end" else rest[rest.rindex(":", 0, rest.rindex(":")) + 1:]
        ours.append((int(offset, 16), rest))
    theirs = line_rows(run(dwarfdump, "--debug-line", path).stdout.decode(errors="replace"))
    if relocatable:  # sections lie elsewhere in an image
        ours = [r for _, r in ours]
        theirs = [r for _, r in theirs]
    facts.count += len(theirs)
    facts.same("line table", sorted(ours), sorted(theirs))


def compare(softwave, readobj, path):
    facts = Facts()
    ours = run(softwave, "obj", "--json", path)
    theirs = run(readobj, "--elf-output-style=JSON", "--file-header", "--sections", "--program-headers",
                 "--symbols", "--dyn-symbols", "--relocations", "--notes", path)
    if ours.returncode:
        facts.bad.append(f"exit {ours.returncode}: {ours.stderr.decode(errors='replace')[:300]}")
        return facts
    a = json.loads(ours.stdout)["entries"][0]
    b = json.loads(theirs.stdout.decode(errors="replace"))[0]
    header(facts, a["header"], b["ElfHeader"])
    sections(facts, a["sections"], b["Sections"])
    segments(facts, a["segments"], b["ProgramHeaders"])
    names = [s["name"] for s in a["sections"]]
    symbols(facts, "symbol", a["symbols"], b["Symbols"], names)
    symbols(facts, "dynamic symbol", a["dynamic_symbols"], b["DynamicSymbols"], names)
    relocations(facts, a["relocations"], b["Relocations"], names)
    if any(name == ".debug_line" for name in names):
        lines(facts, softwave, readobj.replace("readobj", "dwarfdump"), path, a["header"]["type"] == "ET_REL")
    yaml = run(softwave, "obj", "--metadata", path).stdout.decode() if a.get("metadata") else None
    notes(facts, a["notes"], b.get("NoteSections", b.get("Notes", [])), yaml)
    return facts


def main():
    softwave, readobj, *paths = sys.argv[1:]
    facts = differ = 0
    for path in paths:
        result = compare(softwave, readobj, path)
        facts += result.count
        differ += bool(result.bad)
        for line in result.bad[:5]:
            print(f"{path}: {line[:600]}")
    print(f"{len(paths)} objects, {facts} facts, {differ} differ")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
