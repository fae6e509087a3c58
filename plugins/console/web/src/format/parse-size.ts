const factors: Readonly<Record<string, number>> = { '': 1, b: 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 };

/** Bytes of a size such as `512m`; undefined for an empty text. */
export function parseSize(label: string, text: string): number | undefined {
  if (text.trim() === '') return undefined;
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*([bkmgt]?)(?:i?b)?$/i.exec(text.trim()) ?? [];
  if (digits === undefined) throw new Error(`${label}: "${text}" is not a size such as 512m or 2g`);
  return Math.round(Number(digits) * (factors[unit.toLowerCase()] ?? 1));
}
