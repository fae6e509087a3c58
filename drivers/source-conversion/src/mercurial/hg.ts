import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Job } from '../job.js';
import { refusedEntry } from '../location.js';
import { SourceError } from '../source-error.js';
import { missingProgram } from '../tools/missing-program.js';
import type { Tool } from '../tools/workshop.js';

/** hg with a configuration of its own: no extension, hook or setting of the host or of a repository is used. */
export class Hg {
  private constructor(
    private readonly job: Job,
    private readonly configuration: string,
  ) {}

  static async open(job: Job): Promise<Hg> {
    const { workshop, gate, location, trust } = job;
    const { url, credentials } = location;
    // Wherever the source redirects to, the credentials would go with it.
    if (credentials !== undefined) gate.confine(url.hostname);
    const configuration = join(workshop.home, 'hgrc');
    const lines = [
      '[ui]\ninteractive = False\nssh = false\nclonebundles = False\nmerge = internal:fail\nusername = Gantry',
      '[progress]\nassume-tty = True\ndelay = 0\nchangedelay = 0\nrefresh = 0.2\nwidth = 80\nformat = topic number',
      `[http_proxy]\nalways = True\nhost = 127.0.0.1:${gate.port}\nuser = ${gate.user}\npasswd = ${gate.secret}`,
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
    return new Hg(job, configuration);
  }

  call(step: string, args: readonly string[], rest: Partial<Tool> = {}): Tool {
    return {
      program: 'hg',
      args,
      env: { HGRCPATH: this.configuration, HGRCSKIPREPO: '1', HGENCODING: 'UTF-8' },
      explain: (words) => this.#explain(words, step),
      ...rest,
    };
  }

  run(step: string, args: readonly string[], rest: Partial<Tool> = {}): Promise<Buffer> {
    return this.job.workshop.run(step, this.call(step, args, rest));
  }

  /** Rows of a template whose fields are separated by tabs; those that may hold anything are in JSON. */
  async rows(step: string, repository: string, args: readonly string[]): Promise<readonly (readonly string[])[]> {
    const printed = await this.run(step, [...args.slice(0, 1), '-R', repository, ...args.slice(1)], { keep: true });
    const lines = printed.toString('utf8').split('\n');
    return lines.filter((line) => line !== '').map((line) => line.split('\t'));
  }

  #explain(words: string, step: string): SourceError | undefined {
    const { url } = this.job.location;
    if (/authorization (failed|required)|HTTP Error 40[13]/i.test(words)) {
      return refusedEntry(this.job.location, step, words);
    }
    if (/certificate (verify failed|error)|CERTIFICATE_VERIFY_FAILED|unable to verify security/i.test(words)) {
      return new SourceError('unreachable', `the certificate of ${url.host} is not trusted`, step, words);
    }
    if (/failed to import extension hggit|unknown command 'gexport'/i.test(words))
      return missingProgram('hg-git', step);
    if (/not appear to be an hg repository|repository .* not found|HTTP Error 404/i.test(words)) {
      return new SourceError('not-a-repository', `there is no Mercurial repository at ${url.href}`, step, words);
    }
    if (/connection (refused|reset)|timed out|name or service|no route|HTTP Error 50\d|tunnel/i.test(words)) {
      return new SourceError('unreachable', `${url.host} cannot be reached`, step, words);
    }
    return undefined;
  }
}
