import { text } from 'node:stream/consumers';
import type { ReaperTask } from './reaper.js';

// The program closes its engine, and says so; without a word it was killed.
if ((await text(process.stdin)) !== 'closed') {
  const { options, deletesDirectory } = JSON.parse(process.argv[2] ?? '') as ReaperTask;
  // The kernel takes memory that a process without work should not have.
  const { endOrphanedEngine } = await import('./end-orphaned-engine.js');
  await endOrphanedEngine(options, { deletesDirectory });
}
