// Made from the OpenAPI document of the engine, by the test of the document with GANTRY_UPDATE=1: do not edit.

export type DistributionDetails = {
  readonly Descriptor: {
    readonly mediaType: string;
    readonly digest: string;
    readonly size: number;
  };
  readonly Platforms: readonly Readonly<Record<string, unknown>>[];
};

export type LoginBody = {
  readonly username?: string | undefined;
  readonly password?: string | undefined;
  readonly serveraddress?: string | undefined;
  readonly identitytoken?: string | undefined;
  readonly registrytoken?: string | undefined;
  readonly auth?: string | undefined;
  readonly email?: string | undefined;
};

export type LoginResult = {
  readonly Status: string;
  readonly IdentityToken: string;
};

export type SearchResult = {
  readonly name: string;
  readonly description: string;
  readonly star_count: number;
  readonly is_official: boolean;
  readonly is_automated: boolean;
};

export interface RegistryRoutes {
  /** Checks credentials with a registry. */
  'POST /auth': {
    readonly options: { readonly body: LoginBody; };
    readonly answer: LoginResult;
  };
  /** Describes an image of a registry. */
  'GET /distribution/{name}/json': {
    readonly options: { readonly path: { readonly name: string; }; readonly headers?: { readonly 'X-Registry-Auth'?: string | undefined; }; };
    readonly answer: DistributionDetails;
  };
  /** Searches a registry. */
  'GET /images/search': {
    readonly options: { readonly query?: { readonly term?: string | undefined; readonly limit?: number | undefined; readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; }; readonly headers?: { readonly 'X-Registry-Auth'?: string | undefined; }; };
    readonly answer: readonly SearchResult[];
  };
  /** Pushes an image. */
  'POST /images/{name}/push': {
    readonly options: { readonly path: { readonly name: string; }; readonly query?: { readonly tag?: string | undefined; readonly platform?: string | undefined; }; readonly headers?: { readonly 'X-Registry-Auth'?: string | undefined; }; };
    readonly items: Readonly<Record<string, unknown>>;
  };
}
