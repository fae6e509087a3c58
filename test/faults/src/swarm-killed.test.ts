import { setTimeout as delay } from 'node:timers/promises';
import { ProgramScope } from '@gantry/test-nodes';
import test from 'ava';
import { openBase } from './run-faults.js';
import type { Base } from './run-scenario.js';
import { etcdOf } from './victims.js';
import type { Created, TaskSummary } from './wire.js';
import { beginningOf, type World } from './world.js';

const scope = new ProgramScope();
let base: Base | undefined;

test.before(async (t) => {
  t.timeout(300_000);
  base = await openBase(scope, { drivers: { 'cluster-store/etcd': { requestTimeoutSeconds: 5 } } });
  const { must } = base.world;
  // The scenarios of the other file have 127.0.0.1, and may run at the same time.
  await must('POST', '/swarm/init', { ListenAddr: '127.0.0.2:2377', AdvertiseAddr: '127.0.0.2:2377' });
  await must('POST', '/services/create', spec('web', 2));
});

test.after.always(async () => {
  if (base !== undefined) await base.world.must('POST', '/swarm/leave?force=1');
  await scope.end();
});

const spec = (name: string, replicas: number) => ({
  Name: name,
  Mode: { Replicated: { Replicas: replicas } },
  TaskTemplate: {
    ContainerSpec: { Image: 'busybox', Command: ['sleep', '1000'], StopGracePeriod: 1_000_000_000 },
    RestartPolicy: { Condition: 'any', Delay: 0 },
  },
});

const worldOf = (): World => {
  if (base === undefined) throw new Error('there is no daemon');
  return base.world;
};

/** The tasks that run, with the process of each, once there are so many. */
async function running(count: number): Promise<readonly string[]> {
  for (;;) {
    // Refused as long as the store of the swarm is being opened.
    const listed = await worldOf().ask('GET', '/tasks');
    const tasks = listed?.status === 200 ? (JSON.parse(listed.text) as TaskSummary[]) : [];
    const live = tasks.filter(({ DesiredState, Status }) => DesiredState === 'running' && Status.State === 'running');
    if (live.length === count) return Promise.all(live.map(processOf));
    await delay(100);
  }
}

async function processOf({ ID, Status }: TaskSummary): Promise<string> {
  const id = Status.ContainerStatus?.ContainerID ?? '';
  const { State } = await worldOf().must<{ State: { Pid: number } }>('GET', `/containers/${id}/json`);
  return `${ID} ${State.Pid} ${await beginningOf(State.Pid)}`;
}

test.serial('a daemon that is killed and started again adopts its tasks', async (t) => {
  t.timeout(300_000);
  const { daemon } = worldOf();
  const before = await running(2);
  await daemon.crash();
  await daemon.restart();
  t.deepEqual([...(await running(2))].sort(), [...before].sort());
});

test.serial(
  'while etcd hangs, containers are run and services are read; their changes are refused in time',
  async (t) => {
    t.timeout(300_000);
    const { ask, must } = worldOf();
    const before = await running(2);
    const etcd = (await etcdOf(worldOf())) ?? 0;
    process.kill(etcd, 'SIGSTOP');
    try {
      const refused = await ask('POST', '/services/create', { body: spec('other', 1) });
      t.is(refused?.status, 500);
      t.regex(refused?.text ?? '', /did not answer in time/);
      t.is((await must<object[]>('GET', '/services')).length, 1);
      const { Id } = await must<Created>('POST', '/containers/create', { Image: 'busybox', Cmd: ['true'] });
      await must('POST', `/containers/${Id}/start`);
      await must('POST', `/containers/${Id}/wait`);
      await must('DELETE', `/containers/${Id}`);
      t.deepEqual(await running(2), before, 'the tasks go on');
    } finally {
      process.kill(etcd, 'SIGCONT');
    }
    // What was refused in time may have been done all the same.
    for (let status = 0; status !== 200 && status !== 404; ) {
      await ask('POST', '/services/create', { body: spec('other', 1) });
      status = (await ask('DELETE', '/services/other'))?.status ?? 0;
    }
    t.deepEqual(await running(2), before);
  },
);

test.serial('etcd that is killed is started again, and the tasks go on', async (t) => {
  t.timeout(300_000);
  const { ask, must } = worldOf();
  const before = await running(2);
  const etcd = (await etcdOf(worldOf())) ?? 0;
  process.kill(etcd, 'SIGKILL');
  // A request that the kill interrupts fails, and may have been done all the same.
  for (let status = 0; status !== 201 && status !== 409; ) {
    status = (await ask('POST', '/services/create', { body: spec('later', 1) }))?.status ?? 0;
  }
  t.is((await running(3)).filter((one) => before.includes(one)).length, 2);
  await must('DELETE', '/services/later');
  t.deepEqual([...(await running(2))].sort(), [...before].sort());
  t.not(await etcdOf(worldOf()), etcd);
});
