import { invalidArgument } from '@gantry/core/errors';
import type { HostConfig } from '../schema.js';
import type { HostConfigCheck } from '../validation/host-config-check.js';

type DeviceRequest = NonNullable<HostConfig['DeviceRequests']>[number];

/** The kind under which NVIDIA's tools describe GPUs. */
const gpuKind = 'nvidia.com/gpu';

/** A request for GPUs, which does not name them by the Container Device Interface: `--gpus`. */
const isForGpus = ({ Driver = '', Capabilities = [] }: DeviceRequest): boolean =>
  (Driver === '' || Driver === 'nvidia') && Capabilities.some((names) => names.includes('gpu'));

/** Refuses requests that no driver of this engine serves. Whether the devices exist shows when the container starts. */
export const checkDeviceRequests: HostConfigCheck = (given) => {
  for (const request of given.DeviceRequests ?? []) {
    const { Driver: driver = '', Count = 0, DeviceIDs = [], Options = {} } = request;
    if (driver !== 'cdi' && !isForGpus(request)) throw noDriver(request);
    const [option] = Object.entries(Options);
    if (option !== undefined) {
      throw invalidArgument(`DeviceRequests: Options: ${option.join('=')} is not supported by the driver "${driver}"`);
    }
    if (driver !== 'cdi') continue;
    if (Count !== 0) throw invalidArgument(`DeviceRequests: Count: ${Count}: the driver "cdi" takes DeviceIDs only`);
    if (DeviceIDs.length === 0) throw invalidArgument('DeviceRequests: DeviceIDs: the driver "cdi" needs at least one');
  }
  return given;
};

function noDriver({ Driver = '', Capabilities = [] }: DeviceRequest): Error {
  const capabilities = Capabilities.map((names) => `[${names.join(' ')}]`).join(' ');
  return invalidArgument(`could not select device driver "${Driver}" with capabilities: [${capabilities}]`);
}

/** The qualified names of the devices of a request. @throws EngineError `invalid-argument` where there are no GPUs. */
export function requestedDevices(request: DeviceRequest, isKnown: (name: string) => boolean): readonly string[] {
  const { Driver = '', Count = 0, DeviceIDs = [] } = request;
  if (Driver === 'cdi') return DeviceIDs;
  const wanted = DeviceIDs.length > 0 ? DeviceIDs : Count < 0 ? ['all'] : [...Array(Count).keys()].map(String);
  const names = wanted.map((name) => (name.includes('=') ? name : `${gpuKind}=${name}`));
  if (names.length === 0 || !names.every(isKnown)) throw noDriver(request);
  return names;
}
