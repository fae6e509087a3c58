import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FilteringProxy } from '../network/filtering-proxy.js';
import type { ProgramCall, ToolSandbox } from '../sandbox/tool-sandbox.js';

interface GitSettings {
  readonly proxy?: FilteringProxy;
  readonly credentials?: { readonly url: URL; readonly username: string; readonly password: string };
  /** A file with the trusted certificates; the host's by default. */
  readonly authorityFile?: string;
  readonly allowLocalFiles?: boolean;
  readonly stallSeconds?: number;
}

/** git's whole configuration, for a file of mode 0600: no credential is visible in the process list. */
function configuration(
  home: string,
  { proxy, credentials, authorityFile, allowLocalFiles, stallSeconds = 300 }: GitSettings,
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
    // Common in old histories and harmless; what could attack a work tree is still refused.
    '[fetch "fsck"]\nzeroPaddedFilemode = ignore\nmissingSpaceBeforeDate = ignore\nbadTimezone = ignore',
    'missingSpaceBeforeEmail = ignore\nbadDate = ignore\nmissingEmail = ignore\nbadEmail = ignore\nbadName = ignore',
    '[fetch]\nunpackLimit = 1',
    '[fastimport]\nunpackLimit = 1',
    '[protocol]\nallow = never',
    ...allowed.map((scheme) => `[protocol "${scheme}"]\nallow = always`),
    '[http]\nlowSpeedLimit = 1',
    `lowSpeedTime = ${Math.ceil(stallSeconds)}`,
    ...(authorityFile === undefined ? [] : [`sslCAInfo = "${authorityFile}"`]),
    ...(proxy === undefined
      ? []
      : [`proxy = http://${proxy.user}:${proxy.secret}@127.0.0.1:${proxy.port}\nproxyAuthMethod = basic`]),
    ...(credentials === undefined
      ? []
      : [`[credential]\nhelper = "store --file='${join(home, 'credentials')}'"\nuseHttpPath = false`]),
    '',
  ].join('\n');
}

/** git with its own configuration: no hook, filter, helper or setting of the host or of a repository applies. */
export class Git {
  private constructor(private readonly sandbox: ToolSandbox) {}

  static async open(sandbox: ToolSandbox, settings: GitSettings = {}): Promise<Git> {
    const { home } = sandbox;
    const { credentials } = settings;
    if (credentials !== undefined) {
      const { url, username, password } = credentials;
      // The helper answers for this origin only, also after redirects.
      const line = `${url.protocol}//${encodeURIComponent(username)}:${encodeURIComponent(password)}@${url.host}\n`;
      await writeFile(join(home, 'credentials'), line, { mode: 0o600 });
    }
    await writeFile(join(home, 'gitconfig'), configuration(home, settings), { mode: 0o600 });
    return new Git(sandbox);
  }

  get environment(): Readonly<Record<string, string>> {
    return {
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: join(this.sandbox.home, 'gitconfig'),
      GIT_ATTR_NOSYSTEM: '1',
      GIT_TERMINAL_PROMPT: '0',
      GIT_NO_REPLACE_OBJECTS: '1',
    };
  }

  /** One git command, in a repository or outside of any. */
  call(repository: string | undefined, args: readonly string[], options: Partial<ProgramCall> = {}): ProgramCall {
    return {
      program: 'git',
      args,
      ...options,
      env: { ...this.environment, ...(repository !== undefined && { GIT_DIR: repository }), ...options.env },
    };
  }

  run(
    step: string,
    repository: string | undefined,
    args: readonly string[],
    options: Partial<ProgramCall> = {},
  ): Promise<Buffer> {
    return this.sandbox.run(step, this.call(repository, args, options));
  }

  /** The output of a command, without the final newline. */
  async text(
    step: string,
    repository: string | undefined,
    args: readonly string[],
    options: Partial<ProgramCall> = {},
  ): Promise<string> {
    const printed = await this.run(step, repository, args, { ...options, capture: true });
    return printed.toString('utf8').replace(/\n$/, '');
  }

  async lines(
    step: string,
    repository: string | undefined,
    args: readonly string[],
    options: Partial<ProgramCall> = {},
  ): Promise<readonly string[]> {
    const text = await this.text(step, repository, args, options);
    return text === '' ? [] : text.split('\n');
  }
}
