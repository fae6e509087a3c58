import { closeDescriptor } from '../system-calls/close-descriptor.js';
import { SystemCall } from '../system-calls/system-call.js';

const memfdCreate = new SystemCall<[string, number]>('memfd_create', 'int', ['const char *', 'uint']);
const write = new SystemCall<[number, Uint8Array, number]>('write', 'int64_t', ['int', 'void *', 'size_t']);
const fcntl = new SystemCall<[number, number, number]>('fcntl', 'int', ['int', 'int', 'int']);

const MFD_CLOEXEC = 1;
const MFD_ALLOW_SEALING = 2;
const F_ADD_SEALS = 1033;
/** F_SEAL_SEAL, F_SEAL_SHRINK, F_SEAL_GROW and F_SEAL_WRITE. */
const allSeals = 15;

/**
 * A descriptor of sealed memory with these bytes, which are immutable. The caller closes it. The name is for listings of
 * open files. `flags` are added to those of memfd_create(2).
 */
export function sealedMemory(bytes: Uint8Array, name: string, flags = 0): number {
  const fd = memfdCreate.call(undefined, name, MFD_CLOEXEC | MFD_ALLOW_SEALING | flags);
  try {
    for (let at = 0; at < bytes.length; ) at += write.call(undefined, fd, bytes.subarray(at), bytes.length - at);
    fcntl.call(undefined, fd, F_ADD_SEALS, allSeals);
    return fd;
  } catch (error) {
    closeDescriptor(fd);
    throw error;
  }
}
