import { eventually } from '@gantry/test-engine';
import test from 'ava';
import { AcceleratedClock } from '../testing/accelerated-clock.js';
import { startContainers } from '../testing/start-containers.js';
import { afterExit, nextDelay, wantsRestart, wantsRestartAtBoot } from './restart-policy.js';

const ended = { exitCode: 1, stoppedByUser: false, restartCount: 0 };

test('delays double from 100 ms to a minute, and begin anew after a long run', (t) => {
  const delays = [0];
  for (let run = 0; run < 12; run++) delays.push(nextDelay(delays.at(-1) ?? 0, 50));
  t.deepEqual(delays.slice(1, 6), [100, 200, 400, 800, 1600]);
  t.deepEqual(delays.slice(-2), [60_000, 60_000]);
  t.is(nextDelay(60_000, 10_000), 100);
});

test('on-failure wants a failure and counts', (t) => {
  const policy = { Name: 'on-failure', MaximumRetryCount: 2 };
  t.true(wantsRestart(policy, ended));
  t.true(wantsRestart(policy, { ...ended, restartCount: 1 }));
  t.false(wantsRestart(policy, { ...ended, restartCount: 2 }));
  t.false(wantsRestart(policy, { ...ended, exitCode: 0 }));
  t.true(wantsRestart({ Name: 'on-failure' }, { ...ended, restartCount: 99 }));
});

test('a user who stops it ends what any policy wants; at boot always forgets that', (t) => {
  const stopped = { ...ended, stoppedByUser: true };
  for (const Name of ['always', 'unless-stopped', 'on-failure']) t.false(wantsRestart({ Name }, stopped));
  t.true(wantsRestartAtBoot({ Name: 'always' }, stopped));
  t.false(wantsRestartAtBoot({ Name: 'unless-stopped' }, stopped));
  t.false(wantsRestartAtBoot({ Name: 'no' }, ended));
  t.false(wantsRestartAtBoot(undefined, ended));
});

test('an exit leads to a restart with its delay, or stays', (t) => {
  t.deepEqual(afterExit({ Name: 'always' }, ended, { last: 200, ranFor: 5 }), { restartAfterMs: 400 });
  t.is(afterExit({ Name: '' }, ended, { last: 0, ranFor: 5 }), 'stays');
});

test('a failing container is restarted as often as allowed, with growing delays', async (t) => {
  const clock = new AcceleratedClock();
  const { actions, create, inspect, post } = await startContainers(t, { clock });
  const policy = { Name: 'on-failure', MaximumRetryCount: 3 };
  const id = await create({ Cmd: ['false'], HostConfig: { RestartPolicy: policy } });
  await post(`${id}/start`);
  await eventually('the end', async () => {
    const { RestartCount, State } = await inspect(id);
    return RestartCount === 3 && State.Status === 'exited';
  });
  t.deepEqual(
    clock.delays.filter((delay) => delay < 5000),
    [100, 200, 400],
  );
  t.is(actions().filter((action) => action === 'die').length, 4);
});

test('stop ends a container between two restarts', async (t) => {
  const { create, inspect, post } = await startContainers(t);
  const id = await create({ Cmd: ['false'], HostConfig: { RestartPolicy: { Name: 'always' } } });
  await post(`${id}/start`);
  await eventually('the pause', async () => {
    const { State } = await inspect(id);
    return State.Status === 'restarting' && State.Running;
  });
  t.is(await post(`${id}/stop`), 204);
  const { RestartCount, State } = await inspect(id);
  t.is(State.Status, 'exited');
  await post(`${id}/wait`);
  t.is((await inspect(id)).RestartCount, RestartCount);
});

test('a restart that fails to start is tried again', async (t) => {
  const { create, engine, host, inspect, post } = await startContainers(t, { clock: new AcceleratedClock() });
  const id = await create({
    Cmd: ['sh', '-c', 'read x'],
    HostConfig: { RestartPolicy: { Name: 'always' } },
    OpenStdin: true,
  });
  await post(`${id}/start`);
  host.failing.add('networks.open');
  const socket = await engine.hijack('POST', `/containers/${id}/attach?stream=1&stdin=1`);
  socket.write('end\n');
  await eventually('the failure', () => !host.failing.has('networks.open'));
  await eventually('the next try', async () => (await inspect(id)).State.Status === 'running');
  t.is((await inspect(id)).RestartCount, 2);
  socket.destroy();
  t.is((await engine.ask('DELETE', `/containers/${id}?force=1`)).status, 204);
});
