import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

const buildFile = (image: string): string => `FROM ${image} AS packages
WORKDIR /application
COPY packages.txt .
RUN mkdir packages && for name in $(cat packages.txt); do echo "$name" > packages/$name; done

FROM ${image} AS compiled
WORKDIR /application
COPY --from=packages /application/packages packages
COPY source source
RUN cat packages/* source/* > program && chmod +x program

FROM ${image}
ENV MODE=production
WORKDIR /application
COPY --from=compiled /application/program .
RUN echo "application:x:1000:1000::/:/bin/sh" >> /etc/passwd
USER 1000
CMD ["/application/program"]
`;

/** A directory with an application that is built in three stages, from an image with the programs of busybox. */
export class Application {
  #changes = 0;

  constructor(
    readonly directory: string,
    private readonly image: string,
  ) {}

  /** Writes everything anew, with content that no build has seen. */
  async write(): Promise<void> {
    const source = path.join(this.directory, 'source');
    await mkdir(source, { recursive: true });
    await writeFile(path.join(this.directory, 'Dockerfile'), buildFile(this.image));
    const packages = Array.from({ length: 40 }, (_, number) => `package-${number}`);
    packages.push(`run-${process.pid}-${performance.now()}`);
    await writeFile(path.join(this.directory, 'packages.txt'), packages.join('\n'));
    for (let number = 0; number < 300; number += 1) {
      await writeFile(path.join(source, `module-${number}.js`), `export const value = ${number};\n`.repeat(60));
    }
    await this.change();
  }

  /** Changes a line of the second stage's files. */
  async change(): Promise<void> {
    this.#changes += 1;
    await writeFile(path.join(this.directory, 'source/main.js'), `// ${performance.now()} ${this.#changes}\n`);
  }
}
