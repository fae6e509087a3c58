// What the page shows of one import. Names and addresses come from anywhere: they are put in as texts only.

import { button, element } from '/pages/page.js';

const working = ['detecting', 'importing', 'mapping', 'pushing'];

export const isWorking = ({ status }) => working.includes(status);

/** One article that is made once and then brought up to date, so that nothing that is typed in gets lost. */
export class ImportView {
  constructor(fullName, actions) {
    this.fullName = fullName;
    this.actions = actions;
    this.text = element('p', { className: 'status' });
    this.bar = element('progress', { max: 100 });
    this.needs = element('div', { className: 'needs' });
    this.authors = element('details', {}, element('summary', {}));
    this.files = element('details', { hidden: true }, element('summary', {}));
    this.authors.addEventListener('toggle', () => this.authors.open && this.showAuthors());
    this.files.addEventListener('toggle', () => this.files.open && this.showFiles());
    this.source = element('p', { className: 'source' });
    this.node = element(
      'article',
      { className: 'card' },
      element('h2', { textContent: fullName }),
      this.source,
      this.text,
      this.bar,
      this.needs,
      this.authors,
      this.files,
      element(
        'p',
        {},
        button('Restart', () => actions.change(fullName, {})),
        button('Cancel', () => actions.cancel(fullName)),
      ),
    );
    this.node.id = fullName;
    this.node.dataset.name = fullName;
  }

  update(found) {
    const { status, status_text: words, percent, push_percent: pushPercent, commit_count: commits } = found;
    const moved = this.status !== status;
    this.status = status;
    this.node.dataset.status = status;
    this.source.textContent = `${found.vcs ?? 'unknown kind'} · ${found.vcs_url}`;
    const reason = found.error_message ?? found.message ?? '';
    const count = commits === undefined ? '' : ` ${commits} commits`;
    this.text.textContent = [words + count, reason].filter(Boolean).join(' — ');
    this.bar.hidden = !isWorking(found);
    const value = percent ?? pushPercent;
    if (value === undefined) this.bar.removeAttribute('value');
    else this.bar.value = value;
    this.authors.hidden = found.authors_count === 0;
    this.authors.firstChild.textContent = `${found.authors_count} authors`;
    this.files.hidden = !found.has_large_files;
    this.files.firstChild.textContent = `${found.large_files_count} large files, ${found.large_files_size} GB: ${found.use_lfs}`;
    if (moved) this.needs.replaceChildren(...this.needed(found));
  }

  /** What the user has to do for it to go on. */
  needed({ status, project_choices: choices = [], repository_url: address }) {
    const change = (body) => this.actions.change(this.fullName, body);
    if (status === 'detection_needs_auth' || status === 'auth_failed') return [credentialForm(change)];
    if (status === 'detection_found_multiple') {
      return choices.map((choice) => button(choice.human_name, () => change(choice)));
    }
    if (status !== 'complete') return [];
    const clone = `git clone ${address.replace(/\/repos\/[^/]+\/[^/]+$/, '')}/${this.fullName}.git`;
    return [element('code', { textContent: clone })];
  }

  async showAuthors() {
    const authors = await this.actions.authors(this.fullName);
    const rows = authors.map((author) => {
      const [name, email] = [author.name, author.email].map((value) => element('input', { value }));
      const save = () => this.actions.map(this.fullName, author.id, { name: name.value, email: email.value });
      const cells = [author.remote_name, author.remote_id].map((textContent) => element('td', { textContent }));
      const fields = [name, email, button('Save', save)].map((field) => element('td', {}, field));
      return element('tr', {}, ...cells, ...fields);
    });
    this.authors.replaceChildren(this.authors.firstChild, element('table', {}, ...rows));
  }

  async showFiles() {
    const files = await this.actions.files(this.fullName);
    const choose = (words, choice) => button(words, () => this.actions.choose(this.fullName, choice));
    const rows = files.map(({ path, size, ref_name: ref }) =>
      element('li', { textContent: `${path} (${Math.round(size / 10 ** 6)} MB, ${ref})` }),
    );
    this.files.replaceChildren(
      this.files.firstChild,
      choose('Move them to large file storage', 'opt_in'),
      choose('Remove them', 'opt_out'),
      element('ul', {}, ...rows),
    );
  }
}

function credentialForm(change) {
  const user = element('input', { placeholder: 'user', autocomplete: 'off' });
  const password = element('input', { type: 'password', placeholder: 'password', autocomplete: 'off' });
  const form = element(
    'form',
    {},
    user,
    password,
    element('button', { type: 'submit', className: 'button', textContent: 'Try again' }),
  );
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    change({ vcs_username: user.value, vcs_password: password.value });
    password.value = '';
  });
  return form;
}
