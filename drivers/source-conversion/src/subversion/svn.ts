import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Job } from '../job.js';
import { reachableUrl, refusedEntry } from '../location.js';
import { SourceError } from '../source-error.js';
import type { Tool } from '../tools/workshop.js';
import { unescapeXml } from './xml.js';

/** What a Subversion server says about a URL. */
export interface SubversionFacts {
  /** Of the whole repository, as the tools are to call it. */
  readonly root: string;
  /** Of the URL below the root, unescaped, without slashes at its ends; empty for the root. */
  readonly path: string;
  readonly uuid: string;
  /** The youngest revision. */
  readonly revision: number;
}

/** svn and its relatives, with a configuration of their own and the credentials from a pipe. */
export class Svn {
  private constructor(
    private readonly job: Job,
    private readonly configuration: string,
    /** The source's URL, as the tools are to call it. */
    readonly url: string,
  ) {}

  static async open(job: Job): Promise<Svn> {
    const { workshop, gate, location, context, trust } = job;
    const configuration = join(workshop.home, 'subversion');
    await mkdir(configuration, { mode: 0o700, recursive: true });
    const { credentials } = location;
    // Its tools give the credentials to whoever asks for some.
    if (credentials !== undefined) gate.confine(location.url.hostname);
    const servers = [
      '[global]',
      `http-proxy-host = 127.0.0.1\nhttp-proxy-port = ${gate.port}`,
      `http-proxy-username = ${gate.user}\nhttp-proxy-password = ${gate.secret}`,
      `http-timeout = ${Math.ceil(context.stallSeconds ?? 300)}`,
      ...(trust === undefined ? [] : [`ssl-authority-files = ${trust.files.join(';')}`]),
      'store-passwords = no\nstore-auth-creds = no',
      ...(credentials === undefined ? [] : [`username = ${credentials.username}`]),
      '',
    ];
    await writeFile(join(configuration, 'servers'), servers.join('\n'), { mode: 0o600 });
    await writeFile(join(configuration, 'config'), '[auth]\npassword-stores =\n', { mode: 0o600 });
    return new Svn(job, configuration, asArgument(await reachableUrl(location.url, context)));
  }

  /** A call of `svn` or `svnrdump` for a URL of the source. */
  call(program: string, args: readonly string[], step: string): Tool {
    const { credentials } = this.job.location;
    const common = ['--non-interactive', '--no-auth-cache', '--config-dir', this.configuration];
    const withPassword = credentials === undefined ? [] : ['--password-from-stdin'];
    return {
      program,
      args: [...args.slice(0, 1), ...common, ...withPassword, ...args.slice(1)],
      ...(credentials !== undefined && { input: `${credentials.password}\n` }),
      explain: (words) => this.#explain(words, step),
    };
  }

  async facts(step: string): Promise<SubversionFacts> {
    const xml = await this.#read(['info', '--xml', '--', `${this.url}@`], step);
    const tag = (name: string): string => unescapeXml(new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '');
    // The entry's own number is the youngest revision; that of its last commit stands further down.
    const revision = Number(/<entry\b[^>]*\brevision="(\d+)"/.exec(xml)?.[1]);
    const root = tag('root');
    const url = tag('url');
    if (root === '' || !url.startsWith(root)) {
      throw new SourceError('not-a-repository', 'the server does not say where its repository is', step);
    }
    const path = decodeURIComponent(url.slice(root.length)).replace(/^\/+|\/+$/g, '');
    return { root: asArgument(root), path, uuid: tag('uuid'), revision };
  }

  /** Names of the directories and files directly in a directory of the youngest revision. */
  async list(url: string, step: string): Promise<{ readonly directories: string[]; readonly files: string[] }> {
    const xml = await this.#read(['list', '--xml', '--', `${url}@`], step);
    const found: { directories: string[]; files: string[] } = { directories: [], files: [] };
    for (const [, kind, name = ''] of xml.matchAll(/<entry\s+kind="(\w+)"\s*>\s*<name>([^<]*)<\/name>/g)) {
      found[kind === 'dir' ? 'directories' : 'files'].push(unescapeXml(name));
    }
    return found;
  }

  async #read(args: readonly string[], step: string): Promise<string> {
    const printed = await this.job.workshop.run(step, { ...this.call('svn', args, step), keep: true });
    return printed.toString('utf8');
  }

  #explain(words: string, step: string): SourceError | undefined {
    const { url } = this.job.location;
    if (/E170001|E215004|E175013|E220001|E170013.*authoriz/i.test(words)) {
      return refusedEntry(this.job.location, step, words);
    }
    if (/E230001|certificate verification failed/.test(words)) {
      return new SourceError('unreachable', `the certificate of ${url.host} is not trusted`, step, words);
    }
    if (/E210005|E180001|E160013|E170000|E200009|E155007/.test(words)) {
      return new SourceError('not-a-repository', `there is no Subversion repository at ${url.href}`, step, words);
    }
    if (/E0001\d\d|E6700\d\d|E730\d\d\d|E120108|E175012|E210002/.test(words)) {
      return new SourceError('unreachable', `${url.host} cannot be reached`, step, words);
    }
    return undefined;
  }
}

/** Without what svn would take for a revision, and without the slash at the end it warns of. */
const asArgument = (url: string): string => url.replaceAll('@', '%40').replace(/\/+$/, '');
