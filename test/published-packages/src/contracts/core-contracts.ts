import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { projectRoot } from '../testing/pack-packages.js';
import { type Contract, publicContracts } from './public-contract.js';

/** The contracts of the core's entry points, by the files that keep them. */
export async function coreContracts(): Promise<ReadonlyMap<string, Contract>> {
  const manifest = JSON.parse(await readFile(path.join(projectRoot, 'core/package.json'), 'utf8'));
  const contracts = publicContracts('core', manifest.exports);
  return new Map([...contracts].map(([name, contract]) => [reportOf(name), contract]));
}

/** `contracts/core-driver.txt` for `./driver`. */
const reportOf = (entry: string): string =>
  path.join(projectRoot, 'test/published-packages/contracts', `core${entry.slice(1).replace('/', '-')}.txt`);
