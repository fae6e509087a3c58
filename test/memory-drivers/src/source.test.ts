import { openDriver, sourceDriverSuite } from '@gantry/conformance';
import test from 'ava';
import { source } from './index.js';

sourceDriverSuite(test, () => openDriver(source), {
  createSource: async () => ({ url: 'memory:tools?commits=3', commits: 3 }),
});

test('a made-up source has the projects and the password of its URL', async (t) => {
  const { driver, release } = await openDriver(source);
  const context = { scratch: '/nonexistent' };
  const url = 'memory:tools?projects=one,two&password=secret';
  t.deepEqual(await driver.detect({ url }, context), { status: 'needs-auth', refused: false });
  t.deepEqual(await driver.detect({ url, password: 'x' }, context), { status: 'needs-auth', refused: true });
  t.like(await driver.detect({ url, password: 'secret' }, context), { status: 'found-multiple' });
  t.deepEqual(await driver.detect({ url, password: 'secret', project: 'one' }, context), { status: 'found' });
  await release();
});
