import { parentPort, workerData } from 'node:worker_threads';
import type { LogDriver } from '@gantry/core/contracts';
import {
  compactHeap,
  createDriver,
  type DriverDefinition,
  type DriverOrigin,
  importModule,
  Lifetime,
  silentLogger,
} from '@gantry/core/driver';
import { internal } from '@gantry/core/errors';
import { PumpHost } from './pump-host.js';
import type { FromWorker, ToWorker, WorkerSettings } from './worker-messages.js';

/** The worker thread: a pump of its own, with log drivers of its own. They share nothing with the engine but files. */
const { limits } = workerData as WorkerSettings;
const port = parentPort;
if (port === null) throw new Error('this module is the main module of a worker thread');

const origins = new Map<string, DriverOrigin>();
const drivers = new Map<string, Promise<LogDriver>>();
const lifetime = new Lifetime();
const rotations = new Map<number, { resolve(path: string | undefined): void; reject(error: Error): void }>();
let calls = 0;

const tell = (message: FromWorker) => port.postMessage(message);

const driver = (id: string): Promise<LogDriver> => {
  let made = drivers.get(id);
  if (made === undefined) {
    made = make(id);
    drivers.set(id, made);
    made.catch(() => drivers.delete(id));
  }
  return made;
};

async function make(id: string): Promise<LogDriver> {
  const origin = origins.get(id);
  if (origin === undefined) throw internal(`log driver ${id} cannot be made in a worker thread`);
  const module: Record<string, unknown> = await importModule(origin.module);
  const definition = module[origin.export] as DriverDefinition<LogDriver>;
  const nothing = () => {
    throw internal(`log driver ${id} asks for other drivers in a worker thread`);
  };
  const services = { drivers: nothing, service: nothing };
  return createDriver(definition, {
    config: origin.config as never,
    log: silentLogger,
    lifetime,
    dirs: origin.dirs,
    services,
  });
}

const pump = new PumpHost(
  driver,
  {
    rotate: (id) =>
      new Promise((resolve, reject) => {
        const call = ++calls;
        rotations.set(call, { resolve, reject });
        tell({ kind: 'rotate', id, call });
      }),
    report: (id, event, reason) => tell({ kind: 'report', id, event, reason }),
  },
  limits,
);

port.on('message', (message: ToWorker) => {
  switch (message.kind) {
    case 'prepare':
      origins.set(message.driver, message.origin);
      // What is wrong with it shows again when it is needed.
      driver(message.driver).catch(() => undefined);
      break;
    case 'open':
      origins.set(message.task.driver, message.origin);
      pump.open(message.task);
      break;
    case 'rest':
      compactHeap();
      break;
    case 'finish':
      pump.finish(message.id);
      break;
    case 'caughtUp':
    case 'drop':
      void pump[message.kind](message.id).finally(() => tell({ kind: 'done', call: message.call }));
      break;
    case 'close':
      void pump
        .close()
        .then(() => lifetime.release())
        .finally(() => tell({ kind: 'done', call: message.call }));
      break;
    case 'rotated': {
      const rotation = rotations.get(message.call);
      rotations.delete(message.call);
      if (message.error === undefined) rotation?.resolve(message.path);
      else rotation?.reject(new Error(message.error));
      break;
    }
  }
});
