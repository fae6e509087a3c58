import type { ContainerRecord } from '../record.js';
import { parseLink } from './parse-link.js';

/** By the id of the linked container: the further names that links give it, `/self/alias`. */
export function linkNames(records: Iterable<ContainerRecord>): ReadonlyMap<string, readonly string[]> {
  const names = new Map<string, readonly string[]>();
  for (const { name, hostConfig } of records) {
    for (const { target, alias } of (hostConfig.Links ?? []).map(parseLink)) {
      names.set(target, [...(names.get(target) ?? []), `/${name}/${alias}`]);
    }
  }
  return names;
}
