import { content, type Operations } from '@gantry/core/http';

/** What the route of the doctor does. */
export const operations: Operations = {
  'GET /doctor': {
    summary: 'Examines host and engine',
    answers: { 200: content.undescribed('findings, as gantryd doctor --json prints them') },
  },
};
