import { content, named, type Operations, parameter } from '@gantry/core/http';
import { Type } from '@sinclair/typebox';

const whole = Type.Integer();
const optional = Type.Optional(whole);

const Cpu = named(
  'CpuStats',
  Type.Object({
    cpu_usage: Type.Object({
      total_usage: whole,
      percpu_usage: Type.Optional(Type.Array(whole)),
      usage_in_kernelmode: whole,
      usage_in_usermode: whole,
    }),
    system_cpu_usage: whole,
    online_cpus: optional,
    throttling_data: Type.Object({ periods: whole, throttled_periods: whole, throttled_time: whole }),
  }),
);

const entries = Type.Union([
  Type.Array(Type.Object({ major: whole, minor: whole, op: Type.String(), value: whole })),
  Type.Null(),
]);
const Blkio = Type.Object({
  io_service_bytes_recursive: entries,
  io_serviced_recursive: entries,
  io_queue_recursive: entries,
  io_service_time_recursive: entries,
  io_wait_time_recursive: entries,
  io_merged_recursive: entries,
  io_time_recursive: entries,
  sectors_recursive: entries,
});

const Interface = Type.Object({
  rx_bytes: whole,
  rx_packets: whole,
  rx_errors: whole,
  rx_dropped: whole,
  tx_bytes: whole,
  tx_packets: whole,
  tx_errors: whole,
  tx_dropped: whole,
});

const Stats = named(
  'ContainerStats',
  Type.Object({
    id: Type.String(),
    name: Type.String(),
    read: Type.String(),
    preread: Type.String(),
    num_procs: whole,
    storage_stats: Type.Object({}),
    cpu_stats: Cpu,
    precpu_stats: Cpu,
    memory_stats: Type.Object({
      usage: optional,
      max_usage: optional,
      failcnt: optional,
      limit: optional,
      stats: Type.Optional(
        Type.Record(Type.String(), whole, { description: 'by the names that the version of cgroups has' }),
      ),
    }),
    blkio_stats: Blkio,
    pids_stats: Type.Object({ current: optional, limit: optional }),
    networks: Type.Optional(Type.Record(Type.String(), Interface, { description: 'by the names of interfaces' })),
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
