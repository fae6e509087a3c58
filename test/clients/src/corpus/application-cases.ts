import { corpusCase as of } from './corpus-case.js';

const script = (name: string): string => `#!/bin/sh\necho "${name}" "$@"\n`;

/** Builds shaped like those of applications, in several stages. */
export const applicationCases = [
  of(
    'packages in a stage of their own',
    `# syntax=docker/dockerfile:1
FROM busybox AS packages
WORKDIR /application
COPY package.json package-lock.json ./
RUN mkdir -p node_modules/left && echo "module" > node_modules/left/index.js
FROM busybox AS compiled
WORKDIR /application
COPY --from=packages /application/node_modules ./node_modules
COPY source ./source
RUN mkdir dist && cat source/*.js node_modules/left/index.js > dist/main.js
FROM busybox
ENV NODE_ENV=production PORT=8080
WORKDIR /application
COPY --from=compiled /application/dist ./dist
COPY --from=packages --chown=1000:1000 /application/node_modules ./node_modules
USER 1000
EXPOSE $PORT
HEALTHCHECK --interval=30s --timeout=3s --retries=2 CMD wget -q -O - http://localhost:$PORT/ || exit 1
CMD ["sh", "dist/main.js"]
`,
    { 'package.json': '{}', 'package-lock.json': '{}', 'source/a.js': 'a\n', 'source/b.js': 'b\n' },
  ),
  of(
    'a virtual environment copied from its builder',
    `FROM busybox AS builder
ENV VIRTUAL_ENV=/opt/venv
ENV PATH="$VIRTUAL_ENV/bin:$PATH"
RUN mkdir -p $VIRTUAL_ENV/bin && printf '#!/bin/sh\\nexec "$@"\\n' > $VIRTUAL_ENV/bin/python && chmod +x $VIRTUAL_ENV/bin/python
COPY requirements.txt .
RUN --mount=type=cache,target=/root/.cache/pip python cp requirements.txt /opt/venv/installed
FROM busybox
COPY --from=builder /opt/venv /opt/venv
ENV PATH=/opt/venv/bin:$PATH PYTHONUNBUFFERED=1
COPY app /app
WORKDIR /app
ENTRYPOINT ["python"]
CMD ["cat", "main.py"]
`,
    { 'requirements.txt': 'flask==3\n', 'app/main.py': 'print()\n' },
  ),
  of(
    'a static program on scratch',
    `FROM --platform=$BUILDPLATFORM busybox AS build
ARG TARGETOS TARGETARCH
WORKDIR /src
COPY go.mod ./
RUN --mount=type=cache,target=/go/pkg/mod --mount=type=bind,source=go.mod,target=/mod cat /mod > deps
COPY . .
RUN --mount=type=cache,target=/root/.cache echo "$TARGETOS" > /out && chmod 755 /out
FROM scratch
COPY --from=build /out /program
COPY --from=build /etc/passwd /etc/passwd
USER 65534:65534
ENTRYPOINT ["/program"]
`,
    { 'go.mod': 'module x\n', 'main.go': 'package main\n' },
  ),
  of(
    'targets of development, tests and production',
    `ARG BASE=busybox
FROM \${BASE} AS base
WORKDIR /srv
FROM base AS development
RUN false
FROM base AS test
COPY run.sh* .
RUN ["/bin/sh", "-c", "exit 0"]
FROM base AS production
LABEL stage=production
COPY --chmod=755 run.sh .
CMD ./run.sh
`,
    { 'run.sh*': script('run') },
    ['--target', 'production'],
  ),
  of(
    'a stage named by a number and copied twice',
    `FROM busybox
RUN echo zero > /zero
FROM busybox
RUN echo one > /one
FROM busybox
COPY --from=0 /zero /a/
COPY --from=1 /one /a/
COPY --from=0 /zero /a/again
`,
  ),
  of(
    'a stage that continues another one',
    `FROM busybox AS first
ENV A=1
RUN echo "$A" > /a
FROM first AS second
ENV A=2 B=$A
RUN echo "$A $B" > /b
FROM second
RUN echo "$A $B" > /c
`,
  ),
  of(
    'an unused stage that cannot be built',
    `FROM absent.invalid/none AS unused
RUN false
FROM busybox
RUN echo built > /built
`,
  ),
  of(
    'a user that owns what is copied',
    `FROM busybox
RUN echo 'app:x:1234:2345:app:/srv/app:/bin/sh' >> /etc/passwd && echo 'app:x:2345:' >> /etc/group
COPY --chown=app:app tree /srv/app/
COPY --chown=app tree/a /owned-by-name
COPY --chown=7 tree/a /owned-by-number
USER app
WORKDIR /srv/app/work
RUN touch made && id -u > uid
`,
    { 'tree/a': 'a', 'tree/d/b': 'b' },
  ),
  of(
    'triggers of a base',
    `FROM busybox AS base
ONBUILD COPY f /triggered/
ONBUILD RUN cat /triggered/f > /triggered/copy
FROM base
RUN ls /triggered > /listing
`,
    { f: 'f' },
  ),
  of(
    'a context that leaves files out',
    `FROM busybox
COPY . /all/
`,
    {
      '.dockerignore': '# comment\n*.log\n!keep.log\nnode_modules\n**/*.tmp\n/only-root\n',
      'a.log': 'a',
      'keep.log': 'k',
      'node_modules/x': 'x',
      'd/y.tmp': 'y',
      'd/only-root': 'z',
      'only-root': 'o',
      'd/e/f': 'f',
    },
  ),
];
