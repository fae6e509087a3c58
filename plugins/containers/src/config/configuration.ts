import type { LogDriver, OciResources } from '@gantry/core/contracts';
import type { DriverSet } from '@gantry/core/driver';
import { decode } from '@gantry/core/http';
import type { Image } from '@gantry/images/service';
import type { NetworkService } from '@gantry/networks/service';
import type { Configuration, CreateContext, PreparedContainer, PreparedUpdate } from '../interfaces.js';
import type { ContainerRecord } from '../record.js';
import { resolveProgram } from './command-line.js';
import type { HostFacts } from './host-facts.js';
import { mergeImage } from './merge-image.js';
import { chooseNetworks } from './networks.js';
import { type CreateBody, CreateBodySchema, type HostConfig, type UpdateBody, UpdateBodySchema } from './schema.js';

export interface ConfigurationParts {
  readonly host: HostFacts;
  readonly networks: Pick<NetworkService, 'get'>;
  readonly logDrivers: DriverSet<LogDriver>;
}

/** Reads, checks and completes what clients send, by what this host can do. */
export class HostConfiguration implements Configuration {
  constructor(private readonly parts: ConfigurationParts) {}

  decodeCreate(body: unknown): CreateBody {
    return decode(CreateBodySchema, body, 'the request body');
  }

  decodeUpdate(body: unknown): UpdateBody {
    return decode(UpdateBodySchema, body, 'the request body');
  }

  prepareCreate(body: CreateBody, image: Image, create: CreateContext): PreparedContainer {
    const config = mergeImage(body, image.config);
    const { path, args } = resolveProgram(config.Entrypoint, config.Cmd);
    const mode = body.HostConfig?.NetworkMode || 'default';
    const networks = chooseNetworks(body, mode, this.parts.networks);
    return {
      path,
      args,
      config: { ...config, Hostname: config.Hostname || create.id.slice(0, 12) },
      hostConfig: {
        ...body.HostConfig,
        NetworkMode: mode,
        ShmSize: body.HostConfig?.ShmSize || 67108864,
        LogConfig: { Type: this.parts.logDrivers.defaultId ?? '', Config: {} },
      },
      networks,
      mounts: [],
      warnings: [],
    };
  }

  prepareUpdate(record: ContainerRecord, update: UpdateBody): PreparedUpdate {
    return { hostConfig: { ...record.hostConfig, ...update }, resources: {}, warnings: [] };
  }

  resources(_hostConfig: HostConfig): OciResources {
    return {};
  }
}
