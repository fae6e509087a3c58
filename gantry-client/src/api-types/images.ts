// Made from the OpenAPI document of the engine, by the test of the document with GANTRY_UPDATE=1: do not edit.
import type { Archive } from './shared.js';

export type ImageDetails = {
  readonly Id: string;
  readonly RepoTags: readonly string[];
  readonly RepoDigests: readonly string[];
  readonly Parent: string;
  readonly Comment: string;
  readonly Created: string;
  readonly Author: string;
  readonly Config: {
    readonly User?: string | undefined;
    readonly Env: readonly string[] | null;
    readonly Cmd: readonly string[] | null;
    readonly Entrypoint: readonly string[] | null;
    readonly WorkingDir: string;
    readonly Labels: Readonly<Record<string, string>> | null;
    readonly ExposedPorts?: Readonly<Record<string, unknown>> | undefined;
  };
  readonly Architecture: string;
  readonly Os: string;
  readonly Size: number;
  readonly GraphDriver: {
    readonly Name: string;
    readonly Data: Readonly<Record<string, string>> | null;
  };
  readonly RootFS: {
    readonly Type: string;
    readonly Layers: readonly string[];
  };
  readonly Metadata: {
    readonly LastTagTime: string;
  };
};

export type ImageHistoryItem = {
  readonly Id: string;
  readonly Created: number;
  readonly CreatedBy: string;
  readonly Tags: readonly string[] | null;
  readonly Size: number;
  readonly Comment: string;
};

export type ImageRemoved = {
  readonly Untagged?: string | undefined;
  readonly Deleted?: string | undefined;
};

export type ImageSummary = {
  readonly Id: string;
  readonly ParentId: string;
  readonly RepoTags: readonly string[] | null;
  readonly RepoDigests: readonly string[] | null;
  /** seconds since 1970 */
  readonly Created: number;
  readonly Size: number;
  /** -1 where it was not asked for */
  readonly SharedSize: number;
  readonly Containers: number;
  readonly Labels: Readonly<Record<string, string>> | null;
};

export type ImagesPruned = {
  readonly ImagesDeleted: readonly ImageRemoved[] | null;
  readonly SpaceReclaimed: number;
};

export type ProgressItem = {
  readonly id?: string | undefined;
  readonly status?: string | undefined;
  readonly stream?: string | undefined;
  readonly progress?: string | undefined;
  readonly progressDetail?: {
    readonly current?: number | undefined;
    readonly total?: number | undefined;
  } | undefined;
  /** the last object of what failed */
  readonly error?: string | undefined;
  readonly errorDetail?: {
    readonly message: string;
    readonly code?: number | undefined;
  } | undefined;
  readonly aux?: unknown | undefined;
};

export interface ImagesRoutes {
  /** Pulls an image, or imports an archive as one. */
  'POST /images/create': {
    readonly options: { readonly query?: { readonly fromImage?: string | undefined; readonly tag?: string | undefined; readonly fromSrc?: string | undefined; readonly repo?: string | undefined; readonly message?: string | undefined; readonly changes?: readonly string[] | undefined; readonly platform?: string | undefined; }; readonly headers?: { readonly 'X-Registry-Auth'?: string | undefined; }; readonly body?: Archive | undefined; };
    readonly items: ProgressItem;
  };
  /** Archives images. */
  'GET /images/get': {
    readonly options: { readonly query?: { readonly names?: readonly string[] | undefined; readonly platform?: readonly string[] | undefined; }; };
    readonly bytes: 'raw';
  };
  /** Lists images. */
  'GET /images/json': {
    readonly options: { readonly query?: { readonly all?: boolean | undefined; readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; readonly filter?: string | undefined; readonly 'shared-size'?: boolean | undefined; }; };
    readonly answer: readonly ImageSummary[];
  };
  /** Loads images from an archive. */
  'POST /images/load': {
    readonly options: { readonly query?: { readonly quiet?: boolean | undefined; readonly platform?: readonly string[] | undefined; }; readonly body: Archive; };
    readonly items: ProgressItem;
  };
  /** Deletes images without a name, or that no container uses. */
  'POST /images/prune': {
    readonly options: { readonly query?: { readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; }; };
    readonly answer: ImagesPruned;
  };
  /** Removes a name of an image, and the image with its last one. */
  'DELETE /images/{name}': {
    readonly options: { readonly path: { readonly name: string; }; readonly query?: { readonly force?: boolean | undefined; readonly noprune?: boolean | undefined; readonly platforms?: readonly string[] | undefined; }; };
    readonly answer: readonly ImageRemoved[];
  };
  /** Archives an image. */
  'GET /images/{name}/get': {
    readonly options: { readonly path: { readonly name: string; }; readonly query?: { readonly platform?: readonly string[] | undefined; }; };
    readonly bytes: 'raw';
  };
  /** Lists the steps that an image was made by. */
  'GET /images/{name}/history': {
    readonly options: { readonly path: { readonly name: string; }; readonly query?: { readonly platform?: readonly string[] | undefined; }; };
    readonly answer: readonly ImageHistoryItem[];
  };
  /** Describes an image. */
  'GET /images/{name}/json': {
    readonly options: { readonly path: { readonly name: string; }; readonly query?: { readonly platform?: readonly string[] | undefined; readonly manifests?: boolean | undefined; }; };
    readonly answer: ImageDetails;
  };
  /** Gives an image a further name. */
  'POST /images/{name}/tag': {
    readonly options: { readonly path: { readonly name: string; }; readonly query?: { readonly repo?: string | undefined; readonly tag?: string | undefined; }; };
    readonly answer: undefined;
  };
}
