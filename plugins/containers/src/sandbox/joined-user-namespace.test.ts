import { notFound } from '@gantry/core/errors';
import test from 'ava';
import type { ContainerRecord } from '../record.js';
import type { HostConfig } from '../schema.js';
import { recordWith } from '../testing/configuration-fixture.js';
import { joinedUserNamespace } from './joined-user-namespace.js';

const record = (id: string, hostConfig: HostConfig, pid = 0): ContainerRecord => ({
  ...recordWith({}),
  id,
  hostConfig,
  state: pid === 0 ? { status: 'created' } : { status: 'running', pid, startedAt: '' },
});

const known = [
  record('own', {}, 11),
  record('other', {}, 12),
  record('joiner', { NetworkMode: 'container:own' }, 13),
  record('hosts', { UsernsMode: 'host' }, 14),
  record('stopped', {}),
];
const containers = {
  get(reference: string): ContainerRecord {
    const found = known.find(({ id }) => id === reference);
    if (found === undefined) throw notFound(`No such container: ${reference}`);
    return found;
  },
};
const joined = (hostConfig: HostConfig) => joinedUserNamespace(record('new', hostConfig), containers);

test('a container that joins no other one is in a user namespace of its own', (t) => {
  t.is(joined({ NetworkMode: 'bridge', IpcMode: 'private' }), undefined);
});

test('a container is in the user namespace of those whose namespaces it joins, through any number of them', (t) => {
  for (const field of ['NetworkMode', 'PidMode', 'IpcMode']) {
    t.like(joined({ [field]: 'container:own' }), { id: 'own', pid: 11 });
    t.like(joined({ [field]: 'container:joiner' }), { id: 'own', pid: 11 });
  }
  t.like(joined({ NetworkMode: 'container:own', IpcMode: 'container:joiner' }), { id: 'own', pid: 11 });
});

test('user namespaces that differ, those of the host and containers that do not run are refused', (t) => {
  t.throws(() => joined({ NetworkMode: 'container:own', IpcMode: 'container:other' }), {
    message:
      'IpcMode: cannot join container other together with container own of NetworkMode: their user namespaces differ',
  });
  t.throws(() => joined({ PidMode: 'container:hosts' }), {
    message: "PidMode: cannot join container hosts, which is in the host's user namespace; add UsernsMode: host",
  });
  t.throws(() => joined({ NetworkMode: 'container:stopped' }), {
    message: 'cannot join network of a non running container: stopped',
  });
});
