import { content, named, type Operations, parameter } from '@gantry/core/http';
import { Type } from '@sinclair/typebox';

const { flag, whole, text, texts, json } = parameter;
const textMap = Type.Record(Type.String(), Type.String());

/** What the routes of builds do. */
export const operations: Operations = {
  'POST /build': {
    summary: 'Builds an image from an archive with a build file, or from a session of BuildKit',
    query: {
      t: texts('names of the image'),
      buildfile: text('path of the build file in the archive; default Dockerfile'),
      remote: text('URL of the archive, of a repository or of a build file'),
      target: text('the stage to build'),
      buildargs: json(Type.Record(Type.String(), Type.Union([Type.String(), Type.Null()])), 'arguments of the build'),
      labels: json(textMap, 'labels of the image'),
      cachefrom: json(Type.Array(Type.String()), 'images whose steps may be used again'),
      ulimits: json(
        Type.Array(Type.Object({ Name: Type.String(), Soft: Type.Integer(), Hard: Type.Integer() })),
        'of steps',
      ),
      extrahosts: texts('NAME:ADDRESS for /etc/hosts of steps; also one JSON list'),
      q: flag('only the id of the image'),
      nocache: flag('run every step'),
      pull: flag('pull newer base images'),
      rm: flag('remove the containers of steps (the default)'),
      forcerm: flag('also when the build fails'),
      memory: whole('bytes for a step'),
      memswap: whole('bytes with swap; -1 is any'),
      cpushares: whole('weight of a step'),
      cpuperiod: whole('microseconds'),
      cpuquota: whole('microseconds in each period'),
      cpusetcpus: text('processors of steps'),
      cpusetmems: text('memory nodes of steps'),
      shmsize: whole('bytes of /dev/shm'),
      cgroupparent: text('of the containers of steps'),
      networkmode: text('of steps: default, none or host'),
      platform: text('only that of the engine'),
      isolation: text('only default'),
      squash: flag('refused'),
      securityopt: texts('refused'),
      version: text('1, or 2 for a session of BuildKit'),
      session: text('of BuildKit'),
      buildid: text('of BuildKit'),
      outputs: text('of BuildKit'),
    },
    headers: { 'X-Registry-Config': text('credentials by registry: JSON in base64') },
    body: { ...content.archive, isOptional: true },
    answers: { 200: content.lines(Type.Record(Type.String(), Type.Unknown())) },
  },
  'POST /build/prune': {
    summary: 'Deletes the cache of builds',
    query: {
      filters: parameter.filters([
        ...['description', 'id', 'inuse', 'mutable', 'parent', 'private', 'shared', 'type'],
        ...['until', 'unused-for', 'label', 'label!'],
      ]),
      'keep-storage': whole('bytes to keep; what older clients send'),
      'reserved-space': whole('bytes to keep'),
      'max-used-space': whole('most bytes'),
      'min-free-space': whole('bytes of the disk to free'),
    },
    answers: {
      200: content.json(
        named(
          'BuildCachePruned',
          Type.Object({
            CachesDeleted: Type.Union([Type.Array(Type.String()), Type.Null()]),
            SpaceReclaimed: Type.Integer(),
          }),
        ),
      ),
    },
  },
};
