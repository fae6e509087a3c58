import type { NetworkNode } from '@gantry/core/contracts';
import { atOnce } from '../expectations.js';
import type { StagedSuite } from './staged-suite.js';

const nodes: readonly NetworkNode[] = [
  { id: 'own', address: '192.0.2.1', isSelf: true },
  { id: 'other', address: '192.0.2.2', isSelf: false },
];

/** Of drivers that follow the nodes of the swarm. */
export function nodeChecks(suite: StagedSuite): void {
  suite.check('nodes come and go as often as they change, with networks and without', async (t, stage) => {
    const { driver } = stage;
    await driver.nodes?.([]);
    await atOnce(20, () => driver.nodes?.(nodes) ?? Promise.resolve());
    const spec = stage.newSpec();
    await driver.createNetwork(spec);
    await driver.nodes?.(nodes.slice(0, 1));
    await driver.nodes?.(nodes);
    await driver.removeNetwork(spec.id);
    await driver.nodes?.([]);
    t.pass();
  });
}

/** Of drivers that allocate networks of the swarm. */
export function allocationChecks(suite: StagedSuite): void {
  suite.check('a network that was allocated is allocated again with the same, and freed 20 times', async (t, stage) => {
    const { driver } = stage;
    const spec = stage.newSpec();
    const options = (await driver.allocateNetwork?.(spec)) ?? {};
    const again = { ...spec, options: { ...spec.options, ...options } };
    for (const answer of await atOnce(20, () => driver.allocateNetwork?.(again) ?? Promise.resolve({}))) {
      t.deepEqual(answer, options);
    }
    driver.validate({ ...spec, options });
    await driver.createNetwork({ ...spec, options });
    await driver.removeNetwork(spec.id);
    await atOnce(20, () => driver.freeNetwork?.(spec.id) ?? Promise.resolve());
    t.pass();
  });
}
