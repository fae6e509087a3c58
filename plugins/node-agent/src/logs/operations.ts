import { content, type Operation, type Operations, parameter } from '@gantry/core/http';

const logs = (summary: string): Operation => ({
  summary,
  query: {
    stdout: parameter.flag('standard output'),
    stderr: parameter.flag('standard error'),
    since: parameter.time('only later lines'),
    tail: parameter.text('so many lines from the end of each task, or all'),
    follow: parameter.flag('and what is written from now on'),
    timestamps: parameter.flag('each line with its time'),
    details: parameter.flag('each line with the task that it is of'),
  },
  answers: { 200: content.output },
});

/** What the routes of logs of tasks do. */
export const operations: Operations = {
  'GET /services/:id/logs': logs('Sends what the tasks of a service wrote'),
  'GET /tasks/:id/logs': logs('Sends what a task wrote'),
};
