import type { Writable } from 'node:stream';
import type { ProgressItem } from 'gantry-client';

/** Writes what a pull does: one line for each step of a layer, and no bars. */
export function pullProgress(output: Writable): (item: ProgressItem) => void {
  const seen = new Map<string, string>();
  return ({ id, status, progressDetail }) => {
    if (typeof status !== 'string') return;
    const [key, detail] = [String(id ?? ''), progressDetail as { readonly current?: number } | undefined];
    if (seen.get(key) === status && detail?.current !== undefined) return;
    seen.set(key, status);
    output.write(key === '' ? `${status}\n` : `${key}: ${status}\n`);
  };
}
