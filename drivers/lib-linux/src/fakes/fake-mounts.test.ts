import test from 'ava';
import { FakeMounts } from './index.js';

test('fake mounts are listed, stacked, busy and unmounted', async (t) => {
  const mounts = new FakeMounts();
  await mounts.overlay({ lower: ['/1', '/2'], upper: '/u', work: '/w', target: '/t' });
  await mounts.bind({ source: '/x', target: '/t/b', flags: ['ro'] });
  t.deepEqual(
    (await mounts.list()).map(({ target }) => target),
    ['/t', '/t/b'],
  );
  t.true(await mounts.isMountPoint('/t'));
  mounts.busy.add('/t');
  await t.throwsAsync(mounts.unmount('/t', { detach: 'never' }), { code: 'EBUSY' });
  t.is(await mounts.unmountTree('/t'), 2);
  t.false(await mounts.unmount('/t'));
});
