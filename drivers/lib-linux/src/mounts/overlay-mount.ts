import { closeSync, openSync, readSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import { LinuxError } from '../errors/linux-error.js';
import { closeDescriptor } from '../ffi/close-descriptor.js';
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
import { numberedCall } from '../ffi/system-call.js';
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
 * Mounts by the calls that take one option at a time, so that neither the number of layers nor their names matter.
 * False when the kernel is too old for it (before 6.7); then nothing was done.
 */
export function mountOverlayByLayers(request: OverlayRequest): boolean {
  const context = fsopen.attempt('overlay', FSOPEN_CLOEXEC);
  if (context < 0) {
    if (isErrnoOf(context, 'ENOSYS', 'EPERM')) return false;
    throw new LinuxError(-context, 'fsopen', { path: request.target, detail: 'overlay' });
  }
  try {
    const configure = (command: number, key: string | null, value: string | null): void => {
      const result = fsconfig.attempt(context, command, key, value, 0);
      if (result < 0) throw refused(result, context, request.target, key, value);
    };
    for (const [index, lower] of request.lower.entries()) {
      const result = fsconfig.attempt(context, FSCONFIG_SET_STRING, 'lowerdir+', lower, 0);
      if (result >= 0) continue;
      const reason = kernelReason(context);
      if (index === 0 && isErrnoOf(result, 'EINVAL') && /unknown parameter/i.test(reason ?? '')) return false;
      throw new LinuxError(-result, 'mount', {
        path: request.target,
        detail: [`lowerdir ${lower}`, reason].filter((part) => part !== undefined).join(': '),
      });
    }
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
    return true;
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

function isErrnoOf(result: number, ...codes: readonly string[]): boolean {
  return codes.includes(new LinuxError(-result, '').code);
}

/** One page of options, less the byte that ends it. */
const longestData = 4095;

/**
 * The options for the older call, which takes one page. Names too long for it are written relative to a descriptor of
 * the directory they share. The action must be done with them when it returns.
 */
export async function withOverlayData<T>(request: OverlayRequest, action: (data: string) => Promise<T>): Promise<T> {
  const plain = overlayData(request, (path) => path);
  if (Buffer.byteLength(plain) <= longestData) return action(plain);
  const base = commonDirectory(request.lower);
  const fd = openSync(base, O_PATH | O_CLOEXEC);
  try {
    const short = overlayData(request, (path) => `/proc/self/fd/${fd}/${relative(base, path)}`);
    if (Buffer.byteLength(short) > longestData) {
      throw new LinuxError('E2BIG', 'mount', {
        path: request.target,
        detail: `${request.lower.length} layers do not fit into the 4095 bytes this kernel takes`,
      });
    }
    return await action(short);
  } finally {
    closeSync(fd);
  }
}

function overlayData(request: OverlayRequest, shorten: (path: string) => string): string {
  const words = [`lowerdir=${request.lower.map((path) => escapeLower(shorten(path))).join(':')}`];
  if (request.upper !== undefined && request.work !== undefined) {
    words.push(`upperdir=${escapeOption(request.upper)}`, `workdir=${escapeOption(request.work)}`);
  }
  for (const [key, value] of Object.entries(request.options ?? {})) words.push(value === '' ? key : `${key}=${value}`);
  return words.join(',');
}

const escapeLower = (path: string): string => path.replace(/[\\:,]/g, '\\$&');
const escapeOption = (path: string): string => path.replace(/[\\,]/g, '\\$&');

function commonDirectory(paths: readonly string[]): string {
  let common = dirname(paths[0] ?? '/');
  for (const path of paths) {
    while (common !== '/' && !path.startsWith(`${common}/`)) common = dirname(common);
  }
  return common;
}
