import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Gate } from '../network/gate.js';
import type { Tool, Workshop } from '../tools/workshop.js';

export interface GitSettings {
  readonly gate?: Gate;
  readonly credentials?: { readonly url: URL; readonly username: string; readonly password: string };
  /** The file with those that vouch for servers; those of the host by default. */
  readonly authorityFile?: string;
  readonly allowLocalFiles?: boolean;
  readonly stallSeconds?: number;
}

/** Everything git is to know, in a file of mode 0600: nothing of it stands in a list of processes. */
function configuration(
  home: string,
  { gate, credentials, authorityFile, allowLocalFiles, stallSeconds = 300 }: GitSettings,
): string {
  const allowed = ['http', 'https', 'git', ...(allowLocalFiles === true ? ['file'] : [])];
  return [
    '[core]\nhooksPath = /dev/null\nfsmonitor = false\naskPass =\nattributesFile = /dev/null',
    '[init]\ndefaultBranch = master\ntemplateDir =',
    '[user]\nname = Gantry\nemail = gantry@localhost',
    '[gc]\nauto = 0',
    '[maintenance]\nauto = false',
    '[safe]\ndirectory = *',
    '[transfer]\nfsckObjects = true',
    // What old, harmless histories are full of; what could be an attack on a work tree is still refused.
    '[fetch "fsck"]\nzeroPaddedFilemode = ignore\nmissingSpaceBeforeDate = ignore\nbadTimezone = ignore',
    'missingSpaceBeforeEmail = ignore\nbadDate = ignore\nmissingEmail = ignore\nbadEmail = ignore\nbadName = ignore',
    '[fetch]\nunpackLimit = 1',
    '[fastimport]\nunpackLimit = 1',
    '[protocol]\nallow = never',
    ...allowed.map((scheme) => `[protocol "${scheme}"]\nallow = always`),
    '[http]\nlowSpeedLimit = 1',
    `lowSpeedTime = ${Math.ceil(stallSeconds)}`,
    ...(authorityFile === undefined ? [] : [`sslCAInfo = "${authorityFile}"`]),
    ...(gate === undefined
      ? []
      : [`proxy = http://${gate.user}:${gate.secret}@127.0.0.1:${gate.port}\nproxyAuthMethod = basic`]),
    ...(credentials === undefined
      ? []
      : [`[credential]\nhelper = "store --file='${join(home, 'credentials')}'"\nuseHttpPath = false`]),
    '',
  ].join('\n');
}

/** git with a configuration of its own: no hook, filter, helper or setting of the host or of a repository is used. */
export class Git {
  private constructor(private readonly workshop: Workshop) {}

  static async open(workshop: Workshop, settings: GitSettings = {}): Promise<Git> {
    const { home } = workshop;
    const { credentials } = settings;
    if (credentials !== undefined) {
      const { url, username, password } = credentials;
      // It is given to this origin alone, wherever that redirects to.
      const line = `${url.protocol}//${encodeURIComponent(username)}:${encodeURIComponent(password)}@${url.host}\n`;
      await writeFile(join(home, 'credentials'), line, { mode: 0o600 });
    }
    await writeFile(join(home, 'gitconfig'), configuration(home, settings), { mode: 0o600 });
    return new Git(workshop);
  }

  get environment(): Readonly<Record<string, string>> {
    return {
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: join(this.workshop.home, 'gitconfig'),
      GIT_ATTR_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_NO_REPLACE_OBJECTS: '1',
    };
  }

  /** One git command in a repository, or outside of all. */
  call(repository: string | undefined, args: readonly string[], rest: Partial<Tool> = {}): Tool {
    return {
      program: 'git',
      args,
      ...rest,
      env: { ...this.environment, ...(repository !== undefined && { GIT_DIR: repository }), ...rest.env },
    };
  }

  run(
    step: string,
    repository: string | undefined,
    args: readonly string[],
    rest: Partial<Tool> = {},
  ): Promise<Buffer> {
    return this.workshop.run(step, this.call(repository, args, rest));
  }

  /** What a command prints, without the last line's end. */
  async text(
    step: string,
    repository: string | undefined,
    args: readonly string[],
    rest: Partial<Tool> = {},
  ): Promise<string> {
    const printed = await this.run(step, repository, args, { ...rest, keep: true });
    return printed.toString('utf8').replace(/\n$/, '');
  }

  async lines(
    step: string,
    repository: string | undefined,
    args: readonly string[],
    rest: Partial<Tool> = {},
  ): Promise<readonly string[]> {
    const text = await this.text(step, repository, args, rest);
    return text === '' ? [] : text.split('\n');
  }
}
