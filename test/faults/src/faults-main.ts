import { parseArgs } from 'node:util';
import { runFaults } from './run-faults.js';
import type { Victim } from './victims.js';

const victims = ['daemon', 'etcd', 'monitor'] as const;

function parseVictim(text: string): Victim {
  const victim = victims.find((candidate) => candidate === text);
  if (victim === undefined) throw new Error(`--victim: "${text}" is none of ${victims.join(', ')}`);
  return victim;
}

const usage = [
  'usage: npm run faults -- [--scenario REGEX] [--point REGEX] [--jobs N] [--each N] [--spread N] [--victim WHO]',
  '',
  '  Kills daemons with -9 at every crash point that every call of the API reaches, and checks after one restart that',
  '  nothing is lost, nothing contradicts and nothing is left. Ends with 1 when something is wrong.',
  '  --each: at one point of one scenario at most so many times; --spread: at one point in at most so many scenarios.',
  '  --victim: daemon (default), or etcd or monitor, which are killed at the points of the swarm only.',
].join('\n');

const { values } = parseArgs({
  options: {
    scenario: { type: 'string', default: '' },
    point: { type: 'string', default: '' },
    jobs: { type: 'string', default: '2' },
    each: { type: 'string', default: '4' },
    spread: { type: 'string', default: '1000' },
    victim: { type: 'string', default: 'daemon' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) {
  console.log(usage);
} else {
  const isGood = await runFaults(
    {
      scenarios: new RegExp(values.scenario),
      points: new RegExp(values.point),
      jobs: Number(values.jobs),
      timesPerPoint: Number(values.each),
      scenariosPerPoint: Number(values.spread),
      victim: parseVictim(values.victim),
    },
    (line) => console.log(line),
  );
  process.exitCode = isGood ? 0 : 1;
}
