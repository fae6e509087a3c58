import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Distribution } from '@gantry/core/daemon';

const directory = path.resolve(fileURLToPath(new URL('..', import.meta.url)));

/** The whole engine: its packages are dependencies of this one. For `Kernel` and `gantryd` of `@gantry/core`. */
export const readDistribution = (): Distribution => ({
  config: JSON.parse(readFileSync(path.join(directory, 'default-config.json'), 'utf8')),
  directory,
});
