import { content, named, type Operations, parameter } from '@gantry/core/http';
import { Type } from '@sinclair/typebox';

/** What the route of commits does. */
export const operations: Operations = {
  'POST /commit': {
    summary: 'Makes an image of a container',
    query: {
      container: parameter.text('id or name'),
      repo: parameter.text('repository of the image'),
      tag: parameter.text('tag of the image'),
      comment: parameter.text('for the history'),
      author: parameter.text('of the image'),
      pause: parameter.flag('freeze the container meanwhile (the default)'),
      changes: parameter.texts('instructions of a Dockerfile'),
    },
    body: { ...content.undescribed('configuration of a container, laid over that of the container'), isOptional: true },
    answers: { 201: content.json(named('ImageCommitted', Type.Object({ Id: Type.String() }))) },
  },
};
