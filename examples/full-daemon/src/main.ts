import { fileURLToPath } from 'node:url';
import { defaultConfigDirectory, Kernel, readConfigFile, readDefaultConfig } from '@gantry/core';

const [file = fileURLToPath(new URL('../gantry.json', import.meta.url))] = process.argv.slice(2);
const config = { ...(await readDefaultConfig()), ...(await readConfigFile(file)) };
const kernel = new Kernel({ config, from: defaultConfigDirectory });
await kernel.start();
for (const { name, state, reason = '' } of kernel.statuses()) console.log(state.padEnd(8), name, reason);
console.log('the engine is ready');
process.once('SIGINT', () => void kernel.stop()).once('SIGTERM', () => void kernel.stop());
