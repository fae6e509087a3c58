import test from 'ava';
import { recordWith } from '../testing/configuration-fixture.js';
import { execProcess } from './container-process.js';

test('an exec with an empty HOME gets that of its user', async (t) => {
  const exec = { args: ['true'], privileged: false, terminal: false, env: ['HOME=', 'A=1'] };
  const request = { record: recordWith({ config: { Env: ['HOME=/there'] } }), links: [], rootfs: '/nosuch' };
  const { env } = await execProcess({ ...request, exec }, new Set());
  t.deepEqual(
    env?.filter((entry) => /^(?:HOME|A)=/.test(entry)),
    ['A=1', 'HOME=/there'],
  );
});
