import type { Finding } from '../finding.js';
import type { StorageFacts } from '../host/host-facts.js';
import { Subject } from './subject.js';

const gibibyte = 2 ** 30;

/** Shares of all, and bytes, below which it is scarce or nearly used up. */
const scarce = { share: 0.05, bytes: 2 * gibibyte };
const exhausted = { share: 0.01, bytes: 0.2 * gibibyte };

/** File systems on which overlayfs cannot have its upper directories, or that keep nothing. */
const unsuitable: Readonly<Record<string, string>> = {
  overlayfs: 'is an overlay itself, as in a container',
  nfs: 'is on another machine',
  cifs: 'is on another machine',
  smb3: 'is on another machine',
  '9p': 'is that of a virtual machine’s host',
  virtiofs: 'is that of a virtual machine’s host',
  ecryptfs: 'is encrypted file by file',
  vfat: 'knows no owners of files',
  fuse: 'is served by a program',
};

export function checkStorage(storage: StorageFacts): readonly Finding[] {
  return [checkFilesystem(storage), checkWritable(storage), checkSpace(storage), checkFiles(storage)];
}

const nameOf = ({ dataRoot, directory }: StorageFacts): string =>
  dataRoot === directory ? dataRoot : `${dataRoot}, which is yet to be made in ${directory}`;

function checkFilesystem(storage: StorageFacts): Finding {
  const subject = new Subject(
    'storage.filesystem',
    'file system of the data',
    'Images, volumes and records are on it. overlayfs needs one such as ext4, XFS or btrfs.',
  );
  const { filesystem } = storage;
  const found = `${filesystem}: ${nameOf(storage)}`;
  if (filesystem === 'tmpfs' || filesystem === 'ramfs') {
    return subject.warning(`${found} is in memory`, 'Configure a dataRoot on a disk: everything is lost at a reboot.');
  }
  const reason = unsuitable[filesystem];
  if (reason === undefined) return subject.ok(found);
  return subject.warning(
    `${found} ${reason}`,
    'Configure a dataRoot on a disk of this host; here images are copied for each container, or cannot be stored.',
  );
}

function checkWritable(storage: StorageFacts): Finding {
  const subject = new Subject('storage.writable', 'writing', 'Without it the engine cannot even record what it does.');
  return storage.isReadOnly
    ? subject.problem(
        `${storage.directory} is mounted read-only`,
        'Look for errors of the disk in the log of the kernel, then mount it for writing again.',
      )
    : subject.ok('mounted for writing');
}

function checkSpace({ availableBytes, totalBytes }: StorageFacts): Finding {
  const subject = new Subject(
    'storage.space',
    'free space',
    'A full disk fails pulls, builds, and whatever containers write.',
  );
  const share = totalBytes === 0 ? 1 : availableBytes / totalBytes;
  const found = `${gibibytes(availableBytes)} of ${gibibytes(totalBytes)} GiB (${percent(share)})`;
  const remedy = 'Remove what is not needed ("docker system prune" lists it first), or enlarge the file system.';
  if (share < exhausted.share || availableBytes < exhausted.bytes) return subject.problem(found, remedy);
  if (share < scarce.share || availableBytes < scarce.bytes) return subject.warning(found, remedy);
  return subject.ok(found);
}

function checkFiles({ freeFiles, totalFiles }: StorageFacts): Finding {
  const subject = new Subject(
    'storage.files',
    'free inodes',
    'Each file needs one; images have tens of thousands of files.',
  );
  if (totalFiles === 0) return subject.ok('this file system has no limit');
  const share = freeFiles / totalFiles;
  const found = `${freeFiles} of ${totalFiles} (${percent(share)})`;
  const remedy =
    'Remove images and containers that are not needed, or move the data to a file system with more inodes.';
  if (share < exhausted.share) return subject.problem(found, remedy);
  if (share < scarce.share) return subject.warning(found, remedy);
  return subject.ok(found);
}

const gibibytes = (bytes: number): string => (bytes / gibibyte).toFixed(1);
const percent = (share: number): string => `${Math.floor(share * 100)} %`;
