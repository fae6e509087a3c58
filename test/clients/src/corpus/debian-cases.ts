import { type CorpusCase, corpusCase } from './corpus-case.js';

const of = (name: string, Dockerfile: string, files: Readonly<Record<string, string>>): CorpusCase => ({
  ...corpusCase(name, `ARG DEBIAN\n${Dockerfile}`, files),
  needsDebian: true,
});

/** Applications that the compilers and interpreters of Debian build, whose image `--debian` names. */
export const debianCases: readonly CorpusCase[] = [
  of(
    'an application of Node',
    `FROM $DEBIAN AS packages
WORKDIR /application
COPY package.json ./
COPY vendor vendor
RUN mkdir -p node_modules && cp -r vendor/greeting node_modules/greeting
FROM packages AS compiled
COPY source source
COPY build.js ./
RUN --mount=type=cache,target=/root/.cache node build.js
FROM compiled AS tested
RUN node --check dist/main.js && node dist/main.js > /tmp/said && grep -q 'hello, world' /tmp/said
FROM busybox
ENV NODE_ENV=production
WORKDIR /application
COPY --from=packages --chown=1000:1000 /application/node_modules node_modules
COPY --from=tested --chown=1000:1000 /application/dist dist
USER 1000
CMD ["node", "dist/main.js"]
`,
    {
      'package.json': '{ "name": "application", "dependencies": { "greeting": "file:vendor/greeting" } }\n',
      'vendor/greeting/package.json': '{ "name": "greeting", "version": "1.0.0", "main": "index.js" }\n',
      'vendor/greeting/index.js': 'module.exports = (name) => ["hello", name].join(", ");\n',
      'source/name.js': "const name = 'world';\n",
      'source/say.js': "console.log(require('greeting')(name));\n",
      'build.js': `const fs = require('fs');
const parts = fs.readdirSync('source').sort().map((file) => fs.readFileSync('source/' + file, 'utf8'));
fs.mkdirSync('dist');
fs.writeFileSync('dist/main.js', parts.join(''));
`,
    },
  ),
  of(
    'an application of Python',
    `FROM $DEBIAN AS compiled
WORKDIR /srv
COPY application application
RUN python3 -m compileall -q --invalidation-mode unchecked-hash application
RUN python3 -c 'from application.main import total; assert total([1, 2]) == 3'
FROM busybox
RUN echo 'app:x:1234:1234::/srv:/bin/sh' >> /etc/passwd
COPY --from=compiled --chown=1234:1234 /srv/application /srv/application
COPY --chmod=755 <<'EOF' /usr/local/bin/entry
#!/bin/sh
exec python3 -B -m application.main "$@"
EOF
WORKDIR /srv
USER app
ENTRYPOINT ["entry"]
`,
    {
      'application/__init__.py': '',
      'application/main.py': `def total(numbers):
    return sum(numbers)


if __name__ == "__main__":
    print(total([1, 2, 3]))
`,
    },
  ),
  of(
    'a static program of C',
    `FROM $DEBIAN AS compiled
WORKDIR /src
COPY Makefile *.c *.h ./
RUN make --silent program && ./program | grep -q '^42$'
FROM scratch
COPY --from=compiled /etc/passwd /etc/passwd
COPY --from=compiled /src/program /program
USER 65534:65534
ENTRYPOINT ["/program"]
`,
    {
      Makefile: `CFLAGS = -O2 -Wall -Werror -static
LDFLAGS = -Wl,--build-id=none
program: main.o answer.o
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^
`,
      'answer.h': 'int answer(void);\n',
      'answer.c': '#include "answer.h"\nint answer(void) { return 42; }\n',
      'main.c': '#include <stdio.h>\n#include "answer.h"\nint main(void) { return printf("%d\\n", answer()) < 0; }\n',
    },
  ),
];
