import {
  type LogDriver,
  LogDrivers,
  type NetworkDriver,
  NetworkDrivers,
  type RuntimeDriver,
  RuntimeDrivers,
  type StorageDriver,
  StorageDrivers,
  type VolumeDriver,
  VolumeDrivers,
} from '@gantry/core/contracts';
import { type DriverSet, inject, injectable } from '@gantry/core/driver';

/** The drivers that info reports on, by kind. */
@injectable()
export class EngineDrivers {
  constructor(
    @inject(RuntimeDrivers.token) readonly runtimes: DriverSet<RuntimeDriver>,
    @inject(StorageDrivers.token) readonly storages: DriverSet<StorageDriver>,
    @inject(NetworkDrivers.token) readonly networks: DriverSet<NetworkDriver>,
    @inject(VolumeDrivers.token) readonly volumes: DriverSet<VolumeDriver>,
    @inject(LogDrivers.token) readonly logs: DriverSet<LogDriver>,
  ) {}
}
