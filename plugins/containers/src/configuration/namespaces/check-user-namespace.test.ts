import test from 'ava';
import { hostWith } from '../../testing/configuration-fixture.js';
import { checkUserNamespace } from './check-user-namespace.js';

const check = (wish: object, remapsIds = true) =>
  checkUserNamespace(wish, { host: { ...hostWith(), remapsIds }, warn: () => undefined });

for (const [wish, message] of [
  [
    { Privileged: true },
    'privileged mode is incompatible with user namespaces.  You must run the container in the host namespace when running privileged mode',
  ],
  [{ NetworkMode: 'host' }, "cannot share the host's network namespace when user namespaces are enabled"],
  [{ PidMode: 'host' }, 'cannot share the host PID namespace when user namespaces are enabled'],
  [{ IpcMode: 'host' }, 'cannot share the host IPC namespace when user namespaces are enabled'],
] as const) {
  test(`refused with remapped ids, unless the user namespace is the host's: ${JSON.stringify(wish)}`, (t) => {
    t.throws(() => check(wish), { message });
    t.deepEqual(check({ ...wish, UsernsMode: 'host' }), { ...wish, UsernsMode: 'host' });
    t.deepEqual(check(wish, false), wish);
  });
}

test('the read-only root and the namespaces of UTS and cgroups are compatible with user namespaces', (t) => {
  const wish = { ReadonlyRootfs: true, UTSMode: 'host', CgroupnsMode: 'host' };
  t.deepEqual(check(wish), wish);
});
