import type { BuildParts } from './parts.js';

/** Fields that say nothing about what a step does: names of the moment. */
const passing = new Set(['Hostname', 'Domainname', 'Image', 'AttachStdin', 'AttachStdout', 'AttachStderr']);

/** A configuration in a form in which equal ones are equal texts: sorted, without what is empty. */
export function canonical(config: object): string {
  return JSON.stringify(config, function sorted(this: unknown, key: string, value: unknown) {
    if (this === config && passing.has(key)) return undefined;
    if (value === null || value === '' || value === false || value === 0) return undefined;
    if (Array.isArray(value)) return value.length === 0 ? undefined : value;
    if (typeof value !== 'object') return value;
    const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
    return entries.length === 0 && key !== '' && this === config ? undefined : Object.fromEntries(entries);
  });
}

/**
 * Finds the image that the same step on the same image has made. What counts is the configuration of the step's
 * container, where the command stands for the step: with arguments, and digests of what is copied. An image that came
 * from elsewhere never counts, whatever its document says: only what this engine made on the very image does.
 */
export function findMade(
  { exchange, firsts }: Pick<BuildParts, 'exchange' | 'firsts'>,
  parent: string | undefined,
  containerConfig: object,
): string | undefined {
  const wanted = canonical(containerConfig);
  let found: { readonly id: string; readonly created: string } | undefined;
  for (const image of exchange.childrenOf(parent)) {
    if (parent === undefined && !firsts.has(image.id)) continue;
    if (image.containerConfig === undefined || canonical(image.containerConfig) !== wanted) continue;
    if (found === undefined || image.created > found.created) found = image;
  }
  return found?.id;
}
