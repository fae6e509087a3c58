import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import test from 'ava';
import type Docker from 'dockerode';
import type { Container, ExecCreateOptions } from 'dockerode';
import { fileDaemon } from './testing/file-daemon.js';

const daemonOfFile = fileDaemon();

/** Runs a process to its end; resolves to what it wrote to either stream, and its exit code. */
async function run(client: Docker, container: Container, options: ExecCreateOptions) {
  const exec = await container.exec({ AttachStdout: true, AttachStderr: true, ...options });
  const stream = await exec.start({ hijack: true, stdin: false });
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  client.modem.demuxStream(stream, stdout, stderr);
  stream.once('end', () => {
    stdout.end();
    stderr.end();
  });
  const [out, err] = await Promise.all([text(stdout), text(stderr)]);
  return { out, err, code: (await exec.inspect()).ExitCode };
}

const sleeping = { Image: 'busybox', Cmd: ['sleep', '1000'], HostConfig: { NetworkMode: 'none' } };

test.serial('a hundred concurrent processes each deliver all output and their exit code', async (t) => {
  const { client } = daemonOfFile();
  const container = await client.createContainer(sleeping);
  await container.start();
  const results = await Promise.all(
    Array.from({ length: 100 }, (_, index) =>
      run(client, container, {
        Cmd: [
          'sh',
          '-c',
          `i=0; while [ $i -lt 200 ]; do echo ${index}.$i; i=$((i+1)); done; echo end >&2; exit ${index}`,
        ],
      }),
    ),
  );
  for (const [index, { out, err, code }] of results.entries()) {
    t.is(out, Array.from({ length: 200 }, (_, line) => `${index}.${line}\n`).join(''));
    t.is(err, 'end\n');
    t.is(code, index);
  }
});

test.serial('a large output is complete when the process exits right after it', async (t) => {
  const { client } = daemonOfFile();
  const container = await client.createContainer(sleeping);
  await container.start();
  const { out } = await run(client, container, { Cmd: ['sh', '-c', 'yes 0123456789 | head -n 500000'] });
  t.is(out.length, 500_000 * 11);
});

test.serial('an exec that cannot start exits with 126 before API 1.42, whatever the reason', async (t) => {
  const { client } = daemonOfFile();
  const container = await client.createContainer(sleeping);
  await container.start();
  const missing = await run(client, container, { Cmd: ['nosuchprogram'] });
  t.is(missing.code, 126);
  t.regex(missing.out, /nosuchprogram.*not found/);
  const forbidden = await run(client, container, { Cmd: ['/etc/passwd'] });
  t.is(forbidden.code, 126);
  t.regex(forbidden.out, /permission denied/);
});

test.serial('a terminal has the size that its exec was given, without a resize', async (t) => {
  const { client } = daemonOfFile();
  const container = await client.createContainer(sleeping);
  await container.start();
  // crun sets the size right after it has let the program start. Without one stty says so, and exits with 0.
  const program = ['sh', '-c', 'until stty size 2> /dev/null | grep .; do sleep 0.1; done'];
  const terminal = { Cmd: program, Tty: true, AttachStdout: true, ConsoleSize: [24, 80] };
  const exec = await container.exec(terminal as ExecCreateOptions);
  t.is(await text(await exec.start({ hijack: true, stdin: false, Tty: true })), '24 80\r\n');
});
