import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SourceError } from '@gantry/core/contracts';
import { accessDenied, missingProgram, type ProgramCall, type SourceSession } from '@gantry/lib-source';

/** hg with its own configuration: no extension, hook or setting of the host or of a repository applies. */
export class Hg {
  private constructor(
    private readonly session: SourceSession,
    private readonly configuration: string,
  ) {}

  static async open(session: SourceSession): Promise<Hg> {
    const { sandbox, proxy, location, trust } = session;
    const { url, credentials } = location;
    // hg would send the credentials along with redirects.
    if (credentials !== undefined) proxy.restrictTo(url.hostname);
    const configuration = join(sandbox.home, 'hgrc');
    const lines = [
      '[ui]\ninteractive = False\nssh = false\nclonebundles = False\nmerge = internal:fail\nusername = Gantry',
      '[progress]\nassume-tty = True\ndelay = 0\nchangedelay = 0\nrefresh = 0.2\nwidth = 80\nformat = topic number',
      `[http_proxy]\nalways = True\nhost = 127.0.0.1:${proxy.port}\nuser = ${proxy.user}\npasswd = ${proxy.secret}`,
      '[subrepos]\nallowed = False',
      ...(trust === undefined ? [] : [`[web]\ncacerts = ${trust.bundle}`]),
      ...(credentials === undefined
        ? []
        : [
            `[auth]\nsource.prefix = ${url.host}\nsource.schemes = ${url.protocol.slice(0, -1)}`,
            `source.username = ${credentials.username}\nsource.password = ${credentials.password}`,
          ]),
      '',
    ];
    await writeFile(configuration, lines.join('\n'), { mode: 0o600 });
    return new Hg(session, configuration);
  }

  call(step: string, args: readonly string[], options: Partial<ProgramCall> = {}): ProgramCall {
    return {
      program: 'hg',
      args,
      env: { HGRCPATH: this.configuration, HGRCSKIPREPO: '1', HGENCODING: 'UTF-8' },
      explain: (output) => this.#explain(output, step),
      ...options,
    };
  }

  run(step: string, args: readonly string[], options: Partial<ProgramCall> = {}): Promise<Buffer> {
    return this.session.sandbox.run(step, this.call(step, args, options));
  }

  /** Rows of a template with tab-separated fields; those with arbitrary text are JSON. */
  async rows(step: string, repository: string, args: readonly string[]): Promise<readonly (readonly string[])[]> {
    const printed = await this.run(step, [...args.slice(0, 1), '-R', repository, ...args.slice(1)], { capture: true });
    const lines = printed.toString('utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => line.split('\t'));
  }

  #explain(output: string, step: string): SourceError | undefined {
    const { url } = this.session.location;
    if (/authorization (failed|required)|HTTP Error 40[13]/i.test(output)) {
      return accessDenied(this.session.location, step, output);
    }
    if (/certificate (verify failed|error)|CERTIFICATE_VERIFY_FAILED|unable to verify security/i.test(output)) {
      return new SourceError('unreachable', `the certificate of ${url.host} is not trusted`, step, output);
    }
    if (/failed to import extension hggit|unknown command 'gexport'/i.test(output))
      return missingProgram('hg-git', step);
    if (/not appear to be an hg repository|repository .* not found|HTTP Error 404/i.test(output)) {
      return new SourceError('not-a-repository', `there is no Mercurial repository at ${url.href}`, step, output);
    }
    if (/connection (refused|reset)|timed out|name or service|no route|HTTP Error 50\d|tunnel/i.test(output)) {
      return new SourceError('unreachable', `${url.host} cannot be reached`, step, output);
    }
    return undefined;
  }
}
