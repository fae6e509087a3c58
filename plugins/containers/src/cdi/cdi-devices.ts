import type { OciSpec } from '@gantry/core/contracts';
import { Config, inject, injectable, Logger } from '@gantry/core/driver';
import { internal } from '@gantry/core/errors';
import type { ContainersConfig } from '../containers-config.js';
import type { HostConfig } from '../schema.js';
import { applyCdiEdits } from './apply-cdi-edits.js';
import type { CdiEdits } from './cdi-spec.js';
import { readCdiSpecs } from './read-cdi-specs.js';
import { requestedDevices } from './requested-devices.js';

/** The devices that vendors describe by the Container Device Interface. Specs are read anew for each use. */
@injectable()
export class CdiDevices {
  constructor(
    @inject(Config) private readonly config: Pick<ContainersConfig, 'cdiSpecDirectories'>,
    @inject(Logger) private readonly log: Logger,
  ) {}

  get directories(): readonly string[] {
    return this.config.cdiSpecDirectories;
  }

  /** Qualified names, such as `vendor.com/gpu=0`. Specs that cannot be used are logged. */
  async names(): Promise<readonly string[]> {
    const { devices, problems } = await readCdiSpecs(this.directories);
    for (const problem of problems) {
      this.log.warn({ event: 'container.cdi-spec-unusable', problem }, 'a description of devices cannot be used');
    }
    return [...devices.keys()].sort();
  }

  /** Adds the devices that a container requests. Rejects naming those that are unknown. */
  async addTo(spec: OciSpec, { DeviceRequests = [] }: HostConfig): Promise<OciSpec> {
    if (DeviceRequests.length === 0) return spec;
    const { devices, problems } = await readCdiSpecs(this.directories);
    const names = [
      ...new Set(DeviceRequests.flatMap((request) => requestedDevices(request, (name) => devices.has(name)))),
    ];
    const unknown = names.filter((name) => !devices.has(name));
    if (unknown.length > 0) {
      const reason = problems.length > 0 ? ` (${problems.join('; ')})` : '';
      throw internal(`CDI device injection failed: unresolvable CDI devices ${unknown.join(', ')}${reason}`);
    }
    const found = names.flatMap((name) => devices.get(name) ?? []);
    const common = new Map(found.map((device) => [device.file, device.common]));
    const edits = [...common.values(), ...found.map((device) => device.edits)];
    return applyCdiEdits(
      spec,
      edits.filter((edit): edit is CdiEdits => edit !== undefined),
    );
  }
}
