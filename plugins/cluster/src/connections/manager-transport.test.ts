import { once } from 'node:events';
import { finished } from 'node:stream/promises';
import { silentLogger, untilAborted } from '@gantry/core/driver';
import { NodeListener } from '@gantry/lib-cluster-protocol';
import { eventually } from '@gantry/test-engine';
import test, { type ExecutionContext } from 'ava';
import type { OwnIdentity } from '../certificates/identity-file.js';
import { storeTunnelPath } from '../messages/store-messages.js';
import { identitiesOf } from '../testing/identities-of.js';
import { ManagerTransport } from './manager-transport.js';

/** The transport of a manager to another one, which sends back what it gets. */
async function start(t: ExecutionContext) {
  const newIdentity = await identitiesOf(t);
  const certificates: (string | undefined)[] = [];
  const ended: AbortSignal[] = [];
  const listener = await NodeListener.open({
    ...{ host: '127.0.0.1', port: 0, identity: await newIdentity(), log: silentLogger },
    routes: new Map([
      [
        storeTunnelPath,
        {
          type: 'tunnel',
          access: 'managers',
          answer: ({ peer, signal }, tunnel) => {
            certificates.push(peer?.certificate.trim());
            ended.push(signal);
            tunnel.pipe(tunnel);
          },
        },
      ],
    ]),
  });
  t.teardown(() => listener.close());
  let listen = (): void => undefined;
  const identities = {
    present: (await newIdentity()) as OwnIdentity,
    onChange: (listener: () => void) => {
      listen = listener;
      return () => undefined;
    },
  };
  const transport = new ManagerTransport(identities);
  t.teardown(() => transport.update([]));
  transport.update([{ nodeId: 'other', address: `127.0.0.1:${listener.port}` }]);
  const renew = async (): Promise<void> => {
    identities.present = (await newIdentity()) as OwnIdentity;
    listen();
  };
  return { certificates, ended, identities, renew, transport };
}

test('with another certificate comes another connection, and the one before lasts as long as its tunnels', async (t) => {
  const { certificates, ended, identities, renew, transport } = await start(t);
  const { present: first } = identities;
  const before = await transport.connect('other');
  const beside = await transport.connect('other');
  await renew();
  const after = await transport.connect('other');
  await eventually('all tunnels are served', () => certificates.length === 3);
  t.deepEqual(
    certificates,
    [first, first, identities.present].map(({ certificate }) => certificate.trim()),
  );
  before.write('still there');
  t.is(String((await once(before, 'data'))[0]), 'still there');
  before.destroy();
  beside.write('and this');
  t.is(String((await once(beside, 'data'))[0]), 'and this');
  beside.destroy();
  await untilAborted(ended[1] as AbortSignal);
  after.write('from now on');
  t.is(String((await once(after, 'data'))[0]), 'from now on');
});

test('connections with an earlier certificate end with the membership of the other manager', async (t) => {
  const { renew, transport } = await start(t);
  const before = await transport.connect('other');
  before.resume();
  await renew();
  transport.update([]);
  await t.throwsAsync(finished(before));
});
