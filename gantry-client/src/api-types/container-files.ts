// Made from the OpenAPI document of the engine, by the test of the document with GANTRY_UPDATE=1: do not edit.
import type { Archive } from './shared.js';

export type FileChange = {
  readonly Path: string;
  /** 0 changed, 1 added, 2 deleted */
  readonly Kind: number;
};

export interface ContainerFilesRoutes {
  /** Describes a file, as JSON in base64 in the header X-Engine-Container-Path-Stat. */
  'HEAD /containers/{id}/archive': {
    readonly options: { readonly path: { readonly id: string; }; readonly query: { readonly path: string; }; };
    readonly answer: undefined;
  };
  /** Archives a file, or a directory with what is below it. */
  'GET /containers/{id}/archive': {
    readonly options: { readonly path: { readonly id: string; }; readonly query: { readonly path: string; }; };
    readonly bytes: 'raw';
  };
  /** Unpacks an archive in a directory. */
  'PUT /containers/{id}/archive': {
    readonly options: { readonly path: { readonly id: string; }; readonly query: { readonly path: string; readonly noOverwriteDirNonDir?: boolean | undefined; readonly copyUIDGID?: boolean | undefined; }; readonly body: Archive; };
    readonly answer: undefined;
  };
  /** Lists what differs from the image. */
  'GET /containers/{id}/changes': {
    readonly options: { readonly path: { readonly id: string; }; };
    readonly answer: readonly FileChange[] | null;
  };
  /** Archives the root file system of a container. */
  'GET /containers/{id}/export': {
    readonly options: { readonly path: { readonly id: string; }; };
    readonly bytes: 'raw';
  };
}
