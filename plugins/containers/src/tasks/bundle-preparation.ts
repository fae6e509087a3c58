import type { OciSpec } from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { inject, injectable } from '@gantry/core/driver';
import { ContainerDirectories } from '../container-directories.js';
import { ContainerDrivers } from '../container-drivers.js';
import type { ReadyMount } from '../mounts/ready-mount.js';
import { RunMounts } from '../mounts/run-mounts.js';
import { SpecBuilder } from '../oci/spec-builder.js';
import type { ContainerRecord } from '../record.js';
import { ContainerLinks } from '../sandbox/container-links.js';
import { ContainerSandboxes } from '../sandbox/container-sandboxes.js';
import { allSettled } from './all-settled.js';
import type { StepTimes } from './step-times.js';

/** What the runtime needs to create a task, with everything it refers to mounted and open. */
interface PreparedBundle {
  readonly spec: OciSpec;
  readonly mounts: readonly ReadyMount[];
  /** By network name. */
  readonly networkIds: Readonly<Record<string, string>>;
}

/** Prepares root file system, network and volumes of a run, and the spec that describes them. */
@injectable()
export class BundlePreparation {
  constructor(
    @inject(ContainerDrivers) private readonly drivers: ContainerDrivers,
    @inject(ContainerDirectories) private readonly directories: ContainerDirectories,
    @inject(ContainerLinks) private readonly links: ContainerLinks,
    @inject(ContainerSandboxes) private readonly sandboxes: ContainerSandboxes,
    @inject(RunMounts) private readonly runMounts: RunMounts,
    @inject(SpecBuilder) private readonly specs: SpecBuilder,
  ) {}

  /**
   * Independent steps run in parallel. Volumes wait for the network, so that their events come in that order. On
   * rejection no step is running any more, and the caller releases what there is.
   */
  async prepare(record: ContainerRecord, times: StepTimes): Promise<PreparedBundle> {
    try {
      return await this.#prepare(record, times);
    } catch (error) {
      await this.release(record.id);
      throw error;
    }
  }

  /** Releases what the runtime needed only to create the task. Never rejects. */
  release(containerId: string): Promise<void> {
    return this.runMounts.releasePins(containerId);
  }

  async #prepare(record: ContainerRecord, times: StepTimes): Promise<PreparedBundle> {
    const links = this.links.required(record);
    const opening = times.of('network', this.sandboxes.open(record, links));
    const [rootfs, network, mounts] = await allSettled([
      times.of('mount', this.drivers.mountRoot(record)),
      opening,
      opening.then(() => times.of('volumes', this.runMounts.mount(record))),
      this.directories.make(record.id),
    ]);
    crashPoint('container.start.mounted');
    const writing = allSettled([network.files(), this.runMounts.initialize(record, rootfs, mounts)]);
    const [files] = await times.of('files', writing);
    await times.of('labels', this.runMounts.label(record, mounts, Object.values(files)));
    const spec = await this.specs.build({
      record,
      rootfs,
      mounts,
      networkNamespace: network.namespace,
      userNamespace: network.userNamespace,
      files,
      links,
      cgroupDriver: this.drivers.runtimeOf(record).capabilities.cgroupDriver,
    });
    return { spec, mounts, networkIds: network.networkIds };
  }
}
