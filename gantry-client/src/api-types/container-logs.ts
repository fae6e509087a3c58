// Made from the OpenAPI document of the engine, by the test of the document with GANTRY_UPDATE=1: do not edit.

export interface ContainerLogsRoutes {
  /** Sends what a container wrote. */
  'GET /containers/{id}/logs': {
    readonly options: { readonly path: { readonly id: string; }; readonly query?: { readonly stdout?: boolean | undefined; readonly stderr?: boolean | undefined; readonly since?: string | undefined; readonly until?: string | undefined; readonly tail?: string | undefined; readonly follow?: boolean | undefined; readonly timestamps?: boolean | undefined; readonly details?: boolean | undefined; }; };
    readonly bytes: 'raw';
  };
}
