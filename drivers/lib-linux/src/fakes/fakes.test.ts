import test from 'ava';
import { collect } from '../launcher/collect.js';
import type { Launcher } from '../launcher/launcher.js';
import { FakeLauncher, FakeMounts, FakeNamespaces, FakeNetlink, FakeNftables, FakeSysctl } from './index.js';

test('a pretended program answers, fails and is killed', async (t) => {
  const fake = new FakeLauncher({
    shout: { output: (input) => input.toString().toUpperCase() },
    fail: { code: 3, errors: 'no' },
    wait: { forever: true },
  });
  const launcher: Launcher = fake;
  t.is((await launcher.run('shout', ['x'], { input: Buffer.from('a') })).stdout.toString(), 'A');
  t.like(await launcher.run('fail', []), { code: 3, truncated: false });
  await t.throwsAsync(launcher.launch({ file: 'absent', args: [] }), { code: 'ENOENT' });
  const waiting = await launcher.launch({ file: 'wait', args: [] });
  waiting.kill(9);
  t.deepEqual(await waiting.exited, { code: undefined, signal: 9 });
  const controller = new AbortController();
  const running = launcher.run('wait', [], { signal: controller.signal });
  controller.abort(new Error('enough'));
  await t.throwsAsync(running, { message: 'enough' });
  const { stdin, stdout } = await launcher.stream('shout', []);
  stdin.end('b');
  t.is((await collect(stdout, 9)).bytes.toString(), 'B');
  t.deepEqual(fake.calls[0], { file: 'shout', args: ['x'] });
});

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

test('pretended networks behave like the kernel’s where it matters', (t) => {
  const namespaces = new FakeNamespaces();
  namespaces.createNetwork('/n');
  t.throws(() => namespaces.createNetwork('/n'), { code: 'EEXIST' });
  t.is(
    namespaces.runInNetwork('/n', () => namespaces.current),
    '/n',
  );
  t.is(namespaces.current, undefined);
  const fd = namespaces.open('/n');
  const netlink = new FakeNetlink();
  netlink.use(undefined, (host) => {
    host.addLink({ kind: 'bridge', name: 'br0' });
    host.addLink({ kind: 'veth', name: 'v', master: 'br0', peer: { name: 'eth0', namespaceFd: fd } });
    t.is(host.link('v')?.master, host.link('br0')?.index);
    t.throws(() => host.addLink({ kind: 'bridge', name: 'br0' }), { code: 'EEXIST' });
  });
  netlink.use(fd, (inside) => {
    inside.addAddress('eth0', '10.0.0.2/8');
    inside.addRoute({ destination: 'default', gateway: '10.0.0.1', link: 'eth0' });
    t.is(inside.routes().length, 1);
    inside.deleteLink('eth0');
    t.deepEqual(inside.routes(), []);
    t.throws(() => inside.addresses('eth0'), { code: 'ENODEV' });
  });
});

test('pretended rules and settings are remembered', async (t) => {
  const nftables = new FakeNftables();
  await nftables.open({ namespace: '/n' }).run('add table ip x');
  t.deepEqual(nftables.calls, [{ namespace: '/n', commands: 'add table ip x' }]);
  const sysctl = new FakeSysctl();
  sysctl.write('net.ipv4.ip_forward', 1);
  t.is(sysctl.read('net/ipv4/ip_forward'), '1');
  t.is(sysctl.read('net.ipv4.ip_forward', '/n'), undefined);
});
