import test from 'ava';
import type { ContainerRecord } from '../record.js';
import { linkEnvironment, mergeEnvironment } from './container-environment.js';

test('later entries win in the place of the first', (t) => {
  t.deepEqual(mergeEnvironment(['A=1', 'B=2'], ['A=3', 'C=4']), ['A=3', 'B=2', 'C=4']);
});

test('an entry without a value takes the variable out', (t) => {
  t.deepEqual(mergeEnvironment(['A=1', 'B=2'], ['A']), ['B=2']);
});

test('a link sets variables for name, ports and environment', (t) => {
  const container = {
    name: 'db',
    config: { ExposedPorts: { '5432/tcp': {} }, Env: ['USER=x', 'PATH=/bin'] },
  } as unknown as ContainerRecord;
  const endpoint = { ipv4Address: '172.17.0.5' } as never;
  t.deepEqual(linkEnvironment('web', { alias: 'my-db', container, endpoint }), [
    'MY_DB_NAME=/web/my-db',
    'MY_DB_PORT=tcp://172.17.0.5:5432',
    'MY_DB_PORT_5432_TCP=tcp://172.17.0.5:5432',
    'MY_DB_PORT_5432_TCP_ADDR=172.17.0.5',
    'MY_DB_PORT_5432_TCP_PORT=5432',
    'MY_DB_PORT_5432_TCP_PROTO=tcp',
    'MY_DB_ENV_USER=x',
  ]);
});
