import { parentPort, workerData } from 'node:worker_threads';
import type { LogDriver } from '@gantry/core/contracts';
import {
  createDriver,
  type DriverDefinition,
  type DriverOrigin,
  importModule,
  Lifetime,
  trimHeap,
} from '@gantry/core/driver';
import { internal } from '@gantry/core/errors';
import { LocalPump } from './local-pump.js';
import type { FromWorker, ToWorker, WorkerSettings } from './messages.js';
import { PostedLogger } from './posted-logger.js';

/** The worker thread: a local pump with log drivers of its own. It shares nothing with the main thread but files. */
const { limits } = workerData as WorkerSettings;
const port = parentPort;
if (port === null) throw new Error('this module is the main module of a worker thread');

const origins = new Map<string, DriverOrigin>();
const drivers = new Map<string, Promise<LogDriver>>();
const lifetime = new Lifetime();
const rotations = new Map<number, { resolve(path: string | undefined): void; reject(error: Error): void }>();
let calls = 0;

const post = (message: FromWorker) => port.postMessage(message);

const driver = (id: string): Promise<LogDriver> => {
  let created = drivers.get(id);
  if (created === undefined) {
    created = create(id);
    drivers.set(id, created);
    created.catch(() => drivers.delete(id));
  }
  return created;
};

/** Another origin is another version of the driver, for sinks that are opened from now on. */
function setOrigin(id: string, origin: DriverOrigin): void {
  if (origins.get(id)?.module !== origin.module) drivers.delete(id);
  origins.set(id, origin);
}

async function create(id: string): Promise<LogDriver> {
  const origin = origins.get(id);
  if (origin === undefined) throw internal(`log driver ${id} cannot be created in a worker thread`);
  const module = await importModule(origin.module);
  const definition = module[origin.export] as DriverDefinition<LogDriver>;
  const { driver: created } = await createDriver(definition, {
    config: origin.config as never,
    log: new PostedLogger((level, facts, words) => post({ kind: 'log', level, facts, words }), { driver: `log/${id}` }),
    lifetime,
    dirs: origin.dirs,
  });
  return created;
}

const pump = new LocalPump(
  driver,
  {
    rotate: (id) =>
      new Promise((resolve, reject) => {
        const call = ++calls;
        rotations.set(call, { resolve, reject });
        post({ kind: 'rotate', id, call });
      }),
    report: (id, event, reason) => post({ kind: 'report', id, event, reason }),
  },
  limits,
);

port.on('message', (message: ToWorker) => {
  switch (message.kind) {
    case 'prepare':
      setOrigin(message.driver, message.origin);
      // An error shows again when the driver is needed.
      driver(message.driver).catch(() => undefined);
      break;
    case 'open':
      setOrigin(message.task.driver, message.origin);
      pump.open(message.task);
      break;
    case 'idle':
      trimHeap();
      break;
    case 'finish':
      pump.finish(message.id);
      break;
    case 'caughtUp':
    case 'drop':
    case 'release':
      void pump[message.kind](message.id).finally(() => post({ kind: 'done', call: message.call }));
      break;
    case 'close':
      void pump
        .close()
        .then(() => lifetime.release())
        .finally(() => post({ kind: 'done', call: message.call }));
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
