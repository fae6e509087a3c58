const powers = ['', 'k', 'm', 'g', 't', 'p'];

/** Bytes of a size such as `10m` or `1.5GB`, in powers of 1000. Undefined: it is none. */
export function parseSize(text: string): number | undefined {
  const [, digits, unit = ''] = /^(\d+(?:\.\d+)?) ?([kmgtp]?)i?b?$/i.exec(text) ?? [];
  return digits === undefined ? undefined : Math.trunc(Number(digits) * 1000 ** powers.indexOf(unit.toLowerCase()));
}
