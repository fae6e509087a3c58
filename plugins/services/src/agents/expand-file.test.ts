import test from 'ava';
import type { TaskFile } from '../service.js';
import { expandFile } from './expand-file.js';

const file = (kind: TaskFile['kind'], target: string, content: string): TaskFile => ({
  kind,
  id: `id of ${target}`,
  name: `name of ${target}`,
  target,
  uid: 0,
  gid: 0,
  mode: 0o444,
  data: Buffer.from(content),
});

const password = file('secret', 'password', '{{not a template}}');
const fields = { Service: { Name: 'web' } };
const scope = { fields, files: [password], environment: ['USER=ann', 'EMPTY='] };

test('a config has the values of its task, its secrets and its environment', (t) => {
  const config = file(
    'config',
    '/etc/app',
    '{{.Service.Name}} {{env "USER"}}:{{secret "password"}} [{{env "EMPTY"}}{{env "NONE"}}]',
  );
  const { data, ...rest } = expandFile(config, scope);
  const { data: _template, ...expected } = config;
  t.is(data.toString(), 'web ann:{{not a template}} []');
  t.deepEqual(rest, expected);
});

test('a file that names one that the task does not have is refused, and named', (t) => {
  const config = file('config', 'app', '{{config "other"}}');
  t.throws(() => expandFile(config, scope), { message: /^config name of app: .* config target other not found$/ });
});
