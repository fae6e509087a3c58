// Made from the OpenAPI document of the engine, by the test of the document with GANTRY_UPDATE=1: do not edit.

export type ContainerStats = {
  readonly id?: string | undefined;
  readonly name?: string | undefined;
  readonly read: string;
  readonly preread?: string | undefined;
  /** counters of the control group, as the version of cgroups has them; not described one by one */
  readonly cpu_stats: Readonly<Record<string, unknown>>;
  /** counters of the control group, as the version of cgroups has them; not described one by one */
  readonly precpu_stats: Readonly<Record<string, unknown>>;
  /** counters of the control group, as the version of cgroups has them; not described one by one */
  readonly memory_stats: Readonly<Record<string, unknown>>;
  /** counters of the control group, as the version of cgroups has them; not described one by one */
  readonly blkio_stats?: Readonly<Record<string, unknown>> | undefined;
  /** counters of the control group, as the version of cgroups has them; not described one by one */
  readonly pids_stats?: Readonly<Record<string, unknown>> | undefined;
  readonly networks?: Readonly<Record<string, Readonly<Record<string, unknown>>>> | undefined;
};

export interface ContainerStatsRoutes {
  /** Measures a container, about once each second. */
  'GET /containers/{id}/stats': {
    readonly options: { readonly path: { readonly id: string; }; readonly query?: { readonly stream?: boolean | undefined; readonly 'one-shot'?: boolean | undefined; }; };
    readonly items: ContainerStats;
  };
}
