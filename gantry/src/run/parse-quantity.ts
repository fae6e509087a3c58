import { UsageError } from './usage-error.js';

const units: Readonly<Record<string, number>> = { '': 1, b: 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 };

/** Bytes as people write them: `512m`, `1.5g`. @throws UsageError naming flag and value. */
export function parseBytes(flag: string, text: string): number {
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)([bkmgt]?)b?$/i.exec(text) ?? [];
  const factor = units[unit.toLowerCase()];
  if (number === '' || factor === undefined) throw new UsageError(`--${flag}: "${text}" is not a size such as 512m`);
  return Math.floor(Number(number) * factor);
}

/** Billionths of a processor. @throws UsageError. */
export function parseCpus(text: string): number {
  const cpus = Number(text);
  if (text.trim() === '' || !(cpus > 0)) throw new UsageError(`--cpus: "${text}" is not a number above 0 such as 1.5`);
  return Math.round(cpus * 1e9);
}
