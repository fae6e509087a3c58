import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { EngineError } from '@gantry/core/errors';
import { type GitOptions, gitEnvironment, withGitInstalled, withoutHooks } from './git.js';

interface UploadOptions extends GitOptions {
  readonly protocol?: string | undefined;
}

/** Partial clones are supported. */
const settings = [...withoutHooks, '-c', 'uploadpack.allowFilter=true'];

const isVersion2 = (protocol: string | undefined): boolean => /(^|:)version=2(:|$)/.test(protocol ?? '');

const environment = (protocol: string | undefined) => ({
  ...gitEnvironment,
  ...(/^version=[012](:[a-z0-9=-]+)*$/.test(protocol ?? '') && { GIT_PROTOCOL: protocol ?? '' }),
});

/** Runs `git upload-pack` for its advertisement of refs. */
export async function advertiseRefs(repository: string, { protocol, ...options }: UploadOptions): Promise<Buffer> {
  const { launcher, signal } = options;
  const args = [...settings, 'upload-pack', '--http-backend-info-refs', repository];
  const result = await withGitInstalled(() =>
    launcher.run('git', args, { env: environment(protocol), maxOutputBytes: 256 * 2 ** 20, ...(signal && { signal }) }),
  );
  if (result.code !== 0 || result.truncated) throw uploadFailed(result.stderr);
  const service = '# service=git-upload-pack\n';
  const announced = `${(service.length + 4).toString(16).padStart(4, '0')}${service}0000`;
  return isVersion2(protocol) ? result.stdout : Buffer.concat([Buffer.from(announced), result.stdout]);
}

/**
 * Runs `git upload-pack` on a client's request. `openResponse` is called with the first output, so that an earlier
 * failure can still be answered with an error.
 */
export async function uploadPack(
  repository: string,
  request: Readable,
  openResponse: () => Writable,
  { protocol, launcher, signal }: UploadOptions,
): Promise<void> {
  const args = [...settings, 'upload-pack', '--stateless-rpc', repository];
  const child = await withGitInstalled(() =>
    launcher.stream('git', args, { env: environment(protocol), ...(signal && { signal }) }),
  );
  // git may not read all of the request: the error is only its consequence.
  const sent = pipeline(request, child.stdin).catch((error: unknown) => {
    if (!child.stdin.writableFinished) child.stdin.destroy();
    return error;
  });
  const parts = child.stdout.iterator({ destroyOnReturn: false });
  const first = await parts.next();
  if (first.done === true) {
    await child.process.exited;
    throw uploadFailed(await child.stderr);
  }
  const all = async function* () {
    yield first.value as Buffer;
    yield* parts as AsyncIterableIterator<Buffer>;
  };
  await pipeline(Readable.from(all(), { objectMode: false }), openResponse(), { end: false });
  await sent;
  await child.process.exited;
}

const uploadFailed = (output: Buffer): EngineError =>
  new EngineError('internal', `git upload-pack: ${output.toString('utf8').trim().slice(-1000) || 'exited early'}`);
