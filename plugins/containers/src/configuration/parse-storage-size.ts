import { invalidArgument } from '@gantry/core/errors';

const units: Readonly<Record<string, number>> = { '': 1, k: 2 ** 10, m: 2 ** 20, g: 2 ** 30, t: 2 ** 40 };

/**
 * The `size` of HostConfig.StorageOpt in bytes; undefined when it is not given.
 * @throws EngineError `invalid-argument` for another option or a text that is no size.
 */
export function parseStorageSize(options: Readonly<Record<string, string>> = {}): number | undefined {
  for (const [name, value] of Object.entries(options)) {
    if (name.toLowerCase() !== 'size') throw invalidArgument(`StorageOpt: unknown option ${name}`);
    const [, digits, unit = ''] = /^(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?$/i.exec(value) ?? [];
    if (digits === undefined) throw invalidArgument(`StorageOpt: size "${value}" is not a size such as 10G`);
    return Math.round(Number(digits) * (units[unit.toLowerCase()] ?? 1));
  }
  return undefined;
}
