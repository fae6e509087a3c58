import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import containerLogs from '@gantry/container-logs';
import { FakeLog } from '@gantry/container-logs/testing';
import { definePlugin } from '@gantry/core';
import {
  LogDrivers,
  type RuntimeDriver,
  RuntimeDrivers,
  type StorageDriver,
  StorageDrivers,
} from '@gantry/core/contracts';
import { Clock, defineDriver, type ServicePoint, servicePoint } from '@gantry/core/driver';
import engineApi from '@gantry/engine-api';
import { ImageService } from '@gantry/images/service';
import { archive as memoryArchive, runtime, state } from '@gantry/memory-drivers';
import { EndpointService, NetworkService, SandboxService } from '@gantry/networks/service';
import { startEngine, type TestEngine, type TestOwner } from '@gantry/test-engine';
import { VolumeService } from '@gantry/volumes/service';
import { Type } from '@sinclair/typebox';
import containers from '../index.js';
import { RootMounts } from '../roots/root-mounts.js';
import { ContainerStore } from '../store/container-store.js';
import { FakeHost } from './fake-host.js';

const empty = Type.Object({});

/** What tests look at beside what other areas see. */
interface ContainerInternals {
  readonly store: ContainerStore;
  readonly roots: RootMounts;
}

const ContainerInternals: ServicePoint<ContainerInternals> = servicePoint<ContainerInternals>('container-internals');

/** The containers package as it is, with its internals as one more service. */
const openedContainers = definePlugin({
  ...containers,
  provides: [...(containers.provides ?? []), ContainerInternals],
  setup(context) {
    const { container } = context;
    container.registerFactory(ContainerInternals.token, [ContainerStore, RootMounts], (store, roots) => ({
      store,
      roots,
    }));
    container.provide(ContainerInternals, ContainerInternals.token);
    return containers.setup(context);
  },
});

export interface TestContainers {
  readonly engine: TestEngine;
  readonly host: FakeHost;
  readonly log: FakeLog;
  readonly runtime: () => RuntimeDriver;
  readonly internals: () => ContainerInternals;
  /** Creates a container and returns its id. */
  create(body?: Readonly<Record<string, unknown>>, name?: string): Promise<string>;
  post(path: string): Promise<number>;
  inspect(id: string): Promise<Inspected>;
  /** Actions of container events so far. */
  actions(): readonly string[];
}

export interface Inspected {
  readonly Id: string;
  readonly Name: string;
  readonly RestartCount: number;
  readonly State: {
    readonly Status: string;
    readonly Running: boolean;
    readonly ExitCode: number;
    readonly Error: string;
    readonly StartedAt: string;
    readonly FinishedAt: string;
  };
  readonly HostConfig: Readonly<Record<string, unknown>>;
}

interface TestContainersOptions {
  /** Default: the one in memory. */
  readonly archive?: typeof memoryArchive;
  readonly clock?: Clock;
  /** Further packages, such as another area's. */
  readonly use?: Parameters<typeof startEngine>[1];
}

const clockPlugin = (clock: Clock) =>
  definePlugin({
    id: 'clock',
    provides: [Clock],
    configSchema: empty,
    setup({ container }) {
      container.registerValue(Clock.token, clock);
      container.provide(Clock, Clock.token);
    },
  });

/** An engine with this area on the memory runtime and a fake host. */
export async function startContainers(
  t: TestOwner,
  { archive = memoryArchive, clock, use = [] }: TestContainersOptions = {},
): Promise<TestContainers> {
  const directory = await mkdtemp(path.join(tmpdir(), 'gantry-host-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const host = new FakeHost(directory);
  const log = new FakeLog();
  const storage = defineDriver({
    id: 'fake',
    provides: StorageDrivers,
    configSchema: empty,
    create: (): StorageDriver => host.storage,
  });
  const logDriver = defineDriver({ id: 'fake', provides: LogDrivers, configSchema: empty, create: () => log });
  const provides = [ImageService, VolumeService, NetworkService, SandboxService, EndpointService];
  const services = definePlugin({
    id: 'fake-areas',
    provides,
    configSchema: empty,
    setup({ container }) {
      container.registerValue(ImageService.token, host.images);
      container.registerValue(VolumeService.token, host.volumeService);
      container.registerValue(NetworkService.token, host.networks);
      container.registerValue(SandboxService.token, host.sandboxService);
      container.registerValue(EndpointService.token, host.endpointService);
      for (const point of provides) container.provide<unknown>(point, point.token);
    },
  });
  const clocks = clock === undefined ? [] : [clockPlugin(clock)];
  const drivers = [...clocks, state, runtime, storage, logDriver];
  const engine = await startEngine(t, [
    engineApi,
    ...drivers,
    archive,
    services,
    containerLogs,
    openedContainers,
    ...use,
  ]);
  return {
    engine,
    host,
    log,
    runtime: () => engine.kernel.drivers(RuntimeDrivers).get(),
    internals: () => engine.kernel.service(ContainerInternals),
    async create(body = {}, name) {
      const query = name === undefined ? '' : `?name=${name}`;
      const answer = await engine.ask('POST', `/containers/create${query}`, {
        body: { Image: 'busybox', Cmd: ['true'], ...body },
      });
      if (answer.status !== 201) throw new Error(`${answer.status}: ${answer.text}`);
      return String(answer.json().Id);
    },
    post: async (target) => (await engine.ask('POST', `/containers/${target}`)).status,
    inspect: async (id) => (await engine.ask('GET', `/containers/${id}/json`)).json<Inspected>(),
    actions: () => engine.events.filter(({ type }) => type === 'container').map(({ action }) => action),
  };
}
