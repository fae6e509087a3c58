import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { inject, injectable } from '@gantry/core/driver';
import { conflict, invalidArgument } from '@gantry/core/errors';
import { parseReference, shortId } from '@gantry/images/service';
import { RegistryClient, type RegistryTarget } from '@gantry/registry/service';
import { PluginFiles } from './files/plugin-files.js';
import { nameOf } from './store/plugin-record.js';
import { PluginStore } from './store/plugin-store.js';

interface PushOptions {
  readonly credentials?: RegistryTarget['credentials'];
  /** Takes progress objects, as a push of an image streams them. */
  readonly progress: (item: object) => void;
  readonly signal: AbortSignal;
}

interface Blob {
  readonly digest: string;
}

/** API 1.25: POST /plugins/(name)/push. */
@injectable()
export class PushPlugin {
  constructor(
    @inject(PluginStore) private readonly store: PluginStore,
    @inject(PluginFiles) private readonly files: PluginFiles,
    @inject(RegistryClient.token) private readonly registry: RegistryClient,
  ) {}

  /**
   * Sends what was pulled or created, under the same digests. Rejects `not-found` when it is not installed, `conflict` when it was
   * installed without what a registry needs. A plugin that is removed meanwhile makes the push fail.
   */
  async push(name: string, { credentials, progress, signal }: PushOptions): Promise<void> {
    const record = this.store.get(name);
    const reference = nameOf(record);
    const { repository, tag } = parseReference(reference);
    if (tag === undefined) throw invalidArgument('cannot push a digest reference');
    const { content } = this.files.directoriesOf(record);
    const manifest = await content.manifest();
    if (manifest === undefined) {
      throw conflict(
        `plugin "${reference}" was installed by an earlier engine, which did not keep its layers: upgrade it before it is pushed`,
      );
    }
    const target: RegistryTarget = { reference, ...(credentials !== undefined && { credentials }) };
    progress({ status: `The push refers to repository [${repository}]` });
    const blobs = blobsOf(manifest.bytes);
    for (const { digest } of blobs) progress(step('Preparing', digest));
    for (const { digest } of blobs) {
      const file = content.blob(digest);
      const { size } = await stat(file);
      const open = (start: number, end: number) => createReadStream(file, { start, end: Math.max(start, end - 1) });
      const isSent = await this.registry.upload(target, { digest, size, open }, { signal });
      progress(step(isSent ? 'Upload complete' : 'Layer already exists', digest));
    }
    const digest = await this.registry.publish(target, manifest, { signal });
    progress({ progressDetail: {}, aux: { Tag: tag, Digest: digest, Size: manifest.bytes.length } });
  }
}

/** The layers, then the configuration. A registry takes a manifest only when it has them all. */
function blobsOf(manifest: Buffer): readonly Blob[] {
  const { config, layers } = JSON.parse(manifest.toString('utf8')) as {
    readonly config: Blob;
    readonly layers: readonly Blob[];
  };
  return [...layers, config];
}

const step = (status: string, digest: string) => ({ status, progressDetail: {}, id: shortId(digest) });
