import { closeSync, existsSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { SpawnLauncher } from '../launcher/spawn-launcher.js';
import { kernelNamespaces } from '../namespaces/kernel-namespaces.js';
import { kernelNetlink } from '../netlink/kernel-netlink.js';
import { kernelNftables } from './kernel-nftables.js';
import { NftablesError } from './nftables-error.js';

let count = 0;
function namespace(t: ExecutionContext): string {
  count += 1;
  const path = join(tmpdir(), `nftables-${process.pid}-${count}`);
  kernelNamespaces.createNetwork(path);
  t.teardown(() => void kernelNamespaces.removeNetwork(path));
  return path;
}

test('commands in text and in JSON change the rules of their namespace', async (t) => {
  const path = namespace(t);
  const session = kernelNftables.open({ namespace: path });
  t.teardown(() => session.close());
  await session.run('add table inet gantry-test\nadd chain inet gantry-test c { type filter hook input priority 0; }');
  session.runSync([{ add: { set: { family: 'inet', table: 'gantry-test', name: 's', type: 'ipv4_addr' } } }]);
  await session.run([
    { add: { element: { family: 'inet', table: 'gantry-test', name: 's', elem: ['10.0.0.1', '10.0.0.2'] } } },
  ]);
  t.regex(session.runSync('list set inet gantry-test s'), /10\.0\.0\.1, 10\.0\.0\.2/);
  const listed = JSON.parse(await session.run([{ list: { tables: null } }])) as {
    nftables: { table?: { name: string } }[];
  };
  t.true(listed.nftables.some(({ table }) => table?.name === 'gantry-test'));

  const host = kernelNftables.open();
  t.notRegex(await host.run('list tables'), /gantry-test/);
  host.close();
});

test('a failed command takes back the whole transaction, and says why', async (t) => {
  const session = kernelNftables.open({ namespace: namespace(t) });
  t.teardown(() => session.close());
  const missing = await t.throwsAsync(session.run('add table inet a\nadd rule inet absent c accept'), {
    instanceOf: NftablesError,
    message: /No such file or directory/,
  });
  t.true(missing?.isMissing);
  t.is(session.runSync('list tables'), '');
  session.runSync('add table inet a');
  const present = t.throws(() => session.runSync('create table inet a'), { instanceOf: NftablesError });
  t.true(present?.isPresent);
  await t.throwsAsync(session.run('rubbish'), { message: /syntax error/ });
  t.regex(await session.run('list tables'), /table inet a/, 'the session goes on');
});

test('interfaces are found by their names inside the namespace', async (t) => {
  const path = namespace(t);
  kernelNetlink.use(path, (socket) => socket.addLink({ kind: 'bridge', name: 'inside0' }));
  const session = kernelNftables.open({ namespace: path });
  t.teardown(() => session.close());
  await session.run('add table ip t; add chain ip t c { type filter hook forward priority 0; }');
  await t.notThrowsAsync(session.run('add rule ip t c iif inside0 accept'));
  t.regex(session.runSync('list ruleset'), /iif "inside0"/);
});

test('commands of one session run in order, on whatever thread', async (t) => {
  // The host's own rules are not touched: these tables are of a child process in a namespace of its own.
  const script = `
    import { kernelNamespaces } from ${JSON.stringify(new URL('../namespaces/index.js', import.meta.url).href)};
    import { kernelNftables } from ${JSON.stringify(new URL('./kernel-nftables.js', import.meta.url).href)};
    kernelNamespaces.leaveNetwork();
    const session = kernelNftables.open();
    const all = [];
    for (let index = 0; index < 50; index += 1) {
      all.push(session.run('add table inet t' + index), session.run('delete table inet t' + index));
    }
    try { session.runSync('list tables'); console.log('not refused'); } catch (error) { console.log(error.message); }
    await Promise.all(all);
    console.log(JSON.stringify(session.runSync('list tables')));
    session.close();
    session.run('list tables').catch((error) => console.log(error.code));
  `;
  const { stdout, stderr, code } = await new SpawnLauncher().run(process.execPath, [
    '--input-type=module',
    '-e',
    script,
  ]);
  t.is(stderr.toString(), '');
  t.is(code, 0);
  t.deepEqual(stdout.toString().trim().split('\n').slice(-2), ['""', 'EBADF']);
});

/** With what they lead to; without the one that lists them. */
function openDescriptors(): readonly string[] {
  return readdirSync('/proc/self/fd')
    .filter((fd) => existsSync(`/proc/self/fd/${fd}`))
    .map((fd) => `${fd} ${readlinkSync(`/proc/self/fd/${fd}`)}`);
}

test.serial('a closed session leaves nothing open, and its socket is not inherited', async (t) => {
  const path = namespace(t);
  kernelNftables.open({ namespace: path }).close();
  await new Promise((resolve) => setImmediate(resolve));
  const before = openDescriptors();
  const session = kernelNftables.open({ namespace: path });
  const added = openDescriptors().filter((fd) => !before.includes(fd));
  t.is(added.length, 2, 'a namespace and a socket');
  for (const [fd] of added.map((text) => text.split(' '))) {
    const flags = /^flags:\t(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'))?.[1] ?? '0';
    t.not(Number.parseInt(flags, 8) & 0o2000000, 0, `descriptor ${fd} is closed on exec`);
  }
  session.close();
  await new Promise((resolve) => setImmediate(resolve));
  t.deepEqual(openDescriptors(), before);
});

test('a namespace given by its descriptor stays the caller’s', (t) => {
  const path = namespace(t);
  const fd = kernelNamespaces.open(path);
  const session = kernelNftables.open({ namespace: fd });
  session.runSync('add table inet mine');
  session.close();
  t.notThrows(() => closeSync(fd));
});

test('a session works in a process with thousands of open files', (t) => {
  const path = namespace(t);
  kernelNftables.open({ namespace: path }).close();
  const files = Array.from({ length: 1500 }, () => openSync('/dev/null', 'r'));
  t.teardown(() => {
    for (const file of files) closeSync(file);
  });
  for (let round = 0; round < 3; round += 1) {
    const sessions = Array.from({ length: 8 }, () => kernelNftables.open({ namespace: path }));
    for (const session of sessions) session.runSync('add table inet gantry-test');
    for (const session of sessions) session.close();
  }
  t.pass();
});
