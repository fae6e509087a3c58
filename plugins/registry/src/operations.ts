import { content, named, type Operations, parameter } from '@gantry/core/http';
import { Type } from '@sinclair/typebox';
import { loginBody } from './login-body.js';
import { searchFilters } from './search-repositories.js';

const { text } = parameter;
const auth = { 'X-Registry-Auth': text('credentials: JSON in base64') };

/** What the routes of registries do. */
export const operations: Operations = {
  'POST /images/*name/push': {
    summary: 'Pushes an image',
    query: { tag: text('all tags of the repository without it'), platform: text('JSON of one platform to push') },
    headers: auth,
    answers: { 200: content.lines(Type.Record(Type.String(), Type.Unknown())) },
  },
  'GET /distribution/*name/json': {
    summary: 'Describes an image of a registry',
    headers: auth,
    answers: {
      200: content.json(
        named(
          'DistributionDetails',
          Type.Object({
            Descriptor: Type.Object({ mediaType: Type.String(), digest: Type.String(), size: Type.Integer() }),
            Platforms: Type.Array(Type.Record(Type.String(), Type.Unknown())),
          }),
        ),
      ),
    },
  },
  'GET /images/search': {
    summary: 'Searches a registry',
    query: {
      term: text('what to look for'),
      limit: parameter.whole('most results'),
      filters: parameter.filters(searchFilters),
    },
    headers: auth,
    answers: {
      200: content.json(
        Type.Array(
          named(
            'SearchResult',
            Type.Object({
              name: Type.String(),
              description: Type.String(),
              star_count: Type.Integer(),
              is_official: Type.Boolean(),
              is_automated: Type.Boolean(),
            }),
          ),
        ),
      ),
    },
  },
  'POST /auth': {
    summary: 'Checks credentials with a registry',
    body: content.json(named('LoginBody', loginBody)),
    answers: {
      200: content.json(named('LoginResult', Type.Object({ Status: Type.String(), IdentityToken: Type.String() }))),
    },
  },
};
