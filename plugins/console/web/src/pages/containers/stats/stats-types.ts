interface CpuStats {
  readonly cpu_usage: { readonly total_usage: number };
  readonly system_cpu_usage?: number;
  readonly online_cpus?: number;
}

export interface StatsSample {
  readonly read: string;
  readonly cpu_stats: CpuStats;
  readonly precpu_stats: CpuStats;
  readonly memory_stats: {
    readonly usage?: number;
    readonly limit?: number;
    readonly stats?: Readonly<Record<string, number>>;
  };
  readonly networks?: Readonly<Record<string, { readonly rx_bytes: number; readonly tx_bytes: number }>>;
  readonly blkio_stats?: {
    readonly io_service_bytes_recursive?: readonly { readonly op: string; readonly value: number }[] | null;
  };
}
