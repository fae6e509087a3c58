const named: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** The text of an XML element without child elements. */
export function unescapeXml(text: string): string {
  return text.replace(/&(#x?)?(\w+);/g, (whole, hash: string | undefined, name: string) => {
    if (hash === undefined) return named[name] ?? whole;
    const code = Number.parseInt(name, hash === '#' ? 10 : 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
