import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { EmulatedHost } from '../emulated-hosts.js';
import { type KernelImage, kernelImage } from '../kernel/kernel-image.js';
import { runProgram } from '../run-program.js';
import { exitMark, guestScript } from './guest-script.js';
import { writeInitialRamDisk } from './write-initial-ram-disk.js';

interface GuestRequest {
  /** Run in `cwd`, which this machine and the guest have both. */
  readonly command: readonly string[];
  readonly cwd: string;
  readonly environment?: Readonly<Record<string, string>>;
  /** A tree of programs that the guest has beyond those of this machine. */
  readonly programs?: string;
  /** Called with each line that the command writes. */
  onLine?(line: string): void;
  /** After so many milliseconds the machine is switched off. */
  readonly deadline: number;
}

interface GuestOutcome {
  /** Exit status of the command; undefined when the machine was off before it ended. */
  readonly status: number | undefined;
  readonly kernel: string;
  /** What the kernel, and systemd, wrote to the console. */
  readonly console: string;
}

/** Emulation works everywhere; `GANTRY_ACCELERATOR=kvm` is faster where the hardware's virtualisation is real. */
const accelerator = process.env.GANTRY_ACCELERATOR || 'tcg,thread=multi';

const memoryMebibytes = 3072;
const diskBytes = 6 * 2 ** 30;

/** Boots a machine, runs one command in it, and switches it off. */
export async function runGuest(host: EmulatedHost, request: GuestRequest): Promise<GuestOutcome> {
  const kernel = await kernelImage(host.suite);
  const directory = await mkdtemp(join(tmpdir(), 'gantry-guest-'));
  try {
    const script = join(directory, 'guest.sh');
    const { command, cwd, environment = {} } = request;
    await writeFile(script, guestScript({ kernel, host, cwd, command, environment }));
    await writeInitialRamDisk(kernel, directory, join(directory, 'initrd.img'));
    await makeDisk(join(directory, 'disk'), host.disk);
    const status = await emulate(kernel, host, directory, request);
    const text = await readFile(join(directory, 'console'), 'utf8').catch(() => '');
    return { status, kernel: kernel.release, console: text };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function makeDisk(file: string, type: EmulatedHost['disk']): Promise<void> {
  await writeFile(file, '');
  await truncate(file, diskBytes);
  if (type === 'xfs') await runProgram('mkfs.xfs', ['-q', file]);
  else await runProgram('mkfs.ext4', ['-q', '-F', '-O', 'quota,project', '-E', 'quotatype=prjquota', file]);
}

async function emulate(
  kernel: KernelImage,
  host: EmulatedHost,
  directory: string,
  request: GuestRequest,
): Promise<number | undefined> {
  const output = createServer().listen(socketIn(directory));
  await once(output, 'listening');
  // The machine ends with this process, however that ends.
  const machine = spawn(
    'setpriv',
    ['--pdeathsig', 'KILL', 'qemu-system-x86_64', ...machineArguments(kernel, host, directory, request)],
    {
      stdio: ['ignore', 'ignore', 'pipe'],
    },
  );
  const timer = setTimeout(() => machine.kill('SIGKILL'), request.deadline);
  let complaints = '';
  machine.stderr.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  let status: number | undefined;
  output.once('connection', (connection) => {
    createInterface({ input: connection }).on('line', (line) => {
      const exit = new RegExp(`^${exitMark} (\\d+)`).exec(line)?.[1];
      if (exit === undefined) request.onLine?.(line);
      else status = Number(exit);
    });
  });
  const [code] = await once(machine, 'close');
  clearTimeout(timer);
  output.close();
  await once(output, 'close');
  if (code !== 0 && code !== null) throw new Error(`qemu-system-x86_64: exit code ${code}: ${complaints.trim()}`);
  return status;
}

const socketIn = (directory: string): string => join(directory, 'output.sock');

function machineArguments(
  kernel: KernelImage,
  { security }: EmulatedHost,
  directory: string,
  { programs }: Pick<GuestRequest, 'programs'>,
): readonly string[] {
  const script = join(directory, 'guest.sh');
  return [
    ...['-accel', accelerator, '-cpu', 'max', '-smp', '2'],
    ...['-m', `${memoryMebibytes}`, '-display', 'none', '-no-reboot', '-nic', 'none'],
    ...['-kernel', kernel.file, '-initrd', join(directory, 'initrd.img')],
    ...[
      '-append',
      [
        // Emulated on a machine with other work, the timer may not tick in time for the kernel's check of it.
        `console=ttyS0 quiet panic=-1 no_timer_check gantry.guest=${script}`,
        ...(programs === undefined ? [] : ['gantry.programs']),
        ...(security === 'selinux' ? ['security=selinux selinux=1 enforcing=0'] : []),
      ].join(' '),
    ],
    ...['-fsdev', 'local,id=host,path=/,security_model=none,readonly=on,multidevs=remap'],
    ...['-device', 'virtio-9p-pci,fsdev=host,mount_tag=host'],
    ...(programs === undefined ? [] : ['-fsdev', `local,id=programs,path=${programs},security_model=none,readonly=on`]),
    ...(programs === undefined ? [] : ['-device', 'virtio-9p-pci,fsdev=programs,mount_tag=programs']),
    ...['-drive', `file=${join(directory, 'disk')},if=virtio,format=raw,cache=unsafe`],
    ...['-serial', `file:${join(directory, 'console')}`, '-serial', `unix:${socketIn(directory)}`],
  ];
}
