import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EngineError } from '@gantry/core/errors';
import { SpawnLauncher } from '@gantry/lib-linux/launcher';
import { type GitOptions, gitEnvironment, started, withoutHooks } from './git.js';

export interface ReadOptions extends GitOptions {
  /** What the client sent as `Git-Protocol`; anything but known words is left out. */
  readonly protocol?: string | undefined;
}

/** Clients may leave out large files they do not need (partial clones). */
const settings = [...withoutHooks, '-c', 'uploadpack.allowFilter=true'];

const isVersion2 = (protocol: string | undefined): boolean => /(^|:)version=2(:|$)/.test(protocol ?? '');

const environment = (protocol: string | undefined) => ({
  ...gitEnvironment,
  ...(/^version=[012](:[a-z0-9=-]+)*$/.test(protocol ?? '') && { GIT_PROTOCOL: protocol ?? '' }),
});

/** The answer to `GET info/refs?service=git-upload-pack`: what there is to fetch. */
export async function advertiseRefs(repository: string, { protocol, ...options }: ReadOptions): Promise<Buffer> {
  const { launcher = new SpawnLauncher(), signal } = options;
  const args = [...settings, 'upload-pack', '--http-backend-info-refs', repository];
  const result = await started(() =>
    launcher.run('git', args, { env: environment(protocol), maxOutputBytes: 256 * 2 ** 20, ...(signal && { signal }) }),
  );
  if (result.code !== 0 || result.truncated) throw failed(result.stderr);
  const service = '# service=git-upload-pack\n';
  const announced = `${(service.length + 4).toString(16).padStart(4, '0')}${service}0000`;
  return isVersion2(protocol) ? result.stdout : Buffer.concat([Buffer.from(announced), result.stdout]);
}

/**
 * The answer to `POST git-upload-pack`: reads what a client wants and writes the pack. `response` is asked for when
 * the first bytes are there, so that what fails before can still be answered otherwise.
 */
export async function uploadPack(
  repository: string,
  request: Readable,
  response: () => Writable,
  { protocol, launcher = new SpawnLauncher(), signal }: ReadOptions,
): Promise<void> {
  const args = [...settings, 'upload-pack', '--stateless-rpc', repository];
  const child = await started(() =>
    launcher.stream('git', args, { env: environment(protocol), ...(signal && { signal }) }),
  );
  // A client that has said all it wants may leave the rest of its request unread by git.
  const sent = pipeline(request, child.stdin).catch((error: unknown) => {
    if (!child.stdin.writableFinished) child.stdin.destroy();
    return error;
  });
  const parts = child.stdout.iterator({ destroyOnReturn: false });
  const first = await parts.next();
  if (first.done === true) {
    await child.process.exited;
    throw failed(await child.stderr);
  }
  const all = async function* () {
    yield first.value as Buffer;
    yield* parts as AsyncIterableIterator<Buffer>;
  };
  await pipeline(Readable.from(all(), { objectMode: false }), response(), { end: false });
  await sent;
  await child.process.exited;
}

const failed = (words: Buffer): EngineError =>
  new EngineError('internal', `git upload-pack: ${words.toString('utf8').trim().slice(-1000) || 'ended early'}`);
