#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares what `softwave obj --json` says of code objects with llvm-readobj, fact by fact.

usage: obj_facts.py SOFTWAVE READOBJ OBJECT...
Header, sections, program headers, both symbol tables, relocations, notes, the metadata's YAML to the
character; the rows of line tables with llvm-dwarfdump; kernel descriptors of linked objects, field by
field, with llvm-objdump's directives (both beside READOBJ). Prints each difference (at most 5 an object) and `N objects, N facts, N differ`; fails on any.
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


# Directives that are fields of the kernel descriptor.
FIELDS = {
    "group_segment_fixed_size": "GROUP_SEGMENT_FIXED_SIZE",
    "private_segment_fixed_size": "PRIVATE_SEGMENT_FIXED_SIZE",
    "kernarg_size": "KERNARG_SIZE",
    "tg_split": "TG_SPLIT",
    "inst_pref_size": "INST_PREF_SIZE",
    "float_round_mode_32": "FLOAT_ROUND_MODE_32",
    "float_round_mode_16_64": "FLOAT_ROUND_MODE_16_64",
    "float_denorm_mode_32": "FLOAT_DENORM_MODE_32",
    "float_denorm_mode_16_64": "FLOAT_DENORM_MODE_16_64",
    "dx10_clamp": "ENABLE_DX10_CLAMP",
    "ieee_mode": "ENABLE_IEEE_MODE",
    "fp16_overflow": "FP16_OVFL",
    "round_robin_scheduling": "WG_RR_EN",
    "workgroup_processor_mode": "WGP_MODE",
    "memory_ordered": "MEM_ORDERED",
    "forward_progress": "FWD_PROGRESS",
    "enable_private_segment": "ENABLE_PRIVATE_SEGMENT",
    "system_sgpr_private_segment_wavefront_offset": "ENABLE_PRIVATE_SEGMENT",
    "system_sgpr_workgroup_id_x": "ENABLE_SGPR_WORKGROUP_ID_X",
    "system_sgpr_workgroup_id_y": "ENABLE_SGPR_WORKGROUP_ID_Y",
    "system_sgpr_workgroup_id_z": "ENABLE_SGPR_WORKGROUP_ID_Z",
    "system_sgpr_workgroup_info": "ENABLE_SGPR_WORKGROUP_INFO",
    "system_vgpr_workitem_id": "ENABLE_VGPR_WORKITEM_ID",
    "exception_fp_ieee_invalid_op": "ENABLE_EXCEPTION_IEEE_754_FP_INVALID_OPERATION",
    "exception_fp_denorm_src": "ENABLE_EXCEPTION_FP_DENORMAL_SOURCE",
    "exception_fp_ieee_div_zero": "ENABLE_EXCEPTION_IEEE_754_FP_DIVISION_BY_ZERO",
    "exception_fp_ieee_overflow": "ENABLE_EXCEPTION_IEEE_754_FP_OVERFLOW",
    "exception_fp_ieee_underflow": "ENABLE_EXCEPTION_IEEE_754_FP_UNDERFLOW",
    "exception_fp_ieee_inexact": "ENABLE_EXCEPTION_IEEE_754_FP_INEXACT",
    "exception_int_div_zero": "ENABLE_EXCEPTION_INT_DIVIDE_BY_ZERO",
    "user_sgpr_private_segment_buffer": "ENABLE_SGPR_PRIVATE_SEGMENT_BUFFER",
    "user_sgpr_dispatch_ptr": "ENABLE_SGPR_DISPATCH_PTR",
    "user_sgpr_queue_ptr": "ENABLE_SGPR_QUEUE_PTR",
    "user_sgpr_kernarg_segment_ptr": "ENABLE_SGPR_KERNARG_SEGMENT_PTR",
    "user_sgpr_dispatch_id": "ENABLE_SGPR_DISPATCH_ID",
    "user_sgpr_flat_scratch_init": "ENABLE_SGPR_FLAT_SCRATCH_INIT",
    "user_sgpr_private_segment_size": "ENABLE_SGPR_PRIVATE_SEGMENT_SIZE",
    "user_sgpr_kernarg_preload_length": "KERNARG_PRELOAD_SPEC_LENGTH",
    "user_sgpr_kernarg_preload_offset": "KERNARG_PRELOAD_SPEC_OFFSET",
    "shared_vgpr_count": "SHARED_VGPR_COUNT",
    "wavefront_size32": "ENABLE_WAVEFRONT_SIZE32",
    "uses_dynamic_stack": "USES_DYNAMIC_STACK",
}


def descriptors(facts, objdump, path, kernels):
    """Kernel descriptors against the directives that llvm-objdump makes of them."""
    result = run(objdump, "-D", "-j", ".rodata", path)
    text = result.stdout.decode(errors="replace")
    ours = {k["name"]: k for k in kernels}
    kernel, seen = None, 0
    for line in text.split("\n"):
        words = line.split()
        if len(words) < 1 or not words[0].startswith((".amdhsa_", ".end_amdhsa")):
            continue
        name = words[0][len(".amdhsa_"):]
        if name == "kernel":
            kernel = ours.get(words[1])
            seen += 1
        if kernel is None or len(words) < 2 or name == "kernel":
            continue
        where = f"{kernel['name']} {words[0]}"
        fields = kernel["descriptor"]
        if name in FIELDS:
            facts.same(where, fields.get(FIELDS[name]), int(words[1]))
        elif name == "accum_offset":
            facts.same(where, (fields["ACCUM_OFFSET"] + 1) * 4, int(words[1]))
        elif name == "next_free_vgpr":
            facts.same(where, kernel["resources"]["vgprs"], int(words[1]))
        elif name == "next_free_sgpr":
            facts.same(where, (fields["GRANULATED_WAVEFRONT_SGPR_COUNT"] + 1) * 8, int(words[1]))
        elif not name.startswith("reserve_"):
            facts.bad.append(f"{where}: a directive that this comparison does not know")
    if b"not yet supported" in result.stderr:  # GFX6 and GFX7
        return
    # It gives up on a descriptor with a reserved bit set, which compilers for GFX10 once wrote.
    refused = text.count("; error decoding")
    described = [k for k in kernels if "descriptor" in k]
    facts.same("kernel descriptors", len(described), seen + refused)
    facts.same("descriptors with reserved bits set", sum(k["resources"]["reserved_bits"] > 0 for k in described), refused)


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
    if a["header"]["type"] == "ET_DYN" and a["kernels"] and a["header"]["code_object_version"] > 2:
        descriptors(facts, readobj.replace("readobj", "objdump"), path, a["kernels"])
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
