import { arch, cpus, hostname, totalmem } from 'node:os';
import { version } from '@gantry/core';
import { LogDrivers, NetworkDrivers, VolumeDrivers } from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';
import type { NodeDescription } from '../records/node-kind.js';
import { EngineLabels } from './engine-labels.js';

/** The parts of a root certificate that a node shows. */
interface TrustRoot {
  readonly certificate: string;
  readonly subject: string;
  readonly publicKey: string;
}

/** What this engine says of itself to the swarm. */
@injectable()
export class DescribeEngine {
  constructor(
    @inject(VolumeDrivers.token) private readonly volumes: DriverSet<unknown>,
    @inject(NetworkDrivers.token) private readonly networks: DriverSet<unknown>,
    @inject(LogDrivers.token) private readonly logs: DriverSet<unknown>,
    @inject(EngineLabels) private readonly labels: EngineLabels,
  ) {}

  describe(root: TrustRoot): NodeDescription {
    const plugins = (type: string, { ids }: DriverSet<unknown>) => ids.map((id) => ({ Type: type, Name: id }));
    return {
      Hostname: hostname(),
      Platform: { Architecture: { x64: 'x86_64', arm64: 'aarch64' }[arch() as string] ?? arch(), OS: 'linux' },
      Resources: { NanoCPUs: cpus().length * 1e9, MemoryBytes: totalmem() },
      Engine: {
        EngineVersion: version,
        Labels: this.labels.current,
        Plugins: [
          ...plugins('Log', this.logs),
          ...plugins('Network', this.networks),
          ...plugins('Volume', this.volumes),
        ],
      },
      TLSInfo: {
        TrustRoot: root.certificate,
        CertIssuerSubject: root.subject,
        CertIssuerPublicKey: root.publicKey,
      },
    };
  }
}
