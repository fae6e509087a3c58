// Shared by all pages: sign-in with a token and sign-out. Pages are ordinary clients of the API.

const key = 'gantry-hosted-token';

/** The hooks of the current page; see `openPage`. */
let page;

export const at = (id) => document.getElementById(id);

/** Creates an element. Text is never parsed as HTML, since names and titles are untrusted. */
export function element(name, properties, ...children) {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...children);
  return created;
}

export const button = (words, onclick) => element('button', { type: 'button', textContent: words, onclick });

/** Shows a message to the user, replacing the previous one. */
export function say(words = '') {
  at('message').textContent = words;
}

/** Sends a request to the API. Rejects with the API's error message; signs the user out if the token is invalid. */
export async function ask(method, path, body, headers = {}) {
  const token = sessionStorage.getItem(key);
  const answer = await fetch(path, {
    method,
    cache: 'no-store',
    headers: { Authorization: `Bearer ${token}`, ...headers },
    ...(body && { body: JSON.stringify(body) }),
  });
  // The user signed out, or another one signed in, while the request was pending.
  if (sessionStorage.getItem(key) !== token) throw new Error('You have signed out.');
  if (answer.status === 401) {
    leave();
    throw new Error('This token is not valid.');
  }
  if (answer.status >= 400) throw new Error(await reasonOf(answer));
  return answer;
}

async function reasonOf(answer) {
  const { message, errors = [] } = await answer.json();
  return [message, ...errors.map(({ field, message: words, code }) => `${field}: ${words ?? code}`)].join('; ');
}

/** Runs a function and shows its error to the user. */
export async function attempt(run) {
  try {
    await run();
  } catch (error) {
    say(error.message);
  }
}

/**
 * Returns a function that calls `load`, and calls it again after the number of milliseconds it resolved to, while a user
 * is signed in. After an error the previous interval applies.
 */
export function repeating(load) {
  let wait = 60_000;
  let timer;
  const again = async () => {
    clearTimeout(timer);
    if (!isSignedIn()) return;
    await attempt(async () => {
      wait = await load();
    });
    clearTimeout(timer);
    if (isSignedIn()) timer = setTimeout(again, wait);
  };
  return again;
}

/** Opens the page: `enter` fills it after sign-in, `leave` clears it on sign-out. */
export function openPage({ enter, leave: empty }) {
  page = { enter, empty };
  at('entry').addEventListener('submit', (event) => {
    event.preventDefault();
    sessionStorage.setItem(key, at('token').value.trim());
    at('token').value = '';
    attempt(signIn);
  });
  at('leave').addEventListener('click', leave);
  attempt(showPages);
  if (isSignedIn()) attempt(signIn);
  else leave();
}

const isSignedIn = () => sessionStorage.getItem(key) !== null;

async function signIn() {
  say();
  at('entry').hidden = true;
  at('leave').hidden = false;
  const { login } = await (await ask('GET', '/user')).json();
  at('user').textContent = login;
  at('content').hidden = false;
  await page.enter();
}

function leave() {
  sessionStorage.removeItem(key);
  say();
  at('user').textContent = '';
  page.empty();
  for (const id of ['content', 'leave']) at(id).hidden = true;
  at('entry').hidden = false;
}

async function showPages() {
  const pages = await (await fetch('/pages')).json();
  at('pages').replaceChildren(...pages.map(({ title, path }) => element('a', { href: path, textContent: title })));
}
