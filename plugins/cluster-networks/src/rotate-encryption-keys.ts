import { ClusterService } from '@gantry/cluster/service';
import { type DriverLifecycle, inject, injectable, Lifetime } from '@gantry/core/driver';
import { EncryptionKeys } from './encryption-keys.js';

/** Keeps the keys of encrypted networks while this engine leads. */
@injectable()
export class RotateEncryptionKeys implements DriverLifecycle {
  constructor(
    @inject(ClusterService.token) private readonly cluster: ClusterService,
    @inject(EncryptionKeys) private readonly keys: EncryptionKeys,
    @inject(Lifetime) private readonly lifetime: Lifetime,
  ) {}

  async start(): Promise<void> {
    this.lifetime.add(this.cluster.whileManager((session) => this.keys.run(session)));
  }
}
