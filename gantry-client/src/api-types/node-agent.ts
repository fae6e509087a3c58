// Made from the OpenAPI document of the engine, by the test of the document with GANTRY_UPDATE=1: do not edit.

export interface NodeAgentRoutes {
  /** Sends what the tasks of a service wrote. */
  'GET /services/{id}/logs': {
    readonly options: { readonly path: { readonly id: string; }; readonly query?: { readonly stdout?: boolean | undefined; readonly stderr?: boolean | undefined; readonly since?: string | undefined; readonly tail?: string | undefined; readonly follow?: boolean | undefined; readonly timestamps?: boolean | undefined; readonly details?: boolean | undefined; }; };
    readonly bytes: 'raw';
  };
  /** Sends what a task wrote. */
  'GET /tasks/{id}/logs': {
    readonly options: { readonly path: { readonly id: string; }; readonly query?: { readonly stdout?: boolean | undefined; readonly stderr?: boolean | undefined; readonly since?: string | undefined; readonly tail?: string | undefined; readonly follow?: boolean | undefined; readonly timestamps?: boolean | undefined; readonly details?: boolean | undefined; }; };
    readonly bytes: 'raw';
  };
}
