#!/bin/sh
# dist.sh [FOLDER] - writes a release to build/dist: sooth-VERSION.tar.gz, the same bytes wherever it is
# written; its contents as SPDX 2.3 and CycloneDX 1.6; SHA256SUMS of these three. In a git checkout the
# archive has the files of the commit and its time. In an unpacked archive it has every file outside of
# build/, and the time of the newest. SOURCE_DATE_EPOCH replaces the time; URL is where releases are.
# SPDX-FileCopyrightText: 2026 the sooth authors
# SPDX-License-Identifier: MIT
cd "$(dirname "$0")/../.." || exit 1
set -e
LC_ALL=C; export LC_ALL
to=${1:-build/dist}
version=$(sed -n 's/^#define SOOTH_VERSION_TEXT "\(.*\)"/\1/p' include/sooth/base.h)
name=sooth-$version
mkdir -p "$to"
rm -f "$to"/sooth-* "$to"/SHA256SUMS*
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [ -e .git ]; then
    ask() { git -c safe.directory="$(pwd)" -c core.quotePath=off "$@"; }
    changed=$(ask diff --name-only HEAD)
    [ -z "$changed" ] || {
        echo "make dist: $(echo "$changed" | head -n 1) is not as in the commit: commit or restore it" >&2
        exit 1
    }
    ask ls-files > "$work/files"
    when=${SOURCE_DATE_EPOCH:-$(ask log -1 --format=%ct)}
else
    find . -type f ! -path './build/*' ! -path '*/__pycache__/*' | sed 's,^[.]/,,' > "$work/files"
    when=${SOURCE_DATE_EPOCH:-0}
fi
sort "$work/files" > "$work/list"
${CC:-cc} -O2 examples/packages/dist.c -o "$work/dist"
"$work/dist" "$name" "$when" < "$work/list" > "$to/$name.tar.gz" 2> "$work/date" || {
    cat "$work/date" >&2
    exit 1
}
date=$(cat "$work/date")
sum() { (cd "$to" && { sha256sum "$@" 2> /dev/null || shasum -a 256 "$@"; }); }
hash=$(sum "$name.tar.gz" | cut -d ' ' -f 1)

# ---- what it contains: the library, and data of others, each with its licence beside it ----

# NAME|LICENCE|ITS TEXT|COPYRIGHT
cat > "$work/data" << 'TXT'
bert-operators|MIT|examples/gpu/data/LICENSE.bert|2025 Georgia Institute of Technology, Microsoft
llm-operators|Apache-2.0|examples/gpu/data/llm_operators/LICENSE-Apache-2.0|2025-2026 NVIDIA and affiliates
gavel-pairs|MIT|examples/papers/data/LICENSE.gavel|2020 Stanford Future Data Systems
parsec-measurements|MIT|examples/scale/data/LICENSE.parsec|2016- Daniele De Sensi
titanx-measurements|BSD-3-Clause|examples/scale/data/LICENSE.titanx|2019 INESC-ID, Universidade de Lisboa
TXT
while IFS='|' read -r data licence text holder; do
    [ -f "$text" ] || { echo "make dist: $text is not here: correct the list in $0" >&2; exit 1; }
    cat >> "$work/spdx" << TXT
,
    {"SPDXID": "SPDXRef-$data", "name": "$data", "downloadLocation": "NOASSERTION", "filesAnalyzed": false,
      "licenseConcluded": "$licence", "licenseDeclared": "$licence", "licenseComments": "$text",
      "copyrightText": "$holder"}
TXT
    cat >> "$work/contains" << TXT
,
    {"spdxElementId": "SPDXRef-sooth", "relationshipType": "CONTAINS",
      "relatedSpdxElement": "SPDXRef-$data"}
TXT
    [ ! -s "$work/cdx" ] || echo ',' >> "$work/cdx"
    cat >> "$work/cdx" << TXT
    {"type": "data", "bom-ref": "$data", "name": "$data", "copyright": "$holder",
      "licenses": [{"license": {"id": "$licence"}}],
      "properties": [{"name": "sooth:licence", "value": "$text"}]}
TXT
done < "$work/data"
place=NOASSERTION
[ -z "$URL" ] || place=$URL/$name.tar.gz
cat > "$to/$name.spdx.json" << TXT
{
  "spdxVersion": "SPDX-2.3",
  "dataLicense": "CC0-1.0",
  "SPDXID": "SPDXRef-DOCUMENT",
  "name": "$name",
  "documentNamespace": "${URL:-https://example.org/sooth}/$name-$hash.spdx",
  "creationInfo": {"created": "$date", "creators": ["Tool: sooth-dist-$version"]},
  "packages": [
    {"SPDXID": "SPDXRef-sooth", "name": "sooth", "versionInfo": "$version", "packageFileName": "$name.tar.gz",
      "primaryPackagePurpose": "LIBRARY", "supplier": "Organization: the sooth authors",
      "downloadLocation": "$place", "filesAnalyzed": false,
      "licenseConcluded": "MIT", "licenseDeclared": "MIT", "copyrightText": "2026 the sooth authors",
      "checksums": [{"algorithm": "SHA256", "checksumValue": "$hash"}],
      "externalRefs": [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
        "referenceLocator": "pkg:generic/sooth@$version"}]}$(cat "$work/spdx")
  ],
  "relationships": [
    {"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES",
      "relatedSpdxElement": "SPDXRef-sooth"}$(cat "$work/contains")
  ]
}
TXT
# (a UUID of version 8: the first digits of the archive's hash)
uuid=$(echo "$hash" | sed 's/^\(.\{8\}\)\(.\{4\}\).\(...\).\(...\)\(.\{12\}\).*/\1-\2-8\3-a\4-\5/')
cat > "$to/$name.cdx.json" << TXT
{
  "bomFormat": "CycloneDX",
  "specVersion": "1.6",
  "serialNumber": "urn:uuid:$uuid",
  "version": 1,
  "metadata": {
    "timestamp": "$date",
    "component": {"type": "library", "bom-ref": "sooth", "name": "sooth", "version": "$version",
      "supplier": {"name": "the sooth authors"}, "copyright": "2026 the sooth authors",
      "purl": "pkg:generic/sooth@$version", "licenses": [{"license": {"id": "MIT"}}],
      "hashes": [
        {"alg": "SHA-256", "content": "$hash"}]}
  },
  "components": [
$(cat "$work/cdx")
  ],
  "dependencies": [{"ref": "sooth", "dependsOn": []}]
}
TXT
sum "$name.cdx.json" "$name.spdx.json" "$name.tar.gz" > "$work/sums"
cp "$work/sums" "$to/SHA256SUMS"
echo "in $to: $name.tar.gz, what it contains, and SHA256SUMS, which make sign KEY=FILE signs"
