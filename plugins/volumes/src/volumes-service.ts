import { randomBytes } from 'node:crypto';
import {
  type Collection,
  type DriverVolume,
  type StateDriver,
  StateDrivers,
  type VolumeDriver,
  VolumeDrivers,
} from '@gantry/core/contracts';
import { crashPoint } from '@gantry/core/crash-points';
import { asOneCall, type DriverSet, type DriverUse, inject, injectable, KeyedMutex, Logger } from '@gantry/core/driver';
import {
  conflict,
  EngineError,
  invalidArgument,
  kindOf,
  messageOf,
  notFound,
  notImplemented,
} from '@gantry/core/errors';
import { EngineEvents } from '@gantry/core/plugin';
import { DriverDeadline, DriverTimeout } from './driver-deadline.js';
import { MountedVolumes } from './mounted-volumes.js';
import type { Volume, VolumeRequest, VolumeService, VolumeUsage, VolumeUse, VolumeUsers } from './service.js';
import type { VolumeRecord } from './volume-record.js';
import { toVolume } from './wire.js';

const namePattern = /^[a-zA-Z0-9][a-zA-Z0-9_.-]+$/;

interface VolumeList {
  readonly volumes: readonly Volume[];
  /** One line for each driver that could not be asked. */
  readonly warnings: readonly string[];
}

/** Volumes of all drivers. Changes to one name are serialized. */
@injectable()
export class VolumesService implements VolumeService {
  readonly #records: Collection<VolumeRecord>;
  readonly #serial = new KeyedMutex();
  readonly #users = new Set<VolumeUsers>();

  constructor(
    @inject(StateDrivers.token) states: DriverSet<StateDriver>,
    @inject(VolumeDrivers.token) private readonly drivers: DriverSet<VolumeDriver>,
    @inject(EngineEvents) private readonly events: EngineEvents,
    @inject(Logger) private readonly log: Logger,
    @inject(MountedVolumes) private readonly mounted: MountedVolumes,
    @inject(DriverDeadline) private readonly deadline: DriverDeadline,
  ) {
    this.#records = states.get().collection<VolumeRecord>({
      name: 'volumes',
      version: 1,
      parse: (value) => value as VolumeRecord,
    });
  }

  async ensure(request: VolumeRequest): Promise<Volume> {
    const { name } = request;
    if (name === undefined) {
      return this.#create(randomBytes(32).toString('hex'), this.#requestedDriver(request) ?? this.#defaultDriver, {
        ...request,
        anonymous: true,
      });
    }
    if (name.length === 1) {
      throw invalidArgument(
        `create ${name}: volume name is too short, names should be at least two alphanumeric characters`,
      );
    }
    if (!namePattern.test(name)) {
      throw invalidArgument(
        `create ${name}: "${name}" includes invalid characters for a local volume name, only "[a-zA-Z0-9][a-zA-Z0-9_.-]" are allowed. If you intended to pass a host directory, use absolute path`,
      );
    }
    return this.#serial.run(name, () => this.#ensure(name, request));
  }

  async get(name: string): Promise<Volume> {
    const record = await this.#find(name);
    if (record !== undefined && !this.drivers.has(record.driver)) return this.#unavailable(record);
    const volume = record && (await this.#query(record));
    if (record === undefined || volume === undefined) throw notFound(`get ${name}: no such volume`);
    return this.#toVolume(record, volume);
  }

  /**
   * Queries all drivers at once; one that hangs or fails contributes its recorded volumes and a warning, and so does one
   * that was removed.
   */
  async list(): Promise<VolumeList> {
    const warnings: string[] = [];
    const lists = await Promise.all(
      [...this.drivers.entries()].map(async ([id, driver]) => {
        try {
          const volumes = await this.deadline.call(id, () => driver.list());
          return volumes.flatMap((volume) => {
            const record = this.#records.get(volume.name) ?? unrecorded(volume.name, id);
            // A name is one volume: where two drivers have it, the recorded driver wins.
            return record.driver === id ? [this.#toVolume(record, volume)] : [];
          });
        } catch (error) {
          warnings.push(`volume driver ${id}: ${messageOf(error)}`);
          const known = [...this.#records.entries()].map(([, record]) => record).filter(({ driver }) => driver === id);
          return known.map((record) => this.#toVolume(record, { name: record.name, mountpoint: undefined }));
        }
      }),
    );
    const orphaned = [...this.#records.entries()]
      .map(([, record]) => record)
      .filter(({ driver }) => !this.drivers.has(driver));
    for (const driver of new Set(orphaned.map((record) => record.driver))) {
      warnings.push(`volume driver ${driver}: ${this.drivers.reasonWithout(driver) ?? 'not found'}`);
    }
    const volumes = [...lists.flat(), ...orphaned.map((record) => this.#unavailable(record))];
    return { volumes: volumes.sort((a, b) => (a.name < b.name ? -1 : 1)), warnings };
  }

  async mount(name: string, use: VolumeUse): Promise<string> {
    const { path, driver } = await this.#serial.run(name, () => this.#mount(name, use));
    this.#publish('mount', name, driver, {
      container: use.containerId,
      destination: use.destination,
      propagation: use.propagation,
      'read/write': String(use.readWrite),
    });
    return path;
  }

  async unmount(name: string, use: VolumeUse): Promise<void> {
    const record = await this.#find(name);
    if (record === undefined) return;
    await this.#serial.run(name, async () => {
      const driver = await this.#lookup(record);
      await asOneCall([driver], 'unmounting a volume', async () => {
        await this.#watch('unmount', record, () => driver.unmount(name, use.containerId));
        this.mounted.delete(name, use.containerId);
      });
    });
    this.#publish('unmount', name, record.driver, { container: use.containerId });
  }

  remove(name: string, { force }: { readonly force: boolean } = { force: false }): Promise<void> {
    return this.#serial.run(name, async () => {
      const record = await this.#find(name);
      if (record === undefined && force) return;
      if (record === undefined) throw notFound(`get ${name}: no such volume`);
      const users = this.usersOf(name);
      if (users.length > 0) throw conflict(`remove ${name}: volume is in use - [${users.join(', ')}]`);
      // Missing in the driver: an earlier daemon removed the volume there and died before removing the record.
      const driver = await this.#lookup(record);
      await absentIsUndefined(driver.remove(name));
      crashPoint('volume.remove.driver');
      await this.#records.delete(name);
      crashPoint('volume.remove.recorded');
      this.#publish('destroy', name, record.driver);
    });
  }

  async restore(uses: readonly { readonly name: string; readonly use: VolumeUse }[]): Promise<void> {
    await Promise.all(
      uses.map(({ name, use }) =>
        this.#serial
          .run(name, () => this.#restore(name, use))
          .catch((error: unknown) =>
            this.log.error({ event: 'volume.not-restored', volume: name, error }, 'failed to restore volume mount'),
          ),
      ),
    );
  }

  addUsers(users: VolumeUsers): () => void {
    this.#users.add(users);
    return () => this.#users.delete(users);
  }

  async diskUsage(): Promise<readonly VolumeUsage[]> {
    const { volumes } = await this.list();
    return Promise.all(
      volumes.map(async (volume) => {
        const usage = { RefCount: this.usersOf(volume.name).length, Size: await this.sizeOf(volume) };
        return { ...toVolume(volume), UsageData: usage };
      }),
    );
  }

  /** Bytes; -1 when its driver does not measure or is unavailable. */
  async sizeOf({ name, driver: id }: Volume): Promise<number> {
    if (!this.drivers.has(id)) return -1;
    const driver = this.drivers.get(id);
    if (!driver.capabilities.usage || driver.usage === undefined) return -1;
    const measured = driver.usage(name);
    return (await this.deadline.call(id, () => measured).catch(() => -1)) ?? -1;
  }

  /** The drivers of the volumes that there are. */
  driverReferences(): readonly DriverUse[] {
    const stored = [...this.#records.entries()].map(([, record]) => record);
    return stored.map(({ name, driver }) => ({ driver: `volume/${driver}`, user: `volume ${name}` }));
  }

  /** Ids of the containers that name the volume. */
  usersOf(name: string): readonly string[] {
    return [...this.#users].flatMap((source) => source.usersOf(name));
  }

  async #ensure(name: string, request: VolumeRequest): Promise<Volume> {
    const record = this.#records.get(name);
    const driverId =
      this.#requestedDriver(request) ?? record?.driver ?? (await this.#driverThatHas(name)) ?? this.#defaultDriver;
    if (record !== undefined) {
      if (record.driver !== driverId) {
        throw conflict(`create ${name}: conflict: volume name must be unique: it exists with driver ${record.driver}`);
      }
      const driver = await this.#lookup(record);
      const volume = await absentIsUndefined(driver.get(name));
      if (volume !== undefined) return this.#toVolume(record, volume);
    }
    return this.#create(name, driverId, request);
  }

  /**
   * Creating a volume that the driver already has keeps its content, which adopts a volume a crash left unrecorded. One of
   * global scope that is there was made on another node: it is known here from now on, and not created again.
   */
  async #create(name: string, driverId: string, request: VolumeRequest): Promise<Volume> {
    const driver = await this.drivers.lookup(driverId).catch((cause: unknown) => {
      const missing = `plugin "${driverId}" not found`;
      throw notImplemented(`create ${name}: error looking up volume plugin ${driverId}: ${missing}`, { cause });
    });
    const { options = {}, labels = {} } = request;
    const anonymous = request.anonymous === true ? ({ anonymous: true } as const) : {};
    const createdAt = new Date().toISOString();
    const record: VolumeRecord = { name, driver: driverId, options, labels, ...anonymous, createdAt };
    const shared = await asOneCall([driver], 'creating a volume', async () => {
      const present = driver.capabilities.scope === 'global' ? await absentIsUndefined(driver.get(name)) : undefined;
      if (present === undefined) await this.#createBy(driver, record);
      crashPoint('volume.create.driver');
      await this.#records.put(name, record);
      crashPoint('volume.create.recorded');
      return present;
    });
    if (shared === undefined) this.#publish('create', name, driverId);
    return this.#toVolume(record, shared ?? (await driver.get(name)));
  }

  async #createBy(driver: VolumeDriver, { name, options }: VolumeRecord): Promise<void> {
    try {
      await driver.create(name, options);
    } catch (error) {
      if (EngineError.is(error))
        throw new EngineError(error.kind, `create ${name}: ${error.message}`, { cause: error });
      throw error;
    }
  }

  async #mount(name: string, use: VolumeUse): Promise<{ readonly path: string; readonly driver: string }> {
    const record = await this.#find(name);
    if (record === undefined) throw notFound(`get ${name}: no such volume`);
    return { path: await this.#mountBy(await this.#lookup(record), record, use), driver: record.driver };
  }

  /** The container that keeps running has it mounted, also when its driver is absent, for which a start does not wait. */
  async #restore(name: string, use: VolumeUse): Promise<void> {
    const record = this.#records.get(name);
    if (record !== undefined) this.mounted.add(name, record.driver, use.containerId);
    const found = record ?? (await this.#find(name));
    if (found === undefined) throw notFound(`get ${name}: no such volume`);
    await this.#mountBy(this.#driverOf(found), found, use);
  }

  #mountBy(driver: VolumeDriver, record: VolumeRecord, use: VolumeUse): Promise<string> {
    return asOneCall([driver], 'mounting a volume', async () => {
      const path = await this.#watch('mount', record, () => driver.mount(record.name, use.containerId));
      this.mounted.add(record.name, record.driver, use.containerId);
      return path;
    });
  }

  #watch<T>(method: string, { driver, name }: VolumeRecord, call: () => Promise<T>): Promise<T> {
    return this.deadline.watch(call, (seconds) => {
      const facts = { event: 'volume.driver-pending', driver, method, volume: name, seconds };
      this.log.warn(facts, 'volume driver has not answered yet; still waiting');
    });
  }

  /** A recorded volume, or one that a driver has without a record. */
  async #find(name: string): Promise<VolumeRecord | undefined> {
    const record = this.#records.get(name);
    if (record !== undefined) return record;
    const id = await this.#driverThatHas(name);
    return id === undefined ? undefined : unrecorded(name, id);
  }

  /** Queries all drivers at once; one that fails or hangs counts as not having the volume. */
  async #driverThatHas(name: string): Promise<string | undefined> {
    const answers = await Promise.all(
      [...this.drivers.entries()].map(([id, driver]) =>
        this.deadline
          .call(id, () => driver.get(name))
          .then(
            () => id,
            () => undefined,
          ),
      ),
    );
    return answers.find((id) => id !== undefined);
  }

  /** The id of the requested driver, which the client may have named by an alias. */
  #requestedDriver({ driver }: VolumeRequest): string | undefined {
    return driver === undefined ? undefined : this.drivers.idOf(driver);
  }

  get #defaultDriver(): string {
    return this.drivers.defaultId ?? 'local';
  }

  /** A plugin that is down for a moment is waited for. */
  #lookup({ driver }: VolumeRecord): Promise<VolumeDriver> {
    return this.drivers.lookup(driver);
  }

  #driverOf(record: VolumeRecord): VolumeDriver {
    return this.drivers.get(record.driver);
  }

  #toVolume({ name, driver, labels, options, anonymous, createdAt }: VolumeRecord, volume: DriverVolume): Volume {
    return {
      name,
      driver,
      labels,
      options,
      createdAt,
      mountpoint: volume.mountpoint ?? '',
      scope: this.drivers.get(driver).capabilities.scope,
      ...(anonymous === true && { anonymous }),
      ...(volume.status !== undefined && { status: volume.status }),
    };
  }

  /** A recorded volume whose driver was removed or is not running. */
  #unavailable({ name, driver, labels, options, createdAt }: VolumeRecord): Volume {
    const reason = this.drivers.reasonWithout(driver) ?? 'not found';
    const status = { Unavailable: `volume driver ${driver}: ${reason}` };
    return { name, driver, labels, options, createdAt, mountpoint: '', scope: 'local', status };
  }

  #publish(action: string, name: string, driver: string, attributes: Readonly<Record<string, string>> = {}): void {
    this.events.publish({ type: 'volume', action, actor: { id: name, attributes: { ...attributes, driver } } });
  }

  /** The volume as its driver reports it, the record alone if the driver times out, undefined if the driver has none. */
  async #query(record: VolumeRecord): Promise<DriverVolume | undefined> {
    try {
      return await this.deadline.call(record.driver, () => absentIsUndefined(this.#driverOf(record).get(record.name)));
    } catch (error) {
      if (error instanceof DriverTimeout) return { name: record.name, mountpoint: undefined };
      throw error;
    }
  }
}

const unrecorded = (name: string, driver: string): VolumeRecord => ({
  name,
  driver,
  options: {},
  labels: {},
  createdAt: '',
});

/** Resolves to undefined where the driver has no such volume. */
async function absentIsUndefined<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (kindOf(error) === 'not-found') return undefined;
    throw error;
  }
}
