import { parseArgs } from 'node:util';
import { partitionKinds } from '@gantry/test-nodes';
import { runPartitions } from './partitions/run-partitions.js';

const usage = [
  'usage: npm run partitions -- [--kind REGEX] [--rounds N] [--seconds N] [--seed N]',
  '',
  '  Three managers and two workers in namespaces of this host, with an application on all of them. Cuts nodes off from each',
  '  other in every way, for a random time each of at most so many seconds, and checks after each: no acknowledged update is',
  '  lost, no slot has two tasks, every node is ready, and names, virtual addresses and published ports answer everywhere.',
  '  Kinds:',
  ...Object.keys(partitionKinds).map((kind) => `    ${kind}`),
].join('\n');

const { values } = parseArgs({
  options: {
    kind: { type: 'string', default: '' },
    rounds: { type: 'string', default: '1' },
    seconds: { type: 'string', default: '15' },
    seed: { type: 'string', default: '1' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) {
  console.log(usage);
} else {
  const isGood = await runPartitions(
    {
      kinds: new RegExp(values.kind),
      rounds: Number(values.rounds),
      longestCut: Number(values.seconds) * 1000,
      seed: Number(values.seed),
    },
    (line) => console.log(line),
  );
  process.exitCode = isGood ? 0 : 1;
}
