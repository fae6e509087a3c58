import type { Query } from '@gantry/core/http';
import { add, all, at, each, ofObject, remove } from '../shapes.js';
import { step } from '../step.js';

const withoutSignal = (query: Query): void => query.set('signal', []);

const allVolumes = (query: Query): void => {
  const filters = JSON.parse(query.string('filters') || '{}') as Record<string, unknown> | null;
  if (filters === null || !('all' in filters)) query.set('filters', [JSON.stringify({ ...filters, all: ['true'] })]);
};

/** It was always there, also after it had no effect any more. */
const kernelMemory = at('HostConfig', add({ KernelMemory: 0 }));

/** Their command lines sent options of other types along, which had no effect. */
const ownOptions = ofObject((mount) => {
  const { TmpfsOptions, VolumeOptions, ...others } = mount;
  if (mount.Type === 'tmpfs') return { ...others, ...(TmpfsOptions !== undefined && { TmpfsOptions }) };
  return { ...others, ...(VolumeOptions !== undefined && { VolumeOptions }) };
});

const olderMounts = at('Mounts', each(all(ownOptions, at('BindOptions', remove('CreateMountpoint')))));

/** What clients before 1.42 see. */
export default step('1.42', {
  'POST /containers/create': { body: at('HostConfig', all(remove('ConsoleSize'), olderMounts)) },
  'GET /containers/:id/json': { answer: kernelMemory },
  'POST /containers/:id/stop': { query: withoutSignal },
  'POST /containers/:id/restart': { query: withoutSignal },
  // One media type for all streams, framed or not.
  'GET /containers/:id/logs': { lacks: ['multiplexed-stream'] },
  'POST /containers/:id/attach': { lacks: ['multiplexed-stream'] },
  // A program that could not be started had exited with 126, missing or not.
  'POST /exec/:id/start': { lacks: ['multiplexed-stream', 'exec-start-codes'] },
  // They prune volumes with names, too.
  'POST /volumes/prune': { query: allVolumes },
  'GET /images/json': { query: (query) => query.set('shared-size', []) },
  'GET /system/df': { query: (query) => query.set('type', []) },
  'GET /info': { answer: add({ ClusterStore: '', ClusterAdvertise: '' }), lacks: ['no-kernel-memory'] },
});
