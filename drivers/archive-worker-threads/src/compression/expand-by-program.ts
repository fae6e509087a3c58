import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { LayerCompression } from '@gantry/core/contracts';
import { invalidArgument, unavailable } from '@gantry/core/errors';
import { isErrno } from '@gantry/lib-linux';
import type { Launcher, StreamedProcess } from '@gantry/lib-linux/launcher';
import type { ExpansionLimit } from './expansion-limit.js';

type ProgramCompression = Exclude<LayerCompression, 'none' | 'gzip'>;

/** Programs of the host; those of a container or an image are never run for this. */
const programs: Readonly<Record<ProgramCompression, readonly [file: string, ...args: string[]]>> = {
  bzip2: ['bzip2', '-dc'],
  // A header may ask for gigabytes; no preset of the compressor needs more than 65 MiB.
  xz: ['xz', '-dc', '--memlimit-decompress=512MiB'],
  zstd: ['zstd', '-dcq', '--long=27'],
};

/** Expands data by a program. Ends the program when the caller stops early. */
export async function* expandByProgram(
  launcher: Launcher,
  compression: ProgramCompression,
  source: Readable | AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limit: ExpansionLimit,
): AsyncGenerator<Uint8Array> {
  const stop = new AbortController();
  const program = await start(launcher, compression, stop.signal);
  let sourceFailure: { readonly error: unknown } | undefined;
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    try {
      for await (const piece of source as AsyncIterable<Uint8Array>) {
        limit.read(piece.length);
        yield piece;
      }
    } catch (error) {
      sourceFailure = { error };
      throw error;
    }
  };
  // A program that ends early closes its input; what it was about is in its exit code.
  const fed = pipeline(counted(), program.stdin).catch(() => undefined);
  try {
    for await (const piece of program.stdout as AsyncIterable<Buffer>) {
      limit.wrote(piece.length);
      yield piece;
    }
    const { code } = await program.process.exited;
    await fed;
    if (sourceFailure !== undefined) throw sourceFailure.error;
    if (code !== 0) {
      const words = (await program.stderr).toString('utf8').trim();
      throw invalidArgument(`the ${compression} data is damaged: ${words === '' ? `exit code ${code}` : words}`);
    }
  } finally {
    stop.abort(new Error('the data is not read on'));
  }
}

async function start(
  launcher: Launcher,
  compression: ProgramCompression,
  signal: AbortSignal,
): Promise<StreamedProcess> {
  const [file, ...args] = programs[compression];
  try {
    return await launcher.stream(file, args, { cwd: '/', signal });
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
    throw unavailable(`${compression} data cannot be read: the program ${file} is not installed`, { cause: error });
  }
}
