import { at, each, ofObject, remove } from '../shapes.js';
import { step } from '../step.js';

const isEmpty = (value: unknown): boolean => !Array.isArray(value) || value.length === 0;

/** Images without a name had one that says so, and those without a digest had no list of them. */
const nameless = ofObject((image) => {
  if (!isEmpty(image.RepoDigests)) return image;
  if (!isEmpty(image.RepoTags)) return { ...image, RepoDigests: null };
  return { ...image, RepoTags: ['<none>:<none>'], RepoDigests: ['<none>@<none>'] };
});

/** What clients before 1.43 see. */
export default step('1.43', {
  'POST /containers/create': { body: at('HostConfig', remove('Annotations')) },
  'GET /images/json': { answer: each(nameless) },
});
