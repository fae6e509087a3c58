import type { ManagerSession } from '@gantry/cluster/service';
import test from 'ava';
import type { AssignedTask } from '../service.js';
import { TaskFiles } from './task-files.js';

const contents: Readonly<Record<string, string>> = { c: '{{env "A"}} {{secret "s"}}', s: '{{not filled}}' };

const records: Readonly<Record<string, object>> = {
  c: { id: 'c', value: { spec: { Templating: { Name: 'golang' } } } },
  s: { id: 's', value: { spec: {} } },
};

const task = {
  id: 't',
  name: 'web.1.t',
  slot: 1,
  serviceId: 'w',
  serviceName: 'web',
  serviceLabels: {},
  spec: {
    ContainerSpec: {
      Env: ['A={{.Service.Name}}'],
      Secrets: [{ SecretID: 's', SecretName: 's', File: { Name: 's', UID: '0', GID: '0' } }],
      Configs: [{ ConfigID: 'c', ConfigName: 'c', File: { Name: 'c', UID: '0', GID: '0' } }],
    },
  },
} as unknown as AssignedTask;

test('templates have the environment as the container has it, other files are left as they are', async (t) => {
  const cluster = { contentOf: ({ id }: { readonly id: string }) => Buffer.from(contents[id] ?? '') };
  const session = { store: { get: (_kind: unknown, id: string) => records[id] } } as unknown as ManagerSession;
  const files = await new TaskFiles(cluster).filesOf(session, 'n', task);
  t.deepEqual(
    files.map(({ data, name }) => [name, data.toString()]),
    [
      ['s', '{{not filled}}'],
      ['c', 'web {{not filled}}'],
    ],
  );
});
