import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { compareContracts, formatReport, parseReport } from './contract-report.js';
import { coreContracts } from './core-contracts.js';

/** Writes the contracts as they are now. What breaks packages is only frozen with `--breaking`. */
const allowsBreaking = process.argv.includes('--breaking');
let breaks = 0;
const contracts = await coreContracts();
const texts = new Map<string, string>();
for (const [file, contract] of contracts) {
  const before = parseReport(await readFile(file, 'utf8').catch(() => ''));
  for (const { name, is } of compareContracts(before, contract)) {
    if (is === 'changed' || is === 'removed') breaks += 1;
    console.log(`${path.basename(file, '.txt')}: ${is}: ${name}`);
  }
  texts.set(file, formatReport(contract));
}
if (breaks > 0 && !allowsBreaking) {
  console.error(
    `${breaks} of them break packages: raise the versions of the contracts, note it in CHANGELOG.md, and pass --breaking`,
  );
  process.exitCode = 1;
} else for (const [file, text] of texts) await writeFile(file, text);
