// Made from the OpenAPI document of the engine, by the test of the document with GANTRY_UPDATE=1: do not edit.

export type EngineEvent = {
  readonly Type: string;
  readonly Action: string;
  readonly Actor: {
    readonly ID: string;
    readonly Attributes: Readonly<Record<string, string>>;
  };
  readonly scope?: string | undefined;
  readonly time: number;
  /** exceeds the precision of floating point numbers */
  readonly timeNano: number;
  readonly status?: string | undefined;
  readonly id?: string | undefined;
  readonly from?: string | undefined;
};

export interface EventsRoutes {
  /** Sends what happens, and what happened. */
  'GET /events': {
    readonly options: { readonly query?: { readonly since?: string | undefined; readonly until?: string | undefined; readonly filters?: Readonly<Record<string, readonly string[]>> | undefined; }; };
    readonly items: EngineEvent;
  };
}
