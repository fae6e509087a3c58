import { buildAndPush } from './build-and-push.js';

await buildAndPush(process.argv[2] ?? '');
