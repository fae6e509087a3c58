// Made from the OpenAPI document of the engine, by the test of the document with GANTRY_UPDATE=1: do not edit.

export type ContainerStats = {
  readonly id: string;
  readonly name: string;
  readonly read: string;
  readonly preread: string;
  readonly num_procs: number;
  readonly storage_stats: Readonly<Record<string, unknown>>;
  readonly cpu_stats: CpuStats;
  readonly precpu_stats: CpuStats;
  readonly memory_stats: {
    readonly usage?: number | undefined;
    readonly max_usage?: number | undefined;
    readonly failcnt?: number | undefined;
    readonly limit?: number | undefined;
    /** by the names that the version of cgroups has */
    readonly stats?: Readonly<Record<string, number>> | undefined;
  };
  readonly blkio_stats: {
    readonly io_service_bytes_recursive: readonly {
      readonly major: number;
      readonly minor: number;
      readonly op: string;
      readonly value: number;
    }[] | null;
    readonly io_serviced_recursive: readonly {
      readonly major: number;
      readonly minor: number;
      readonly op: string;
      readonly value: number;
    }[] | null;
    readonly io_queue_recursive: readonly {
      readonly major: number;
      readonly minor: number;
      readonly op: string;
      readonly value: number;
    }[] | null;
    readonly io_service_time_recursive: readonly {
      readonly major: number;
      readonly minor: number;
      readonly op: string;
      readonly value: number;
    }[] | null;
    readonly io_wait_time_recursive: readonly {
      readonly major: number;
      readonly minor: number;
      readonly op: string;
      readonly value: number;
    }[] | null;
    readonly io_merged_recursive: readonly {
      readonly major: number;
      readonly minor: number;
      readonly op: string;
      readonly value: number;
    }[] | null;
    readonly io_time_recursive: readonly {
      readonly major: number;
      readonly minor: number;
      readonly op: string;
      readonly value: number;
    }[] | null;
    readonly sectors_recursive: readonly {
      readonly major: number;
      readonly minor: number;
      readonly op: string;
      readonly value: number;
    }[] | null;
  };
  readonly pids_stats: {
    readonly current?: number | undefined;
    readonly limit?: number | undefined;
  };
  /** by the names of interfaces */
  readonly networks?: Readonly<Record<string, {
    readonly rx_bytes: number;
    readonly rx_packets: number;
    readonly rx_errors: number;
    readonly rx_dropped: number;
    readonly tx_bytes: number;
    readonly tx_packets: number;
    readonly tx_errors: number;
    readonly tx_dropped: number;
  }>> | undefined;
};

export type CpuStats = {
  readonly cpu_usage: {
    readonly total_usage: number;
    readonly percpu_usage?: readonly number[] | undefined;
    readonly usage_in_kernelmode: number;
    readonly usage_in_usermode: number;
  };
  readonly system_cpu_usage: number;
  readonly online_cpus?: number | undefined;
  readonly throttling_data: {
    readonly periods: number;
    readonly throttled_periods: number;
    readonly throttled_time: number;
  };
};

export interface ContainerStatsRoutes {
  /** Measures a container, about once each second. */
  'GET /containers/{id}/stats': {
    readonly options: { readonly path: { readonly id: string; }; readonly query?: { readonly stream?: boolean | undefined; readonly 'one-shot'?: boolean | undefined; }; };
    readonly items: ContainerStats;
  };
}
