import { readFile } from 'node:fs/promises';
import test from 'ava';
import { compareContracts, parseReport } from './contract-report.js';
import { coreContracts } from './core-contracts.js';

test('nothing that packages of others use has gone from the core, or is another: npm run freeze', async (t) => {
  t.timeout(300_000);
  const contracts = await coreContracts();
  t.true(contracts.size >= 10);
  for (const [file, contract] of contracts) {
    const text = await readFile(file, 'utf8').catch(() => '');
    const changes = compareContracts(parseReport(text), contract);
    const breaking = changes.filter(({ is }) => is === 'changed' || is === 'removed');
    t.deepEqual(breaking, [], file);
    if (changes.length > 0) t.log(`not frozen yet: ${changes.map(({ name }) => name).join(', ')}`);
    t.true(contract.size > 0, file);
  }
});
