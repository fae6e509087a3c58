// Made from the OpenAPI document of the engine, by the test of the document with GANTRY_UPDATE=1: do not edit.

export type ImageCommitted = {
  readonly Id: string;
};

export interface CommitRoutes {
  /** Makes an image of a container. */
  'POST /commit': {
    readonly options: { readonly query?: { readonly container?: string | undefined; readonly repo?: string | undefined; readonly tag?: string | undefined; readonly comment?: string | undefined; readonly author?: string | undefined; readonly pause?: boolean | undefined; readonly changes?: readonly string[] | undefined; }; readonly body?: unknown | undefined; };
    readonly answer: ImageCommitted;
  };
}
