import { content, type Operations, parameter } from '@gantry/core/http';

/** What the route of logs does. */
export const operations: Operations = {
  'GET /containers/:id/logs': {
    summary: 'Sends what a container wrote',
    query: {
      stdout: parameter.flag('standard output'),
      stderr: parameter.flag('standard error'),
      since: parameter.time('only later lines'),
      until: parameter.time('only earlier lines'),
      tail: parameter.text('so many lines from the end, or all'),
      follow: parameter.flag('and what is written from now on'),
      timestamps: parameter.flag('each line with its time'),
      details: parameter.flag('each line with the attributes of its log driver'),
    },
    answers: { 101: content.output, 200: content.output },
  },
};
