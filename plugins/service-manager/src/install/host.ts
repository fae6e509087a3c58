import { mkdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { replaceFile } from '@gantry/core/driver';
import { unavailable } from '@gantry/core/errors';
import type { Launcher, RunResult } from '@gantry/lib-linux/launcher';

/** The host that the engine is installed on: its files and programs. */
export class Host {
  /**
   * @param environment of the programs.
   * @param root where the host's files are; empty outside of tests.
   */
  constructor(
    private readonly launcher: Launcher,
    private readonly environment: Readonly<Record<string, string>>,
    private readonly root = '',
  ) {}

  /** Undefined where there is no such file. */
  async read(file: string): Promise<string | undefined> {
    return readFile(this.root + file, 'utf8').catch(undefinedWhenAbsent);
  }

  async hasDirectory(directory: string): Promise<boolean> {
    return (await stat(this.root + directory).catch(undefinedWhenAbsent))?.isDirectory() ?? false;
  }

  /** All of it, or nothing. */
  async write(file: string, text: string): Promise<void> {
    await mkdir(dirname(this.root + file), { recursive: true });
    await replaceFile(this.root + file, text, { mode: 0o644 });
  }

  async remove(file: string): Promise<void> {
    await rm(this.root + file, { force: true });
  }

  /** @returns what the program printed. @throws EngineError `unavailable` with what it complained about, when it fails. */
  async run(program: string, ...args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.#run(program, args);
    if (code === 0) return stdout.toString();
    const said = stderr.toString().trim();
    throw unavailable(`"${[program, ...args].join(' ')}" failed${said === '' ? ` with ${code}` : `: ${said}`}`);
  }

  async succeeds(program: string, ...args: readonly string[]): Promise<boolean> {
    return (await this.#run(program, args)).code === 0;
  }

  #run(program: string, args: readonly string[]): Promise<RunResult> {
    return this.launcher.run(program, args, { env: this.environment });
  }
}

function undefinedWhenAbsent(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}
