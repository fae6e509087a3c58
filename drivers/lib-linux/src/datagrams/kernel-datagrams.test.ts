import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { isErrno } from '../errors/linux-error.js';
import { kernelDatagrams } from './kernel-datagrams.js';

/** Prints the size of each datagram, or of the memory that came with it. */
const receiver = `
import array, os, socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print('ready', flush=True)
for _ in range(int(sys.argv[2])):
    data, control, _, _ = s.recvmsg(1 << 20, 64)
    fds = array.array('i')
    for _, _, payload in control: fds.frombytes(payload)
    for fd in fds: data += os.pread(fd, 1 << 24, 0)
    print(len(data), data[:5].decode(), flush=True)
`;

async function listen(t: ExecutionContext, count: number): Promise<{ path: string; output: Promise<string> }> {
  const directory = mkdtempSync(join(tmpdir(), 'datagrams-'));
  t.teardown(() => rmSync(directory, { recursive: true }));
  const path = join(directory, 's');
  const child = spawn('python3', ['-c', receiver, path, `${count}`], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.teardown(() => child.kill('SIGKILL'));
  let text = '';
  child.stdout.on('data', (chunk) => {
    text += chunk;
  });
  await once(child.stdout, 'data');
  return { path, output: once(child, 'close').then(() => text) };
}

test('datagrams arrive whole, more of them than the queue holds', async (t) => {
  const { path, output } = await listen(t, 1000);
  const sender = kernelDatagrams.connect(path);
  for (let index = 0; index < 1000; index++) await sender.send(Buffer.from(`${index}`.padStart(100)));
  t.is((await output).split('\n').length, 1002);
  await t.throwsAsync(sender.send(Buffer.from('x')), { code: 'ECONNREFUSED' } as never);
  sender.close();
  sender.close();
});

test('what is too large for a datagram goes as memory', async (t) => {
  const { path, output } = await listen(t, 1);
  const sender = kernelDatagrams.connect(path);
  const large = Buffer.alloc(12 * 2 ** 20, 'large');
  const error = await t.throwsAsync(sender.send(large));
  t.true(isErrno(error, 'EMSGSIZE'));
  await sender.sendMemory(large);
  t.is(await output, `ready\n${large.length} large\n`);
  sender.close();
});

test('an absent receiver is an error at once', (t) => {
  const error = t.throws(() => kernelDatagrams.connect('/nowhere/socket'));
  t.true(isErrno(error, 'ENOENT'));
});
