import { fileURLToPath } from 'node:url';
import { Kernel, readConfigFile } from '@gantry/core';
import { readDistribution } from 'gantry';

const [file = fileURLToPath(new URL('../gantry.json', import.meta.url))] = process.argv.slice(2);
const { config, directory } = readDistribution();
const kernel = new Kernel({ config: { ...config, ...(await readConfigFile(file)) }, from: directory });
await kernel.start();
for (const { name, state, reason = '' } of kernel.statuses()) console.log(state.padEnd(8), name, reason);
console.log('the engine is ready');
process.once('SIGINT', () => void kernel.stop()).once('SIGTERM', () => void kernel.stop());
