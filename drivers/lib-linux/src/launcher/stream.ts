import { collect } from './collect.js';
import type { Launcher, StreamedProcess, StreamOptions } from './launcher.js';
import { killSession, launchPiped } from './standard-streams.js';

const defaultErrorBytes = 64 * 1024;

/** `Launcher.stream` by means of `launch`. */
export async function stream(
  launcher: Pick<Launcher, 'launch'>,
  file: string,
  args: readonly string[],
  options: StreamOptions = {},
): Promise<StreamedProcess> {
  const { env, cwd, maxErrorBytes = defaultErrorBytes, signal } = options;
  signal?.throwIfAborted();
  const { process, stdin, stdout, stderr } = await launchPiped(launcher, { file, args, env, cwd, withInput: true });
  if (stdin === undefined) throw new Error(`${file} was started without the input that was asked for`);
  // The caller's own listeners see the error; without any, a program that exits early must not crash the daemon.
  stdin.on('error', () => undefined);
  stdout.on('error', () => undefined);
  const onAbort = (): void => {
    killSession(process);
    const reason = signal?.reason instanceof Error ? signal.reason : new Error('aborted');
    stdin.destroy(reason);
    stdout.destroy(reason);
    stderr.destroy();
  };
  if (signal?.aborted === true) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  void process.exited.then(() => signal?.removeEventListener('abort', onAbort));
  return { stdin, stdout, stderr: collect(stderr, maxErrorBytes).then(({ bytes }) => bytes), process };
}
