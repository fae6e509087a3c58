import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import test, { type ExecutionContext } from 'ava';
import { SpawnLauncher } from '../launcher/spawn-launcher.js';
import { confineToTree } from './confine-to-tree.js';
import type { PlacedMount, TreeOptions } from './files.js';

/** A root and things to show in it, gone at the end of the test. */
function scratch(t: ExecutionContext): { readonly root: string; readonly aside: string } {
  const base = mkdtempSync(join(tmpdir(), 'tree-'));
  t.teardown(() => rmSync(base, { recursive: true }));
  const [root, aside] = [join(base, 'root'), join(base, 'aside')];
  for (const path of [root, aside, join(root, 'etc'), join(root, 'data')]) mkdirSync(path);
  writeFileSync(join(root, 'data/below'), 'below');
  writeFileSync(join(aside, 'file'), 'aside');
  return { root, aside };
}

const shown = (source: string, target: string, readOnly = false): PlacedMount => ({ source, target, readOnly });

/** Runs statements in a worker thread that is confined; `say` collects what comes back. */
async function confined(t: ExecutionContext, root: string, options: TreeOptions, body: string): Promise<unknown> {
  // The pool's threads are to be born here.
  await stat('/');
  const script = `
    import { parentPort } from 'node:worker_threads';
    import fs from 'node:fs';
    import { confineToTree, kernelFiles } from ${JSON.stringify(new URL('./index.js', import.meta.url).href)};
    const said = [];
    const say = (...words) => said.push(...words);
    const attempt = (action) => { try { return action(); } catch (error) { return error.code; } };
    // Where the thread is, and what it mounted: other mounts of the host come and go meanwhile.
    const place = () => [
      fs.readlinkSync('/proc/thread-self/ns/mnt'),
      ...fs.readFileSync('/proc/thread-self/mountinfo', 'utf8').split('\\n').filter((line) => line.includes(${JSON.stringify(root)})),
    ].join();
    const before = place();
    const enter = () => confineToTree(${JSON.stringify(root)}, ${JSON.stringify(options)});
    ${body}
    say(place() === before);
    parentPort.postMessage(said);
  `;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`));
  t.teardown(() => worker.terminate());
  return new Promise((resolve, reject) => {
    worker.on('message', resolve);
    worker.on('error', reject);
  });
}

test('directories and files are shown at their places, and only to the thread', async (t) => {
  const { root, aside } = scratch(t);
  const own = readFileSync('/proc/self/mountinfo', 'utf8');
  const mounts = [shown(join(aside, 'file'), '/data/deep/file'), shown(aside, '/data'), shown(aside, '/new/place')];

  const said = await confined(
    t,
    root,
    { mounts },
    `
      for (let round = 0; round < 3; round += 1) {
        const tree = enter();
        say(fs.readdirSync('/').join(), fs.readFileSync('/data/deep/file', 'utf8'), attempt(() => fs.rmdirSync('/data')));
        fs.writeFileSync('/data/by-thread', '');
        fs.writeFileSync('/etc/by-thread', '');
        tree.release();
        tree.release();
        say(fs.existsSync('/proc/self'));
      }
    `,
  );

  const round = ['data,etc,new', 'aside', 'EBUSY', true];
  t.deepEqual(said, [...round, ...round, ...round, true]);
  t.true(existsSync(join(aside, 'by-thread')));
  t.true(existsSync(join(root, 'etc/by-thread')));
  t.true(existsSync(join(root, 'data/below')));
  t.is(readFileSync('/proc/self/mountinfo', 'utf8').includes(root), own.includes(root));
});

test('links in the tree put no mount outside of it', async (t) => {
  const { root, aside } = scratch(t);
  const outside = join(root, '../outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'mine'), '');
  symlinkSync(outside, join(root, 'absolute'));
  symlinkSync('../../../../../../etc', join(root, 'climbs'));

  const said = await confined(
    t,
    root,
    { mounts: [shown(aside, '/climbs/put')] },
    `
      const tree = enter();
      say(fs.readdirSync('/etc/put').join(), attempt(() => fs.readdirSync('/absolute')));
      tree.release();
      say(fs.readdirSync(${JSON.stringify(outside)}).join());
    `,
  );
  t.deepEqual(said, ['file', 'ENOENT', 'mine', true]);

  const refused = await confined(t, root, { mounts: [shown(aside, '/absolute')] }, 'say(attempt(() => enter()));');
  t.deepEqual(refused, ['ENOENT', true]);
});

test('what is read-only cannot be changed, be it the root or a mount', async (t) => {
  const { root, aside } = scratch(t);
  const script = `
    const tree = enter();
    say(attempt(() => fs.writeFileSync('/etc/x', '')), attempt(() => fs.writeFileSync('/data/x', '')));
    tree.release();
  `;
  t.deepEqual(await confined(t, root, { mounts: [shown(aside, '/data', true)] }, script), [undefined, 'EROFS', true]);
  const readOnlyRoot = { mounts: [shown(aside, '/data')], readOnly: true };
  t.deepEqual(await confined(t, root, readOnlyRoot, script), ['EROFS', undefined, true]);
});

test('a thread that cannot be confined stays where it was', async (t) => {
  const { root, aside } = scratch(t);
  const script = "say(attempt(() => enter()), fs.existsSync('/proc/self'));";
  t.deepEqual(await confined(t, root, { mounts: [shown('/no/such/thing', '/data')] }, script), ['ENOENT', true, true]);
  t.deepEqual(await confined(t, root, { mounts: [shown(join(aside, 'file'), '/data')] }, script), [
    'ENOTDIR',
    true,
    true,
  ]);
  t.deepEqual(await confined(t, '/no/such/root', { mounts: [] }, script), ['ENOENT', true, true]);
  t.throws(() => confineToTree(root, { mounts: [] }), { message: /worker thread/ });
});

test('a tmpfs of a process that has this root is shown, and nothing of any other process', async (t) => {
  const { root, aside } = scratch(t);
  const launcher = new SpawnLauncher();
  // The root must be a mount of its own to be turned to.
  const script = `mount --bind ${root} ${root} && mkdir ${root}/old ${root}/tm && mount -t tmpfs tmpfs ${root}/tm &&
    echo inside > ${root}/tm/file && mount -t proc proc ${root}/etc && mkdir ${root}/bin && touch ${root}/bin/sleep &&
    mount --bind /bin/busybox ${root}/bin/sleep && cd ${root} && pivot_root . old && exec /old/bin/busybox chroot . sleep 100`;
  const process = await launcher.launch({
    file: 'unshare',
    args: ['-m', '--propagation', 'private', 'sh', '-c', script],
  });
  t.teardown(async () => {
    process.kill(9);
    await process.exited;
  });
  const { pid } = process;
  while (readFileSync(`/proc/${pid}/comm`, 'utf8') !== 'sleep\n') await delay(5);
  const look = `
    const tree = enter();
    say(attempt(() => fs.readdirSync('/data').join()), attempt(() => fs.readFileSync('/data/file', 'utf8')));
    tree.release();
    say(fs.existsSync('/proc/self'));
  `;
  const seen = (source: PlacedMount['source'], of = root) =>
    confined(t, of, { mounts: [{ source, target: '/data', readOnly: false }] }, look);
  t.deepEqual(await seen({ pid, path: '/tm' }), ['file', 'inside\n', true, true]);
  t.deepEqual(await seen({ pid, path: '/etc' }), ['below', 'ENOENT', true, true]);
  t.deepEqual(await seen({ pid, path: '/absent' }), ['below', 'ENOENT', true, true]);
  t.deepEqual(await seen({ pid: globalThis.process.pid, path: '/tm' }), ['below', 'ENOENT', true, true]);
  t.deepEqual(await seen({ pid: 2 ** 22 + 1, path: '/tm' }), ['below', 'ENOENT', true, true]);
  mkdirSync(join(aside, 'data'));
  t.deepEqual(await seen({ pid, path: '/tm' }, aside), ['', 'ENOENT', true, true]);
});
