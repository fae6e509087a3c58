import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SourceError } from '@gantry/core/contracts';
import { accessDenied, type ProgramCall, reachableUrl, type SourceSession } from '@gantry/lib-source';
import { unescapeXml } from './unescape-xml.js';

/** A Subversion server's information about a URL. */
export interface SubversionInfo {
  /** The repository's root URL, as programs are passed it. */
  readonly root: string;
  /** The URL's path below the root, unescaped, without leading and trailing slashes; empty for the root. */
  readonly path: string;
  readonly uuid: string;
  /** The latest revision. */
  readonly revision: number;
}

/** Subversion's programs, with their own configuration and the password through a pipe. */
export class Svn {
  private constructor(
    private readonly session: SourceSession,
    private readonly configuration: string,
    /** The source's URL, as programs are passed it. */
    readonly url: string,
  ) {}

  static async open(session: SourceSession): Promise<Svn> {
    const { sandbox, proxy, location, context, trust } = session;
    const configuration = join(sandbox.home, 'subversion');
    await mkdir(configuration, { mode: 0o700, recursive: true });
    const { credentials } = location;
    // svn sends the credentials to any server that asks for some.
    if (credentials !== undefined) proxy.restrictTo(location.url.hostname);
    const servers = [
      '[global]',
      `http-proxy-host = 127.0.0.1\nhttp-proxy-port = ${proxy.port}`,
      `http-proxy-username = ${proxy.user}\nhttp-proxy-password = ${proxy.secret}`,
      `http-timeout = ${Math.ceil(context.stallSeconds ?? 300)}`,
      ...(trust === undefined ? [] : [`ssl-authority-files = ${trust.files.join(';')}`]),
      'store-passwords = no\nstore-auth-creds = no',
      ...(credentials === undefined ? [] : [`username = ${credentials.username}`]),
      '',
    ];
    await writeFile(join(configuration, 'servers'), servers.join('\n'), { mode: 0o600 });
    await writeFile(join(configuration, 'config'), '[auth]\npassword-stores =\n', { mode: 0o600 });
    return new Svn(session, configuration, asArgument(await reachableUrl(location.url, context)));
  }

  /** A call of `svn` or `svnrdump` for a URL of the source. */
  call(program: string, args: readonly string[], step: string): ProgramCall {
    const { credentials } = this.session.location;
    const common = ['--non-interactive', '--no-auth-cache', '--config-dir', this.configuration];
    const withPassword = credentials === undefined ? [] : ['--password-from-stdin'];
    return {
      program,
      args: [...args.slice(0, 1), ...common, ...withPassword, ...args.slice(1)],
      ...(credentials !== undefined && { input: `${credentials.password}\n` }),
      explain: (output) => this.#explain(output, step),
    };
  }

  async info(step: string): Promise<SubversionInfo> {
    const xml = await this.#read(['info', '--xml', '--', `${this.url}@`], step);
    const tag = (name: string): string => unescapeXml(new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1] ?? '');
    // The entry's own attribute is the latest revision; the `commit` element has that of its last change.
    const revision = Number(/<entry\b[^>]*\brevision="(\d+)"/.exec(xml)?.[1]);
    const root = tag('root');
    const url = tag('url');
    if (root === '' || !url.startsWith(root)) {
      throw new SourceError('not-a-repository', 'the server does not say where its repository is', step);
    }
    const path = decodeURIComponent(url.slice(root.length)).replace(/^\/+|\/+$/g, '');
    return { root: asArgument(root), path, uuid: tag('uuid'), revision };
  }

  /** Names of the directories and files directly in a directory of the latest revision. */
  async list(url: string, step: string): Promise<{ readonly directories: string[]; readonly files: string[] }> {
    const xml = await this.#read(['list', '--xml', '--', `${url}@`], step);
    const found: { directories: string[]; files: string[] } = { directories: [], files: [] };
    for (const [, kind, name = ''] of xml.matchAll(/<entry\s+kind="(\w+)"\s*>\s*<name>([^<]*)<\/name>/g)) {
      found[kind === 'dir' ? 'directories' : 'files'].push(unescapeXml(name));
    }
    return found;
  }

  async #read(args: readonly string[], step: string): Promise<string> {
    const printed = await this.session.sandbox.run(step, { ...this.call('svn', args, step), capture: true });
    return printed.toString('utf8');
  }

  #explain(output: string, step: string): SourceError | undefined {
    const { url } = this.session.location;
    if (/E170001|E215004|E175013|E220001|E170013.*authoriz/i.test(output)) {
      return accessDenied(this.session.location, step, output);
    }
    if (/E230001|certificate verification failed/.test(output)) {
      return new SourceError('unreachable', `the certificate of ${url.host} is not trusted`, step, output);
    }
    if (/E210005|E180001|E160013|E170000|E200009|E155007/.test(output)) {
      return new SourceError('not-a-repository', `there is no Subversion repository at ${url.href}`, step, output);
    }
    if (/E0001\d\d|E6700\d\d|E730\d\d\d|E120108|E175012|E210002/.test(output)) {
      return new SourceError('unreachable', `${url.host} cannot be reached`, step, output);
    }
    return undefined;
  }
}

/** Without an `@`, which svn takes for a peg revision, and without a trailing slash, which it warns of. */
const asArgument = (url: string): string => url.replaceAll('@', '%40').replace(/\/+$/, '');
