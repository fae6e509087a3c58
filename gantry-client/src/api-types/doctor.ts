// Made from the OpenAPI document of the engine, by the test of the document with GANTRY_UPDATE=1: do not edit.

export interface DoctorRoutes {
  /** Examines host and engine. */
  'GET /doctor': {
    readonly options: {  };
    readonly answer: unknown;
  };
}
