import { isRecord } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { hostArchitecture } from '../configuration/host-architecture.js';
import type { ImageConfig } from '../configuration/image-config.js';
import type { ImageHistory } from '../configuration/image-configuration.js';
import { formatReference, parseReference } from '../reference/image-reference.js';
import type { ArchiveFiles } from './archive-files.js';
import type { ArchivedImage } from './with-configuration.js';

interface LegacyLayer {
  readonly id: string;
  readonly parent?: string;
  readonly created?: string;
  readonly author?: string;
  readonly comment?: string;
  readonly architecture?: string;
  readonly os?: string;
  readonly config?: ImageConfig;
  readonly container_config?: ImageConfig & { readonly Cmd?: readonly string[] };
  readonly docker_version?: string;
  readonly throwaway?: boolean;
}

/** Spec: image tarball format. Heads are the layers that `repositories` names, or those that are no layer's parent. */
export async function readLegacyForm(
  files: ArchiveFiles,
  members: readonly string[],
): Promise<readonly ArchivedImage[]> {
  const layers = new Map<string, LegacyLayer>();
  for (const member of members) {
    const document = await files.json(member);
    if (!isRecord(document)) throw invalidArgument(`${JSON.stringify(member)} in the archive is no JSON object`);
    const id = member.slice(0, -'/json'.length);
    layers.set(id, { ...document, id });
  }
  const heads = new Map<string, string[]>();
  const repositories = files.has('repositories') ? await files.json('repositories') : {};
  for (const [repository, tags] of Object.entries(isRecord(repositories) ? repositories : {})) {
    for (const [tag, id] of Object.entries(isRecord(tags) ? tags : {})) {
      if (typeof id !== 'string' || !layers.has(id)) {
        throw invalidArgument(`repositories in the archive names layer ${JSON.stringify(id)}, which it does not hold`);
      }
      heads.set(id, [...(heads.get(id) ?? []), formatReference(parseReference(`${repository}:${tag}`))]);
    }
  }
  if (heads.size === 0) {
    const parents = new Set([...layers.values()].map(({ parent }) => parent));
    for (const id of layers.keys()) if (!parents.has(id)) heads.set(id, []);
  }
  return [...heads].map(([id, references]) => legacyImage(files, layers, id, references));
}

function legacyImage(
  files: ArchiveFiles,
  all: ReadonlyMap<string, LegacyLayer>,
  head: string,
  references: readonly string[],
): ArchivedImage {
  const stack: LegacyLayer[] = [];
  for (let id: string | undefined = head; id !== undefined && id !== ''; ) {
    const layer: LegacyLayer | undefined = all.get(id);
    if (layer === undefined) throw invalidArgument(`the archive lacks layer "${id}"`);
    if (stack.includes(layer)) throw invalidArgument(`layer "${id}" in the archive is its own ancestor`);
    stack.unshift(layer);
    id = layer.parent;
  }
  const filled = stack.filter(({ id, throwaway }) => throwaway !== true && files.has(`${id}/layer.tar`));
  const top = stack.at(-1);
  return {
    configurationJson: undefined,
    references,
    layers: filled.map(({ id }) => ({ diffId: undefined, name: id.slice(0, 12), file: files.file(`${id}/layer.tar`) })),
    configure: (diffIds) => ({
      architecture: top?.architecture ?? hostArchitecture(),
      ...(top?.author !== undefined && { author: top.author }),
      ...(top?.comment !== undefined && { comment: top.comment }),
      config: top?.config ?? {},
      ...(top?.container_config !== undefined && { container_config: top.container_config }),
      ...(top?.created !== undefined && { created: top.created }),
      ...(top?.docker_version !== undefined && { docker_version: top.docker_version }),
      history: stack.map((layer) => legacyHistory(layer, filled.includes(layer))),
      os: top?.os ?? 'linux',
      rootfs: { type: 'layers', diff_ids: diffIds },
    }),
  };
}

const legacyHistory = (layer: LegacyLayer, filled: boolean): ImageHistory => ({
  ...(layer.created !== undefined && { created: layer.created }),
  ...(layer.container_config?.Cmd != null && { created_by: layer.container_config.Cmd.join(' ') }),
  ...(layer.author !== undefined && { author: layer.author }),
  ...(layer.comment !== undefined && { comment: layer.comment }),
  ...(!filled && { empty_layer: true }),
});
