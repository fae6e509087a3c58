import { gantryd } from './gantryd.js';

await gantryd(process.argv.slice(2));
