import type { Contract } from './public-contract.js';

const head = '=== ';

/** A contract as a file keeps it. */
export const formatReport = (contract: Contract): string =>
  [...contract].map(([name, declaration]) => `${head}${name}\n${declaration}\n`).join('\n');

/** The contract that a file keeps. */
export function parseReport(text: string): Contract {
  const parts = text.split(new RegExp(`^${head}`, 'm')).slice(1);
  return new Map(
    parts.map((part) => {
      const end = part.indexOf('\n');
      return [part.slice(0, end), part.slice(end + 1).trimEnd()];
    }),
  );
}

interface ContractChange {
  readonly name: string;
  readonly is: 'added' | 'removed' | 'extended' | 'changed';
}

/**
 * What is different. `extended` has all that it had, and more that may be left out; what is `removed` or `changed` breaks
 * packages that use it.
 */
export function compareContracts(before: Contract, now: Contract): readonly ContractChange[] {
  const names = [...new Set([...before.keys(), ...now.keys()])].sort();
  return names.flatMap((name): ContractChange[] => {
    const [old, fresh] = [before.get(name), now.get(name)];
    if (old === fresh) return [];
    if (old === undefined) return [{ name, is: 'added' }];
    if (fresh === undefined) return [{ name, is: 'removed' }];
    return [{ name, is: isExtended(old, fresh) ? 'extended' : 'changed' }];
  });
}

/** Whether only optional members have come, line by line: a member of a declaration begins a line. */
function isExtended(old: string, fresh: string): boolean {
  const rest = old.split('\n');
  for (const line of fresh.split('\n')) {
    if (line === rest[0]) rest.shift();
    else if (!/^\s+(readonly )?\w+\?(\(|:)/.test(line)) return false;
  }
  return rest.length === 0;
}
