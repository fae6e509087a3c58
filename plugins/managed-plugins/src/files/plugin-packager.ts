import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { lstat, mkdir, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type ArchiveDriver, ArchiveDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable, isRecord } from '@gantry/core/driver';
import { invalidArgument, messageOf } from '@gantry/core/errors';
import { parseManifest } from '../manifest/parse-manifest.js';
import type { PluginRecord } from '../store/plugin-record.js';
import { randomName, type VersionDirectory } from './directories-of.js';
import { PluginFiles } from './plugin-files.js';
import { PluginInstaller, pluginType } from './plugin-installer.js';

const layerType = 'application/vnd.docker.image.rootfs.diff.tar.gzip';
const manifestType = 'application/vnd.docker.distribution.manifest.v2+json';
const maxConfigurationBytes = 16 * 2 ** 20;

interface Layer {
  readonly digest: string;
  readonly diffId: string;
  readonly size: number;
}

/** Makes plugins from a directory with `config.json` and `rootfs`, which clients send as an archive. */
@injectable()
export class PluginPackager {
  constructor(
    @inject(PluginFiles) private readonly files: PluginFiles,
    @inject(PluginInstaller) private readonly installer: PluginInstaller,
    @inject(ArchiveDrivers.token) private readonly archives: DriverSet<ArchiveDriver>,
  ) {}

  /**
   * Installs the files of the plugin as a pull of it would. Rejects `invalid-argument` for an archive without the two, and for a
   * configuration that is none; then nothing is left.
   */
  async install(
    context: Readable,
    name: string,
    { signal }: { readonly signal: AbortSignal },
  ): Promise<Pick<PluginRecord, 'files' | 'digest' | 'manifest'>> {
    const files = randomName();
    let made: Pick<PluginRecord, 'digest' | 'manifest'> | undefined;
    await this.files.create(files, async (version) => {
      const directory = path.join(version.directory, 'context');
      await mkdir(directory);
      await this.archives.get().extract({ stream: context }, directory, '/', { signal });
      const document = await readConfiguration(directory);
      await this.#checkRootfs(directory, signal);
      const layer = await this.#packLayer(directory, version, signal);
      made = await this.#describe(document, layer, name, version);
      await this.archives.get().removeTree(directory, { signal });
      await this.installer.unpack(version, [{ digest: layer.digest, expectedDiffId: layer.diffId }], { signal });
    });
    if (made === undefined) throw new RangeError(`plugin ${name} was not packed`);
    return { files, ...made };
  }

  async #checkRootfs(context: string, signal: AbortSignal): Promise<void> {
    const { mode } = await this.archives.get().resolveInRoot(context, 'rootfs', { signal });
    if (mode === undefined) throw invalidArgument('rootfs not found');
    if ((mode & 0o170000) !== 0o040000) throw invalidArgument('rootfs is not a directory');
  }

  async #packLayer(context: string, { content }: VersionDirectory, signal: AbortSignal): Promise<Layer> {
    const file = content.blob('incomplete');
    const uncompressed = createHash('sha256');
    const compressed = createHash('sha256');
    let size = 0;
    await pipeline(
      this.archives.get().packTree(context, 'rootfs/', { name: '', signal }),
      hashing((chunk) => uncompressed.update(chunk)),
      createGzip(),
      hashing((chunk) => {
        compressed.update(chunk);
        size += chunk.length;
      }),
      createWriteStream(file, { mode: 0o600 }),
      { signal },
    );
    const digest = `sha256:${compressed.digest('hex')}`;
    await rename(file, content.blob(digest));
    return { digest, diffId: `sha256:${uncompressed.digest('hex')}`, size };
  }

  /** Adds configuration and manifest to the content, in the form in which registries know plugins. */
  async #describe(
    document: Readonly<Record<string, unknown>>,
    { diffId, digest, size }: Layer,
    name: string,
    { content }: VersionDirectory,
  ): Promise<Pick<PluginRecord, 'digest' | 'manifest'>> {
    const own = Object.entries(document).filter(([key]) => key.toLowerCase() !== 'rootfs');
    const rootfs = { type: 'layers', diff_ids: [diffId] };
    const text = JSON.stringify({ ...Object.fromEntries(own), rootfs });
    const manifest = parsed(text, name);
    const configuration = { mediaType: pluginType, digest: digestOf(text), size: Buffer.byteLength(text) };
    const layers = [{ mediaType: layerType, digest, size }];
    const bytes = Buffer.from(
      JSON.stringify({ schemaVersion: 2, mediaType: manifestType, config: configuration, layers }),
    );
    await content.addDocument(configuration.digest, text);
    await content.setManifest({ bytes, mediaType: manifestType });
    return { digest: digestOf(bytes), manifest };
  }
}

async function readConfiguration(context: string): Promise<Readonly<Record<string, unknown>>> {
  const file = path.join(context, 'config.json');
  const found = await lstat(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (found === undefined) throw invalidArgument('config not found');
  // A link could lead to a file of the host.
  if (!found.isFile()) throw invalidArgument('config.json is not a regular file');
  if (found.size > maxConfigurationBytes) {
    throw invalidArgument(`config.json has ${found.size} bytes, more than ${maxConfigurationBytes}`);
  }
  let document: unknown;
  try {
    document = JSON.parse(await readFile(file, 'utf8'));
  } catch (cause) {
    throw invalidArgument(`failed to parse config: ${messageOf(cause)}`, { cause });
  }
  if (!isRecord(document)) throw invalidArgument('failed to parse config: it is not an object');
  return document;
}

function parsed(text: string, name: string): PluginRecord['manifest'] {
  try {
    return parseManifest(text, name);
  } catch (cause) {
    throw invalidArgument(messageOf(cause), { cause });
  }
}

/** Passes everything on, and shows it. */
function hashing(show: (chunk: Buffer) => void): PassThrough {
  return new PassThrough({
    transform(chunk: Buffer, _encoding, done) {
      show(chunk);
      done(null, chunk);
    },
  });
}

const digestOf = (content: string | Buffer): string => `sha256:${createHash('sha256').update(content).digest('hex')}`;
