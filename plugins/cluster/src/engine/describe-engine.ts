import { cpus, hostname, totalmem } from 'node:os';
import { version } from '@gantry/core';
import { LogDrivers, NetworkDrivers, VolumeDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import type { IssuedCertificate } from '../certificates/issued-certificate.js';
import { enginePlatform } from '../records/engine-platform.js';
import { GenericResources } from '../records/generic-resources.js';
import type { NodeDescription } from '../records/node-kind.js';
import { EngineFacts } from './engine-facts.js';

/** Counted once: it takes longer than all the rest of a heartbeat. */
const processors = cpus().length;

/** What this engine says of itself to the swarm. */
@injectable()
export class DescribeEngine {
  constructor(
    @inject(VolumeDrivers.token) private readonly volumes: DriverSet<unknown>,
    @inject(NetworkDrivers.token) private readonly networks: DriverSet<unknown>,
    @inject(LogDrivers.token) private readonly logs: DriverSet<unknown>,
    @inject(EngineFacts) private readonly facts: EngineFacts,
    @inject(GenericResources) private readonly generic: GenericResources,
  ) {}

  /** Calls back when plugins have come or gone. @returns removes the listener. */
  onChange(listener: () => void): () => void {
    const removals = [this.volumes, this.networks, this.logs].map((drivers) => drivers.onChange?.(listener));
    return () => {
      for (const remove of removals) remove?.();
    };
  }

  /** Undefined until it is known. */
  get keepsClientAddresses(): boolean | undefined {
    return this.facts.clientAddresses?.kept;
  }

  describe({ issuer, trust }: Pick<IssuedCertificate, 'issuer' | 'trust'>): NodeDescription {
    const { offered } = this.generic;
    const plugins = (type: string, { ids }: DriverSet<unknown>) =>
      [...ids].sort().map((id) => ({ Type: type, Name: id }));
    return {
      Hostname: hostname(),
      Platform: enginePlatform,
      Resources: {
        NanoCPUs: processors * 1e9,
        MemoryBytes: totalmem(),
        ...(offered.length > 0 && { GenericResources: offered }),
      },
      Engine: {
        EngineVersion: version,
        Labels: this.facts.labels,
        Plugins: [
          ...plugins('Log', this.logs),
          ...plugins('Network', this.networks),
          ...plugins('Volume', this.volumes),
        ],
      },
      TLSInfo: {
        TrustRoot: trust,
        CertIssuerSubject: issuer.subject,
        CertIssuerPublicKey: issuer.publicKey,
      },
    };
  }
}
