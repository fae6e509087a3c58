import type { OciResources } from '@gantry/core/contracts';
import { decode } from '@gantry/core/http';
import type { Image } from '@gantry/images/service';
import { resourcesOf } from '../oci/resources.js';
import type { ContainerRecord } from '../record.js';
import { type CreateBody, CreateBodySchema, type HostConfig, type UpdateBody, UpdateBodySchema } from '../schema.js';
import { checkValues } from '../validation/check-values.js';
import { type ConfigurationParts, prepareCreate } from './prepare-create.js';
import { prepareUpdate } from './prepare-update.js';
import type { CreateContext, PreparedContainer, PreparedUpdate } from './prepared-container.js';

/** Reads, checks and completes what clients send, by what this host can do. */
export class HostConfiguration {
  constructor(private readonly parts: ConfigurationParts) {}

  decodeCreate(body: unknown): CreateBody {
    const decoded = decode(CreateBodySchema, body, 'the request body');
    checkValues(decoded);
    return decoded;
  }

  decodeUpdate(body: unknown): UpdateBody {
    const decoded = decode(UpdateBodySchema, body, 'the request body');
    checkValues(decoded);
    return decoded;
  }

  prepareCreate(body: CreateBody, image: Image, create: CreateContext): PreparedContainer {
    return prepareCreate(body, image, create, this.parts);
  }

  prepareUpdate(record: ContainerRecord, update: UpdateBody): PreparedUpdate {
    return prepareUpdate(record, update, { host: this.parts.host });
  }

  resources(hostConfig: HostConfig): Promise<OciResources> {
    return resourcesOf(hostConfig, this.parts.host.limits);
  }
}
