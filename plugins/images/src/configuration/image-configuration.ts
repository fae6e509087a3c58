import { createHash } from 'node:crypto';
import { isRecord } from '@gantry/core/driver';
import { invalidArgument } from '@gantry/core/errors';
import { decodeImageDocument } from './decode-image-document.js';
import type { ImageConfig } from './image-config.js';

/** The image configuration document (OCI image-spec `config`, and the same of older engines). */
export interface ImageConfiguration {
  readonly architecture: string;
  readonly os: string;
  readonly variant?: string;
  readonly created?: string;
  readonly author?: string;
  readonly comment?: string;
  readonly docker_version?: string;
  /** The container the image was made from. */
  readonly container?: string;
  readonly container_config?: ImageConfig;
  readonly config?: ImageConfig;
  readonly rootfs: { readonly type: string; readonly diff_ids: readonly string[] };
  readonly history?: readonly ImageHistory[];
}

export interface ImageHistory {
  readonly created?: string;
  readonly created_by?: string;
  readonly author?: string;
  readonly comment?: string;
  readonly empty_layer?: boolean;
  /** Of an engine like this one: identifies the step of a build, for caches. Other engines ignore it. */
  readonly 'gantry.step'?: string;
}

const digest = /^sha256:[0-9a-f]{64}$/;

/**
 * Parses a configuration document; its id is the digest of exactly these bytes.
 * @throws EngineError `invalid-argument` naming what is wrong.
 */
export function parseImageConfiguration(json: string): ImageConfiguration {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw invalidArgument('the image configuration is not JSON', { cause: error });
  }
  if (!isRecord(value)) throw invalidArgument('the image configuration is no JSON object');
  const { architecture = 'amd64', os = 'linux', ...decoded } = decodeImageDocument(value);
  return { ...decoded, architecture, os, rootfs: parseRootfs(value.rootfs) } as ImageConfiguration;
}

/** An image without layers may have no `diff_ids`, or null. */
function parseRootfs(rootfs: unknown): ImageConfiguration['rootfs'] {
  if (!isRecord(rootfs) || !Array.isArray(rootfs.diff_ids ?? [])) {
    throw invalidArgument('the image configuration has no rootfs.diff_ids');
  }
  const diffIds = (rootfs.diff_ids ?? []) as readonly unknown[];
  for (const id of diffIds) {
    if (typeof id === 'string' && digest.test(id)) continue;
    throw invalidArgument(`the image configuration names "${String(id)}" as a layer, which is no sha256 digest`);
  }
  return { type: typeof rootfs.type === 'string' ? rootfs.type : 'layers', diff_ids: diffIds as readonly string[] };
}

export const digestOf = (bytes: string | Uint8Array): string =>
  `sha256:${createHash('sha256').update(bytes).digest('hex')}`;

/** OCI image-spec: the id of a stack of layers, from the bottom up. */
export function chainIds(diffIds: readonly string[]): readonly string[] {
  const chain: string[] = [];
  for (const diffId of diffIds) {
    const parent = chain.at(-1);
    chain.push(parent === undefined ? diffId : digestOf(`${parent} ${diffId}`));
  }
  return chain;
}
