import type { OciProcess, OciSpec } from '@gantry/core/contracts';
import type { Bundles, ExecSpecRequest, NetworkFiles, NetworkFilesRequest, SpecRequest } from '../interfaces.js';
import { writeNetworkFiles } from './network-files.js';
import { execProcess } from './process.js';
import { buildSpec, type SpecFacts } from './spec.js';

/** Turns containers into what an OCI runtime takes. */
export class OciBundles implements Bundles {
  constructor(private readonly facts: SpecFacts) {}

  buildSpec(request: SpecRequest): Promise<OciSpec> {
    return buildSpec(request, this.facts);
  }

  execProcess(request: ExecSpecRequest): Promise<OciProcess> {
    return execProcess(request, this.facts.capabilities);
  }

  writeNetworkFiles(request: NetworkFilesRequest): Promise<NetworkFiles> {
    return writeNetworkFiles(request);
  }
}
