import type { ImageInfo, ImageInspectInfo } from 'dockerode';
import type { ImageConfig } from './configuration/image-config.js';
import type { ImageConfiguration } from './configuration/image-configuration.js';
import type { HistoryItem } from './image-history.js';
import type { ImageDetails } from './inspect-image.js';
import type { ListedImage } from './list-images.js';
import { createdAt } from './store/created-at.js';

const zeroTime = '0001-01-01T00:00:00Z';
const isDigestName = (name: string): boolean => name.includes('@');

/** Fields as this version of the API has them: null where a client's types have no value. */
type Wire<T> = { readonly [K in keyof T]: Readonly<T[K]> | null };
type Summary = Wire<Omit<ImageInfo, 'Descriptor' | 'Manifests' | 'VirtualSize'>>;
type Inspect = Wire<
  Omit<
    ImageInspectInfo,
    'Config' | 'Container' | 'ContainerConfig' | 'DockerVersion' | 'GraphDriver' | 'RootFS' | 'VirtualSize'
  >
>;

/** Spec: image summary. */
export function toSummary({ image, names, size }: ListedImage) {
  const tags = names.filter((name) => !isDigestName(name));
  const repoDigests = names.filter(isDigestName);
  return {
    Id: image.record.id,
    ParentId: image.record.parent ?? '',
    RepoTags: tags.length > 0 ? tags : repoDigests.length > 0 ? null : [],
    RepoDigests: repoDigests,
    Created: Math.floor(createdAt(image) / 1000),
    Size: size,
    SharedSize: -1,
    Containers: -1,
    Labels: image.configuration.config?.Labels ?? null,
  } satisfies Summary;
}

/** The fields of a configuration that mean something in an image. */
function toImageConfig(config: ImageConfig = {}) {
  const { Hostname, Domainname, AttachStdin, AttachStdout, AttachStderr, ...rest } = config as Record<string, unknown>;
  const { Tty, OpenStdin, StdinOnce, Image, NetworkDisabled, MacAddress, StopTimeout, ...fields } = rest;
  const unset = { User: '', Env: null, Cmd: null, Volumes: null, WorkingDir: '', Entrypoint: null };
  return { ...unset, OnBuild: null, Labels: null, ...fields };
}

/** A configuration with every field that a container's has, empty where unset. */
function toContainerConfig(config: ImageConfig | undefined) {
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

/** What clients of older versions see besides. */
interface InspectExtras {
  /** The container that the image was committed from, and its configuration. */
  readonly container: boolean;
  /** Fields of the configuration that mean nothing in an image. */
  readonly containerFields: boolean;
}

/** Spec: image inspect. */
export function toInspect({ image, names, size, storage }: ImageDetails, extras: InspectExtras) {
  const { record, configuration } = image;
  return {
    Id: record.id,
    RepoTags: names.filter((name) => !isDigestName(name)),
    RepoDigests: names.filter(isDigestName),
    Parent: record.parent ?? '',
    Comment: configuration.comment ?? lastComment(configuration),
    Created: configuration.created ?? zeroTime,
    ...(extras.container && {
      Container: configuration.container ?? '',
      ContainerConfig: toContainerConfig(configuration.container_config),
    }),
    EngineVersion: configuration.docker_version ?? '',
    Author: configuration.author ?? '',
    Config: (extras.containerFields ? toContainerConfig : toImageConfig)(configuration.config),
    Architecture: configuration.architecture,
    Os: configuration.os,
    Size: size,
    GraphDriver: { Name: storage.name, Data: storage.data },
    RootFS: { Type: configuration.rootfs.type || 'layers', Layers: configuration.rootfs.diff_ids },
    Metadata: { LastTagTime: record.addedAt },
  } satisfies Inspect & Record<string, unknown>;
}

const lastComment = ({ history }: ImageConfiguration): string => history?.at(-1)?.comment ?? '';

/** Spec: history item; `<missing>` stands for an image that is not stored. */
export const toHistoryItem = ({ entry, image, size }: HistoryItem) => ({
  Id: image?.id ?? '<missing>',
  Created: seconds(entry.created),
  CreatedBy: entry.created_by ?? '',
  Tags: image === undefined || image.tags.length === 0 ? null : image.tags,
  Size: size,
  Comment: entry.comment ?? '',
});

const seconds = (time: string | undefined): number => {
  const milliseconds = Date.parse(time ?? '');
  return Number.isNaN(milliseconds) ? 0 : Math.floor(milliseconds / 1000);
};
