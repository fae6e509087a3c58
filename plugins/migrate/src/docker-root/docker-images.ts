import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { notImplemented, unavailable } from '@gantry/core/errors';
import type { Files } from '@gantry/lib-linux/files';
import { parseJson, readJsonIfThere, recordOf, textsOf } from './read-json.js';
import { TarSplit } from './tar-split.js';

interface DockerLayer {
  /** `sha256:<hex>` of its archive. */
  readonly diffId: string;
  /** Opened only when it is read. */
  archive(): Promise<TarSplit>;
}

export interface DockerImage {
  /** `sha256:<hex>` of its configuration. */
  readonly id: string;
  readonly names: readonly string[];
  /** `name@sha256:<hex>`, as the registry has it. */
  readonly digests: readonly string[];
  readonly configuration: string;
  readonly layers: readonly DockerLayer[];
  /** It has no name, and another image was built on it. */
  readonly isIntermediate: boolean;
}

/** The images of a Docker data root with the storage driver overlay2, those below others included. */
export async function readDockerImages(root: string, files: Pick<Files, 'openIn'>): Promise<readonly DockerImage[]> {
  const directory = join(root, 'image', 'overlay2');
  const configurations = join(directory, 'imagedb', 'content', 'sha256');
  const references = new Map<string, string[]>();
  const { Repositories } = recordOf(await readJsonIfThere(join(directory, 'repositories.json')));
  for (const names of Object.values(recordOf(Repositories))) {
    for (const [name, id] of Object.entries(recordOf(names))) {
      references.set(String(id), [...(references.get(String(id)) ?? []), name]);
    }
  }
  const ids = await readdir(configurations).catch((): string[] => []);
  const metadata = join(directory, 'imagedb', 'metadata', 'sha256');
  const parents = new Set(
    await Promise.all(ids.map((hex) => readFile(join(metadata, hex, 'parent'), 'utf8').catch(() => undefined))),
  );
  return Promise.all(
    ids.sort().map(async (hex): Promise<DockerImage> => {
      const id = `sha256:${hex}`;
      const configuration = await readFile(join(configurations, hex), 'utf8');
      const { rootfs } = parseJson(configuration, join(configurations, hex));
      const diffIds = textsOf(recordOf(rootfs).diff_ids);
      const names = references.get(id) ?? [];
      return {
        id,
        names: names.filter((name) => !name.includes('@')),
        digests: names.filter((name) => name.includes('@')),
        configuration,
        isIntermediate: names.length === 0 && parents.has(id),
        layers: diffIds.map((diffId, index) => ({
          diffId,
          archive: () => openLayer(root, chainIdOf(diffIds.slice(0, index + 1)), files),
        })),
      };
    }),
  );
}

/** Of a layer on top of others, as the OCI image specification has it. */
function chainIdOf(diffIds: readonly string[]): string {
  const [first = '', ...others] = diffIds;
  return others.reduce(
    (chain, diffId) => `sha256:${createHash('sha256').update(`${chain} ${diffId}`).digest('hex')}`,
    first,
  );
}

async function openLayer(root: string, chainId: string, files: Pick<Files, 'openIn'>): Promise<TarSplit> {
  const hex = chainId.replace(/^sha256:/, '');
  const directory = join(root, 'image', 'overlay2', 'layerdb', 'sha256', hex);
  const names = await readdir(directory).catch((error: unknown) => {
    throw unavailable(`layer ${chainId} is absent`, { cause: error });
  });
  if (!names.includes('tar-split.json.gz'))
    throw notImplemented(`layer ${chainId} does not have the record of its archive`);
  const content = (await readFile(join(directory, 'cache-id'), 'utf8')).trim();
  return new TarSplit(join(directory, 'tar-split.json.gz'), join(root, 'overlay2', content, 'diff'), files);
}
