import type { ImageConfiguration } from './image-configuration.js';
import type { StoredImage } from './image-record.js';
import { createdAt, type ListedImage } from './list.js';
import type { ImageConfig } from './service.js';
import type { ImageStore } from './store.js';

const zeroTime = '0001-01-01T00:00:00Z';
const isDigestName = (name: string): boolean => name.includes('@');

/** Bytes of all layers of an image. */
export function imageSize(store: ImageStore, image: StoredImage): number {
  return image.chainIds.reduce((sum, chainId) => sum + (store.layer(chainId)?.size ?? 0), 0);
}

/** Spec: image summary. */
export function toSummary(store: ImageStore, { image, names }: ListedImage, digests: boolean): object {
  const tags = names.filter((name) => !isDigestName(name));
  const repoDigests = names.filter(isDigestName);
  const size = imageSize(store, image);
  return {
    Id: image.record.id,
    ParentId: image.record.parent ?? '',
    RepoTags: tags.length > 0 ? tags : repoDigests.length > 0 ? null : ['<none>:<none>'],
    RepoDigests: digestsOf(tags, repoDigests, digests),
    Created: Math.floor(createdAt(image) / 1000),
    Size: size,
    VirtualSize: size,
    SharedSize: -1,
    Containers: -1,
    Labels: image.configuration.config?.Labels ?? null,
  };
}

/** Clients list an image without names only when both fields say that it has none. */
function digestsOf(tags: readonly string[], repoDigests: readonly string[], wanted: boolean): readonly string[] | null {
  if (repoDigests.length > 0) return repoDigests;
  if (tags.length === 0) return ['<none>@<none>'];
  return wanted ? [] : null;
}

/** The configuration object as inspect shows it: every field there, empty where unset. */
export function toConfig(config: ImageConfig | undefined): object {
  return {
    Hostname: '',
    Domainname: '',
    User: '',
    AttachStdin: false,
    AttachStdout: false,
    AttachStderr: false,
    Tty: false,
    OpenStdin: false,
    StdinOnce: false,
    Env: null,
    Cmd: null,
    Image: '',
    Volumes: null,
    WorkingDir: '',
    Entrypoint: null,
    OnBuild: null,
    Labels: null,
    ...config,
  };
}

/** Spec: image inspect. */
export function toInspect(
  store: ImageStore,
  image: StoredImage,
  driver: { readonly name: string; readonly data: Readonly<Record<string, string>> },
): object {
  const { record, configuration } = image;
  const names = store.referencesOf(record.id);
  const size = imageSize(store, image);
  return {
    Id: record.id,
    RepoTags: names.filter((name) => !isDigestName(name)),
    RepoDigests: names.filter(isDigestName),
    Parent: record.parent ?? '',
    Comment: configuration.comment ?? lastComment(configuration),
    Created: configuration.created ?? zeroTime,
    Container: configuration.container ?? '',
    ContainerConfig: toConfig(configuration.container_config),
    EngineVersion: configuration.docker_version ?? '',
    Author: configuration.author ?? '',
    Config: toConfig(configuration.config),
    Architecture: configuration.architecture,
    Os: configuration.os,
    Size: size,
    VirtualSize: size,
    GraphDriver: { Name: driver.name, Data: driver.data },
    RootFS: { Type: configuration.rootfs.type || 'layers', Layers: configuration.rootfs.diff_ids },
    Metadata: { LastTagTime: record.addedAt },
  };
}

const lastComment = ({ history }: ImageConfiguration): string => history?.at(-1)?.comment ?? '';

/**
 * Spec: history item, newest first. The image's own id stands at its newest item; where the images it was built on are
 * here too, theirs stand at their items; `<missing>` anywhere else.
 */
export function toHistory(store: ImageStore, image: StoredImage): readonly object[] {
  const entries = image.configuration.history ?? [];
  const ids = idsByLength(store, image);
  let layer = 0;
  const items = entries.map((entry, index) => {
    const chainId = entry.empty_layer === true ? undefined : image.chainIds[layer++];
    const owner = ids.get(index + 1);
    return {
      Id: owner?.record.id ?? '<missing>',
      Created: seconds(entry.created),
      CreatedBy: entry.created_by ?? '',
      Tags:
        owner === undefined
          ? null
          : nullIfEmpty(store.referencesOf(owner.record.id).filter((name) => !isDigestName(name))),
      Size: chainId === undefined ? 0 : (store.layer(chainId)?.size ?? 0),
      Comment: entry.comment ?? '',
    };
  });
  return items.reverse();
}

/** The image and its ancestors, by how many history items each has. */
function idsByLength(store: ImageStore, image: StoredImage): ReadonlyMap<number, StoredImage> {
  const ids = new Map<number, StoredImage>();
  for (let current: StoredImage | undefined = image; current !== undefined; ) {
    ids.set(current.configuration.history?.length ?? 0, current);
    const parent: string | undefined = current.record.parent;
    current = parent === undefined ? undefined : store.byId(parent);
  }
  return ids;
}

const seconds = (time: string | undefined): number => {
  const milliseconds = Date.parse(time ?? '');
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1000);
};

const nullIfEmpty = <T>(list: readonly T[]): readonly T[] | null => (list.length > 0 ? list : null);
