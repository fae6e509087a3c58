import { randomBytes } from 'node:crypto';
import {
  type Collection,
  crashPoint,
  type DriverVolume,
  type StateDriver,
  type VolumeDriver,
} from '@gantry/core/contracts';
import { type DriverSet, type Logger, SerialByKey } from '@gantry/core/driver';
import { conflict, EngineError, invalidArgument, kindOf, messageOf, notFound } from '@gantry/core/errors';
import type { EngineEvents } from '@gantry/core/plugin';
import { Late, Patience } from './patience.js';
import type { Volume, VolumeRequest, VolumeService, VolumeUse, VolumeUsers } from './service.js';
import type { VolumeRecord } from './volume-record.js';

const namePattern = /^[a-zA-Z0-9][a-zA-Z0-9_.-]+$/;

/** Drivers that do not answer a question within this time, in milliseconds, are taken to have no such volume. */
const defaultPatience = 3000;

export interface VolumeList {
  readonly volumes: readonly Volume[];
  /** One line for each driver that could not be asked. */
  readonly warnings: readonly string[];
}

/** Volumes of all drivers. Changes to one name happen one after the other. */
export class Volumes implements VolumeService {
  readonly #records: Collection<VolumeRecord>;
  readonly #serial = new SerialByKey();
  readonly #users = new Set<VolumeUsers>();
  readonly #patience: Patience;

  constructor(
    private readonly state: StateDriver,
    private readonly drivers: DriverSet<VolumeDriver>,
    private readonly events: EngineEvents,
    private readonly log: Logger,
    patience = defaultPatience,
  ) {
    this.#patience = new Patience(patience);
    this.#records = this.state.collection<VolumeRecord>({
      name: 'volumes',
      version: 1,
      parse: (value) => value as VolumeRecord,
    });
  }

  async ensure(request: VolumeRequest): Promise<Volume> {
    const { name } = request;
    if (name === undefined) {
      return this.#create(randomBytes(32).toString('hex'), this.#asked(request) ?? this.#defaultDriver, request);
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
    const volume = record && (await this.#seen(record));
    if (record === undefined || volume === undefined) throw notFound(`get ${name}: no such volume`);
    return this.#toVolume(record, volume);
  }

  /** Asks all drivers at once; of one that hangs or fails the volumes on record are told, and a warning. */
  async list(): Promise<VolumeList> {
    const warnings: string[] = [];
    const lists = await Promise.all(
      [...this.drivers.entries()].map(async ([id, driver]) => {
        try {
          const volumes = await this.#patience.ask(id, () => driver.list());
          return volumes.flatMap((volume) => {
            const record = this.#records.get(volume.name) ?? bare(volume.name, id);
            // A name is one volume: where two drivers have it, it is the one it was made with.
            return record.driver === id ? [this.#toVolume(record, volume)] : [];
          });
        } catch (error) {
          warnings.push(`volume driver ${id}: ${messageOf(error)}`);
          const known = [...this.#records.entries()].map(([, record]) => record).filter(({ driver }) => driver === id);
          return known.map((record) => this.#toVolume(record, { name: record.name, mountpoint: undefined }));
        }
      }),
    );
    return { volumes: lists.flat().sort((a, b) => (a.name < b.name ? -1 : 1)), warnings };
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
    await this.#serial.run(name, () => this.#driverOf(record).unmount(name, use.containerId));
    this.#publish('unmount', name, record.driver, { container: use.containerId });
  }

  remove(name: string): Promise<void> {
    return this.#serial.run(name, async () => {
      const record = await this.#find(name);
      if (record === undefined) throw notFound(`get ${name}: no such volume`);
      const users = this.usersOf(name);
      if (users.length > 0) throw conflict(`remove ${name}: volume is in use - [${users.join(', ')}]`);
      // A volume that the driver has no more was removed by a daemon that ended before it could say so.
      await absentIsUndefined(this.#driverOf(record).remove(name));
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
          .run(name, () => this.#mount(name, use))
          .catch((error: unknown) =>
            this.log.error(
              { event: 'volume.not-restored', volume: name, reason: messageOf(error) },
              'volume not mounted again',
            ),
          ),
      ),
    );
  }

  addUsers(users: VolumeUsers): () => void {
    this.#users.add(users);
    return () => this.#users.delete(users);
  }

  /** Ids of the containers that name the volume. */
  usersOf(name: string): readonly string[] {
    return [...this.#users].flatMap((source) => source.usersOf(name));
  }

  async #ensure(name: string, request: VolumeRequest): Promise<Volume> {
    const record = this.#records.get(name);
    const driverId = this.#asked(request) ?? record?.driver ?? (await this.#driverThatHas(name)) ?? this.#defaultDriver;
    if (record !== undefined) {
      if (record.driver !== driverId) {
        throw conflict(`create ${name}: conflict: volume name must be unique: it exists with driver ${record.driver}`);
      }
      const volume = await absentIsUndefined(this.#driverOf(record).get(name));
      if (volume !== undefined) return this.#toVolume(record, volume);
    }
    return this.#create(name, driverId, request);
  }

  /** Making what the driver has already keeps its content: it takes over what a crash left without a record. */
  async #create(name: string, driverId: string, request: VolumeRequest): Promise<Volume> {
    if (!this.drivers.has(driverId)) {
      throw notFound(`create ${name}: error looking up volume plugin ${driverId}: plugin "${driverId}" not found`);
    }
    const driver = this.drivers.get(driverId);
    const { options = {}, labels = {} } = request;
    const record: VolumeRecord = { name, driver: driverId, options, labels, createdAt: new Date().toISOString() };
    try {
      await driver.create(name, options);
    } catch (error) {
      if (EngineError.is(error))
        throw new EngineError(error.kind, `create ${name}: ${error.message}`, { cause: error });
      throw error;
    }
    crashPoint('volume.create.driver');
    await this.#records.put(name, record);
    crashPoint('volume.create.recorded');
    this.#publish('create', name, driverId);
    return this.#toVolume(record, await driver.get(name));
  }

  async #mount(name: string, use: VolumeUse): Promise<{ readonly path: string; readonly driver: string }> {
    const record = await this.#find(name);
    if (record === undefined) throw notFound(`get ${name}: no such volume`);
    return { path: await this.#driverOf(record).mount(name, use.containerId), driver: record.driver };
  }

  /** A volume by its record, or one that a driver knows without. */
  async #find(name: string): Promise<VolumeRecord | undefined> {
    const record = this.#records.get(name);
    if (record !== undefined) return record;
    const id = await this.#driverThatHas(name);
    return id === undefined ? undefined : bare(name, id);
  }

  /** Asks all drivers at once; one that fails or hangs has none. */
  async #driverThatHas(name: string): Promise<string | undefined> {
    const answers = await Promise.all(
      [...this.drivers.entries()].map(([id, driver]) =>
        this.#patience
          .ask(id, () => driver.get(name))
          .then(
            () => id,
            () => undefined,
          ),
      ),
    );
    return answers.find((id) => id !== undefined);
  }

  /** By its id, whatever name the client has for it. */
  #asked({ driver }: VolumeRequest): string | undefined {
    return driver === undefined ? undefined : this.drivers.idOf(driver);
  }

  get #defaultDriver(): string {
    return this.drivers.defaultId ?? 'local';
  }

  #driverOf(record: VolumeRecord): VolumeDriver {
    return this.drivers.get(record.driver);
  }

  #toVolume({ name, driver, labels, options, createdAt }: VolumeRecord, volume: DriverVolume): Volume {
    return {
      name,
      driver,
      labels,
      options,
      createdAt,
      mountpoint: volume.mountpoint ?? '',
      scope: this.drivers.get(driver).capabilities.scope,
      ...(volume.status !== undefined && { status: volume.status }),
    };
  }

  #publish(action: string, name: string, driver: string, attributes: Readonly<Record<string, string>> = {}): void {
    this.events.publish({ type: 'volume', action, actor: { id: name, attributes: { ...attributes, driver } } });
  }

  /** What the driver says of a volume, or the record alone while it does not answer; undefined when it has none. */
  async #seen(record: VolumeRecord): Promise<DriverVolume | undefined> {
    try {
      return await this.#patience.ask(record.driver, () => absentIsUndefined(this.#driverOf(record).get(record.name)));
    } catch (error) {
      if (error instanceof Late) return { name: record.name, mountpoint: undefined };
      throw error;
    }
  }
}

const bare = (name: string, driver: string): VolumeRecord => ({ name, driver, options: {}, labels: {}, createdAt: '' });

/** Undefined where the driver says that there is no such volume. */
async function absentIsUndefined<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (kindOf(error) === 'not-found') return undefined;
    throw error;
  }
}
