import { content, named, type Operations, parameter } from '@gantry/core/http';
import { Type } from '@sinclair/typebox';

const counters = Type.Record(Type.String(), Type.Unknown(), {
  description: 'counters of the control group, as the version of cgroups has them; not described one by one',
});

const Stats = named(
  'ContainerStats',
  Type.Object({
    id: Type.Optional(Type.String()),
    name: Type.Optional(Type.String()),
    read: Type.String(),
    preread: Type.Optional(Type.String()),
    cpu_stats: counters,
    precpu_stats: counters,
    memory_stats: counters,
    blkio_stats: Type.Optional(counters),
    pids_stats: Type.Optional(counters),
    networks: Type.Optional(Type.Record(Type.String(), Type.Record(Type.String(), Type.Unknown()))),
  }),
);

/** What the route of statistics does. */
export const operations: Operations = {
  'GET /containers/:id/stats': {
    summary: 'Measures a container, about once each second',
    query: {
      stream: parameter.flag('again and again (the default), and not once'),
      'one-shot': parameter.flag('at once, without an earlier value to compare with; with stream=false'),
    },
    answers: { 200: content.lines(Stats) },
  },
};
