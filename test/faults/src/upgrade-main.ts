import { parseArgs } from 'node:util';
import { runUpgrade } from './upgrade/run-upgrade.js';

const usage = [
  'usage: npm run upgrade -- [--from REVISION]',
  '',
  '  Builds a revision of this repository, the one before this by default, and makes a swarm of it: three managers and two',
  '  workers in namespaces of this host, with an application on all of them. Upgrades node by node, has managers of both versions',
  '  lead, takes a manager back, and checks after each step what `npm run partitions` checks.',
].join('\n');

const { values } = parseArgs({
  options: {
    from: { type: 'string', default: 'HEAD^' },
    help: { type: 'boolean', short: 'h', default: false },
  },
});

if (values.help) {
  console.log(usage);
} else {
  const isGood = await runUpgrade(values.from, (line) => console.log(line));
  process.exitCode = isGood ? 0 : 1;
}
