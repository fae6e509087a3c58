import { once } from 'node:events';
import { readdir, stat } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import type { SwarmNode } from '@gantry/test-nodes';

/** What a member of the store takes. */
export interface StoreUsage {
  /** Of the file with the records. */
  readonly fileBytes: number;
  /** Of these, the ones that hold something. */
  readonly usedBytes: number;
  /** Of the file and the logs of the member. */
  readonly directoryBytes: number;
  /** Keys, with all their versions. */
  readonly keys: number;
  readonly defragmentations: number;
}

export async function storeUsageOf({ daemon }: SwarmNode): Promise<StoreUsage> {
  const metrics = await metricsOf(join(daemon.directory, 'run/drivers/cluster-store-etcd/etcd/client:0'));
  return {
    fileBytes: metricOf(metrics, 'etcd_mvcc_db_total_size_in_bytes'),
    usedBytes: metricOf(metrics, 'etcd_mvcc_db_total_size_in_use_in_bytes'),
    directoryBytes: await sizeOf(join(daemon.directory, 'data/drivers/cluster-store-etcd')),
    keys: metricOf(metrics, 'etcd_debugging_mvcc_keys_total'),
    defragmentations: metricOf(metrics, 'etcd_disk_backend_defrag_duration_seconds_count'),
  };
}

/** What etcd says of itself, where it accepts its clients. */
async function metricsOf(socketPath: string): Promise<string> {
  const asked = request({ socketPath, path: '/metrics', agent: false });
  asked.end();
  const [response] = (await once(asked, 'response')) as [IncomingMessage];
  return text(response);
}

function metricOf(metrics: string, name: string): number {
  const [, value] = new RegExp(`^${name} (.*)$`, 'm').exec(metrics) ?? [];
  if (value === undefined) throw new Error(`etcd does not say its ${name}`);
  return Number(value);
}

async function sizeOf(directory: string): Promise<number> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const sizes = entries.map(async (entry) =>
    entry.isFile()
      ? stat(join(entry.parentPath ?? entry.path, entry.name)).then(
          ({ size }) => size,
          () => 0, // removed meanwhile
        )
      : 0,
  );
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}
