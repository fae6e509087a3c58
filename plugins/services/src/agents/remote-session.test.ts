import type { NodeSession } from '@gantry/cluster/service';
import { type Logger, untilAborted } from '@gantry/core/driver';
import test from 'ava';
import { assignmentsPath } from './assignment-messages.js';
import { RemoteSession } from './remote-session.js';

test('a session begins when its tasks and networks are known: an agent without the latter gives up addresses', async (t) => {
  const end = new AbortController();
  const networks = new AbortController();
  const session = {
    nodeId: 'n',
    hostname: 'host',
    signal: end.signal,
    async *stream(path: string) {
      if (path === assignmentsPath) yield { isComplete: true, tasks: [], removed: [] };
      else {
        await untilAborted(networks.signal);
        yield { revision: 7, states: [], attachable: [] };
      }
      await untilAborted(end.signal);
    },
  } as unknown as NodeSession;
  const remote = new RemoteSession(session, {} as Logger);
  let hasBegun = false;
  const begun = remote.begun().then(() => {
    hasBegun = true;
  });
  await new Promise<void>((resolve) => {
    const release = remote.onChange(() => {
      release();
      resolve();
    });
  });
  await new Promise((resolve) => setImmediate(resolve));
  t.false(hasBegun);
  networks.abort();
  await begun;
  t.is(remote.traffic.revision(), 7);
  end.abort();
  await remote.ended();
});
