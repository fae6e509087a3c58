import { closeSync, readdirSync, readSync, writeSync } from 'node:fs';
import test from 'ava';
import { pipe } from '../launcher/pipe.js';
import { SpawnLauncher } from '../launcher/spawn-launcher.js';
import { eventLoopWatcher } from './event-loop-watcher.js';

const launcher = new SpawnLauncher();

test('the exit of a process is reported, and promises continue at once', async (t) => {
  const launched = await launcher.launch({ file: 'sleep', args: ['60'] });
  const watch = eventLoopWatcher.processExit(launched.pid);
  launched.kill(9);
  const first = await Promise.race([watch.exited.then(() => 'watch'), launched.exited.then(() => 'parent')]);
  t.true(first === 'watch' || first === 'parent');
  await watch.exited;
});

test('an absent process counts as exited', async (t) => {
  const launched = await launcher.launch({ file: 'true', args: [] });
  await launched.exited;
  await eventLoopWatcher.processExit(launched.pid).exited;
  t.pass();
});

test('a watch does not keep the process alive', async (t) => {
  const script = `
    import { eventLoopWatcher } from ${JSON.stringify(new URL('./event-loop-watcher.js', import.meta.url).href)};
    eventLoopWatcher.processExit(1);
    eventLoopWatcher.fd(0, { readable: true }, () => {});
  `;
  const { readFd, writeFd } = pipe();
  const launched = await launcher.launch({
    file: process.execPath,
    args: ['--input-type=module', '-e', script],
    fds: new Map([[0, readFd]]),
  });
  t.deepEqual(await launched.exited, { code: 0, signal: undefined });
  closeSync(readFd);
  closeSync(writeFd);
});

test('a descriptor is reported again until it is drained, and not while paused', async (t) => {
  const { readFd, writeFd } = pipe();
  let seen = 0;
  let resolveSecond: () => void = () => undefined;
  const second = new Promise<void>((resolve) => {
    resolveSecond = resolve;
  });
  writeSync(writeFd, 'ab');
  const watch = eventLoopWatcher.fd(readFd, { readable: true }, () => {
    seen += 1;
    const byte = Buffer.alloc(1);
    readSync(readFd, byte);
    if (seen === 2) resolveSecond();
  });
  await second;
  watch.pause();
  writeSync(writeFd, 'c');
  await new Promise((resolve) => setTimeout(resolve, 20));
  t.is(seen, 2);
  watch.close();
  t.notThrows(() => {
    watch.close();
    watch.pause();
    watch.resume();
    watch.unref();
  });
  closeSync(readFd);
  closeSync(writeFd);
});

test.serial('a closed watch leaks no descriptor', async (t) => {
  const launched = await launcher.launch({ file: 'sleep', args: ['60'] });
  const before = readdirSync('/proc/self/fd').length;
  const watch = eventLoopWatcher.processExit(launched.pid);
  watch.close();
  watch.close();
  t.is(readdirSync('/proc/self/fd').length, before);
  launched.kill(9);
  await launched.exited;
});
