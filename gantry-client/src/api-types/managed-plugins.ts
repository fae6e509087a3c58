// Made from the OpenAPI document of the engine, by the test of the document with GANTRY_UPDATE=1: do not edit.
import type { Archive } from './shared.js';

export type PluginDetails = {
  readonly Id: string;
  readonly Name: string;
  readonly Enabled: boolean;
  readonly PluginReference: string;
  readonly Settings: Readonly<Record<string, unknown>>;
  readonly Config: Readonly<Record<string, unknown>>;
};

export type PluginPrivileges = readonly {
  readonly Name: string;
  readonly Description?: string | undefined;
  readonly Value: readonly string[];
}[] | null;

export interface ManagedPluginsRoutes {
  /** Lists plugins. */
  'GET /plugins': {
    readonly options: { readonly query?: { readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; }; };
    readonly answer: readonly PluginDetails[];
  };
  /** Makes a plugin of an archive with its configuration and root file system. */
  'POST /plugins/create': {
    readonly options: { readonly query?: { readonly name?: string | undefined; }; readonly body: Archive; };
    readonly answer: undefined;
  };
  /** Says what a plugin of a registry wants to be allowed. */
  'GET /plugins/privileges': {
    readonly options: { readonly query?: { readonly remote?: string | undefined; }; readonly headers?: { readonly 'X-Registry-Auth'?: string | undefined; }; };
    readonly answer: readonly {
  readonly Name: string;
  readonly Description?: string | undefined;
  readonly Value: readonly string[];
}[] | null;
  };
  /** Installs a plugin. */
  'POST /plugins/pull': {
    readonly options: { readonly query?: { readonly remote?: string | undefined; readonly name?: string | undefined; }; readonly headers?: { readonly 'X-Registry-Auth'?: string | undefined; }; readonly body?: PluginPrivileges | undefined; };
    readonly items: Readonly<Record<string, unknown>>;
  };
  /** Describes a plugin, in the form of API 1.24. */
  'GET /plugins/{name}': {
    readonly options: { readonly path: { readonly name: string; }; };
    readonly answer: unknown;
  };
  /** Removes a plugin. */
  'DELETE /plugins/{name}': {
    readonly options: { readonly path: { readonly name: string; }; readonly query?: { readonly force?: boolean | undefined; readonly data?: boolean | undefined; }; };
    readonly answer: undefined;
  };
  /** Stops a plugin. */
  'POST /plugins/{name}/disable': {
    readonly options: { readonly path: { readonly name: string; }; readonly query?: { readonly force?: boolean | undefined; }; };
    readonly answer: undefined;
  };
  /** Starts a plugin. */
  'POST /plugins/{name}/enable': {
    readonly options: { readonly path: { readonly name: string; }; };
    readonly answer: undefined;
  };
  /** Describes a plugin. */
  'GET /plugins/{name}/json': {
    readonly options: { readonly path: { readonly name: string; }; };
    readonly answer: PluginDetails;
  };
  /** Pushes a plugin to a registry. */
  'POST /plugins/{name}/push': {
    readonly options: { readonly path: { readonly name: string; }; readonly headers?: { readonly 'X-Registry-Auth'?: string | undefined; }; };
    readonly items: Readonly<Record<string, unknown>>;
  };
  /** Changes settings of a plugin. */
  'POST /plugins/{name}/set': {
    readonly options: { readonly path: { readonly name: string; }; readonly body: readonly string[]; };
    readonly answer: undefined;
  };
  /** Replaces a plugin by another version. */
  'POST /plugins/{name}/upgrade': {
    readonly options: { readonly path: { readonly name: string; }; readonly query?: { readonly remote?: string | undefined; }; readonly headers?: { readonly 'X-Registry-Auth'?: string | undefined; }; readonly body?: PluginPrivileges | undefined; };
    readonly answer: undefined;
  };
}
