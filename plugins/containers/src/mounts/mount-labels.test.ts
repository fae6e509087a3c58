import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import type { MountPoint } from '../record.js';
import { recordWith } from '../testing/configuration-fixture.js';
import { MountLabels } from './mount-labels.js';

const mount = 'u:object_r:container_file_t:s0:c1,c2';
const shared = 'u:object_r:container_file_t:s0';

function fixture(t: ExecutionContext) {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'gantry-labels-')));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  const relabelled: string[][] = [];
  const labels = new MountLabels({ relabel: async (path, context) => void relabelled.push([path, context]) });
  const record = recordWith({ labels: { process: 'u:r:container_t:s0:c1,c2', mount } });
  const ready = (type: MountPoint['type'], mode: string, hostPath = directory) => ({
    mount: { type, mode } as MountPoint,
    hostPath,
  });
  return { directory, relabelled, labels, record, ready };
}

test('z is for all containers, Z for one, and a bind without either keeps its contexts', async (t) => {
  const { directory, relabelled, labels, record, ready } = fixture(t);
  const mounts = [
    ready('bind', 'z'),
    ready('bind', 'ro,Z'),
    ready('bind', 'ro'),
    ready('volume', ''),
    ready('volume', 'Z'),
  ];
  await labels.apply(record, mounts, ['/engine/hosts']);
  t.deepEqual(relabelled, [
    [directory, shared],
    [directory, mount],
    [directory, shared],
    [directory, mount],
    ['/engine/hosts', shared],
  ]);
});

test('directories that the host needs keep their contexts', async (t) => {
  const { relabelled, labels, record, ready } = fixture(t);
  await t.throwsAsync(labels.apply(record, [ready('bind', 'z', '/usr')], []), {
    message: 'SELinux relabeling of /usr is not allowed',
  });
  t.deepEqual(relabelled, []);
});

test('a container without labels leaves what it mounts alone', async (t) => {
  const { relabelled, labels, ready } = fixture(t);
  await labels.apply(recordWith(), [ready('bind', 'z')], ['/engine/hosts']);
  t.deepEqual(relabelled, []);
});
