import { buildAndPush } from './build.js';

await buildAndPush(process.argv[2] ?? '');
