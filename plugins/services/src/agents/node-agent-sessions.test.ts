import type { ClusterService, NodeConnections, NodeSession } from '@gantry/cluster/service';
import { type Lifetime, silentLogger, untilAborted } from '@gantry/core/driver';
import test from 'ava';
import type { AgentSession } from '../service.js';
import { assignmentsPath } from './assignment-messages.js';
import type { LocalSessions } from './local-sessions.js';
import { networksPath } from './network-messages.js';
import { NodeAgentSessions } from './node-agent-sessions.js';

test('all that follow the sessions of a node share one, whose streams the leader sends once', async (t) => {
  const end = new AbortController();
  const opened: string[] = [];
  const session = {
    nodeId: 'n',
    hostname: 'host',
    signal: end.signal,
    async *stream(path: string) {
      opened.push(path);
      if (path === assignmentsPath) yield { isComplete: true, tasks: [], removed: [] };
      else yield { revision: 7, states: [], attachable: [] };
      await untilAborted(end.signal);
    },
  } as unknown as NodeSession;
  const works: Promise<void>[] = [];
  const connections = {
    whileNode: (run: (session: NodeSession) => Promise<void>) => {
      works.push(run(session));
      return () => undefined;
    },
  } as unknown as NodeConnections;
  const cluster = { whileManager: () => () => undefined } as unknown as ClusterService;
  const lifetime = { add: () => undefined } as unknown as Lifetime;
  const sessions = new NodeAgentSessions(cluster, connections, {} as LocalSessions, lifetime, silentLogger);
  const seen: AgentSession[] = [];
  const both = new Promise<void>((resolve) => {
    const run = async (each: AgentSession): Promise<void> => {
      if (seen.push(each) === 2) resolve();
      await untilAborted(each.signal);
    };
    sessions.onSession(run);
    sessions.onSession(run);
  });
  await both;
  t.is(seen[0], seen[1]);
  t.deepEqual(opened.sort(), [assignmentsPath, networksPath].sort());
  end.abort();
  await Promise.all(works);
});
