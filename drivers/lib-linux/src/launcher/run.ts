import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { collect } from './collect.js';
import type { Launcher, RunOptions, RunResult } from './launcher.js';
import { killSession, launchPiped } from './standard-streams.js';

const defaultMaximum = 16 * 2 ** 20;

/** `Launcher.run` by means of `launch`. */
export async function run(
  launcher: Pick<Launcher, 'launch'>,
  file: string,
  args: readonly string[],
  options: RunOptions = {},
): Promise<RunResult> {
  const { env, cwd, input, maxOutputBytes = defaultMaximum, signal } = options;
  signal?.throwIfAborted();
  const piped = await launchPiped(launcher, { file, args, env, cwd, withInput: input !== undefined });
  const { process, stdin, stdout, stderr } = piped;

  const onAbort = (): void => {
    killSession(process);
    // Something that left the session may hold the other ends for ever.
    stdout.destroy();
    stderr.destroy();
    stdin?.destroy();
  };
  if (signal?.aborted === true) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  try {
    const collected = Promise.all([collect(stdout, maxOutputBytes), collect(stderr, maxOutputBytes)]);
    // A program may end without having read all of it; its exit code says whether that was right.
    const fed = stdin === undefined || input === undefined ? undefined : feed(input, stdin);
    const exit = await process.exited;
    stdin?.destroy();
    const [output, errors] = await collected;
    await fed;
    signal?.throwIfAborted();
    return {
      ...exit,
      stdout: output.bytes,
      stderr: errors.bytes,
      truncated: output.truncated || errors.truncated,
    };
  } finally {
    signal?.removeEventListener('abort', onAbort);
  }
}

async function feed(input: Uint8Array | Readable, stdin: NodeJS.WritableStream): Promise<void> {
  const source = input instanceof Readable ? input : Readable.from([Buffer.from(input)]);
  await pipeline(source, stdin).catch(() => undefined);
}
