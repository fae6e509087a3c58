import { parseArgs } from 'node:util';
import { faultNames } from './chaos/chaos-faults.js';
import { runChaos } from './chaos/run-chaos.js';

const usage = [
  'usage: npm run chaos -- [--minutes N] [--seed N] [--faults REGEX] [--seconds N]',
  '',
  '  Three managers, each with a small disk of its own, and two workers in namespaces of this host, with an application on',
  '  all of them and clients that append to a register. Rounds of one or two random faults, of at most so many seconds each.',
  '  After each round: no acknowledged update is lost, no slot has two tasks, every node is ready, and names, virtual',
  '  addresses and published ports answer everywhere. Faults:',
  ...faultNames.map((name) => `    ${name}`),
].join('\n');

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '120' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    faults: { type: 'string', default: '' },
    seconds: { type: 'string', default: '20' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) {
  console.log(usage);
} else {
  const interrupted = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => interrupted.abort());
  console.log(`seed ${values.seed}`);
  const isGood = await runChaos(
    {
      faults: new RegExp(values.faults),
      minutes: Number(values.minutes),
      longest: Number(values.seconds) * 1000,
      seed: Number(values.seed),
      signal: interrupted.signal,
    },
    (line) => console.log(`${new Date().toISOString().slice(11, 19)} ${line}`),
  );
  process.exitCode = isGood ? 0 : 1;
}
