# Sourced by scripts and tests that say what they took.
# processor_seconds FILE: what the children of a shell took of processors, whose `times` is in FILE; a busy machine leaves it as it is
processor_seconds() { tail -n 1 "$1" | tr 'ms' '  ' | awk '{print int($1 * 60 + $2 + $3 * 60 + $4 + 0.5)}'; }
