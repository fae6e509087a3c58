import { gantryd } from '@gantry/core/daemon';
import { readDistribution } from './read-distribution.js';

await gantryd(process.argv.slice(2), readDistribution());
