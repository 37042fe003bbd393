# SPDX-License-Identifier: MIT
"""AMD GPU code on any machine: assemble, inspect, disassemble and run it, with no AMD GPU.

    import numpy as np, softwave

    code = softwave.open("saxpy.co")             # or softwave.assemble(text, "gfx90a")
    gpu = softwave.Device("gfx90a")
    y, x = np.zeros(1000, np.float32), np.arange(1000, dtype=np.float32)
    gpu.run(code, "saxpy", y, x, 2.0, 1000, grid=1024, block=64)

Buffers are NumPy arrays or anything else that offers the buffer protocol (bytearray, array.array). The kernel works on a
copy, which goes back into the buffer if that can be written. NumPy itself is not needed.
"""
import collections
import ctypes
import json
import struct

from . import _c

__all__ = ["Argument", "Code", "Device", "Error", "Fault", "Kernel", "Local", "Operation", "assemble", "disassemble", "open",
           "processors", "version"]
__version__ = "0.1.0"

_library = _c.load()


class Error(Exception):
    """A call that failed. `status` is a number of sw_status, `messages` the lines that the library reported."""

    def __init__(self, status, messages):
        self.status, self.messages = status, messages
        super().__init__("\n".join(messages) or _library.sw_status_text(status).decode())


class Fault(Error):
    """The kernel faulted or was stopped. `pc` counts from the start of the code; `group`, `wave`, `lane` and `address`
    say where and what; lane -1 is the whole wave."""

    def __init__(self, fault, messages):
        words = ctypes.create_string_buffer(512)
        _library.sw_fault_describe(ctypes.byref(fault), words, len(words))
        super().__init__(_c.FAULT, ["the kernel " + words.value.decode()] + messages)
        self.pc, self.address, self.lane, self.wave = fault.code_offset, fault.address, fault.lane, fault.wave
        self.group = tuple(fault.group)


class _Messages:
    """A sink that collects messages as "file:line:column: text"."""

    def __init__(self):
        self.lines = []
        self._report = _c.SINK(self._take)
        self.sink = _c.sink(self._report, None)

    def _take(self, _context, address):
        d = ctypes.cast(address, ctypes.POINTER(_c.diagnostic)).contents
        place = d.at.file.decode(errors="replace") + ":" if d.at.file else ""
        if d.at.line:
            place += "%u:%u:" % (d.at.line, d.at.column)
        self.lines.append((place + " " if place else "") + d.message.decode(errors="replace"))

    def check(self, status):
        if status != _c.OK:
            raise Error(status, self.lines)


class _Text:
    """Takes the text that the library writes."""

    def __init__(self):
        self._parts = []
        self.write = _c.WRITE(self._take)

    def _take(self, _context, text, length):
        self._parts.append(ctypes.string_at(text, length))
        return True

    def __str__(self):
        return b"".join(self._parts).decode(errors="replace")


def version():
    """The version of the library, such as "0.1.0"."""
    return _library.sw_version().decode()


def processors():
    """The names of all processors, the oldest first."""
    at, name = _library.sw_processor_at, _library.sw_processor_name
    return [name(at(i)).decode() for i in range(_library.sw_processor_count())]


def _target(name):
    messages, target, text = _Messages(), _c.target(), name.encode()
    messages.check(_library.sw_target_choose(text, len(text), ctypes.byref(target), ctypes.byref(messages.sink)))
    return target


def _target_name(target):
    out = ctypes.create_string_buffer(64)
    _library.sw_target_format(ctypes.byref(target), out)
    return out.value.decode()


def assemble(text, target, name="<text>", features=None):
    """Code of assembly text in LLVM's syntax. `target`: a processor, target id or product ("gfx90a:xnack+", "mi300x").
    Raises Error with the line and column of each mistake."""
    messages = _Messages()
    options = _c.asm_options(target=_target(target), os=_c.OS_AMDHSA, name=name.encode(),
                             features=features.encode() if features else None)
    data, size, source = ctypes.c_void_p(), ctypes.c_size_t(), text.encode()
    messages.check(_library.sw_assemble(source, len(source), ctypes.byref(options), ctypes.byref(data),
                                        ctypes.byref(size), ctypes.byref(messages.sink)))
    try:
        return Code(ctypes.string_at(data, size.value), name)
    finally:
        _library.sw_free(data)


def open(path):
    """The code object in a file: linked or relocatable. Bundles and host programs: take the object out first
    (`softwave obj --extract`)."""
    import builtins
    with builtins.open(path, "rb") as file:
        return Code(file.read(), str(path))


def disassemble(code, target, address=0):
    """Instructions in bytes, a line each: text and bytes as llvm-objdump shows them."""
    messages, text = _Messages(), _Text()
    options = _c.list_options(write=text.write)
    code = bytes(code)
    messages.check(_library.sw_list_code(_target(target).processor, code, len(code), address, ctypes.byref(options),
                                         ctypes.byref(messages.sink)))
    return str(text)


class Argument:
    """An argument of a kernel: `name` and `type` as its metadata has them (None where it does not say), `offset` and
    `size` in bytes, `kind` such as "by_value" or "global_buffer"."""

    def __init__(self, row):
        self.name, self.type = row["name"], row["type_name"]
        self.offset, self.size, self.kind = row["offset"], row["size"], row["value_kind"]

    def __repr__(self):
        return "<%s %s, %u bytes>" % (self.type or self.kind, self.name or "?", self.size)


class Kernel:
    """A kernel of a code object: `name`, and its explicit `arguments`."""

    def __init__(self, row):
        self.name = row["name"]
        self.arguments = [Argument(a) for a in row.get("arguments") or [] if not a["value_kind"].startswith("hidden_")]

    def __repr__(self):
        return "<kernel %s(%s)>" % (self.name, ", ".join(str(a.type or a.kind) for a in self.arguments))


class Code:
    """A code object: `data` (its bytes), `target`, `kernels` by name, and `facts`, all that `softwave obj --json` says."""

    def __init__(self, data, name="<bytes>"):
        self.data, self.name = bytes(data), name
        self._handle = ctypes.c_void_p()
        self._bytes = ctypes.create_string_buffer(self.data, len(self.data))
        messages = _Messages()
        messages.check(_library.sw_object_open(self._bytes, len(self.data), None, ctypes.byref(self._handle),
                                               ctypes.byref(messages.sink)))
        self.target = _target_name(_library.sw_object_target(self._handle).contents)
        text = _Text()
        options = _c.describe_options(write=text.write, json_depth=1)
        messages.check(_library.sw_describe_object(self._handle, ctypes.byref(options), ctypes.byref(messages.sink)))
        self.facts = json.loads("{" + str(text).strip().lstrip(",") + "}")
        self.kernels = {row["name"]: Kernel(row) for row in self.facts.get("kernels", [])}

    def __repr__(self):
        return "<code of %s: %s>" % (self.target, ", ".join(self.kernels) or "no kernels")

    def __del__(self):
        if getattr(self, "_handle", None):
            _library.sw_object_close(self._handle)

    def disassemble(self, function=None):
        """Its instructions, or those of one function, as llvm-objdump shows them."""
        messages, text = _Messages(), _Text()
        options = _c.list_options(write=text.write, function=function.encode() if function else None)
        messages.check(_library.sw_list_object(self._handle, ctypes.byref(options), ctypes.byref(messages.sink)))
        return str(text)


class Local:
    """An argument that is a __local pointer: so many bytes of LDS."""

    def __init__(self, size):
        self.size = size


# An operation that a kernel has reached: `mnemonic`, `fidelity` ("exact", "approximate" or "unsupported"), `why` it is
# not exact (else None), and `ulps`, the greatest error that was measured (None: there is no such number).
Operation = collections.namedtuple("Operation", "mnemonic fidelity why ulps")

_INTEGERS = {1: "b", 2: "h", 4: "i", 8: "q"}


def _number(value, argument):
    """The bytes of a Python number, as the kernel's argument wants it."""
    size = argument.size if argument else 8 if isinstance(value, float) else 4
    kind = (argument.type or "") if argument else ""
    if isinstance(value, float) or kind.startswith(("float", "double", "half", "_Float16")):
        code = {2: "e", 4: "f", 8: "d"}.get(size)
        return struct.pack("<" + code, value) if code else None
    code = _INTEGERS.get(size)
    return struct.pack("<" + (code.upper() if value >= 0 else code), value) if code else None


class Device:
    """A GPU in software. `target`: a processor, target id or product. `threads`: 0 is all cores of this machine.
    `weak`: the seed of weak memory (doc/weak.md); 0 is none. `hazards`: with it, registers that are read too soon hold old
    values. `exact_only`: kernels fault where they reach an instruction
    whose result is not exact (`softwave isa --fidelity`). Leaving a `with` block or `close()` frees it."""

    def __init__(self, target="gfx90a", threads=0, weak=0, exact_only=False, hazards=False):
        messages = _Messages()
        self._handle, self._loaded = ctypes.c_void_p(), {}
        options = _c.device_options(target=_target(target), threads=threads, weak=weak, exact_only=exact_only,
                                    weak_hazards=hazards)
        messages.check(_library.sw_device_create(ctypes.byref(options), ctypes.byref(self._handle),
                                                 ctypes.byref(messages.sink)))
        self.target = target

    def close(self):
        if self._handle:
            _library.sw_device_destroy(self._handle)
        self._handle, self._loaded = ctypes.c_void_p(), {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_handle", None):
            self.close()

    def _load(self, code):
        if id(code) not in self._loaded:
            messages, executable = _Messages(), ctypes.c_void_p()
            messages.check(_library.sw_device_load(self._handle, code._handle, None, None, ctypes.byref(executable),
                                                   ctypes.byref(messages.sink)))
            self._loaded[id(code)] = (executable, code)  # keeps the code
        return self._loaded[id(code)][0]

    def operations(self, code):
        """The operations that kernels of `code` have reached on this device: a list of Operation."""
        if not self._handle:
            raise ValueError("the device is closed")
        executable = self._load(code)
        rows = (_c.operation * max(1, _library.sw_executable_operations(self._handle, executable, None, 0)))()
        rows[0].size = ctypes.sizeof(_c.operation)
        count = _library.sw_executable_operations(self._handle, executable, rows, len(rows))
        return [Operation(r.mnemonic.decode(), "unsupported" if r.unsupported else "approximate" if r.approximate else
                          "exact", (r.unsupported or r.why or b"").decode() or None, r.ulps or None) for r in rows[:count]]

    def run(self, code, kernel, *arguments, grid, block=None, dynamic_lds=0, timeout=0.0):
        """Runs a kernel to its end and returns what it printed.

        code: a Code. kernel: its name, or any part of its C++ name that is not ambiguous.
        arguments: for each explicit argument a buffer (array), a number, bytes (the value itself), None (a null
        pointer), or Local(size). Numbers are converted to the type in the metadata; without metadata an int has 4 bytes
        and a float 8, so say numpy.float32(x) or give bytes there.
        grid: work-items in all; block: work-items of a work-group; numbers or tuples of up to three. timeout: seconds.
        Raises Fault if the kernel faults, Error for arguments that it does not take.
        """
        if not self._handle:
            raise ValueError("the device is closed")
        launch = _c.launch(kernel=kernel.encode(), object=code._handle, dynamic_lds=dynamic_lds, timeout=timeout)
        launch.executable = self._load(code)
        for i, n in enumerate((grid,) if isinstance(grid, int) else grid):
            launch.grid[i] = n
        for i, n in enumerate((block,) if isinstance(block, int) else block or ()):
            launch.block[i] = n
        known = code.kernels.get(kernel)
        rows = known.arguments if known else []
        text, messages, fault = _Text(), _Messages(), _c.fault()
        launch.print = _c.PRINT(lambda context, t, n: text._parts.append(ctypes.string_at(t, n)))
        buffers, keep, values = [], [], (_c.kernel_value * max(1, len(arguments)))()
        try:
            for i, value in enumerate(arguments):
                row = rows[i] if i < len(rows) else None
                values[i] = self._value(value, row, i, buffers, keep)
            launch.arguments, launch.argument_count = values, len(arguments)
            status = _library.sw_device_launch(self._handle, ctypes.byref(launch), ctypes.byref(fault),
                                               ctypes.byref(messages.sink))
            for view, memory in buffers:
                if not view.readonly:
                    view.cast("B")[:] = ctypes.string_at(memory, view.nbytes)
        finally:
            for _, memory in buffers:
                _library.sw_device_free(self._handle, memory, None)
        if status == _c.FAULT:
            raise Fault(fault, messages.lines)
        messages.check(status)
        return str(text)

    def _value(self, value, row, i, buffers, keep):
        if isinstance(value, Local):
            return _c.kernel_value(None, value.size)
        if value is None:
            data = bytes(8)
        elif isinstance(value, bytes):
            data = value
        elif isinstance(value, (bool, int, float)) and not hasattr(value, "dtype"):
            data = _number(value, row)
            if data is None:
                raise TypeError("argument %u takes %u bytes: give bytes or a NumPy value" % (i, row.size))
        elif hasattr(value, "dtype") and getattr(value, "ndim", None) == 0:  # a NumPy number
            data = value.tobytes()
        else:
            data = struct.pack("<Q", self._buffer(value, i, buffers))
        keep.append(ctypes.create_string_buffer(data, len(data)))
        return _c.kernel_value(ctypes.cast(keep[-1], ctypes.c_void_p), len(data))

    def _buffer(self, value, i, buffers):
        try:
            view = memoryview(value)
        except TypeError:
            raise TypeError("argument %u: a %s is neither a buffer, a number, bytes, None nor Local" %
                            (i, type(value).__name__)) from None
        if not view.c_contiguous:
            raise ValueError("argument %u: the buffer is not contiguous: numpy.ascontiguousarray makes it so" % i)
        memory = _library.sw_device_alloc(self._handle, max(1, view.nbytes))
        if not memory:
            raise MemoryError("argument %u: no room for %u bytes" % (i, view.nbytes))
        buffers.append((view, memory))
        ctypes.memmove(memory, view.tobytes(), view.nbytes)
        return memory
