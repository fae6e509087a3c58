import { copyFile, link, mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { ResolvedManifest } from '@gantry/registry/service';

/** The manifest as it is in a registry, byte for byte. */
type PublishedManifest = ResolvedManifest['served'];

/**
 * What a registry has, or will have, of an installed version: its manifest, its configuration and its compressed layers. They
 * are kept so that a push sends exactly what was pulled or created, under the same digests.
 */
export class PluginContent {
  constructor(private readonly directory: string) {}

  /** The file of a blob; it need not be there. */
  blob(digest: string): string {
    return path.join(this.directory, digest.replace(':', '-'));
  }

  async create(): Promise<void> {
    await mkdir(this.directory);
  }

  async addDocument(digest: string, text: string): Promise<void> {
    await writeFile(this.blob(digest), text);
  }

  /** Adds a blob that is in another file, which stays; without a copy where the file system allows. */
  async addFile(digest: string, file: string): Promise<void> {
    await link(file, this.blob(digest)).catch((error: NodeJS.ErrnoException) => {
      // A plugin may name one layer twice.
      if (error.code !== 'EEXIST') return copyFile(file, this.blob(digest));
    });
  }

  async setManifest({ bytes, mediaType }: PublishedManifest): Promise<void> {
    await writeFile(this.#manifestFile, JSON.stringify({ mediaType, text: bytes.toString('utf8') }));
  }

  /** Undefined where a version was installed by an engine that did not keep it. */
  async manifest(): Promise<PublishedManifest | undefined> {
    const stored = await readFile(this.#manifestFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    if (stored === undefined) return undefined;
    const { mediaType, text } = JSON.parse(stored) as { readonly mediaType: string; readonly text: string };
    return { mediaType, bytes: Buffer.from(text) };
  }

  get #manifestFile(): string {
    return path.join(this.directory, 'manifest.json');
  }
}
