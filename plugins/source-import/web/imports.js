// Imports in a browser.

import { ImportView, isWorking } from '/imports/view.js';
import { ask, at, attempt, element, openPage, repeating, say } from '/pages/page.js';

/** `target` is the import that the address names, until it is shown. */
const state = { etag: undefined, views: new Map(), target: decodeURIComponent(location.hash.slice(1)) };

const importOf = (fullName) => `/repos/${fullName.split('/').map(encodeURIComponent).join('/')}/import`;

const actions = {
  change: (name, body) => act(() => ask('PATCH', importOf(name), body)),
  cancel: (name) => act(() => ask('DELETE', importOf(name))),
  map: (name, id, body) => act(() => ask('PATCH', `${importOf(name)}/authors/${id}`, body)),
  choose: (name, choice) => act(() => ask('PATCH', `${importOf(name)}/lfs`, { use_lfs: choice })),
  authors: async (name) => (await ask('GET', `${importOf(name)}/authors`)).json(),
  files: async (name) => (await ask('GET', `${importOf(name)}/large_files`)).json(),
};

/** What is unchanged costs nothing of the rate limit, so that figures may move every second. */
const load = repeating(async () => {
  const answer = await ask('GET', '/user/imports', undefined, state.etag ? { 'If-None-Match': state.etag } : {});
  if (answer.status !== 304) {
    const imports = await answer.json();
    show(imports);
    state.etag = answer.headers.get('ETag');
    state.wait = imports.some(isWorking) ? 1000 : 15_000;
  }
  return state.wait;
});

function show(imports) {
  for (const found of imports) {
    const name = found.full_name;
    let view = state.views.get(name);
    if (view === undefined) {
      view = new ImportView(name, actions);
      state.views.set(name, view);
    }
    view.update(found);
  }
  const names = new Set(imports.map(({ full_name: name }) => name));
  for (const name of state.views.keys()) if (!names.has(name)) state.views.delete(name);
  const nodes = imports.map(({ full_name: name }) => state.views.get(name).node);
  // Moving an element that is there would take the focus out of it.
  if (
    nodes.some((node, index) => at('imports').children[index] !== node) ||
    at('imports').children.length > nodes.length
  ) {
    at('imports').replaceChildren(...nodes);
  }
  if (state.target) document.getElementById(state.target)?.scrollIntoView();
  state.target = undefined;
}

async function act(run) {
  say();
  await attempt(run);
  await load();
}

at('start').addEventListener('submit', (event) => {
  event.preventDefault();
  const { repository, ...fields } = Object.fromEntries(new FormData(at('start')));
  const body = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
  at('start').elements.vcs_password.value = '';
  act(() => ask('PUT', importOf(repository), body));
});

openPage({
  async enter() {
    const repositories = await (await ask('GET', '/user/repos?per_page=100')).json();
    at('repositories').replaceChildren(...repositories.map(({ full_name: value }) => element('option', { value })));
    await load();
  },
  leave() {
    Object.assign(state, { etag: undefined, views: new Map() });
    at('imports').replaceChildren();
  },
});
