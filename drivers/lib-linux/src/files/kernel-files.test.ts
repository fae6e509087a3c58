import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import test, { type ExecutionContext } from 'ava';
import { SpawnLauncher } from '../launcher/spawn-launcher.js';
import { confineThread } from './confine-thread.js';
import { kernelFiles } from './kernel-files.js';

function scratch(t: ExecutionContext): string {
  const root = mkdtempSync(join(tmpdir(), 'files-'));
  t.teardown(() => rmSync(root, { recursive: true }));
  return root;
}

test('devices and FIFOs are made', (t) => {
  const root = scratch(t);
  kernelFiles.makeDevice(join(root, 'null'), 'character', 1, 3, 0o666 & ~process.umask());
  t.true(statSync(join(root, 'null')).isCharacterDevice());
  t.is(readFileSync(join(root, 'null'), 'utf8'), '');
  kernelFiles.makeDevice(join(root, 'whiteout'), 'character', 0, 0, 0);
  t.is(lstatSync(join(root, 'whiteout')).rdev, 0);
  kernelFiles.makeDevice(join(root, 'large'), 'block', 259, 70_000, 0o600);
  const { rdev } = lstatSync(join(root, 'large'), { bigint: true });
  t.is(rdev, (259n << 8n) | ((70_000n & 0xfff00n) << 12n) | (70_000n & 0xffn));
  kernelFiles.makeFifo(join(root, 'fifo'), 0o600);
  t.true(statSync(join(root, 'fifo')).isFIFO());
  t.throws(() => kernelFiles.makeFifo(join(root, 'fifo'), 0o600), { code: 'EEXIST' });
});

test('attributes hold any bytes, of links themselves too', (t) => {
  const root = scratch(t);
  const file = join(root, 'file');
  writeFileSync(file, '');
  const value = Buffer.from(Uint8Array.from({ length: 2000 }, (_, index) => index % 256));
  kernelFiles.setAttribute(file, 'user.long', value);
  kernelFiles.setAttribute(file, 'trusted.overlay.opaque', Buffer.from('y'));
  t.true(kernelFiles.getAttribute(file, 'user.long')?.equals(value));
  t.deepEqual([...kernelFiles.listAttributes(file)].sort(), ['trusted.overlay.opaque', 'user.long']);
  t.is(kernelFiles.getAttribute(file, 'user.absent'), undefined);
  kernelFiles.removeAttribute(file, 'user.long');
  kernelFiles.removeAttribute(file, 'user.long');
  kernelFiles.removeAttribute(file, 'trusted.overlay.opaque');
  t.deepEqual(kernelFiles.listAttributes(file), []);
  symlinkSync('file', join(root, 'link'));
  kernelFiles.setAttribute(join(root, 'link'), 'trusted.of-link', Buffer.from('1'));
  t.deepEqual(kernelFiles.listAttributes(join(root, 'link')), ['trusted.of-link']);
  t.deepEqual(kernelFiles.listAttributes(file), []);
  t.throws(() => kernelFiles.getAttribute(join(root, 'absent'), 'user.x'), { code: 'ENOENT' });
  t.throws(() => kernelFiles.setAttribute(file, 'nonsense', value), { code: 'ENOTSUP' });
});

test('times are set to the nanosecond, of links themselves too', (t) => {
  const root = scratch(t);
  symlinkSync('nowhere', join(root, 'link'));
  kernelFiles.setTimes(
    join(root, 'link'),
    { seconds: 1_000_000_000, nanoseconds: 123_456_789 },
    { seconds: 1, nanoseconds: 999_999_999 },
  );
  const { atimeNs, mtimeNs } = lstatSync(join(root, 'link'), { bigint: true });
  t.is(atimeNs, 1_000_000_000_123_456_789n);
  t.is(mtimeNs, 1_999_999_999n);
  const born = kernelFiles.birthTime(join(root, 'link'));
  t.true(born === undefined || Math.abs(born.seconds - Date.now() / 1000) < 60);
});

test('nothing below a directory leads out of it', (t) => {
  const root = scratch(t);
  mkdirSync(join(root, 'jail/etc'), { recursive: true });
  writeFileSync(join(root, 'jail/etc/passwd'), 'inside');
  symlinkSync('/etc/passwd', join(root, 'jail/absolute'));
  symlinkSync('../../../../../../etc/passwd', join(root, 'jail/relative'));
  symlinkSync(`/proc/self/root/etc/passwd`, join(root, 'jail/magic'));
  const read = (path: string) => {
    const fd = kernelFiles.openIn(join(root, 'jail'), path);
    try {
      return readFileSync(fd, 'utf8');
    } finally {
      closeSync(fd);
    }
  };
  for (const path of ['etc/passwd', '/etc/passwd', '../../etc/passwd', 'absolute', 'relative'])
    t.is(read(path), 'inside');
  t.throws(() => read('magic'), { code: 'ENOENT' });
  const jail = openSync(join(root, 'jail'), 'r');
  t.throws(() => kernelFiles.openIn(jail, 'absolute', { noSymlinks: true }), { code: 'ELOOP' });
  t.throws(() => kernelFiles.openIn(jail, 'absolute', { resolve: 'beneath' }), { code: 'EXDEV' });
  const made = kernelFiles.openIn(jail, 'new', { flags: constants.O_CREAT | constants.O_WRONLY, mode: 0o600 });
  closeSync(made);
  closeSync(jail);
  t.true(existsSync(join(root, 'jail/new')));
});

test('names are swapped, and not overwritten', (t) => {
  const root = scratch(t);
  const [one, other] = [join(root, 'one'), join(root, 'other')];
  writeFileSync(one, '1');
  mkdirSync(other);
  kernelFiles.exchange(one, other);
  t.true(statSync(one).isDirectory());
  t.is(readFileSync(other, 'utf8'), '1');
  t.throws(() => kernelFiles.renameNew(other, one), { code: 'EEXIST' });
  kernelFiles.renameNew(other, join(root, 'third'));
  t.deepEqual(readdirSync(root).sort(), ['one', 'third']);
});

test('a lock is one process’s alone until it ends', async (t) => {
  const root = scratch(t);
  const path = join(root, 'lock');
  const lock = kernelFiles.lockFile(path);
  t.not(lock, undefined);
  t.is(kernelFiles.lockFile(path), undefined);
  const { code } = await new SpawnLauncher().run('flock', ['--nonblock', path, 'true']);
  t.is(code, 1);
  lock?.release();
  lock?.release();
  const again = kernelFiles.lockFile(path);
  t.not(again, undefined);
  again?.release();
  const [one, other] = [openSync(path, 'r'), openSync(path, 'r')];
  t.true(kernelFiles.tryLock(one, 'shared'));
  t.true(kernelFiles.tryLock(other, 'shared'));
  t.false(kernelFiles.tryLock(other));
  kernelFiles.unlock(one);
  t.true(kernelFiles.tryLock(other));
  closeSync(one);
  closeSync(other);
});

test('a filesystem is written back', async (t) => {
  await t.notThrowsAsync(kernelFiles.syncFilesystem('/dev/shm'));
});

test('a worker thread is confined and comes back, and the main thread is not touched', async (t) => {
  const root = scratch(t);
  mkdirSync(join(root, 'etc'));
  writeFileSync(join(root, 'etc/inside'), '');
  symlinkSync('/etc', join(root, 'way-out'));
  const script = `
    import { parentPort } from 'node:worker_threads';
    import fs from 'node:fs';
    import { confineThread, kernelFiles } from ${JSON.stringify(new URL('./index.js', import.meta.url).href)};
    const said = [];
    const attempt = (action) => { try { return action(); } catch (error) { return error.code; } };
    for (let round = 0; round < 3; round += 1) {
      const confinement = confineThread(${JSON.stringify(root)});
      kernelFiles.setUmask(0);
      said.push(fs.readdirSync('/way-out'), fs.readdirSync('/../../etc'), attempt(() => confineThread('/absent')));
      fs.mkdirSync('/made-' + round, { mode: 0o777 });
      kernelFiles.setAttribute('/made-' + round, 'user.x', Buffer.from('1'));
      confinement.release();
      confinement.release();
      said.push(fs.existsSync('/proc/self'), fs.existsSync('/made-0'));
    }
    said.push(attempt(() => confineThread('/no/such/directory')), fs.existsSync('/proc/self'));
    parentPort.postMessage(said);
  `;
  const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(script)}`));
  const said = await new Promise<unknown[]>((resolve, reject) => {
    worker.on('message', resolve);
    worker.on('error', reject);
  });
  const round = [['inside'], ['inside'], 'ENOENT', true, false];
  t.deepEqual(said, [...round, ...round, ...round, 'ENOENT', true]);
  t.is(statSync(join(root, 'made-2')).mode & 0o777, 0o777);
  t.true(existsSync('/proc/self'));
  t.throws(() => confineThread(root), { message: /worker thread/ });
});

test('a worker that is ended while it watches does no harm', async (t) => {
  // In a process of its own, whose main thread never loads the FFI library.
  const worker = `
    import { parentPort } from 'node:worker_threads';
    import { eventLoopWatcher } from ${JSON.stringify(new URL('../watch/index.js', import.meta.url).href)};
    import { SpawnLauncher } from ${JSON.stringify(new URL('../launcher/index.js', import.meta.url).href)};
    eventLoopWatcher.processExit(1, { keepAlive: true });
    const { code } = await new SpawnLauncher().run('true', []);
    parentPort.postMessage(code);
  `;
  const script = `
    import { Worker } from 'node:worker_threads';
    for (let round = 0; round < 3; round += 1) {
      const worker = new Worker(new URL('data:text/javascript,${encodeURIComponent(worker).replaceAll("'", '%27')}'));
      console.log(await new Promise((resolve) => worker.once('message', resolve)));
      await worker.terminate();
    }
  `;
  const launcher = new SpawnLauncher();
  const { code, stdout, stderr } = await launcher.run(process.execPath, ['--input-type=module', '-e', script]);
  t.is(stderr.toString(), '');
  t.is(code, 0);
  t.is(stdout.toString(), '0\n0\n0\n');
});
