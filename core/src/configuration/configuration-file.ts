import { open, readFile, realpath, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { conflict } from '../errors/engine-error.js';
import { syncPath } from '../files/sync-path.js';
import { readConfigFile } from '../kernel/configuration/kernel-config.js';

/** A configuration file with its text at one moment, so that another change of it is not overwritten. */
interface ConfigurationText {
  readonly text: string;
  readonly content: Readonly<Record<string, unknown>>;
}

/** The operator's configuration file, which commands change. */
export class ConfigurationFile {
  readonly directory: string;

  constructor(readonly file: string) {
    this.directory = path.dirname(path.resolve(file));
  }

  /** @throws EngineError `invalid-argument` naming file and place. */
  async read(): Promise<ConfigurationText> {
    const content = await readConfigFile(this.file);
    return { content, text: await readFile(this.file, 'utf8') };
  }

  /**
   * Replaces the content durably and at once: a reader, also after a crash, finds the old one or the new one.
   * @throws EngineError `conflict` when the file is not what it was.
   */
  async replace(before: ConfigurationText, content: Readonly<Record<string, unknown>>): Promise<() => Promise<void>> {
    const text = `${JSON.stringify(content, undefined, indentOf(before.text))}\n`;
    await this.#write(text, before.text);
    return () => this.#write(before.text, text);
  }

  async #write(text: string, expected: string): Promise<void> {
    // A link, such as that of a configuration under version control, stays one.
    const file = await realpath(this.file);
    if ((await readFile(file, 'utf8')) !== expected) {
      throw conflict(`${this.file} was changed meanwhile; repeat the command`);
    }
    const { mode, uid, gid } = await stat(file);
    const draft = `${file}.new`;
    await rm(draft, { force: true });
    const handle = await open(draft, 'wx', mode & 0o777);
    try {
      await handle.writeFile(text);
      await handle.chmod(mode & 0o777);
      await handle.chown(uid, gid);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(draft, file);
    await syncPath(path.dirname(file));
  }
}

/** The indentation that the file has. */
const indentOf = (text: string): string | number => /^\s*\{\s*\n([ \t]+)"/.exec(text)?.[1] ?? 2;
