import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { StateDriver } from '@gantry/core/contracts';
import { Semaphore } from '@gantry/core/driver';
import type { EngineEvents, Lifetime } from '@gantry/core/plugin';
import type { ImageExchange } from '@gantry/images/service';
import { EndpointRegistryClient } from './client.js';
import type { RegistryConfig } from './config.js';
import { Downloads } from './pull/downloads.js';
import { Puller } from './pull/puller.js';
import { LayerDigests } from './push/layer-digests.js';
import { Pusher } from './push/pusher.js';
import { BaseAddresses } from './remote/base-addresses.js';
import { Endpoints } from './remote/endpoints.js';
import { Connections } from './transport/connections.js';
import { InsecureHosts } from './transport/hosts.js';
import { TrustStore } from './transport/trust.js';

export interface RegistryParts {
  readonly config: RegistryConfig;
  /** A directory of the area's own; downloads to be resumed are in it. */
  readonly directory: string;
  readonly events: EngineEvents;
  readonly exchange: ImageExchange;
  readonly lifetime: Lifetime;
  readonly state: StateDriver;
}

/** Puts the area together, and removes what is too old of what an earlier daemon left. */
export async function openRegistry({ config, directory, events, exchange, lifetime, state }: RegistryParts) {
  const retry = { attempts: config.attempts, delay: config.retryDelayMilliseconds };
  const idleTimeout = config.idleTimeoutSeconds * 1000;
  const connections = new Connections(new TrustStore(config.certificateDirectory, config.certificateAuthorities));
  lifetime.add(() => connections.close());
  const insecure = new InsecureHosts(config.insecureRegistries);
  const bases = new BaseAddresses(connections, insecure, idleTimeout);
  const endpoints = new Endpoints(config, { connections, insecure, bases, retry, idleTimeout });
  const downloads = new Downloads({
    directory: path.join(directory, 'blobs'),
    slots: new Semaphore(config.maxConcurrentDownloads),
    retry,
    keep: { bytes: config.keepPartialBytes, age: config.keepPartialHours * 3_600_000 },
  });
  await downloads.collect();
  lifetime.add(() => downloads.close());
  const outgoing = path.join(directory, 'outgoing');
  await rm(outgoing, { recursive: true, force: true });
  await mkdir(outgoing, { recursive: true, mode: 0o700 });
  const digests = new LayerDigests(state);
  const chunkBytes = config.uploadChunkBytes;
  return {
    endpoints,
    client: new EndpointRegistryClient(endpoints, downloads, chunkBytes),
    puller: new Puller({ endpoints, events, exchange, downloads, digests }),
    pusher: new Pusher({
      endpoints,
      events,
      exchange,
      digests,
      chunkBytes,
      directory: outgoing,
      slots: new Semaphore(config.maxConcurrentUploads),
    }),
  };
}
