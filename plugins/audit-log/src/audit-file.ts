import { type FileHandle, open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { Config, inject, injectable, PackageDirectories } from '@gantry/core/driver';
import { messageOf, unavailable } from '@gantry/core/errors';
import type { AuditConfig } from './config.js';

interface Waiting {
  readonly line: string;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/** The log on disk: lines that arrive together are made durable together. */
@injectable()
export class AuditFile {
  readonly #file: string;
  #handle: FileHandle | undefined;
  #size = 0;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;

  constructor(
    @inject(Config) private readonly config: AuditConfig,
    @inject(PackageDirectories) directories: PackageDirectories,
  ) {
    this.#file = config.file ?? path.join(directories.root, 'audit.jsonl');
  }

  /** Opens the log. Rejects `unavailable` naming the file; a request is then not served. */
  async check(): Promise<void> {
    try {
      this.#handle ??= await this.#open();
    } catch (cause) {
      throw unavailable(`the audit log ${this.#file} cannot be written: ${messageOf(cause)}`, { cause });
    }
  }

  /** Appends one record. Resolves when it survives a crash of the host; rejects `unavailable` when it is not stored. */
  append(record: object): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ line: `${JSON.stringify(record)}\n`, resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  /** Closes the log after what was appended. */
  async close(): Promise<void> {
    await this.#writing;
    await this.#handle?.close();
    this.#handle = undefined;
  }

  /** Never rejects. */
  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0);
      try {
        await this.#write(Buffer.from(batch.map(({ line }) => line).join('')));
        for (const { resolve } of batch) resolve();
      } catch (cause) {
        const error = unavailable(`the audit log ${this.#file} cannot be written: ${messageOf(cause)}`, { cause });
        for (const { reject } of batch) reject(error);
        await this.#handle?.close().catch(() => undefined);
        this.#handle = undefined;
      }
    }
    // In the same step as the last look: a line that arrives later starts the next write.
    this.#writing = undefined;
  }

  async #write(bytes: Buffer): Promise<void> {
    if (this.#size > 0 && this.#size + bytes.length > this.config.maxBytes) await this.#rotate();
    this.#handle ??= await this.#open();
    try {
      await this.#handle.appendFile(bytes);
      await this.#handle.datasync();
      this.#size += bytes.length;
    } catch (error) {
      // A part of a line would damage the next one.
      await this.#handle.truncate(this.#size).catch(() => undefined);
      throw error;
    }
  }

  /** `audit.jsonl` becomes `audit.jsonl.1`, which becomes `audit.jsonl.2`, and so on; the oldest is deleted. */
  async #rotate(): Promise<void> {
    await this.#handle?.close();
    this.#handle = undefined;
    const nameOf = (index: number): string => (index === 0 ? this.#file : `${this.#file}.${index}`);
    for (let index = this.config.maxFiles - 1; index >= 0; index--) {
      if (index === this.config.maxFiles - 1) await rm(nameOf(index), { force: true });
      else await rename(nameOf(index), nameOf(index + 1)).catch(ignoreAbsence);
    }
  }

  /** A line that a crash cut off is completed, so that it damages no other. */
  async #open(): Promise<FileHandle> {
    const handle = await open(this.#file, 'a+', 0o600);
    const { size } = await handle.stat();
    this.#size = size;
    const last = size === 0 ? '\n' : (await handle.read(Buffer.alloc(1), 0, 1, size - 1)).buffer.toString();
    if (last !== '\n') {
      await handle.appendFile('\n');
      this.#size += 1;
    }
    return handle;
  }
}

function ignoreAbsence(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}
