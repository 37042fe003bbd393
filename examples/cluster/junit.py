#!/usr/bin/env python3
"""Joins the results of a suite's shares: junit.py OUT SHARES FOLDER

FOLDER has 0.xml to SHARES-1.xml, as googletest writes them. OUT gets all tests in one JUnit file. It is written in any
case of results, but the exit code is 1 if a test failed, and 2, without OUT, if a share is missing or cut off, by name.
"""
import os
import sys
import xml.etree.ElementTree as xml


def main(out, shares, folder):
    whole, suites, bad = xml.Element("testsuites", name="AllTests"), {}, []
    totals = dict.fromkeys(("tests", "failures", "disabled", "errors"), 0)
    seconds = 0.0
    for i in range(int(shares)):
        path = os.path.join(folder, f"{i}.xml")
        try:
            root = xml.parse(path).getroot()
        except (OSError, xml.ParseError) as error:
            bad.append(f"share {i} of {shares} is missing: {path}: {error}")
            continue
        seconds += float(root.get("time", 0))
        for suite in root.iter("testsuite"):
            name = suite.get("name")
            into = suites.get(name)
            if into is None:
                into = suites[name] = xml.SubElement(whole, "testsuite", name=name, time="0", **{k: "0" for k in totals})
            into.set("time", f"{float(into.get('time')) + float(suite.get('time', 0)):g}")
            for key in totals:
                count = int(suite.get(key, 0))
                into.set(key, str(int(into.get(key)) + count))
                totals[key] += count
            into.extend(suite)
    if bad:
        print("\n".join(bad), file=sys.stderr)
        return 2
    for key, count in totals.items():
        whole.set(key, str(count))
    whole.set("time", f"{seconds:g}")
    part = out + ".part"
    xml.ElementTree(whole).write(part, encoding="utf-8", xml_declaration=True)
    os.replace(part, out)
    print(", ".join(f"{count} {key}" for key, count in totals.items()))
    return 1 if totals["failures"] or totals["errors"] else 0


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
