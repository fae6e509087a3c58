import test from 'ava';
import type { ContainerRecord } from '../record.js';
import type { HostConfig } from '../schema.js';
import { cgroupNamespaceMode, containerNamespaces } from './container-namespaces.js';

const namespacesOf = (hostConfig: HostConfig, cgroupVersion: 1 | 2) =>
  containerNamespaces({ hostConfig } as ContainerRecord, {
    networkNamespace: undefined,
    userNamespace: undefined,
    containers: {} as never,
    cgroupVersion,
  }).map(({ type }) => type);

test('containers have a cgroup namespace of their own on version 2, and on version 1 when they ask for it', (t) => {
  t.true(namespacesOf({}, 2).includes('cgroup'));
  t.false(namespacesOf({}, 1).includes('cgroup'));
  t.false(namespacesOf({ CgroupnsMode: 'host' }, 2).includes('cgroup'));
  t.true(namespacesOf({ CgroupnsMode: 'private' }, 1).includes('cgroup'));
  t.is(cgroupNamespaceMode({ CgroupnsMode: '' }, 2), 'private');
});
