import type { BuildParts } from './parts.js';

/** Fields that say nothing about what a step does: names of the moment. */
const passing = new Set(['Hostname', 'Domainname', 'Image', 'AttachStdin', 'AttachStdout', 'AttachStderr']);

/** A configuration in a form in which equal ones are equal texts: sorted, without what is empty. */
export function canonical(config: object): string {
  const fields = Object.entries(config).filter(([name, value]) => !passing.has(name) && !isEmpty(value));
  return JSON.stringify(sorted(Object.fromEntries(fields)));
}

const isEmpty = (value: unknown): boolean => !value || (typeof value === 'object' && Object.keys(value).length === 0);

function sorted(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
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
