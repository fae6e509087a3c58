import type { OciProcess, OciSpec } from '@gantry/core/contracts';
import type { NetworkFiles, NetworkFilesRequest } from '../sandbox/network-files.js';
import { writeNetworkFiles } from '../sandbox/network-files.js';
import { execProcess } from './process.js';
import { buildSpec, type SpecFacts } from './spec.js';
import type { ExecSpecRequest, SpecRequest } from './spec-request.js';

/** Turns containers into what an OCI runtime takes. */
export class OciBundles {
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
