// Made from the OpenAPI document of the engine, by the test of the document with GANTRY_UPDATE=1: do not edit.

export interface EngineApiRoutes {
  /** This document. */
  'GET /openapi.json': {
    readonly options: {  };
    readonly answer: unknown;
  };
}
