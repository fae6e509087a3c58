import { closeSync, openSync, readSync } from 'node:fs';
import { LinuxError } from '../errors/linux-error.js';
import {
  AT_FDCWD,
  FSCONFIG_CMD_CREATE,
  FSCONFIG_SET_FLAG,
  FSCONFIG_SET_STRING,
  FSMOUNT_CLOEXEC,
  FSOPEN_CLOEXEC,
  MOVE_MOUNT_F_EMPTY_PATH,
  MOVE_MOUNT_T_SYMLINKS,
  O_CLOEXEC,
  O_PATH,
  SYS_FSCONFIG,
  SYS_FSMOUNT,
  SYS_FSOPEN,
  SYS_MOVE_MOUNT,
} from '../ffi/constants.js';
import { closeDescriptor } from '../system-calls/close-descriptor.js';
import { numberedCall } from '../system-calls/system-call.js';
import { attributeBits } from './mount-flags.js';
import type { OverlayRequest } from './mounts.js';

const fsopen = numberedCall<[type: string, flags: number]>('fsopen', SYS_FSOPEN, ['const char *', 'uint']);
const fsconfig = numberedCall<[fd: number, command: number, key: string | null, value: string | null, aux: number]>(
  'fsconfig',
  SYS_FSCONFIG,
  ['int', 'uint', 'const char *', 'const char *', 'int'],
);
const fsmount = numberedCall<[fd: number, flags: number, attributes: number]>('fsmount', SYS_FSMOUNT, [
  'int',
  'uint',
  'uint',
]);
const moveMount = numberedCall<[fromFd: number, from: string, toFd: number, to: string, flags: number]>(
  'move_mount',
  SYS_MOVE_MOUNT,
  ['int', 'const char *', 'int', 'const char *', 'uint'],
);

/**
 * Whether overlayfs takes its layers one by one (`lowerdir+`, since 6.7), so that neither their number nor their names
 * matter. Before 6.5 it accepts any option until the mount is made, so that an unknown one is tried as well.
 */
export function takesSingleLayers(): boolean {
  const context = fsopen.attempt('overlay', FSOPEN_CLOEXEC);
  if (context < 0) return false;
  try {
    const takesAnything = fsconfig.attempt(context, FSCONFIG_SET_FLAG, 'gantry-unknown', null, 0) >= 0;
    return !takesAnything && fsconfig.attempt(context, FSCONFIG_SET_STRING, 'lowerdir+', '/', 0) >= 0;
  } finally {
    closeDescriptor(context);
  }
}

/** Mounts by the calls that take one option at a time. */
export function mountOverlayByLayers(request: OverlayRequest): void {
  const context = fsopen.attempt('overlay', FSOPEN_CLOEXEC);
  if (context < 0) throw new LinuxError(-context, 'fsopen', { path: request.target, detail: 'overlay' });
  try {
    const configure = (command: number, key: string | null, value: string | null): void => {
      const result = fsconfig.attempt(context, command, key, value, 0);
      if (result < 0) throw refused(result, context, request.target, key, value);
    };
    for (const lower of request.lower) configure(FSCONFIG_SET_STRING, 'lowerdir+', lower);
    if (request.upper !== undefined && request.work !== undefined) {
      configure(FSCONFIG_SET_STRING, 'upperdir', withoutEscapes(request.upper));
      configure(FSCONFIG_SET_STRING, 'workdir', withoutEscapes(request.work));
    }
    for (const [key, value] of Object.entries(request.options ?? {})) {
      configure(value === '' ? FSCONFIG_SET_FLAG : FSCONFIG_SET_STRING, key, value === '' ? null : value);
    }
    configure(FSCONFIG_CMD_CREATE, null, null);
    const mounted = fsmount.attempt(context, FSMOUNT_CLOEXEC, attributeBits(request.flags));
    if (mounted < 0) throw refused(mounted, context, request.target, null, null);
    try {
      const how = MOVE_MOUNT_F_EMPTY_PATH | MOVE_MOUNT_T_SYMLINKS;
      moveMount.call(request.target, mounted, '', AT_FDCWD, request.target, how);
    } finally {
      closeDescriptor(mounted);
    }
  } finally {
    closeDescriptor(context);
  }
}

/** The filesystem undoes backslashes in these two, although nothing needs them. */
function withoutEscapes(path: string): string {
  return path.replaceAll('\\', '\\\\');
}

function refused(result: number, context: number, path: string, key: string | null, value: string | null): LinuxError {
  const option = key === null ? undefined : value === null ? key : `${key} ${value}`;
  const detail = [option, kernelReason(context)].filter((part) => part !== undefined).join(': ');
  return new LinuxError(-result, 'mount', { path, ...(detail !== '' && { detail }) });
}

/** Reads what the kernel wrote about the last failures: lines such as `e overlay: workdir and upperdir must ...`. */
function kernelReason(context: number): string | undefined {
  const lines: string[] = [];
  const buffer = Buffer.alloc(1024);
  for (;;) {
    try {
      lines.push(
        buffer
          .toString('utf8', 0, readSync(context, buffer))
          .trim()
          .replace(/^[ewi] /, ''),
      );
    } catch {
      return lines.length === 0 ? undefined : lines.join('; ');
    }
  }
}

/** One page of options, less the byte that ends it. */
const longestData = 4095;

/**
 * Runs an action with the options for the classic call, which takes one page. When the paths of the layers are too long
 * for it, each is written as a descriptor of its directory, open during the action: enough for some 200 layers.
 */
export async function withOverlayData<T>(request: OverlayRequest, action: (data: string) => Promise<T>): Promise<T> {
  const plain = overlayData(request, request.lower);
  if (Buffer.byteLength(plain) <= longestData) return action(plain);
  const opened: number[] = [];
  try {
    for (const path of request.lower) opened.push(openLayer(path, request.target));
    const short = overlayData(
      request,
      opened.map((fd) => `/proc/self/fd/${fd}`),
    );
    if (Buffer.byteLength(short) > longestData) {
      throw new LinuxError('E2BIG', 'mount', {
        path: request.target,
        detail: `${request.lower.length} layers do not fit into the ${longestData} bytes of options that this kernel takes; kernels from 6.7 take 500`,
      });
    }
    return await action(short);
  } finally {
    for (const fd of opened) closeSync(fd);
  }
}

function openLayer(path: string, target: string): number {
  try {
    return openSync(path, O_PATH | O_CLOEXEC);
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'EIO';
    throw new LinuxError(code, 'mount', { path: target, detail: `lowerdir ${path}` });
  }
}

function overlayData(request: OverlayRequest, lower: readonly string[]): string {
  const options = [`lowerdir=${lower.map(escapeLower).join(':')}`];
  if (request.upper !== undefined && request.work !== undefined) {
    options.push(`upperdir=${escapeOption(request.upper)}`, `workdir=${escapeOption(request.work)}`);
  }
  for (const [key, value] of Object.entries(request.options ?? {}))
    options.push(value === '' ? key : `${key}=${quoted(value)}`);
  return options.join(',');
}

/** Contexts of SELinux have commas, which are kept in quotes: the kernel's security modules read their options first. */
const quoted = (value: string): string => (value.includes(',') ? `"${value}"` : value);
const escapeLower = (path: string): string => path.replace(/[\\:,]/g, '\\$&');
const escapeOption = (path: string): string => path.replace(/[\\,]/g, '\\$&');
