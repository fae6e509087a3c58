// Made from the OpenAPI document of the engine, by the test of the document with GANTRY_UPDATE=1: do not edit.

export interface BuildkitRoutes {
  /** Serves the control service of BuildKit. */
  'POST /grpc': {
    readonly options: {  };
    readonly bytes: 'raw';
  };
  /** Takes a client as session of a build. */
  'POST /session': {
    readonly options: {  };
    readonly bytes: 'raw';
  };
}
